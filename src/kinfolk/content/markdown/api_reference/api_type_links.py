"""The addresses of the types that signatures name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_pages import ApiReference
from kinfolk.content.markdown.api_reference.api_signature import LONGEST, type_names
from kinfolk.content.markdown.render_context import RenderContext

MOST_TYPES = 200
"""Names in signatures that are looked up."""

_FOLDERS = ("interfaces", "type-aliases", "classes", "enumerations")


@dataclass
class TypeLinks:
    """The addresses of types: those that the page links, and pages of the same reference, found by their name."""

    hrefs: dict[str, str]
    candidates: list[str]

    def addresses(self) -> list[str]:
        """What to resolve before `resolved`."""
        return [f"../{folder}/{name}.md" for name in self.candidates for folder in _FOLDERS]

    def resolved(self, context: RenderContext) -> dict[str, str]:
        """Name -> address. A name that two pages have is left out."""
        found = {name: target for name, href in self.hrefs.items() if (target := context.type_url(href))}
        for name in self.candidates:
            targets = [url for folder in _FOLDERS if (url := context.type_url(f"../{folder}/{name}.md"))]
            if len(targets) == 1:
                found[name] = targets[0]
        return found


def type_links(reference: ApiReference) -> TypeLinks:
    """The types that the page's signatures can link to."""
    own = reference.name.partition("<")[0].removesuffix("()")
    hrefs: dict[str, str] = {}
    names: dict[str, None] = {}
    for block in reference.blocks():
        for token in block:
            if token.type == "inline":
                hrefs.update(_linked_types(token.children or ()))
        if block[0].type == "fence" and len(block[0].content) <= LONGEST:
            names.update(dict.fromkeys(type_names(block[0].content)))
    hrefs.pop(own, None)
    candidates = [name for name in names if name not in hrefs and name != own]
    return TypeLinks(hrefs, candidates[:MOST_TYPES])


def _linked_types(children: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for at, child in enumerate(children[:-1]):
        href = str(child.attrs.get("href", "")) if child.type == "link_open" else ""
        if href.endswith(".md") and ":" not in href and children[at + 1].type == "code_inline":
            yield children[at + 1].content, href

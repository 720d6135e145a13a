"""A page's file -> the Markdown to render: applies `ref`, `replace` and sections, and removes section markers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from yaml import YAMLError

from kinfolk.content.markdown.dialects import Dialect, DialectSource, PlacedFile, TranslatedMarkdown, find_dialect
from kinfolk.content.markdown.front_matter import (
    FrontMatter,
    UnsupportedYaml,
    parse_front_matter,
    parse_yaml_block,
    split_front_matter,
)
from kinfolk.content.markdown.source.replace import apply_replacements
from kinfolk.runtime.budget import BUDGETS, OverBudget
from kinfolk.runtime.errors import NotFound

# The page itself and two more: the reference site follows no more references.
MOST_READS = 3

_MARKER = re.compile(r"\[//\]: # '([A-Za-z0-9]*)'")


@dataclass(frozen=True)
class ComposedMarkdown:
    """The Markdown to render. `ref_path` is the file that the text comes from, if it is not the page's own file."""

    text: str
    front: FrontMatter
    ref_path: str | None = None
    first_line: int = 1
    """Line number of the first line of `text` in its file."""
    dialect: Dialect | None = None
    """The dialect that `text` is translated from; None for a text as written."""
    translated: TranslatedMarkdown | None = None

    def line_number(self, line: int) -> int:
        """The line in the page's file of a 0-based line of `text`."""
        numbers = self.translated.line_numbers if self.translated else ()
        if numbers:
            return numbers[min(line, len(numbers) - 1)]
        return line + self.first_line


def compose(
    text: str, read_target: Callable[[str], str], place: PlacedFile | None = None, *, for_export: bool = False
) -> ComposedMarkdown:
    """The page's own text, or the text that its `ref` names with the page's replacements and sections.

    With a `place`, a file of another dialect is translated instead.

    `read_target` reads a path relative to the repository's root and raises NotFound. The page's own title and
    description take precedence over those of the target. Raises NotFound, naming the target, if the target is missing
    or the chain of references is too long, and OverBudget if the text is longer than a page may be, before or after
    the replacements.
    """
    dialect = find_dialect(place.dialect) if place else None
    if place is not None and dialect is not None:
        return _translated(_normal(text), read_target, place, dialect, for_export=for_export)
    layers = [_normal(text)]
    front_matters = [parse_front_matter(split_front_matter(layers[0])[0])]
    while (ref := front_matters[-1].ref) is not None:
        if len(layers) == MOST_READS:
            raise NotFound(
                f"{front_matters[0].ref} refers to {front_matters[-2].ref} and that to {ref}: too far to follow"
            )
        layers.append(_normal(_read(ref, read_target)))
        front_matters.append(parse_front_matter(split_front_matter(layers[-1])[0]))

    whole = layers[-1]
    for layer, front in zip(layers[-2::-1], front_matters[-2::-1], strict=True):
        whole = apply_replacements(whole, front.replace)
        block, body = split_front_matter(whole)
        whole = f"---\n{block}\n---\n{_with_sections(body, split_front_matter(layer)[1])}"
    block, body = split_front_matter(whole)
    if len(layers) > 1:
        front_matters[-1] = parse_front_matter(block)
    return ComposedMarkdown(
        text=_MARKER.sub("", body),
        front=_merged(front_matters),
        ref_path=front_matters[-2].ref if len(front_matters) > 1 else None,
        first_line=1 + whole.count("\n", 0, len(whole) - len(body)),
    )


def _translated(
    text: str, read_target: Callable[[str], str], place: PlacedFile, dialect: Dialect, *, for_export: bool
) -> ComposedMarkdown:
    block, body = split_front_matter(text)
    try:
        keys = parse_yaml_block(block)
    except (YAMLError, UnsupportedYaml):
        keys = {}
    source = DialectSource(
        path=place.path,
        docs_root=place.docs_root,
        text=body,
        first_line=1 + text.count("\n", 0, len(text) - len(body)),
        front=keys if isinstance(keys, dict) else {},
        read=read_target,
        for_export=for_export,
        components=place.components,
        labels=place.labels,
    )
    made = dialect.translate(source)
    front = replace(parse_front_matter(block), ref=None, replace=())
    front = replace(front, title=front.title or made.title)
    return ComposedMarkdown(made.text, front, first_line=source.first_line, dialect=dialect, translated=made)


def _normal(text: str) -> str:
    _check_length(len(text))
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _check_length(length: int) -> None:
    if length > BUDGETS["markdown"].input_bytes:
        raise OverBudget("markdown", "size", "This page's text is longer than the site formats")


def _read(ref: str, read_target: Callable[[str], str]) -> str:
    path = ref.lstrip("/")
    missing = NotFound(f"This page shows the text of {ref}, which does not exist")
    if ".." in path.split("/"):
        raise missing
    try:
        return read_target(path)
    except NotFound:
        raise missing from None


def _with_sections(target: str, page: str) -> str:
    """The target, with its marked blocks replaced by the page's blocks of the same name."""
    own = {name: page[start:end] for name, start, end in _sections(page)}
    parts: list[str] = []
    done = length = 0
    for name, start, end in _sections(target):
        if name in own:
            parts += (target[done:start], own[name])
            done = end
            length += len(parts[-2]) + len(parts[-1])
            _check_length(length)
    return "".join([*parts, target[done:]])


def _sections(text: str) -> list[tuple[str, int, int]]:
    """(name, start, end) of each block between two markers of one name, markers included. Ignores unpaired markers."""
    markers = list(_MARKER.finditer(text))
    found = []
    at = 0
    while at + 1 < len(markers):
        first, second = markers[at], markers[at + 1]
        if first[1] == second[1]:
            found.append((first[1], first.start(), second.end()))
            at += 1
        at += 1
    return found


def _merged(front_matters: list[FrontMatter]) -> FrontMatter:
    """The page's own keys, completed with those of the pages that it refers to."""
    own = front_matters[0]
    for further in front_matters[1:]:
        own = replace(
            own,
            title=own.title or further.title,
            description=own.description or further.description,
            keywords=own.keywords or further.keywords,
            toc=own.toc and further.toc,
            resources=own.resources or further.resources,
        )
    return own

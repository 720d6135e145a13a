"""What stands inside a paragraph or heading: its plain text, its links and images, its raw tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from kinfolk.markdown.draft import Draft
from kinfolk.markdown.raw_html import rewrite

_TEXT = ("text", "code_inline")
_BREAKS = ("softbreak", "hardbreak")


def plain_text(inline: Token) -> str:
    """The words alone, as slugs and tables of contents want them."""
    return " ".join(_words(inline.children or ()).split())


def _words(children: Sequence[Token]) -> str:
    parts: list[str] = []
    for child in children:
        if child.type in _TEXT:
            parts.append(child.content)
        elif child.type in _BREAKS:
            parts.append(" ")
        elif child.type == "image":
            parts.append(_words(child.children or ()))
    return "".join(parts)


def finish_inline(inline: Token, draft: Draft) -> None:
    """Send links and images where they go and let only known tags through."""
    children = inline.children or []
    _name_pictures(children)
    line = inline.map[0] if inline.map else 0
    for child in children:
        if child.type == "link_open":
            _send(child, draft.link(str(child.attrs.get("href", "")), line), "href")
        elif child.type == "image":
            _send(child, draft.image(str(child.attrs.get("src", ""))), "src")
        elif child.type == "html_inline":
            child.content = rewrite(child.content, draft, line)
        elif child.type in _BREAKS:
            line += 1


def _name_pictures(children: Sequence[Token]) -> None:
    """A link that is a picture only, without a word, is called by its address: it has to have some name."""
    for address, inside in _links(children):
        picture = next((child for child in inside if child.type == "image"), None)
        if picture and not _words(inside).strip():
            picture.children = [Token("text", "", 0, content=address)]


def _links(children: Sequence[Token]) -> Iterator[tuple[str, Sequence[Token]]]:
    """Each link's address, as one says it, and what stands in it."""
    address, start = "", -1
    for at, child in enumerate(children):
        if child.type == "link_open":
            address, start = _spoken(str(child.attrs.get("href", ""))), at + 1
        elif child.type == "link_close" and start >= 0:
            yield address, children[start:at]
            start = -1


def _spoken(href: str) -> str:
    for protocol in ("https://", "http://"):
        if href.startswith(protocol):
            href = href.removeprefix(protocol).removeprefix("www.")
            break
    return href.rstrip("/?#")


def _send(token: Token, attributes: dict[str, str], key: str) -> None:
    token.attrs.pop(key, None)
    token.attrs = {**attributes, **token.attrs}

"""The inline content of a paragraph or heading: plain text, links, images and raw tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markdown_it.token import Token

from kinfolk.content.markdown.extensions.color_chips import chip_html, color_of
from kinfolk.content.markdown.extensions.footnote_marks import MARK, TRUSTED, mark_html
from kinfolk.content.markdown.extensions.math import INLINE, inline_html
from kinfolk.content.markdown.html.raw_html import rewrite_raw_html
from kinfolk.content.markdown.render_context import RenderContext

_TEXT = ("text", "text_special", "code_inline", INLINE)
_BREAKS = ("softbreak", "hardbreak")


def plain_text(inline: Token) -> str:
    """The text without markup, for tables of contents."""
    return " ".join(_words(inline.children or ()).split())


def slug_text(inline: Token) -> str:
    """The text without markup, with emoji as their codes: GitHub's ids contain the names of codes."""
    children = inline.children or []
    if not any("written" in child.meta for child in children):
        return plain_text(inline)
    written = [child.copy(content=child.meta.get("written", child.content)) for child in children]
    return " ".join(_words(written).split())


def prose_text(children: Sequence[Token]) -> str:
    """The text without markup and without the text alternatives of images, for descriptions."""
    return " ".join(_words([child for child in children if child.type != "image"]).split())


def _words(children: Sequence[Token]) -> str:
    parts: list[str] = []
    in_badge = False
    for child in children:
        if child.type == "html_inline" and child.content.startswith(("<sup data-badge", "</sup>")):
            in_badge = child.content[1] != "/"
        elif in_badge:  # a label beside the text, and no part of it
            continue
        elif child.type in _TEXT:
            parts.append(child.content)
        elif child.type in _BREAKS:
            parts.append(" ")
        elif child.type == "image":
            parts.append(_words(child.children or ()))
    return "".join(parts)


def finish_inline(inline: Token, context: RenderContext) -> None:
    """Resolve links and images, and remove unknown tags."""
    children = inline.children or []
    _add_missing_alt_texts(children)
    line = inline.map[0] if inline.map else 0
    for child in children:
        if child.type == "link_open":
            _set_attributes(child, context.link(str(child.attrs.get("href", "")), line), "href")
        elif child.type == "image":
            _set_attributes(child, context.image(str(child.attrs.get("src", ""))), "src")
        elif child.type == "html_inline":
            child.content = rewrite_raw_html(child.content, context, line)
        elif child.type in _EXTENSIONS:
            html = _EXTENSIONS[child.type](child, context, line)
            if html is not None:
                child.type, child.content = "html_inline", html
        elif child.type in _BREAKS:
            line += 1


def _chip(code: Token, context: RenderContext, line: int) -> str | None:
    color = color_of(code.content)
    return chip_html(color, context) if color else None


_EXTENSIONS: dict[str, Callable[[Token, RenderContext, int], str | None]] = {
    MARK: lambda mark, context, line: mark_html(mark),
    INLINE: inline_html,
    "code_inline": _chip,
    TRUSTED: lambda token, context, line: token.content,
}
"""Types of tokens whose HTML is made here; None leaves the token to the parser's renderer."""


def _add_missing_alt_texts(children: Sequence[Token]) -> None:
    """Give an image that is the only content of a link, and has no alt text, the link's address as alt text.

    A link without an accessible name fails WCAG 2.4.4.
    """
    for address, inside in _links(children):
        picture = next((child for child in inside if child.type == "image"), None)
        if picture and not _words(inside).strip():
            picture.children = [Token("text", "", 0, content=address)]


def _links(children: Sequence[Token]) -> Iterator[tuple[str, Sequence[Token]]]:
    """Each link's address without protocol, and the tokens inside the link."""
    address, start = "", -1
    for at, child in enumerate(children):
        if child.type == "link_open":
            address, start = _short_address(str(child.attrs.get("href", ""))), at + 1
        elif child.type == "link_close" and start >= 0:
            yield address, children[start:at]
            start = -1


def _short_address(href: str) -> str:
    for protocol in ("https://", "http://"):
        if href.startswith(protocol):
            href = href.removeprefix(protocol).removeprefix("www.")
            break
    return href.rstrip("/?#")


def _set_attributes(token: Token, attributes: dict[str, str], key: str) -> None:
    token.attrs.pop(key, None)
    token.attrs = {**attributes, **token.attrs}

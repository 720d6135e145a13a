"""The inline content of a paragraph or heading: plain text, links, images and raw tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markdown_it.token import Token

from kinfolk.content.markdown.extensions.color_chips import chip_html, color_of
from kinfolk.content.markdown.extensions.footnote_marks import MARK, TRUSTED, mark_html
from kinfolk.content.markdown.extensions.math import INLINE, inline_html
from kinfolk.content.markdown.html.raw_html import end_tags, rewrite_inline_html
from kinfolk.content.markdown.render_context import RenderContext

_TEXT = ("text", "text_special", "code_inline", INLINE)
_BREAKS = ("softbreak", "hardbreak")


def plain_text(inline: Token) -> str:
    """The text without markup, for tables of contents."""
    return " ".join(_words(inline.children or ()).split())


def has_emoji_codes(inline: Token) -> bool:
    """Whether codes of the text were replaced by emoji."""
    return any("written" in child.meta for child in inline.children or ())


def slug_text(inline: Token) -> str:
    """The text without markup, with emoji as their codes: GitHub's ids contain the names of codes."""
    children = inline.children or []
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
    types = {child.type for child in children}
    if types.isdisjoint(_CHANGED):
        return
    ends: frozenset[str] = frozenset()
    if "html_inline" in types:
        tags = raw_html_of(inline)
        ends = end_tags(tags)
        children = inline.children = _with_whole_pictures(children, tags)
    if "image" in types:
        _add_missing_alt_texts(children)
    _finish(children, context, inline.map[0] if inline.map else 0, ends)


def _finish(children: Sequence[Token], context: RenderContext, line: int, ends: frozenset[str]) -> None:
    """`line` is that of the first child, `ends` are the end tags of all."""
    hidden_links: list[bool] = []
    in_drawing = False
    for child in children:
        if in_drawing:
            in_drawing = not child.content.lower().startswith("</svg")
            line += child.type in _BREAKS
            child.type, child.content = "html_inline", ""
            continue
        in_drawing = child.type == "html_inline" and "svg" in ends and _opens_drawing(child.content)
        if child.type == "link_open":
            address = context.link(str(child.attrs.get("href", "")), line)
            _set_attributes(child, address, "href")
            hidden_links.append(not address)
            child.hidden = not address
        elif child.type == "link_close" and hidden_links:
            child.hidden = hidden_links.pop()
        elif child.type == "image":
            _set_attributes(child, context.image(str(child.attrs.get("src", ""))), "src")
        elif child.type == "html_inline":
            child.content = rewrite_inline_html(child.content, context, line, ends)
        elif child.type in _EXTENSIONS:
            html = _EXTENSIONS[child.type](child, context, line)
            if html is not None:
                child.type, child.content = "html_inline", html
        elif child.type in _BREAKS:
            line += 1


def _opens_drawing(tag: str) -> bool:
    return tag[:4].lower() == "<svg" and not tag[4:5].isalnum() and not tag.endswith("/>")


def raw_html_of(inline: Token) -> str:
    """All tags of the paragraph."""
    return "".join(child.content for child in inline.children or () if child.type == "html_inline")


def _with_whole_pictures(children: list[Token], tags: str) -> list[Token]:
    """The tokens, those of a `<picture>` with sources for a color scheme as one. `tags` are those of all."""
    if "prefers-color-scheme" not in tags.lower():
        return children
    result: list[Token] = []
    start: int | None = None
    for child in children:
        result.append(child)
        if child.type != "html_inline":
            if child.type not in _BREAKS and child.content.strip():
                start = None
        elif child.content.lower().startswith("<picture"):
            start = len(result) - 1
        elif child.content.lower().startswith("</picture") and start is not None:
            html = "\n".join(one.content for one in result[start:] if one.type == "html_inline")
            result[start:] = [Token("html_inline", "", 0, content=html)]
            start = None
    return result


def _chip(code: Token, context: RenderContext, _line: int) -> str | None:
    color = color_of(code.content)
    return chip_html(color, context) if color else None


_EXTENSIONS: dict[str, Callable[[Token, RenderContext, int], str | None]] = {
    MARK: lambda mark, _context, _line: mark_html(mark),
    INLINE: inline_html,
    "code_inline": _chip,
    TRUSTED: lambda token, _context, _line: token.content,
}
"""Types of tokens whose HTML is made here; None leaves the token to the parser's renderer."""
_CHANGED = frozenset(("link_open", "image", "html_inline", *_EXTENSIONS))


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

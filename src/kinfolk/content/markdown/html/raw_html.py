"""HTML in Markdown -> allowed tags, rebuilt attribute by attribute. Of other elements the content is kept.

A tag that is a word of prose, as in `Promise<void>` or "the <form> element", becomes text. Each tag is written
completely or not at all, so that no later text can become part of an attribute or a comment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import urlsplit

from kinfolk.content.markdown.html.elements import (
    ATTRIBUTES,
    DIRECTIONS,
    EMPTY,
    NAMES,
    OPTIONAL_END,
    RARE,
    SHOWN_AS,
    TAGS,
    VOID,
)
from kinfolk.content.markdown.html.theme_pictures import THEME_ATTRIBUTE, THEMES, by_theme
from kinfolk.content.markdown.render_context import RenderContext, format_attributes

# Hosts of allowed iframes -> the host to use, which sets no tracking cookies where there is such a variant.
FRAME_HOSTS = {
    "www.youtube.com": "www.youtube-nocookie.com",
    "youtube.com": "www.youtube-nocookie.com",
    "www.youtube-nocookie.com": "www.youtube-nocookie.com",
    "youtube-nocookie.com": "www.youtube-nocookie.com",
    "codesandbox.io": "codesandbox.io",
    "stackblitz.com": "stackblitz.com",
}
FRAME_NAMES = {"www.youtube-nocookie.com": "Video", "codesandbox.io": "Sandbox", "stackblitz.com": "Sandbox"}
_FRAME_PERMISSIONS = (
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'
    ' allow-presentation"'
    ' allow="fullscreen; picture-in-picture; encrypted-media; clipboard-write" allowfullscreen loading="lazy"'
    ' referrerpolicy="strict-origin-when-cross-origin"'
)

_PIECE = re.compile(
    r"""<!--.*?(?:-->|\Z)
      | <(?P<removed>script|style)\b[^>]*+(?:>.*?(?:</(?P=removed)\s*>|\Z)|\Z)
      | (?P<frame> <iframe\b(?P<frame_attributes>(?>"[^"]*"|'[^']*'|[^<>"'])*+)>(?:[^<]*</iframe\s*>)? )
      | <(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?P<attributes>(?>"[^"]*"|'[^']*'|[^<>"'])*+)>
      | <""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/={}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{\{.{0,300}?\}\}|[^\s"'=<>`]+))?""", re.DOTALL)
_DRAWING = re.compile(r"<svg\b[^<>]*+(?:(?<=/)>|>.*?(?:</svg\s*>|\Z))", re.DOTALL | re.IGNORECASE)
_TAG_NAME = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*+)")
_LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}")
_REMOVED = ("script", "style", "iframe")
_MEDIA = ("audio", "video")


def unmatched_ends(html: str) -> set[str]:
    """The names of end tags without a start tag before them."""
    open_tags: Counter[str] = Counter()
    found = set()
    for slash, written in _TAG_NAME.findall(html):
        name = written.lower()
        if not slash:
            open_tags[name] += 1
        elif open_tags[name]:
            open_tags[name] -= 1
        else:
            found.add(name)
    return found


def end_tags(html: str) -> frozenset[str]:
    """The names of all end tags."""
    return frozenset(name.lower() for slash, name in _TAG_NAME.findall(html) if slash) if "</" in html else frozenset()


def rewrite_raw_html(html: str, context: RenderContext, line: int) -> str:
    """A block of HTML with allowed tags only. Links and images are resolved like those of Markdown."""

    def without_drawing(drawing: re.Match[str]) -> str:
        context.dropped_tag("svg", line + html.count("\n", 0, drawing.start()))
        return "\n" * drawing[0].count("\n")

    if "<svg" in html or "<SVG" in html:
        html = _DRAWING.sub(without_drawing, html)
    return _RawHtml(by_theme(html), context, line, end_tags(html), is_block=True).rewritten()


def rewrite_inline_html(html: str, context: RenderContext, line: int, ends: frozenset[str]) -> str:
    """A tag in a paragraph that has these end tags, or a picture."""
    return _RawHtml(by_theme(html), context, line, ends, is_block=False).rewritten()


class _RawHtml:
    """A piece of HTML, and the end tags of the paragraph or block that it is in."""

    def __init__(self, html: str, context: RenderContext, line: int, ends: frozenset[str], *, is_block: bool) -> None:
        self._html = html
        self._context = context
        self._line = line
        self._counted_to = 0
        self._ends = ends
        self._is_block = is_block

    def rewritten(self) -> str:
        return _PIECE.sub(self._piece, self._html)

    def _piece(self, match: re.Match[str]) -> str:
        self._line += self._html.count("\n", self._counted_to, match.start())
        self._counted_to = match.start()
        if match["frame"]:
            frame = _frame(_attributes(match["frame_attributes"]), self._context)
            return frame or self._context.dropped_tag("iframe", self._line)
        if match["name"]:
            return self._tag(match)
        if match["removed"]:
            name = match["removed"].lower()
            if not self._is_block and match[0].lower() == f"<{name}>" and name not in self._ends:
                return escape(match[0], quote=False)
            return self._context.dropped_tag(name, self._line)
        return "&lt;" if match[0] == "<" else ""

    def _tag(self, match: re.Match[str]) -> str:
        written, is_end = match["name"].lower(), bool(match["slash"])
        if written in _REMOVED:
            return "" if is_end else self._context.dropped_tag(match["name"], self._line)
        if written not in TAGS or written in RARE:
            is_text = self._context.is_end_text(written) if is_end else self._is_text(match)
            if is_text:
                return escape(match[0], quote=False)
        name = SHOWN_AS.get(written, written)
        if name not in TAGS:
            if is_end and written in NAMES:
                return ""
            return self._context.dropped_tag(match["name"], self._line, is_end=is_end)
        return self._context.close_tag(name) if is_end else self._shown(name, written, _attributes(match["attributes"]))

    def _is_text(self, match: re.Match[str]) -> bool:
        """Whether a start tag is meant as text: without attributes, not alone on its line, and without an end tag."""
        name, attributes = match["name"].lower(), match["attributes"]
        if name in OPTIONAL_END or "-" in name or name in self._ends or name in self._context.unmatched_ends:
            return False
        if self._is_block and (name in EMPTY or self._is_alone(match)):
            return False
        is_bare = not attributes.strip() or (name not in NAMES and "=" not in attributes and "/" not in attributes)
        if is_bare:
            self._context.text_tag(name)
        return is_bare

    def _is_alone(self, tag: re.Match[str]) -> bool:
        before = tag.start() - 1
        while before >= 0 and self._html[before] in " \t":
            before -= 1
        is_first = before < 0 or self._html[before] == "\n"
        return is_first and _LINE_END.match(self._html, tag.end()) is not None

    def _shown(self, name: str, written_name: str, written: dict[str, str]) -> str:
        """The start tag of an element that is shown."""
        context = self._context
        allowed = {key: value for key, value in written.items() if key in ATTRIBUTES.get(name, ())}
        if written_name == "center":
            allowed["align"] = "center"
        anchor = context.own_anchor(written.get("id") or (written.get("name", "") if name == "a" else ""))
        is_link = name == "a" and "href" in written
        address = context.link(written["href"], self._line) if is_link else {}
        if is_link and not address and not anchor:
            return ""  # its text stays
        if name not in VOID and not context.open_tag(name):
            return ""
        if name == "sup" and "data-badge" in written:
            allowed["data-badge"] = written["data-badge"]
        if name == "picture" and written.get(THEME_ATTRIBUTE) in THEMES:
            allowed[THEME_ATTRIBUTE] = written[THEME_ATTRIBUTE]
        if anchor:
            allowed["id"] = anchor
        if written.get("dir", "").lower() in DIRECTIONS:
            allowed["dir"] = written["dir"].lower()
        if _LANGUAGE.fullmatch(written.get("lang", "")):
            allowed["lang"] = written["lang"]
        return f"<{name}{format_attributes(allowed | address | _media_attributes(name, written, context))}>"


def _media_attributes(name: str, written: dict[str, str], context: RenderContext) -> dict[str, str]:
    """The addresses of pictures and films, and how they are loaded."""
    if name == "img":
        return context.image(written.get("src", "")) | {"alt": written.get("alt", "")}
    addresses = {}
    if name in ("source", "track", *_MEDIA) and (src := context.image_url(written["src"]) if "src" in written else ""):
        addresses["src"] = src
    if name == "video" and (poster := context.image_url(written["poster"]) if "poster" in written else ""):
        addresses["poster"] = poster
    if name in _MEDIA:
        addresses |= {"controls": "", "preload": "none" if "poster" in addresses else "metadata"}
    if name == "source" and "src" not in addresses:
        addresses["srcset"] = _srcset(written.get("srcset", ""), context.image_url)
    return addresses


def _attributes(source: str) -> dict[str, str]:
    """Attributes with lower-case names; the first of a name takes precedence. Ignores JSX values (`style={{…}}`)."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(source):
        bare = value[1:-1] if value[:1] in ('"', "'") else value
        found.setdefault(name.lower(), unescape(bare).strip())
    return found


def _srcset(written: str, image_url: Callable[[str], str]) -> str:
    candidates = [candidate.split() for candidate in written.split(",")]
    return ", ".join(" ".join((image_url(words[0]), *words[1:2])) for words in candidates if words)


def is_frame_address(address: str) -> bool:
    """Whether a page may have a frame with this address."""
    try:
        url = urlsplit(address)
    except ValueError:
        return False
    return url.scheme == "https" and url.netloc.lower() in FRAME_HOSTS


def _frame(attributes: dict[str, str], context: RenderContext) -> str:
    try:
        url = urlsplit(attributes.get("src", ""))
    except ValueError:
        return ""
    host = FRAME_HOSTS.get(url.netloc.lower())
    if not host or url.scheme not in ("http", "https", ""):
        return ""
    title = attributes.get("title") or FRAME_NAMES[host]
    sizes = {key: value for key in ("width", "height") if (value := attributes.get(key, "")).isdecimal()}
    src = url._replace(scheme="https", netloc=host).geturl()
    return context.embed(
        f"<iframe{format_attributes({'src': src, 'title': title} | sizes)} {_FRAME_PERMISSIONS}></iframe>"
    )

"""HTML in Markdown -> allowed tags, rebuilt attribute by attribute. Everything else becomes text.

Each tag is written completely or not at all, so that no later text can become part of an attribute or a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import urlsplit

from kinfolk.content.markdown.render_context import RenderContext, format_attributes

VOID = frozenset(("br", "hr", "img", "source", "wbr"))
TAGS = VOID | frozenset(
    """a abbr b blockquote caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 i ins kbd li mark
    ol p picture pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul
    var""".split()
)

ATTRIBUTES = {
    "a": frozenset(("title",)),
    "details": frozenset(("open",)),
    "img": frozenset(("alt", "width", "height", "title", "align")),
    "source": frozenset(("media", "type", "sizes", "width", "height")),
    "ol": frozenset(("start", "reversed")),
    "td": frozenset(("align", "colspan", "rowspan")),
    "th": frozenset(("align", "colspan", "rowspan", "scope")),
    "abbr": frozenset(("title",)),
} | {tag: frozenset(("align",)) for tag in ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6")}

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
      | <(script|style)\b[^>]*+(?:>.*?(?:</\1\s*>|\Z)|\Z)
      | (?P<frame> <iframe\b(?P<frame_attributes>(?>"[^"]*"|'[^']*'|[^<>"'])*+)>(?:[^<]*</iframe\s*>)? )
      | <(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?P<attributes>(?>"[^"]*"|'[^']*'|[^<>"'])*+)>
      | <""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/={}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{\{.{0,300}?\}\}|[^\s"'=<>`]+))?""", re.DOTALL)
_SHOWN_AS = {"h1": "h2"}
"""The title of the page is its only first-level heading."""
_REMOVED = ("script", "style", "iframe")


def rewrite_raw_html(html: str, context: RenderContext, line: int) -> str:
    """The HTML with allowed tags only. Links and images are resolved like those of Markdown."""

    def piece(match: re.Match[str]) -> str:
        if match["frame"]:
            return _frame(_attributes(match["frame_attributes"]), context)
        if match["name"]:
            return _tag(match, context, line)
        return "&lt;" if match[0] == "<" else ""

    return _PIECE.sub(piece, html)


def _tag(match: re.Match[str], context: RenderContext, line: int) -> str:
    name = match["name"].lower()
    name = _SHOWN_AS.get(name, name)
    if name in _REMOVED:
        return ""
    if name not in TAGS:
        # Prose such as `Promise<void>` or "the <form> element" is meant as text. A lone end tag is a mistake.
        return escape(match[0], quote=False) if context.is_tag_text(name, is_end=bool(match["slash"])) else ""
    if match["slash"]:
        return context.close_tag(name)
    written = _attributes(match["attributes"])
    allowed = {key: value for key, value in written.items() if key in ATTRIBUTES.get(name, ())}
    if name not in VOID and not context.open_tag(name):
        return ""
    if name == "sup" and "data-badge" in written:
        allowed["data-badge"] = written["data-badge"]
    anchor = context.own_anchor(written.get("id") or (written.get("name", "") if name == "a" else ""))
    if anchor:
        allowed["id"] = anchor
    if name == "a" and "href" in written:
        allowed |= context.link(written["href"], line)
    elif name == "img":
        allowed |= context.image(written.get("src", "")) | {"alt": written.get("alt", "")}
    elif name == "source":
        allowed["srcset"] = _srcset(written.get("srcset", ""), context.image_url)
    return f"<{name}{format_attributes(allowed)}>"


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

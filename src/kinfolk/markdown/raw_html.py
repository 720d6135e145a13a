"""HTML that authors write -> tags the site knows, rebuilt attribute by attribute; the rest is text.

A tag leaves here complete or not at all, so nothing that follows can end up inside an attribute or a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import urlsplit

from kinfolk.markdown.draft import Draft, in_tag

VOID = frozenset(("br", "hr", "img", "source", "wbr"))
# Names as one text: a list of them would fill a page.
TAGS = VOID | frozenset(
    """a abbr b blockquote caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 i ins kbd li mark
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

# Players we let in, and where a privacy-minded twin answers under the same path.
FRAME_HOSTS = {
    "www.youtube.com": "www.youtube-nocookie.com",
    "youtube.com": "www.youtube-nocookie.com",
    "www.youtube-nocookie.com": "www.youtube-nocookie.com",
    "youtube-nocookie.com": "www.youtube-nocookie.com",
    "codesandbox.io": "codesandbox.io",
    "stackblitz.com": "stackblitz.com",
}
FRAME_NAMES = {"www.youtube-nocookie.com": "Video", "codesandbox.io": "Sandbox", "stackblitz.com": "Sandbox"}
_FRAME_RIGHTS = (
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'
    ' allow-presentation"'
    ' allow="fullscreen; picture-in-picture; encrypted-media; clipboard-write" allowfullscreen loading="lazy"'
    ' referrerpolicy="strict-origin-when-cross-origin"'
)

_PIECE = re.compile(
    r"""<!--.*?(?:-->|\Z)
      | <(script|style)\b[^>]*+(?:>.*?(?:</\1\s*>|\Z)|\Z)
      | (?P<frame> <iframe\b(?P<frame_attributes>(?:"[^"]*"|'[^']*'|[^<>"'])*+)>(?:[^<]*</iframe\s*>)? )
      | <(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?P<attributes>(?:"[^"]*"|'[^']*'|[^<>"'])*+)>
      | <""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/={}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{\{.{0,300}?\}\}|[^\s"'=<>`]+))?""", re.DOTALL)
_SILENT = ("script", "style", "iframe")


def rewrite(html: str, draft: Draft, line: int) -> str:
    """The same HTML with only what the site lets through; links and images go where the page's own do."""

    def piece(match: re.Match[str]) -> str:
        if match["frame"]:
            return _frame(_attributes(match["frame_attributes"]), draft)
        if match["name"]:
            return _tag(match, draft, line)
        return "&lt;" if match[0] == "<" else ""

    return _PIECE.sub(piece, html)


def _tag(match: re.Match[str], draft: Draft, line: int) -> str:
    name = match["name"].lower()
    if name in _SILENT:
        return ""
    if name not in TAGS:
        # Prose like `Promise<void>` or "the <form> element": the author meant the characters. An end alone
        # is a slip.
        return escape(match[0], quote=False) if draft.shows(name, ends=bool(match["slash"])) else ""
    if match["slash"]:
        return draft.close_tag(name)
    written = _attributes(match["attributes"])
    kept = {key: value for key, value in written.items() if key in ATTRIBUTES.get(name, ())}
    if name not in VOID and not draft.open_tag(name):
        return ""
    anchor = draft.own_anchor(written.get("id") or (written.get("name", "") if name == "a" else ""))
    if anchor:
        kept["id"] = anchor
    if name == "a" and "href" in written:
        kept |= draft.link(written["href"], line)
    elif name == "img":
        kept |= draft.image(written.get("src", "")) | {"alt": written.get("alt", "")}
    elif name == "source":
        kept["srcset"] = _srcset(written.get("srcset", ""), draft.image_url)
    return f"<{name}{in_tag(kept)}>"


def _attributes(source: str) -> dict[str, str]:
    """Names in lower case; the first of a name counts. JSX values such as `style={{…}}` are nobody's."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(source):
        bare = value[1:-1] if value[:1] in ('"', "'") else value
        found.setdefault(name.lower(), unescape(bare).strip())
    return found


def _srcset(written: str, image_url: Callable[[str], str]) -> str:
    candidates = [candidate.split() for candidate in written.split(",")]
    return ", ".join(" ".join((image_url(words[0]), *words[1:2])) for words in candidates if words)


def _frame(attributes: dict[str, str], draft: Draft) -> str:
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
    return draft.embed(f"<iframe{in_tag({'src': src, 'title': title} | sizes)} {_FRAME_RIGHTS}></iframe>")

"""The Content-Security-Policy of a page: files of this site, and inline scripts and styles that the page contains."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

SCRIPT = re.compile(
    r"""<(?i:script)(?=[\s/>])((?>[^">]++|"[^"]*+(?:"|\Z))*+)(?:>((?>[^<]++|<(?!/(?i:script)[\s/>]))*+)(?:(</(?i:script)(?=[\s/>]))|\Z)|\Z)""",
    re.DOTALL,
)
"""Sufficient for HTML that React writes: `<` occurs in tags, comments and scripts only, and all quotes are double."""
STYLE = re.compile(r"<style(?=[\s>])[^<>]*+(?:>((?>[^<]++|<(?!/style))*+)(?:</style>|\Z))?")
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")
_STYLE_ATTRIBUTE = re.compile(r"""\sstyle=(?:"([^"]*+)"|'([^']*+)')""")
MAX_PICTURE_HASHES = 64
"""3.5 kB of a header. A picture with more styles has none when it is opened by itself; in a page it has all."""
ATTRIBUTE = re.compile(r"""\s([a-z][a-z-]*)(?:="([^"]*)")?""", re.IGNORECASE)
EXECUTABLE_TYPES = frozenset({"", "module", "text/javascript", "importmap", "speculationrules"})
"""Values of `type` that a browser checks against the policy; a script of any other type is data."""

DIRECTIVES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' https: data:",
    "media-src": "'self' https:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": " ".join(
        (
            "'self'",
            *(
                f"https://{host}"
                for host in ("www.youtube-nocookie.com", "www.youtube.com", "codesandbox.io", "stackblitz.com")
            ),
        )
    ),
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": "'self'",
}


UNSAFE_INLINE = "'unsafe-inline'"
TRUSTED_TYPES = {"require-trusted-types-for": "'script'", "trusted-types": "default html page panel"}
"""The policies of `api/html.ts` (two), `boot/pagePolicy.ts` and the developer tools of the router. Third-party scripts
would need policies of their own."""
THIRD_PARTY_DIRECTIVES = ("script-src", "img-src", "connect-src", "frame-src")
"""A third-party script also loads images, data and frames from its host."""


@dataclass(frozen=True)
class AllowedSources:
    """Origins that the policy of all pages allows besides this site.

    `script_src`: hosts of third-party scripts that the operator configured. `form_action`: addresses of forms.
    `connect_src`: origins that scripts of this site request.
    """

    script_src: tuple[str, ...] = ()
    form_action: tuple[str, ...] = ()
    connect_src: tuple[str, ...] = ()


def build_policy(
    scripts: Iterable[str] = (),
    styles: Iterable[str] = (),
    *,
    frame_ancestors: str = "'none'",
    sources: AllowedSources | None = None,
) -> str:
    """The policy that allows inline scripts and styles with these hashes, and sites that may show a page in a frame."""
    sources = sources or AllowedSources()
    third_party = {name: " ".join((DIRECTIVES[name], *sources.script_src)) for name in THIRD_PARTY_DIRECTIVES}
    directives = DIRECTIVES | third_party | ({} if sources.script_src else TRUSTED_TYPES)
    directives["script-src"] = " ".join((directives["script-src"], *(f"'{script}'" for script in scripts)))
    # Third-party scripts, such as those of ads, insert styles. A hash would forbid them.
    allowed = (UNSAFE_INLINE,) if sources.script_src else tuple(f"'{style}'" for style in styles)
    directives["style-src"] = " ".join((directives["style-src"], *allowed))
    directives["connect-src"] = " ".join((directives["connect-src"], *sources.connect_src))
    directives["frame-ancestors"] = frame_ancestors
    directives["form-action"] = " ".join((directives["form-action"], *sources.form_action))
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def picture_policy(svg: str | bytes) -> str:
    """The policy of an SVG that is opened by itself: it runs and loads nothing, and has its own styles."""
    text = svg if isinstance(svg, str) else svg.decode("utf-8", "replace")
    elements = (unescape(_CDATA.sub("", style[1])) for style in STYLE.finditer(text) if style[1] is not None)
    attributes = [unescape(style[1] or style[2] or "") for style in _STYLE_ATTRIBUTE.finditer(text)]
    hashes = list(dict.fromkeys(map(source_hash, (*elements, *attributes))))
    if not hashes or len(hashes) > MAX_PICTURE_HASHES:
        return "default-src 'none'; sandbox"
    allowed = " ".join((*(("'unsafe-hashes'",) if attributes else ()), *(f"'{hash}'" for hash in hashes)))
    return f"default-src 'none'; style-src {allowed}; sandbox"


def inline_scripts(html: str) -> tuple[str, ...]:
    """The hashes, as `sha256-…`, of all inline scripts that a browser would run: distinct, in document order."""
    hashes: dict[str, None] = {}
    for script in SCRIPT.finditer(html):
        if script[3] is None:
            continue  # browsers do not run a script without an end tag
        attributes = {name.lower(): value for name, value in ATTRIBUTE.findall(script[1])}
        if "src" not in attributes and attributes.get("type", "").lower() in EXECUTABLE_TYPES:
            hashes[source_hash(script[2])] = None
    return tuple(hashes)


def inline_styles(html: str) -> tuple[str, ...]:
    """The hashes of all style elements: distinct, in document order."""
    # To find the first one takes a tenth of the time with `find`.
    start = html.find("<style")
    if start < 0:
        return ()
    return tuple(dict.fromkeys(source_hash(style[1]) for style in STYLE.finditer(html, start) if style[1] is not None))


def source_hash(text: str) -> str:
    """The hash of an inline script or style, as `sha256-…`."""
    # Browsers hash the text after HTML parsing, which normalizes line ends.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()).decode("ascii")

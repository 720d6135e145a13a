"""The Content-Security-Policy of a page: files of this site, and the inline scripts that the page itself contains."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass

SCRIPT = re.compile(
    r"""<(?i:script)(?=[\s/>])((?>[^">]++|"[^"]*+(?:"|\Z))*+)(?:>((?>[^<]++|<(?!/(?i:script)[\s/>]))*+)(?:(</(?i:script)(?=[\s/>]))|\Z)|\Z)""",
    re.DOTALL,
)
"""Sufficient for HTML that React writes: `<` occurs in tags, comments and scripts only, and all quotes are double."""
ATTRIBUTE = re.compile(r"""\s([a-z][a-z-]*)(?:="([^"]*)")?""", re.IGNORECASE)
EXECUTABLE_TYPES = frozenset({"", "module", "text/javascript", "importmap", "speculationrules"})
"""Values of `type` that a browser checks against the policy; a script of any other type is data."""

DIRECTIVES = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' https: data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": " ".join(
        f"https://{host}"
        for host in ("www.youtube-nocookie.com", "www.youtube.com", "codesandbox.io", "stackblitz.com")
    ),
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": "'self'",
}


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
    *,
    frame_ancestors: str = "'none'",
    sources: AllowedSources | None = None,
) -> str:
    """The policy that allows inline scripts with these hashes, and sites that may show the page in a frame."""
    sources = sources or AllowedSources()
    third_party = {name: " ".join((DIRECTIVES[name], *sources.script_src)) for name in THIRD_PARTY_DIRECTIVES}
    directives = DIRECTIVES | third_party
    directives["script-src"] = " ".join((directives["script-src"], *(f"'{script}'" for script in scripts)))
    directives["connect-src"] = " ".join((directives["connect-src"], *sources.connect_src))
    directives["frame-ancestors"] = frame_ancestors
    directives["form-action"] = " ".join((directives["form-action"], *sources.form_action))
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def inline_scripts(html: str) -> tuple[str, ...]:
    """The hashes, as `sha256-…`, of all inline scripts that a browser would run: distinct, in document order."""
    hashes: dict[str, None] = {}
    for script in SCRIPT.finditer(html):
        if script[3] is None:
            continue  # browsers do not run a script without an end tag
        attributes = {name.lower(): value for name, value in ATTRIBUTE.findall(script[1])}
        if "src" not in attributes and attributes.get("type", "").lower() in EXECUTABLE_TYPES:
            hashes[_sha256(script[2])] = None
    return tuple(hashes)


def _sha256(text: str) -> str:
    # Browsers hash the text after HTML parsing, which normalizes line ends.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()).decode("ascii")

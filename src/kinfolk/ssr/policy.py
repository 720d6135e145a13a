"""The Content-Security-Policy of a page: only our own files, and the inline scripts that we wrote ourselves."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable

SCRIPT = re.compile(
    r"""<(?i:script)(?=[\s/>])((?:[^">]++|"[^"]*+(?:"|\Z))*+)(?:>(.*?)(?:(</(?i:script)(?=[\s/>]))|\Z)|\Z)""", re.DOTALL
)
"""Enough for HTML that React wrote, which has `<` nowhere but in tags, comments and scripts, and only double quotes."""
ATTRIBUTE = re.compile(r"""\s([a-z][a-z-]*)(?:="([^"]*)")?""", re.IGNORECASE)
RUN = frozenset({"", "module", "text/javascript", "importmap", "speculationrules"})
"""Values of `type` for which a browser asks the policy; any other script is data."""

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


LET_IN = ("script-src", "img-src", "connect-src", "frame-src")
"""What a script of somebody else needs besides itself."""


def policy(
    scripts: Iterable[str] = (),
    *,
    framed_by: str = "'none'",
    hosts: Iterable[str] = (),
    form_actions: Iterable[str] = (),
    asked: Iterable[str] = (),
) -> str:
    """The policy that allows the inline scripts of these hashes, and these sites to show the page in a frame.

    `hosts` are whose scripts the operator has let in; what these load and show is theirs too. `form_actions`
    are the addresses of others that readers may send a form to, `asked` those that our own scripts ask.
    """
    hosts = tuple(hosts)
    directives = DIRECTIVES | {name: " ".join((DIRECTIVES[name], *hosts)) for name in LET_IN}
    directives["script-src"] = " ".join((directives["script-src"], *(f"'{script}'" for script in scripts)))
    directives["connect-src"] = " ".join((directives["connect-src"], *asked))
    directives["frame-ancestors"] = framed_by
    directives["form-action"] = " ".join((directives["form-action"], *form_actions))
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def inline_scripts(html: str) -> tuple[str, ...]:
    """The hash, as `sha256-…`, of every inline script that a browser would run, each once, in their order."""
    found: dict[str, None] = {}
    for script in SCRIPT.finditer(html):
        if script[3] is None:
            continue  # no browser runs a script that does not end
        attributes = {name.lower(): value for name, value in ATTRIBUTE.findall(script[1])}
        if "src" not in attributes and attributes.get("type", "").lower() in RUN:
            found[_sha256(script[2])] = None
    return tuple(found)


def _sha256(text: str) -> str:
    # A browser hashes what its parser made of the text, and the parser knows one kind of line end.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()).decode("ascii")

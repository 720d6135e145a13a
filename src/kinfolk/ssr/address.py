"""What of an address makes a page: its path and the query parameters that the server's HTML depends on.

Everything else in a query (campaign marks, state that only the browser reads) is dropped before rendering, so that it
neither splits the cache nor reaches JavaScript. Paths have one spelling: what may stand unencoded does, and
hexadecimal digits are capitals. Of values of the query only letters, digits and `-._~` are decoded: were more rewritten
here and the router thought another spelling canonical, the two would redirect to each other for ever.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from kinfolk.cache import EMBED, Lifetime
from kinfolk.errors import Invalid, NotFound

LONGEST_PATH = 1024
LONGEST_VALUE = 512
MOST_PARAMETERS = 32
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
WRITTEN = "!$&'()*+,/:;=@~%"
"""What stays as it is in a path; a space, a quote, a backslash and the like become percent-encoded."""
ENCODED = re.compile("%([0-9a-fA-F]{2})")
UNRESERVED = frozenset(ascii_letters + digits + "-._~")


class PageRule(NamedTuple):
    """What is special about some pages: `*` in a pattern is one segment of the path, `**` is the rest of it."""

    pattern: str
    query: tuple[str, ...] = ()
    lifetime: Lifetime | None = None
    framed_by: str = "'none'"
    vary: str = "accept-encoding"


PAGES = (
    PageRule("/*/*/docs/framework/*/examples/**", query=("path", "panel")),
    # The same address answers with Markdown to those who ask for it.
    PageRule("/*/*/docs/**", vary="accept-encoding, accept"),
    PageRule("/search", query=("q", "library", "framework", "version", "page")),
    PageRule("/blog", query=("library", "author")),
    PageRule("/blog/*", vary="accept-encoding, accept"),
    PageRule("/sponsors-embed", lifetime=EMBED, framed_by="*"),
)
"""The page table. A page that no row matches depends on its path only and lives as long as its answers allow."""
PLAIN = PageRule("/**")


def rule_for(path: str, rules: tuple[PageRule, ...] = PAGES) -> PageRule:
    """The first rule whose pattern matches the path."""
    return next((rule for rule in rules if _matches(rule.pattern, path)), PLAIN)


def page_key(path: str, query: str, rules: tuple[PageRule, ...] = PAGES) -> tuple[str, str]:
    """The cache key of an address and the address to render, from the path and query as they came over the wire.

    Raises NotFound for a path that is too long and Invalid for one that is not properly percent-encoded text.
    """
    if len(path) > LONGEST_PATH:
        raise NotFound("There is no page with so long an address")
    if _decoded(path) is None:
        raise Invalid("The address is not properly encoded text")
    # A path that begins with two slashes would be read as the name of another host.
    path = quote(_spelled("/" + path.lstrip("/\\"), _DECODED), safe=WRITTEN)
    allowed = rule_for(path, rules).query
    kept = _kept(query, allowed) if query and allowed else {}
    url = f"{path}?{'&'.join(kept.values())}" if kept else path
    key = f"{path}?{'&'.join(kept[name] for name in sorted(kept))}" if kept else path
    return key, url


_DECODED = UNRESERVED | (frozenset(WRITTEN) - {"/", "%"})
"""What never stays encoded in a path: an encoded slash or per cent is another character than a written one."""


def _spelled(text: str, decoded: frozenset[str]) -> str:
    """Without encodings of the characters `decoded`: a page has one address, not one for every way to write it."""

    def spell(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in decoded else found[0].upper()

    return ENCODED.sub(spell, text)


def _kept(query: str, allowed: tuple[str, ...]) -> dict[str, str]:
    """The allowed parameters by name, as `name=value`, the first of each and in the visitor's order."""
    kept: dict[str, str] = {}
    for parameter in query.split("&", MOST_PARAMETERS)[:MOST_PARAMETERS]:
        name, _, value = parameter.partition("=")
        if name in allowed and name not in kept and len(value) <= LONGEST_VALUE and _decoded(value) is not None:
            kept[name] = f"{name}={quote(_spelled(value, UNRESERVED), safe=WRITTEN)}"
    return kept


def _decoded(text: str) -> str | None:
    """The text that percent-encoding stands for, or None if it is not UTF-8, holds a control or a lone per cent."""
    if re.search("%(?![0-9a-fA-F]{2})", text):
        return None
    try:
        decoded = unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        return None
    return None if CONTROL.search(decoded) else decoded


def _matches(pattern: str, path: str) -> bool:
    wanted, segments = pattern.split("/"), path.split("/")
    if wanted[-1] == "**":
        wanted = wanted[:-1]
        if len(segments) <= len(wanted):
            return False
        segments = segments[: len(wanted)]
    return len(wanted) == len(segments) and all(
        w == s or (w == "*" and s != "") for w, s in zip(wanted, segments, strict=True)
    )

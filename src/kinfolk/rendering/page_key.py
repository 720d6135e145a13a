"""The cache key of an address: its path, and the query parameters that the server's HTML depends on.

All other query parameters (campaign tags, browser state) are dropped before rendering: they do not split the cache and
do not reach JavaScript. Paths are normalized: unreserved characters are decoded, hexadecimal digits are capitals. In
query values only letters, digits and `-._~` are decoded: normalizing more than the router does would cause a redirect
loop.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits
from urllib.parse import quote, unquote_to_bytes

from kinfolk.config.routes import PageRoute, match_route
from kinfolk.runtime.errors import Invalid, NotFound

MAX_PATH = 1024
MAX_PARAMETERS = 32
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
SAFE = "!$&'()*+,/:;=@~%"
"""Characters that stay as they are in a path; space, quote and backslash, for example, are percent-encoded."""
ENCODED = re.compile("%([0-9a-fA-F]{2})")
UNRESERVED = frozenset(ascii_letters + digits + "-._~")


def page_key(path: str, query: str) -> tuple[str, str]:
    """The cache key and the address to render, from path and query as the client sent them.

    Raises NotFound for a path that is too long and Invalid for one that is not properly percent-encoded text.
    """
    if len(path) > MAX_PATH:
        raise NotFound("This address is too long for a page")
    if _decoded(path) is None:
        raise Invalid("The address is not properly encoded text")
    # Browsers read a path that begins with two slashes as a host name.
    path = quote(_normalize("/" + path.lstrip("/\\"), _DECODED), safe=SAFE)
    route = match_route(path).route
    parameters = _parameters(query, route) if query and route.query else {}
    url = f"{path}?{'&'.join(parameters.values())}" if parameters else path
    key = f"{path}?{'&'.join(parameters[name] for name in sorted(parameters))}" if parameters else path
    return key, url


_DECODED = UNRESERVED | (frozenset(SAFE) - {"/", "%"})
"""Characters that are decoded in a path. An encoded slash or percent sign differs in meaning from a plain one."""


def _normalize(text: str, decoded: frozenset[str]) -> str:
    """The text with the characters `decoded` unencoded, so that a page has one address."""

    def normalize(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in decoded else found[0].upper()

    return ENCODED.sub(normalize, text)


def _parameters(query: str, route: PageRoute) -> dict[str, str]:
    """The allowed parameters by name, as `name=value`, in the order of the query. Of duplicates the first counts."""
    parameters: dict[str, str] = {}
    for parameter in query.split("&", MAX_PARAMETERS)[:MAX_PARAMETERS]:
        name, _, value = parameter.partition("=")
        if name not in route.query or name in parameters or len(value) > route.max_value:
            continue
        if _decoded(value) is not None:
            parameters[name] = f"{name}={quote(_normalize(value, UNRESERVED), safe=SAFE)}"
    return parameters


def _decoded(text: str) -> str | None:
    """The decoded text; None if it is not UTF-8, or has a control character or an incomplete percent-encoding."""
    if re.search("%(?![0-9a-fA-F]{2})", text):
        return None
    try:
        decoded = unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        return None
    return None if CONTROL.search(decoded) else decoded

"""Who may do what: the search key that everybody knows, the admin key, and secured keys made from the search key.

secured key = base64(hex(hmac-sha256(search key, parameters)) + parameters)
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl

import orjson

from kinfolk.search.algolia.fault import Fault

FORBIDDEN = 403
LONGEST_KEY = 8192
_DIGEST = 64
_RESTRICTIONS = frozenset({"validUntil", "restrictIndices", "restrictSources", "userToken"})

Right = Literal["search", "admin"]


@dataclass(frozen=True)
class Keys:
    """An empty admin key opens nothing."""

    app_id: str
    search: str
    admin: str = ""


@dataclass(frozen=True)
class Access:
    """What one request may do. `forced` are search parameters that it cannot get around."""

    right: Right
    indexes: tuple[str, ...] = ()
    """Patterns of index names; none for all."""
    forced: Mapping[str, object] = field(default_factory=dict)

    def require(self, right: Right) -> None:
        if right == "admin" and self.right != "admin":
            raise Fault("Method not allowed with this API key", FORBIDDEN)

    def require_index(self, name: str) -> None:
        if self.indexes and not any(_fits(name, pattern) for pattern in self.indexes):
            raise Fault("Index not allowed with this API key", FORBIDDEN)


def access(keys: Keys, app_id: str, key: str, *, now_s: float, address: str = "") -> Access:
    """What the bearer of this key may do. Raises Fault for a wrong application or key, or one that ran out."""
    if not _same(app_id.lower(), keys.app_id.lower()) or not key:
        raise _wrong()
    if keys.admin and _same(key, keys.admin):
        return Access("admin")
    if keys.search and _same(key, keys.search):
        return Access("search")
    return _secured(keys, key, now_s=now_s, address=address)


def secured_key(parent: str, parameters: str) -> str:
    """A key for whoever may search only as these form-encoded parameters say."""
    digest = hmac.new(parent.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    return base64.b64encode((digest + parameters).encode()).decode()


def _secured(keys: Keys, key: str, *, now_s: float, address: str) -> Access:
    try:
        text = base64.b64decode(key[:LONGEST_KEY].encode(), validate=True).decode()
    except (binascii.Error, ValueError):
        raise _wrong() from None
    digest, parameters = text[:_DIGEST], text[_DIGEST:]
    made = hmac.new(keys.search.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    if not keys.search or not _same(digest, made):
        raise _wrong()
    given = dict(parse_qsl(parameters, keep_blank_values=True))
    until = given.get("validUntil", "")
    if until and (not until.isascii() or not until.isdigit() or float(until) < now_s):
        raise Fault('"validUntil" parameter expired (less than current date)', FORBIDDEN)
    sources = _several(given.get("restrictSources", ""))
    if sources and not any(_is_from(address, source) for source in sources):
        raise Fault("The source of this request is not allowed with this API key", FORBIDDEN)
    return Access(
        "search",
        _several(given.get("restrictIndices", "")),
        {name: value for name, value in given.items() if name not in _RESTRICTIONS},
    )


def _fits(name: str, pattern: str) -> bool:
    """Whether a name is of a pattern in which `*` stands for anything. Each part is looked for once, from the left.

    Whoever knows the search key makes patterns, so they are not turned into regular expressions, which Python keeps.
    """
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    *middle, last = rest
    if not name.startswith(first) or len(name) < len(first) + len(last):
        return False
    at = len(first)
    for part in middle:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return name.endswith(last) and len(name) - len(last) >= at


def _several(text: str) -> tuple[str, ...]:
    if text.startswith("["):
        try:
            listed = orjson.loads(text)
        except orjson.JSONDecodeError:
            raise _wrong() from None
        return tuple(str(item) for item in listed)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _is_from(address: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _wrong() -> Fault:
    return Fault("Invalid Application-ID or API key", FORBIDDEN)

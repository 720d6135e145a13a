"""API keys: the public search key, the admin key, and secured keys derived from the search key.

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

from kinfolk.search.algolia.api_error import ApiError

FORBIDDEN = 403
MAX_KEY_LENGTH = 8192
_DIGEST = 64
_RESTRICTIONS = frozenset({"validUntil", "restrictIndices", "restrictSources", "userToken"})

Permission = Literal["search", "admin"]


@dataclass(frozen=True)
class ApiKeys:
    """An empty admin key disables the calls that write."""

    app_id: str
    search: str
    admin: str = ""


@dataclass(frozen=True)
class KeyPermissions:
    """`forced` are search parameters of a secured key, which a request cannot override."""

    right: Permission
    indexes: tuple[str, ...] = ()
    """Patterns of index names; none for all."""
    forced: Mapping[str, object] = field(default_factory=dict)

    def require(self, right: Permission) -> None:
        if right == "admin" and self.right != "admin":
            raise ApiError("Method not allowed with this API key", FORBIDDEN)

    def require_index(self, name: str) -> None:
        if self.indexes and not any(_fits(name, pattern) for pattern in self.indexes):
            raise ApiError("Index not allowed with this API key", FORBIDDEN)


def access(keys: ApiKeys, app_id: str, key: str, *, now_s: float, address: str = "") -> KeyPermissions:
    """The permissions of a key. Raises ApiError for a wrong application id, or an unknown or expired key."""
    if not _same(app_id.lower(), keys.app_id.lower()) or not key:
        raise _wrong()
    if keys.admin and _same(key, keys.admin):
        return KeyPermissions("admin")
    if keys.search and _same(key, keys.search):
        return KeyPermissions("search")
    return _secured(keys, key, now_s=now_s, address=address)


def secured_key(parent: str, parameters: str) -> str:
    """A key that restricts searches by these form-encoded parameters."""
    digest = hmac.new(parent.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    return base64.b64encode((digest + parameters).encode()).decode()


def _secured(keys: ApiKeys, key: str, *, now_s: float, address: str) -> KeyPermissions:
    try:
        text = base64.b64decode(key[:MAX_KEY_LENGTH].encode(), validate=True).decode()
    except (binascii.Error, ValueError):
        raise _wrong() from None
    digest, parameters = text[:_DIGEST], text[_DIGEST:]
    made = hmac.new(keys.search.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    if not keys.search or not _same(digest, made):
        raise _wrong()
    given = dict(parse_qsl(parameters, keep_blank_values=True))
    until = given.get("validUntil", "")
    if until and (not until.isascii() or not until.isdigit() or float(until) < now_s):
        raise ApiError('"validUntil" parameter expired (less than current date)', FORBIDDEN)
    sources = _several(given.get("restrictSources", ""))
    if sources and not any(_is_from(address, source) for source in sources):
        raise ApiError("The source of this request is not allowed with this API key", FORBIDDEN)
    return KeyPermissions(
        "search",
        _several(given.get("restrictIndices", "")),
        {name: value for name, value in given.items() if name not in _RESTRICTIONS},
    )


def _fits(name: str, pattern: str) -> bool:
    """Whether a name matches a pattern with `*`. Linear: each part is searched once, from the left.

    Clients define patterns, so they are not compiled to regular expressions, which Python caches.
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


def _wrong() -> ApiError:
    return ApiError("Invalid Application-ID or API key", FORBIDDEN)

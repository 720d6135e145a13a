"""The address of the client behind trusted proxies.

    client_address(peer, x_forwarded_for, settings.trusted_proxies)    "203.0.113.7", "2001:db8:1:2::/64"

Each proxy appends the address of its peer to X-Forwarded-For. The client controls entries further left, so the
right-most address that is not a trusted proxy is the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from starlette.requests import Request

from kinfolk.config.settings import Network, Settings

MAX_HEADER = 1024
"""Characters of X-Forwarded-For that are parsed, from its right end: the addresses of 20 proxies."""
_MAX_ADDRESS = 60
_HOST_BITS = 64
"""Host bits of an IPv6 address: one client may use any address of its /64."""


def client_address(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """The client of a request as a key for limits: an IPv4 address, or an IPv6 network of 64 bits.

    `peer` is the other end of the connection; if it is not an IP address, as for a Unix socket, it is returned
    unchanged. `forwarded_for` is the X-Forwarded-For headers joined with commas; it counts only if `peer` is trusted.
    """
    client = _client(peer, forwarded_for, trusted)
    return peer if client is None else _group(client)


def request_client(request: Request, settings: Settings) -> str:
    """The client of a request, as a key for limits."""
    peer = request.client.host if request.client else ""
    return client_address(peer, ",".join(request.headers.getlist("x-forwarded-for")), settings.trusted_proxies)


def exact_client_address(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """The client with its full IPv6 address: for comparison with networks, not for counting."""
    client = _client(peer, forwarded_for, trusted)
    return peer if client is None else str(client)


def _client(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> IPv4Address | IPv6Address | None:
    here = _parse_address(peer)
    if here is None:
        return None
    client = here
    if forwarded_for and _is_trusted(here, trusted):
        entries = forwarded_for[-MAX_HEADER:].split(",")
        # The first entry of a truncated header may be part of an address.
        for entry in reversed(entries if len(forwarded_for) <= MAX_HEADER else entries[1:]):
            address = _parse_address(entry)
            if address is None:
                continue
            client = address
            if not _is_trusted(address, trusted):
                break
    return client


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Whether a peer is a trusted proxy."""
    here = _parse_address(peer)
    return here is not None and _is_trusted(here, trusted)


def _parse_address(entry: str) -> IPv4Address | IPv6Address | None:
    """The address in an entry with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`. None for other text."""
    text = entry.strip()
    if not text or len(text) > _MAX_ADDRESS:
        return None
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def _is_trusted(address: IPv4Address | IPv6Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _group(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address) >> _HOST_BITS << _HOST_BITS, _HOST_BITS)))

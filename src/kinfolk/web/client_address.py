"""The address of the client, behind the proxies that the operator trusts.

    client_address(peer, x_forwarded_for, settings.trusted_proxies)    "203.0.113.7", "2001:db8:1:2::/64"

A proxy appends the address it was connected from to X-Forwarded-For. What stands further left was written by the client
itself, and may be anything: the right-most address that is not a trusted proxy is the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from kinfolk.settings import Network

LONGEST_HEADER = 1024
"""Characters of X-Forwarded-For that are read, from its right end: the addresses of 20 proxies."""
_LONGEST_ADDRESS = 60
_HOST_BITS = 64
"""Bits that an IPv6 network gives to one client: it may use any address of its /64."""


def client_address(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """The client of a request, as a key for limits: an IPv4 address, or an IPv6 network of 64 bits.

    `peer` is the other end of the connection; one that is no address, such as that of a Unix socket, is returned as it
    is. `forwarded_for` are all X-Forwarded-For headers joined with commas; it is believed only if `peer` is trusted.
    """
    client = _client(peer, forwarded_for, trusted)
    return peer if client is None else _group(client)


def exact_client_address(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """The same, with an IPv6 address in full: to compare it with networks, not to count by."""
    client = _client(peer, forwarded_for, trusted)
    return peer if client is None else str(client)


def _client(peer: str, forwarded_for: str, trusted: Sequence[Network]) -> IPv4Address | IPv6Address | None:
    here = _address(peer)
    if here is None:
        return None
    client = here
    if forwarded_for and _is_trusted(here, trusted):
        entries = forwarded_for[-LONGEST_HEADER:].split(",")
        # The first entry of a header that was cut may be the end of another address.
        for written in reversed(entries if len(forwarded_for) <= LONGEST_HEADER else entries[1:]):
            address = _address(written)
            if address is None:
                continue
            client = address
            if not _is_trusted(address, trusted):
                break
    return client


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Whether the other end of a connection is a proxy that the operator trusts."""
    here = _address(peer)
    return here is not None and _is_trusted(here, trusted)


def _address(written: str) -> IPv4Address | IPv6Address | None:
    """The address in an entry, which may have a port: `192.0.2.1:80`, `[2001:db8::1]:80`. None for anything else."""
    text = written.strip()
    if not text or len(text) > _LONGEST_ADDRESS:
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

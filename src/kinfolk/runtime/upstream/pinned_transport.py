"""Connections to configured servers only, at the address that was checked.

    async with httpx.AsyncClient(transport=async_transport("https://api.github.com")) as client: ...

A request goes to an origin that was named, also after a redirect. The host is resolved once: the connection is made to
the addresses that were found, so that a second answer of the DNS has no effect. The known services of `PUBLIC_HOSTS`
must have public addresses. Any other host is in the settings because the operator wrote it there, and may be private.

If the environment names a proxy, the proxy resolves and connects; the check of origins remains.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from ssl import SSLContext
from urllib.parse import urlsplit

import httpx
import httpx2

PUBLIC_HOSTS = frozenset(
    {
        "api.bunny.net",
        "api.cloudflare.com",
        "api.fastly.com",
        "api.github.com",
        "api.npmjs.org",
        "bitbucket.org",
        "codeberg.org",
        "github.com",
        "gitlab.com",
        "oauth2.googleapis.com",
        "openidconnect.googleapis.com",
    }
)
"""Hosts of the default settings."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
HTTP_PORTS = {"http": 80, "https": 443}

Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a host. Raises OSError."""


class AddressRefused(Exception):
    """A request to a server that is not configured, or to a private address of a public service."""


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, in the order in which the system prefers them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet: not private, loopback, link-local, multicast or reserved."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        embedded = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if ip in _NAT64:
            embedded = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if embedded:
            ip = embedded
    return ip.is_global and not ip.is_multicast


def checked_addresses(host: str, port: int, find: Resolve = resolve) -> Sequence[str]:
    """The addresses to connect to. Raises AddressRefused, or OSError for a host without any."""
    addresses = find(host, port)
    if host in PUBLIC_HOSTS and not all(map(is_public, addresses)):
        raise AddressRefused(f"{host} has a private address")
    return addresses


class AllowedOrigins:
    """The origins of these addresses. Other origins, as those of redirects, are refused."""

    def __init__(self, addresses: Iterable[str], find: Resolve = resolve) -> None:
        self._origins = frozenset(map(_origin, addresses))
        self._find = find

    def addresses(self, url: str) -> Sequence[str]:
        """The addresses of the host, which may take seconds. Raises AddressRefused and OSError."""
        scheme, host, port = origin = _origin(url)
        if origin not in self._origins:
            raise AddressRefused(f"{scheme}://{host}:{port} is not configured")
        return checked_addresses(host, port, self._find)


def _origin(address: str) -> tuple[str, str, int]:
    parts = urlsplit(address)
    return parts.scheme, (parts.hostname or "").rstrip("."), parts.port or HTTP_PORTS.get(parts.scheme, 0)


def uses_proxy() -> bool:
    """Whether the environment names a proxy for HTTP."""
    return not urllib.request.getproxies().keys().isdisjoint(("http", "https", "all"))


def async_transport(*addresses: str, verify: SSLContext | bool = True) -> httpx.AsyncBaseTransport | None:
    """The transport of a client that requests these addresses; None where a proxy connects."""
    if uses_proxy():
        return None
    return PinnedAsyncTransport(httpx.AsyncHTTPTransport(verify=verify), AllowedOrigins(addresses))


def sync_transport(*addresses: str) -> httpx.BaseTransport | None:
    """As `async_transport`, for a client without an event loop."""
    return None if uses_proxy() else PinnedTransport(httpx.HTTPTransport(), AllowedOrigins(addresses))


def oauth_transport(*addresses: str) -> httpx2.AsyncBaseTransport:
    """The transport of a client of OAuth, which ignores proxies. A connection serves one host only."""
    transport = httpx2.AsyncHTTPTransport(limits=httpx2.Limits(max_keepalive_connections=0))
    return PinnedOAuthTransport(transport, AllowedOrigins(addresses))


def chat_transport(address: str, *, verify: SSLContext) -> httpx2.AsyncBaseTransport | None:
    """The transport of a client of httpx2 that requests this address; None where a proxy connects."""
    if uses_proxy():
        return None
    return PinnedOAuthTransport(httpx2.AsyncHTTPTransport(verify=verify), AllowedOrigins((address,)))


class PinnedAsyncTransport(httpx.AsyncBaseTransport):
    """Raises httpx.ConnectError for a server that is refused."""

    def __init__(self, transport: httpx.AsyncBaseTransport, origins: AllowedOrigins) -> None:
        self._transport = transport
        self._origins = origins

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            addresses = await asyncio.to_thread(self._origins.addresses, str(request.url))
        except (AddressRefused, OSError) as refused:
            raise httpx.ConnectError(str(refused), request=request) from refused
        failure: httpx.TransportError = httpx.ConnectError("The host has no address", request=request)
        for address in addresses:
            try:
                return await self._transport.handle_async_request(_pinned(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as failed:
                failure = failed
        raise failure

    async def aclose(self) -> None:
        await self._transport.aclose()


class PinnedTransport(httpx.BaseTransport):
    """As `PinnedAsyncTransport`."""

    def __init__(self, transport: httpx.BaseTransport, origins: AllowedOrigins) -> None:
        self._transport = transport
        self._origins = origins

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            addresses = self._origins.addresses(str(request.url))
        except (AddressRefused, OSError) as refused:
            raise httpx.ConnectError(str(refused), request=request) from refused
        failure: httpx.TransportError = httpx.ConnectError("The host has no address", request=request)
        for address in addresses:
            try:
                return self._transport.handle_request(_pinned(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout) as failed:
                failure = failed
        raise failure

    def close(self) -> None:
        self._transport.close()


def _pinned(request: httpx.Request, address: str) -> httpx.Request:
    """The request to an address. `Host` and the name in the certificate remain those of the URL."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


class PinnedOAuthTransport(httpx2.AsyncBaseTransport):
    """As `PinnedAsyncTransport`, for the clients of httpx2: those of OAuth and of answers."""

    def __init__(self, transport: httpx2.AsyncBaseTransport, origins: AllowedOrigins) -> None:
        self._transport = transport
        self._origins = origins

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            addresses = await asyncio.to_thread(self._origins.addresses, str(request.url))
        except (AddressRefused, OSError) as refused:
            raise httpx2.ConnectError(str(refused), request=request) from refused
        failure: httpx2.TransportError = httpx2.ConnectError("The host has no address", request=request)
        for address in addresses:
            pinned = httpx2.Request(
                request.method,
                request.url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": request.url.host},
            )
            try:
                return await self._transport.handle_async_request(pinned)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as failed:
                failure = failed
        raise failure

    async def aclose(self) -> None:
        await self._transport.aclose()

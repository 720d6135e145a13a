"""Requests packages of an npm registry: what it knows about each, and their tarballs.

    client = NpmRegistryClient(settings.npm_registry, now=utc_now)
    packument = await client.packument("@acme/tiles")
    await client.download(packument.version("4.2.0"), file)

https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md#abbreviated-metadata-format
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
from cachetools import TTLCache

from kinfolk.content.code_checks.packages.registry.package_names import is_npm_name
from kinfolk.content.code_checks.packages.registry.packument import (
    Packument,
    PublishedVersion,
    UnusablePackage,
    size_text,
)
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.pinned_transport import (
    HTTP_PORTS,
    AllowedOrigins,
    PinnedAsyncTransport,
    is_public,
    resolve,
    uses_proxy,
)
from kinfolk.runtime.upstream.upstream_client import MAX_REDIRECTS, RequestsRefused, UpstreamClient, ssl_context
from kinfolk.runtime.upstream.upstream_rate_limit import LONGEST_PAUSE_S, pause_s

NAME = "The package registry"
ACCEPT = "application/vnd.npm.install-v1+json"
LONGEST_PACKUMENT = 24 << 20
"""Bytes. That of typescript, with 3,500 versions, has 10.5 MB."""
LONGEST_TARBALL = 64 << 20
"""Bytes, compressed. That of effect has 10.2 MB, of @builder.io/qwik 7.1 MB, of the others that docs import below 2."""
ANSWER_S = 120.0
"""Seconds for a whole answer: 64 MB at 5 Mbit/s."""
REQUESTS_AT_ONCE = 4
GAP_S = 0.02
"""Seconds between the beginnings of two requests."""
CACHED_BYTES, CACHED_S = 32 << 20, 3600.0
"""Those of the packages that the docs of Query import have 11 MB."""
_MISSING_BYTES = 1000
_LOOPBACK_NAMES = ("localhost",)


class NpmRegistryClient:
    """For one event loop. `address` may have a path; what is fetched with a redirect or from another host is public."""

    def __init__(
        self,
        address: str,
        *,
        now: Callable[[], datetime],
        answer_s: float = ANSWER_S,
        longest_packument: int = LONGEST_PACKUMENT,
        longest_tarball: int = LONGEST_TARBALL,
        gap_s: float = GAP_S,
    ) -> None:
        """`now` is in UTC, without a time zone."""
        self._address = address.rstrip("/")
        self._now = now
        self._answer_s = answer_s
        self._longest_tarball = longest_tarball
        self._gap_s = gap_s
        self._packuments: TTLCache[str, Packument | NotFound] = TTLCache(CACHED_BYTES, CACHED_S, getsizeof=_size)
        self._running: dict[str, asyncio.Task[Packument]] = {}
        self._free = asyncio.Semaphore(REQUESTS_AT_ONCE)
        self._next_s = 0.0
        self._refused_until: datetime | None = None
        self._client = UpstreamClient(
            NAME, now=now, headers={"accept": ACCEPT}, answer_s=answer_s, longest_answer=longest_packument
        )

    async def packument(self, name: str) -> Packument:
        """What the registry knows about a package; for an hour, requests of one name share an answer.

        Raises NotFound, UnusablePackage, RequestsRefused while the registry limits the rate of requests, and
        Unavailable for all other failures.
        """
        if not is_npm_name(name):
            raise NotFound(f"{name!r} is no name of a package")
        found = self._packuments.get(name)
        if found is None:
            task = self._running.get(name) or asyncio.create_task(self._fetch(name))
            self._running[name] = task
            try:
                return await asyncio.shield(task)
            finally:
                self._running.pop(name, None)
        if isinstance(found, NotFound):
            raise NotFound(found.message)
        return found

    async def _fetch(self, name: str) -> Packument:
        address = f"{self._address}/{quote(name, safe='@')}"
        try:
            async with self._turn():
                answer = await self._client.get(address, {})
        except NotFound:
            self._packuments[name] = NotFound(f"{NAME} has no package {name}")
            raise NotFound(f"{NAME} has no package {name}") from None
        # That of a large package takes 50 ms.
        found = await asyncio.to_thread(Packument.parse, name, answer.body)
        if found.size < CACHED_BYTES:
            self._packuments[name] = found
        return found

    async def download(self, package: PublishedVersion, file: Path) -> None:
        """Write the tarball of a version to a file, and compare it with the digest that the registry names.

        Raises UnusablePackage for one that is too large, has another digest or is at an address that is refused;
        RequestsRefused and Unavailable.
        """
        called = f"{package.name}@{package.version}"
        expected, digest = _expected_digest(package)
        address = package.tarball
        async with self._turn():
            try:
                async with asyncio.timeout(self._answer_s):
                    for _ in range(MAX_REDIRECTS + 1):
                        following = await self._stream(address, file, called, digest)
                        if following is None:
                            break
                        address = following
                    else:
                        raise UnusablePackage(f"The tarball of {called} is behind more than {MAX_REDIRECTS} redirects")
            except TimeoutError:
                raise Unavailable(f"{NAME} did not send {called} within {self._answer_s:g} seconds") from None
            except (httpx.HTTPError, httpx.InvalidURL) as failed:
                raise Unavailable(f"{NAME} cannot be reached: {type(failed).__name__}") from failed
        if not hmac.compare_digest(digest.digest(), expected):
            raise UnusablePackage(f"The tarball of {called} is not the one that was published: its digest differs")

    async def _stream(self, address: str, file: Path, called: str, digest: hashlib._Hash) -> str | None:
        """Write one answer to the file. The address that it redirects to, or None."""
        async with self._connect(address, called) as client, client.stream("GET", address) as response:
            status = response.status_code
            if response.is_redirect and response.next_request is not None:
                return str(response.next_request.url)
            wait_s = pause_s(status, response.headers, b"", self._now())
            if wait_s:
                self._refused_until = self._now() + timedelta(seconds=wait_s)
                raise RequestsRefused(NAME, wait_s)
            if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS):
                raise UnusablePackage(f"{NAME} has no tarball of {called}")
            if status != HTTPStatus.OK:
                raise Unavailable(f"{NAME} answers {status} to the request of {called}")
            await self._write(response, file, called, digest)
        return None

    async def _write(self, response: httpx.Response, file: Path, called: str, digest: hashlib._Hash) -> None:
        size = 0
        with file.open("wb") as written:
            async for part in response.aiter_raw():
                size += len(part)
                if size > self._longest_tarball:
                    raise UnusablePackage(f"The tarball of {called} is larger than {size_text(self._longest_tarball)}")
                digest.update(part)
                written.write(part)

    def _connect(self, address: str, called: str) -> httpx.AsyncClient:
        parts, own = urlsplit(address), urlsplit(self._address)
        find = resolve
        if _origin(address) != _origin(self._address):
            is_test = _is_loopback(own.hostname) and _is_loopback(parts.hostname)
            if parts.scheme != "https" and not is_test:
                raise UnusablePackage(f"The tarball of {called} is on another host without https")
            find = resolve if is_test else _public_addresses
        transport = None
        if not uses_proxy():
            plain = httpx.AsyncHTTPTransport(verify=ssl_context())
            transport = PinnedAsyncTransport(plain, AllowedOrigins((address,), find))
        headers = {"user-agent": "kinfolk", "accept-encoding": "identity"}
        return httpx.AsyncClient(transport=transport, verify=ssl_context(), headers=headers, timeout=10.0)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """A few requests at a time, none while the registry refuses them, each a little after the one before."""
        left_s = 0.0 if self._refused_until is None else (self._refused_until - self._now()).total_seconds()
        # A clock that was set back does not extend the pause.
        if 0 < left_s <= LONGEST_PAUSE_S:
            raise RequestsRefused(NAME, left_s)
        async with self._free:
            loop = asyncio.get_running_loop()
            begins_s = max(self._next_s, loop.time())
            self._next_s = begins_s + self._gap_s
            await asyncio.sleep(begins_s - loop.time())
            yield


def _size(found: Packument | NotFound) -> int:
    return found.size if isinstance(found, Packument) else _MISSING_BYTES


def _expected_digest(package: PublishedVersion) -> tuple[bytes, hashlib._Hash]:
    """The digest that the tarball must have, and an object that computes it. SHA-1 only without `integrity`."""
    kind, _, text = package.integrity.partition("-")
    try:
        if kind:
            return base64.b64decode(text, validate=True), hashlib.new(kind, usedforsecurity=False)
        if package.hex_digest:
            return bytes.fromhex(package.hex_digest), hashlib.sha1(usedforsecurity=False)
    except (ValueError, binascii.Error):
        pass
    raise UnusablePackage(f"{NAME} names no digest of {package.name}@{package.version}")


def _origin(address: str) -> tuple[str, str | None, int]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port or HTTP_PORTS.get(parts.scheme, 0)


def _is_loopback(host: str | None) -> bool:
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return host in _LOOPBACK_NAMES


def _public_addresses(host: str, port: int) -> list[str]:
    """The addresses of a host that the registry names. A private one would be a server that no setting names."""
    found = list(resolve(host, port))
    if not all(map(is_public, found)):
        raise OSError(f"{host} has a private address")
    return found

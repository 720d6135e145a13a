"""Suggests packages from a search service such as that of npm's registry. Requests never wait for it.

search = PackageSearch("https://registry.example/-/v1/search")
search.results("react")    # None: a request has begun. A later call has its answer.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

import httpx
from cachetools import TTLCache
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.supervisor import FailureLog
from kinfolk.runtime.upstream.pinned_transport import async_transport
from kinfolk.statistics.package_name import is_package_name
from kinfolk.statistics.statistics_types import PackageSuggestion

SIZE = 10
TIMEOUT_S, ANSWER_S = 3.0, 5.0
MAX_BYTES = 1 << 20
MAX_TEXT = 100
MAX_RUNNING = 4
"""Requests at a time. With as many, further texts are answered without the service."""
CACHED_TEXTS, CACHED_S = 2000, 600.0
FAILED_S = 10.0
"""Seconds after a failure in which no request begins."""


class _Package(BaseModel):
    name: str
    description: str = ""


class _Found(BaseModel):
    package: _Package


class _Answer(BaseModel):
    objects: Annotated[tuple[_Found, ...], Field(max_length=250)]


_ANSWER = TypeAdapter(_Answer)


class PackageSearch:
    """For one event loop."""

    def __init__(self, address: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._cache: TTLCache[str, tuple[PackageSuggestion, ...]] = TTLCache(CACHED_TEXTS, CACHED_S)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._failures = FailureLog("package search failed")
        self._failed_s: float | None = None

    def results(self, text: str) -> tuple[PackageSuggestion, ...] | None:
        """The packages that the service finds, the best first. None while a request is running."""
        wanted = text.strip().lower()[:MAX_TEXT]
        if not wanted:
            return ()
        found = self._cache.get(wanted)
        if found is not None:
            return found
        if wanted not in self._running:
            if len(self._running) >= MAX_RUNNING or self._has_failed():
                return ()
            self._running[wanted] = asyncio.create_task(self._search(wanted))
        return None

    def _has_failed(self) -> bool:
        now_s = asyncio.get_running_loop().time()
        return self._failed_s is not None and now_s < self._failed_s + FAILED_S

    async def _search(self, text: str) -> None:
        try:
            self._cache[text] = await self._fetch(text)
            self._failed_s = None
            self._failures.succeeded()
        except Unavailable as failure:
            self._failed_s = asyncio.get_running_loop().time()
            self._failures.failed(failure)
        finally:
            del self._running[text]

    async def _fetch(self, text: str) -> tuple[PackageSuggestion, ...]:
        try:
            async with (
                asyncio.timeout(ANSWER_S),
                httpx.AsyncClient(
                    transport=async_transport(self._address), timeout=self._timeout_s, headers={"user-agent": "kinfolk"}
                ) as client,
                client.stream("GET", self._address, params={"text": text, "size": SIZE}) as response,
            ):
                response.raise_for_status()
                body = b""
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > MAX_BYTES:
                        raise Unavailable(f"The answer is longer than {MAX_BYTES} bytes")
            answer = _ANSWER.validate_json(body)
        except (httpx.HTTPError, TimeoutError) as failed:
            raise Unavailable(f"The package search cannot be reached: {type(failed).__name__}") from failed
        except ValidationError as wrong:
            raise Unavailable(f"The answer is invalid: {wrong.errors()[0]['msg']}") from wrong
        packages = [found.package for found in answer.objects if is_package_name(found.package.name)]
        return tuple(PackageSuggestion(one.name, _line(one.description), stored=False) for one in packages[:SIZE])


def _line(text: str) -> str:
    """The text as one line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:400]).split())[:120]

"""Which pages are rendered ahead, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from kinfolk.web.background.prerenderer import Prerenderer

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class PageSite:
    """Pages, of which some are cached."""

    def __init__(self) -> None:
        self.addresses = ["/", "/a", "/b", "/c"]
        self.cached: list[str] = []
        self.idle = asyncio.Event()
        self.idle.set()
        self.most = 10
        self.prerenderer = Prerenderer(
            lambda: self.addresses,
            self._render,
            is_idle=self.idle.is_set,
            has_room=lambda: len(self.cached) < self.most,
            start_s=0,
            purge_pause_s=0,
        )
        self.running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.running = asyncio.create_task(self.prerenderer.run())

    async def _render(self, path: str) -> bool:
        if path in self.cached:
            return False
        self.cached.append(path)
        return True

    async def wait_for(self, *paths: str) -> None:
        async with asyncio.timeout(5):
            while self.cached != list(paths):  # noqa: ASYNC110
                await asyncio.sleep(0.005)


@pytest.fixture
async def site() -> AsyncIterator[PageSite]:
    site = PageSite()
    yield site
    if site.running is not None:
        site.running.cancel()
        with suppress(asyncio.CancelledError):
            await site.running


async def test_all_pages_are_rendered_once_in_order(site: PageSite) -> None:
    site.cached = ["/a"]
    site.start()
    await site.wait_for("/a", "/", "/b", "/c")


async def test_purged_pages_are_rendered_again(site: PageSite) -> None:
    site.start()
    await site.wait_for("/", "/a", "/b", "/c")
    site.cached.remove("/a")
    site.prerenderer.wake()
    await site.wait_for("/", "/b", "/c", "/a")


async def test_rendering_ahead_pauses_while_requests_wait(site: PageSite) -> None:
    site.idle.clear()
    site.start()
    await asyncio.sleep(0.1)
    assert site.cached == []
    site.idle.set()
    await site.wait_for("/", "/a", "/b", "/c")


async def test_rendering_ahead_stops_before_the_cache_is_full(site: PageSite) -> None:
    site.most = 2
    site.start()
    await site.wait_for("/", "/a")
    site.most = 10
    site.prerenderer.wake()
    await site.wait_for("/", "/a", "/b", "/c")

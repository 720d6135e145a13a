"""Renders pages of the latest versions before they are requested, while no request waits.

After a start and after each purge, readers then get cached pages. A page that is rendered ahead is evicted like a
requested one, so the renderer stops before the cache is full.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable

import structlog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

START_S = 5.0
"""Seconds after the start: search and the first requests need the machine."""
PURGE_PAUSE_S = 2.0
"""Seconds after a purge. A push causes several: of files, of dates, of highlighted code."""
POLL_S = 0.05
"""Seconds between two checks whether a request waits."""
REST_SHARE = 1.0
"""Seconds of rest for each second of rendering: half of a core is left to requests."""


class Prerenderer:
    """A background task. `wake` it after each change of content."""

    def __init__(
        self,
        addresses: Callable[[], Iterable[str]],
        render: Callable[[str], Awaitable[bool]],
        *,
        is_idle: Callable[[], bool],
        has_room: Callable[[], bool],
        start_s: float = START_S,
        purge_pause_s: float = PURGE_PAUSE_S,
    ) -> None:
        """`addresses` lists paths, the most important first, and may block.

        `render` makes the page at a path, and returns whether it was not cached. `is_idle` is whether no request is
        served or waits, `has_room` whether the cache has room for more pages.
        """
        self._addresses = addresses
        self._render = render
        self._is_idle = is_idle
        self._has_room = has_room
        self._start_s = start_s
        self._purge_pause_s = purge_pause_s
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Begin again: pages may have been purged. Call it in the event loop."""
        self._changed.set()

    async def run(self) -> None:
        """Render forever."""
        await asyncio.sleep(self._start_s)
        while True:
            self._changed.clear()
            began_s = time.monotonic()
            rendered = await self._render_missing()
            if rendered:
                log.info("pages rendered ahead", pages=rendered, seconds=round(time.monotonic() - began_s, 1))
            await self._changed.wait()
            await asyncio.sleep(self._purge_pause_s)

    async def _render_missing(self) -> int:
        rendered = 0
        for path in await asyncio.to_thread(lambda: list(self._addresses())):
            while not self._is_idle():  # noqa: ASYNC110 - requests begin and end without an event
                await asyncio.sleep(POLL_S)
            if self._changed.is_set() or not self._has_room():
                break
            began_s = time.monotonic()
            if await self._render(path):
                rendered += 1
                await asyncio.sleep((time.monotonic() - began_s) * REST_SHARE)
        return rendered

"""A process follows what the others publish, also what they published while it was still starting."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import cast

from kinfolk.site import Editions
from kinfolk.sources.snapshot import Ref
from kinfolk.web.refresher import Refresher


class Looks:
    """Where looks at the docs would be taken: notes which branches each of them was for."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.taken: asyncio.Queue[Collection[Ref] | None] = asyncio.Queue()

    def refresh(self, refs: Collection[Ref] | None) -> frozenset[str]:
        self.loop.call_soon_threadsafe(self.taken.put_nowait, refs)
        return frozenset({"something"})


async def looks_after_start(published: Path, publish: Callable[[], object]) -> list[Collection[Ref] | None]:
    """The first look, and the one after others have published once more."""
    looks = Looks()
    refresher = asyncio.create_task(Refresher(cast("Editions", looks), 0, published=published).run())
    try:
        first = await asyncio.wait_for(looks.taken.get(), 30)
        publish()
        return [first, await asyncio.wait_for(looks.taken.get(), 30)]
    finally:
        refresher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await refresher


EVERY_S = 0.05


class Long:
    """Looks that take longer than it is from one to the next: notes when each begins and ends."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.taken: asyncio.Queue[tuple[float, float]] = asyncio.Queue()

    def refresh(self, refs: Collection[Ref] | None) -> frozenset[str]:
        del refs  # each is for all
        began = time.monotonic()
        threading.Event().wait(2 * EVERY_S)
        self.loop.call_soon_threadsafe(self.taken.put_nowait, (began, time.monotonic()))
        return frozenset({"something"})


async def two_long_looks() -> list[tuple[float, float]]:
    looks = Long()
    refresher = asyncio.create_task(Refresher(cast("Editions", looks), EVERY_S).run())
    try:
        return [await asyncio.wait_for(looks.taken.get(), 30) for _ in range(2)]
    finally:
        refresher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await refresher


def test_after_a_long_look_others_have_time_to_look() -> None:
    (_, ended), (began, _) = asyncio.run(two_long_looks())
    assert began - ended >= EVERY_S


def test_what_was_published_while_a_process_started_is_looked_at(tmp_path: Path) -> None:
    published = tmp_path / "published.json"
    published.write_text("{}")
    assert asyncio.run(looks_after_start(published, lambda: published.write_text('{"newer": 1}'))) == [(), ()]

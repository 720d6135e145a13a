"""Single flight: concurrent calls for the same key share one execution."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Shares one execution, and its failure, between all concurrent calls for a key. For one event loop."""

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[V]] = {}
        self._forgotten: set[asyncio.Task[V]] = set()  # asyncio holds tasks by weak references only

    async def do(self, key: K, make: Callable[[], Awaitable[V]]) -> V:
        """The result of `make`, which runs to its end even if every waiting caller is cancelled."""
        task = self._running.get(key)
        if task is None:
            task = asyncio.create_task(_run(make))
            self._running[key] = task
            task.add_done_callback(lambda done: self._completed(key, done))
        return await asyncio.shield(task)

    def forget(self) -> None:
        """Start a new execution for every later call: the running ones may have read stale data."""
        self._forgotten.update(self._running.values())
        self._running.clear()

    def __len__(self) -> int:
        return len(self._running)

    def _completed(self, key: K, done: asyncio.Task[V]) -> None:
        if self._running.get(key) is done:
            del self._running[key]
        self._forgotten.discard(done)
        if not done.cancelled():
            done.exception()  # retrieve it: asyncio logs exceptions that are never retrieved


async def _run(make: Callable[[], Awaitable[V]]) -> V:
    return await make()

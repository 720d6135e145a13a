"""Many ask for the same thing at once: it is made once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Shares one attempt, and its failure, between all who ask for a key while it is under way. For one event loop."""

    def __init__(self) -> None:
        self._under_way: dict[K, asyncio.Task[V]] = {}
        self._forgotten: set[asyncio.Task[V]] = set()  # asyncio itself would let them be collected

    async def do(self, key: K, make: Callable[[], Awaitable[V]]) -> V:
        """What `make` gives. It is carried through even if everybody who waits goes away."""
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(_run(make))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._landed(key, done))
        return await asyncio.shield(task)

    def forget(self) -> None:
        """Whoever asks from now on gets a new attempt: the ones under way may have read what is no longer true."""
        self._forgotten.update(self._under_way.values())
        self._under_way.clear()

    def __len__(self) -> int:
        return len(self._under_way)

    def _landed(self, key: K, done: asyncio.Task[V]) -> None:
        if self._under_way.get(key) is done:
            del self._under_way[key]
        self._forgotten.discard(done)
        if not done.cancelled():
            done.exception()  # else asyncio reports a failure that nobody waited for


async def _run(make: Callable[[], Awaitable[V]]) -> V:
    return await make()

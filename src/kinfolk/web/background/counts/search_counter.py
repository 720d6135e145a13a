"""Counts completed searches in the query log, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.analytics.query_sessions import QUERY_PAUSE_S, LoggedQuery, QuerySessions

STORE_AGAIN_S = 5.0
"""Seconds between two attempts to store counts that wait for the database."""


class SearchCounter:
    """For one event loop."""

    def __init__(self, query_log: QueryLog, threads: Executor, clock: Callable[[], float]) -> None:
        self._query_log = query_log
        self._threads = threads
        self._clock = clock
        self._sessions = QuerySessions()
        self._salt = secrets.token_bytes(16)
        self._completed: list[LoggedQuery] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    def add(self, address: str, user_agent: str, queries: Sequence[LoggedQuery], *, clicked: bool) -> None:
        """Record the searches of one request, and whether it reports a click."""
        if not queries and not clicked:
            return
        client = self._client_id(address, user_agent)
        now_s = self._clock()
        if clicked:
            self._completed += self._sessions.clicked(client, now_s)
        for query in queries:
            self._completed += self._sessions.searched(client, query, now_s)
        if not self._tasks and (self._completed or self._sessions.has_pending):
            task = asyncio.get_running_loop().create_task(self._count())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def store_waiting(self) -> None:
        """A background task: store what the database could not store before."""
        while True:
            await asyncio.sleep(STORE_AGAIN_S)
            await asyncio.get_running_loop().run_in_executor(self._threads, self._query_log.store_waiting)

    async def flush(self) -> None:
        """Count all pending searches."""
        self._closing.set()
        await asyncio.gather(*self._tasks)
        await self._write(self._completed + self._sessions.all())

    async def _count(self) -> None:
        """Write completed searches until none is pending."""
        while not self._closing.is_set():
            completed, self._completed = self._completed, []
            await self._write(completed)
            if not self._sessions.has_pending and not self._completed:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), QUERY_PAUSE_S)
            self._completed += self._sessions.due(self._clock())

    async def _write(self, queries: list[LoggedQuery]) -> None:
        if queries:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._query_log.add, queries)

    def _client_id(self, address: str, user_agent: str) -> str:
        """Anonymous, and valid in this process only."""
        text = f"{address}\n{user_agent}"
        return hashlib.blake2b(text.encode("utf-8", "replace"), key=self._salt, digest_size=8).hexdigest()

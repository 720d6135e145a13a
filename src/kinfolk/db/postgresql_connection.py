"""A connection to PostgreSQL whose calls end: also those to a server that is stopped, or whose host has vanished.

psycopg waits for an answer without a limit, and TCP reports nothing while the server's kernel acknowledges.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

import psycopg

ANSWER_S = 8.0
"""Seconds until a statement is given up: longer than a transaction may wait for a lock (`lock_timeout`)."""
CHECK_S = 2.0
"""The same for the statement that checks a connection before it is used again."""
KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""The client notices a vanished server after 25 s."""
SERVER_KEEPALIVES = "; ".join(
    f"SET {name} = {seconds}"
    for name, seconds in (("tcp_keepalives_idle", 10), ("tcp_keepalives_interval", 5), ("tcp_keepalives_count", 3))
)
"""The server notices a vanished client after 25 s, and frees its locks. The default of Linux is two hours."""


class BoundedConnection(psycopg.Connection[Any]):
    """Closes itself, and raises OperationalError, when the server does not answer in time."""

    answer_s: float = ANSWER_S
    """Infinity for statements that take long by themselves, such as changes of tables."""
    on_silence: Callable[[str], None] | None = None
    """Gets the reason when the server does not answer."""

    def wait(self, gen: Generator[Any, Any, Any], *arguments: Any, **options: Any) -> Any:
        return super().wait(self._bounded(gen), *arguments, **options)

    def _bounded(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """The same generator: psycopg resumes it at least ten times a second, with 0 while nothing has arrived."""
        deadline_s = time.monotonic() + self.answer_s
        try:
            awaited = next(gen)
            while True:
                ready = yield awaited
                if not ready and time.monotonic() > deadline_s:
                    gen.close()
                    self.pgconn.finish()
                    reason = f"the server has not answered for {self.answer_s:g} s"
                    if self.on_silence is not None:
                        self.on_silence(reason)
                    raise psycopg.OperationalError(reason)
                awaited = gen.send(ready)
        except StopIteration as done:
            return done.value

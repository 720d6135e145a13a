"""Limits of time, memory and size of one answer, by its kind.

    deadline = Deadline("search")
    deadline.check()                       # between two steps of work in a thread
    async with time_limit("page"): ...     # around awaited work
    check_shape("function", payload)       # before input is read
    check_size("search", len(body))        # before an answer is sent
    size = AnswerSize("search")
    size.add(len(part))                    # while an answer is written, before its memory is allocated

Each raises OverBudget with the kind and the limit. Work that Python cannot interrupt, such as a regular expression or a
native library, runs in a process or V8 isolate with `memory_bytes` and is killed after `time_s`.
"""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from kinfolk.runtime.errors import SiteError

Kind = Literal["page", "markdown", "function", "search", "file"]
Limit = Literal["time", "memory", "size", "depth", "items"]


class OverBudget(SiteError):
    """An answer exceeds the `limit` of its `kind`."""

    code = "over_budget"
    status = 503

    def __init__(self, kind: Kind, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.kind, self.limit = kind, limit


@dataclass(frozen=True)
class Budget:
    """Limits of one answer."""

    time_s: float
    """Wall-clock seconds, waiting included."""
    memory_bytes: int
    """Memory that the process or isolate may allocate."""
    answer_bytes: int
    """Size of the answer before compression."""
    input_bytes: int
    """Size of the input: a body, a payload or a text."""
    input_depth: int
    """Levels of nested lists and objects in the input."""
    input_items: int
    """Values in the input, on all levels."""
    cpu_s: float = math.inf
    """CPU seconds of the process. Unlike wall-clock time, they do not depend on other load."""


MB = 1 << 20

BUDGETS: Mapping[Kind, Budget] = {
    # The longest real page has 900 kB of HTML and takes half a second from cold.
    "page": Budget(10.0, 256 * MB, 8 * MB, 4096, 1, 64),
    # The slowest real page takes 0.4 s, the longest text has 300 kB, the longest highlighted HTML 900 kB. `input_depth`
    # limits nested tags (real pages: 2); `input_items` headings, links, images and code blocks, each separately (450).
    "markdown": Budget(30.0, 256 * MB, 4 * MB, MB, 64, 5_000, cpu_s=3.0),
    # The largest real answer, the file tree of an example, has 400 kB.
    "function": Budget(10.0, 256 * MB, 8 * MB, 64 << 10, 32, 10_000),
    # 50 searches of 20 hits have about 2 MB. Algolia's clients give up on a host after two seconds.
    "search": Budget(2.0, 256 * MB, 8 * MB, MB, 16, 20_000),
    # The largest image in the libraries' repositories has 9 MB.
    "file": Budget(30.0, 64 * MB, 32 * MB, 4096, 1, 64),
}


class Deadline:
    """The time at which an answer of this kind must be complete. For one thread."""

    def __init__(self, kind: Kind, time_s: float | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.kind = kind
        self._clock = clock
        self._at_s = clock() + (BUDGETS[kind].time_s if time_s is None else time_s)

    @property
    def remaining_s(self) -> float:
        """Seconds left, never less than 0."""
        return max(0.0, self._at_s - self._clock())

    def check(self) -> None:
        """Raises OverBudget after the deadline."""
        if self._clock() >= self._at_s:
            raise time_exceeded(self.kind)


def time_exceeded(kind: Kind) -> OverBudget:
    return OverBudget(kind, "time", f"This {kind} took too long to make")


@asynccontextmanager
async def time_limit(kind: Kind) -> AsyncIterator[None]:
    """Cancel the awaited work when the time of this kind is over. Raises OverBudget."""
    import asyncio  # imported late: Markdown processes do not need it

    try:
        async with asyncio.timeout(BUDGETS[kind].time_s) as limit:
            yield
    except TimeoutError:
        if limit.expired():
            raise time_exceeded(kind) from None
        raise


def check_size(kind: Kind, size: int) -> None:
    """Raises OverBudget if an answer has more bytes than its kind allows."""
    most = BUDGETS[kind].answer_bytes
    if size > most:
        raise OverBudget(kind, "size", f"This {kind} is larger than {most} bytes")


class AnswerSize:
    """Bytes of an answer, counted while it is written. For one thread."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.bytes = 0

    @property
    def left(self) -> int:
        """Bytes that may still be written; negative if the answer is too large."""
        return BUDGETS[self.kind].answer_bytes - self.bytes

    def add(self, size: int) -> None:
        """Raises OverBudget if the answer becomes larger than its kind allows."""
        self.bytes += size
        check_size(self.kind, self.bytes)


def check_shape(kind: Kind, value: object) -> None:
    """Raises OverBudget if parsed JSON is nested deeper, or has more values, than this kind allows."""
    budget = BUDGETS[kind]
    level: list[object] = [value]
    items = depth = 0
    while level:
        depth += 1
        items += len(level)
        if items > budget.input_items:
            raise OverBudget(kind, "items", f"More than {budget.input_items} values were sent")
        level = [inner for outer in level for inner in _inside(outer)]
        # Scalars do not count as a level.
        if level and depth > budget.input_depth:
            raise OverBudget(kind, "depth", f"What was sent is nested deeper than {budget.input_depth} levels")


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list) else []

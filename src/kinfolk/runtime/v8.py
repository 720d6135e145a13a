"""One V8 isolate with a script, and the thread of its event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from py_mini_racer import init_mini_racer, mini_racer

T = TypeVar("T")

FLAGS = ("--single-threaded", "--no-memory-protection-keys", "--max-semi-space-size=4")
"""The first is mini-racer's default. The second: on processors with protection keys, only descendants of the thread
that started V8 may access its memory; access by other threads crashes (https://issues.chromium.org/issues/360909072).
The third is in MB: with V8's default of 16 an isolate holds 56 MB between two full collections, with 4 it holds 36 MB,
at the same CPU time for rendering.
"""

NICENESS = 5
"""Added to the niceness of V8's threads: where processors are scarce, the event loop and so cached pages come first.
Measured in the soak of docs/faults.md on two processors: the p99 beside a crawler is a third lower.
"""
STOP_S = 5.0
"""How long `close` waits for tasks that it cancelled, and for the thread of the event loop, which is a daemon."""


class V8Isolate:
    """Runs `script`. `js` evaluates JavaScript in the isolate; `loop` runs coroutines of mini-racer.

    For any thread, one at a time. Raises mini-racer's errors if the script fails or takes longer than `startup_s`.
    """

    def __init__(self, script: str, *, thread: str, startup_s: float, flags: Sequence[str] = ()) -> None:
        """`flags` are further ones of V8, which has those of the first isolate of a process."""
        init_mini_racer(flags=(*FLAGS, *flags), ignore_duplicate_init=True)
        # A separate loop: mini-racer would stop its own loop before V8, and print errors when V8 still answers.
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name=thread, daemon=True)
        self._thread.start()
        self._context = mini_racer(self.loop)
        try:
            self.js = _call_with_lower_priority(self._context.__enter__)
        except BaseException:
            self._stop_loop()
            raise
        try:
            self.js.eval(script + "\n;undefined", timeout_sec=startup_s)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop V8 at once. An isolate that is not closed can hang the interpreter at exit."""
        try:
            self._cancel_tasks()
            self._context.__exit__(None, None, None)
        finally:
            self._stop_loop()

    def _cancel_tasks(self) -> None:
        """Cancel what still waits for V8: mini-racer would read its result from memory that V8 has freed."""
        cancelled = asyncio.run_coroutine_threadsafe(_cancel_other_tasks(), self.loop)
        with suppress(TimeoutError):
            cancelled.result(STOP_S)

    def _stop_loop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(STOP_S)
        if not self._thread.is_alive():
            self.loop.close()


def _call_with_lower_priority(start: Callable[[], T]) -> T:
    """The result of `start`, whose new threads have the lower priority. Raises its error."""
    with ThreadPoolExecutor(1, thread_name_prefix="v8-start", initializer=_lower_priority) as threads:
        return threads.submit(start).result()


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere a thread has no niceness of its own
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


async def _cancel_other_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

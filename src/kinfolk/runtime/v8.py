"""One V8 isolate with a script, and the thread of its event loop."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Thread

from py_mini_racer import init_mini_racer, mini_racer

FLAGS = ("--single-threaded", "--no-memory-protection-keys", "--max-semi-space-size=4")
"""The first is mini-racer's default. The second: on processors with protection keys, only descendants of the thread
that started V8 may access its memory; access by other threads crashes (https://issues.chromium.org/issues/360909072).
The third is in MB: with V8's default of 16 an isolate holds 56 MB between two full collections, with 4 it holds 36 MB,
at the same CPU time for rendering.
"""

STOP_S = 5.0
"""How long `close` waits for tasks that it cancelled, and for the thread of the event loop, which is a daemon."""


class V8Isolate:
    """Runs `script`. `js` evaluates JavaScript in the isolate; `loop` runs coroutines of mini-racer.

    For any thread, one at a time. Raises mini-racer's errors if the script fails or takes longer than `startup_s`.
    """

    def __init__(self, script: str, *, thread: str, startup_s: float) -> None:
        init_mini_racer(flags=FLAGS, ignore_duplicate_init=True)
        # A separate loop: mini-racer would stop its own loop before V8, and print errors when V8 still answers.
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name=thread, daemon=True)
        self._thread.start()
        self._context = mini_racer(self.loop)
        try:
            self.js = self._context.__enter__()
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


async def _cancel_other_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)

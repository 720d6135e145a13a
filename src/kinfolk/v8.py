"""One V8 isolate with a script in it, and the thread on which its answers arrive."""

from __future__ import annotations

import asyncio
from threading import Thread

from py_mini_racer import init_mini_racer, mini_racer

FLAGS = ("--single-threaded", "--no-memory-protection-keys", "--max-semi-space-size=4")
"""The first is mini-racer's own. The second: on processors with protection keys, V8 lets only threads that descend from
the one that started it touch its memory, and any other ends the process (https://issues.chromium.org/issues/360909072).
The third is in MB: with V8's own 16 an isolate holds 56 MB between two collections of its whole heap, with 4 it holds
36 MB, and rendering takes no more CPU time.
"""

STOP_S = 5.0
"""How long the thread on which answers arrive may take to end; it is a daemon."""


class V8:
    """Runs `script`, then is talked to through `js`; `loop` runs what has to be awaited. May be used from any thread,
    one at a time. Raises what mini-racer raises when the script fails or takes longer than `startup_s`.
    """

    def __init__(self, script: str, *, thread: str, startup_s: float) -> None:
        init_mini_racer(flags=FLAGS, ignore_duplicate_init=True)
        # A loop of our own, because mini-racer would stop its loop before V8 and print errors when V8 still answers.
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
        """End V8, whatever it is doing. An isolate that is not closed can hang the interpreter at its exit."""
        try:
            self._context.__exit__(None, None, None)
        finally:
            self._stop_loop()

    def _stop_loop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(STOP_S)
        if not self._thread.is_alive():
            self.loop.close()

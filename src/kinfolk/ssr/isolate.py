"""One V8 isolate with the frontend's bundle in it: renders one page at a time, inside limits of time and memory."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

from py_mini_racer import JSOOMException, JSTimeoutException

from kinfolk.ssr.outcome import Outcome, read_outcome
from kinfolk.v8 import V8

STARTUP_S = 30.0
"""The bundle loads in 50 ms; a cold disk and a busy machine have taken half a second."""
TAKE = """(() => {
  const page = __SSR.take()
  return typeof page === 'string' ? __SSR.logs() + '\\n' + page : undefined
})()"""


class RenderFailed(Exception):
    """The isolate did not give a clean result and must be replaced. `too_slow` tells a timeout from the rest."""

    def __init__(self, reason: str, *, too_slow: bool = False) -> None:
        super().__init__(reason)
        self.too_slow = too_slow


@dataclass(frozen=True)
class Round:
    """One round's outcome and what JavaScript wrote to its console meanwhile."""

    outcome: Outcome
    logs: tuple[str, ...]


class Isolate:
    """Owns V8 and the thread on which its results arrive. Only one thread at a time may use or close it.

    Nothing here is asynchronous: it blocks, with V8 running outside the GIL, and belongs in a worker thread.
    """

    def __init__(self, bundle: str, manifest: str, *, timeout_s: float, memory_mb: int) -> None:
        self.rounds = 0
        self._timeout_s = timeout_s
        self._kept_at_most = memory_mb * 2**20 * 3 // 8
        self._v8 = V8(bundle, thread="v8", startup_s=STARTUP_S)
        self._js = self._v8.js
        try:
            self._js.eval(f"__SSR.init({json.dumps(manifest)});undefined", timeout_sec=STARTUP_S)
            self._js.set_soft_memory_limit(self._kept_at_most)
            self._js.set_hard_memory_limit(memory_mb * 2**20)
        except BaseException:
            self.close()
            raise

    def render(self, request: str) -> Round:
        """Run one round on the JSON `request`. After RenderFailed this isolate is only good for `close`."""
        self.rounds += 1
        try:
            taken = asyncio.run_coroutine_threadsafe(self._render(request), self._v8.loop).result()
        except TimeoutError:
            raise RenderFailed(f"took longer than {self._timeout_s:g} s", too_slow=True) from None
        except JSOOMException:
            raise RenderFailed("ran out of memory") from None
        except Exception as failure:
            raise RenderFailed(f"JavaScript failed outside a render: {failure}") from failure
        # A promise that exhausts the heap is ended silently: only this flag tells.
        if self._js.was_hard_memory_limit_reached():
            raise RenderFailed("ran out of memory")
        if not isinstance(taken, str):
            raise RenderFailed("gave no result: a promise of the render never settled")
        try:
            logs, _, result = taken.partition("\n")
            return Round(read_outcome(result), tuple(map(str, json.loads(logs))))
        except (ValueError, TypeError, RecursionError) as wrong:
            raise RenderFailed(f"gave a result that cannot be read: {wrong}") from wrong

    async def _render(self, request: str) -> object:
        """What `take` gives. Both calls are handed to V8 at once: between them there is nothing to wait for here."""
        # Promises run after start() has answered and before take() may begin, so this is where the time goes.
        # V8 does not stop a promise that loops for ever, not even after a timeout: only closing does.
        async with asyncio.timeout(self._timeout_s):
            _, taken = await asyncio.gather(
                self._js.eval_cancelable(f"__SSR.start({json.dumps(request)});undefined"),
                self._js.eval_cancelable(TAKE),
            )
        return taken

    def has_grown(self) -> bool:
        """Whether it still holds more than the soft limit after V8 was asked to let go of what it can."""
        try:
            # Asking for statistics has no timeout of its own, so first make sure that V8 is listening.
            self._js.eval("0", timeout_sec=self._timeout_s)
        except JSTimeoutException:
            return True
        self._js.low_memory_notification()
        return self.held_bytes() > self._kept_at_most

    def held_bytes(self) -> int:
        """Bytes on V8's heap, garbage included."""
        return int(self._js.heap_stats()["used_heap_size"])

    def close(self) -> None:
        """End V8, whatever it is doing. An isolate that is not closed can hang the interpreter at its exit."""
        self._v8.close()

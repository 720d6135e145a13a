"""One V8 isolate that holds the frontend bundle. It renders one page at a time within limits of time and memory."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

from py_mini_racer import JSOOMException, JSTimeoutException

from kinfolk.rendering.isolates.round_input import RoundInput
from kinfolk.rendering.render_outcome import RenderOutcome, read_outcome
from kinfolk.runtime.v8 import V8Isolate

STARTUP_S = 30.0
"""The bundle loads in 50 ms; with a cold disk and a busy machine it has taken half a second."""
SOFT_LIMIT_SHARE = 3 / 8
"""The soft memory limit as a share of the hard one. An isolate above it after garbage collection is replaced."""
GARBAGE_BYTES = 16 << 20
"""The heap above which a check collects garbage: 25 to 40 ms outside of the GIL. The bundle and its compiled code take
7 MB after a collection. V8 by itself collects above 30 MB, and then holds 45 MB.
"""
MOST_HELD = 64
"""Shared answers that an isolate holds: the shell, and the menus of library versions. Then it begins again."""
TAKE = """(() => {
  const page = __SSR.take()
  return typeof page === 'string' ? __SSR.logs() + '\\n' + page : undefined
})()"""


class IsolateFailed(Exception):
    """The isolate gave no valid result and must be replaced. `too_slow` is True for a timeout."""

    def __init__(self, reason: str, *, too_slow: bool = False) -> None:
        super().__init__(reason)
        self.too_slow = too_slow


@dataclass(frozen=True)
class RenderRound:
    """The outcome of one round, and the lines that JavaScript wrote to its console."""

    outcome: RenderOutcome
    logs: tuple[str, ...]


class Isolate:
    """Owns V8 and the thread that receives its results. Only one thread at a time may use or close it.

    All methods block while V8 runs outside the GIL: call them in a worker thread.
    """

    def __init__(self, bundle: str, manifest: str, *, timeout_s: float, memory_mb: int) -> None:
        self.rounds = 0
        self._held: set[str] = set()
        self._timeout_s = timeout_s
        self._soft_limit_bytes = int(memory_mb * 2**20 * SOFT_LIMIT_SHARE)
        self._v8 = V8Isolate(bundle, thread="v8", startup_s=STARTUP_S)
        self._js = self._v8.js
        try:
            self._js.eval(f"__SSR.init({json.dumps(manifest)});undefined", timeout_sec=STARTUP_S)
            self._js.set_soft_memory_limit(self._soft_limit_bytes)
            self._js.set_hard_memory_limit(memory_mb * 2**20)
        except BaseException:
            self.close()
            raise

    def render(self, request: RoundInput | str) -> RenderRound:
        """Run one round on a page, or on the JSON of a picture. After IsolateFailed only `close` may be called."""
        self.rounds += 1
        try:
            taken = asyncio.run_coroutine_threadsafe(self._render(self._text(request)), self._v8.loop).result()
        except TimeoutError:
            raise IsolateFailed(f"took longer than {self._timeout_s:g} s", too_slow=True) from None
        except JSOOMException:
            raise IsolateFailed("ran out of memory") from None
        except Exception as failure:
            raise IsolateFailed(f"JavaScript failed outside a render: {failure}") from failure
        # A promise that exhausts the heap is terminated without an exception; only this flag is set.
        if self._js.was_hard_memory_limit_reached():
            raise IsolateFailed("ran out of memory")
        if not isinstance(taken, str):
            raise IsolateFailed("gave no result: a promise of the render never settled")
        try:
            logs, _, result = taken.partition("\n")
            return RenderRound(read_outcome(result), tuple(map(str, json.loads(logs))))
        except (ValueError, TypeError, RecursionError) as invalid:
            raise IsolateFailed(f"gave a result that cannot be read: {invalid}") from invalid

    def _text(self, request: RoundInput | str) -> str:
        if isinstance(request, str):
            return request
        if len(self._held) >= MOST_HELD:
            self._held.clear()
            self._js.eval("__SSR.forget();undefined", timeout_sec=self._timeout_s)
        return request.text(self._held)

    async def _render(self, request: str) -> object:
        """The result of `take`. Both calls are queued in V8 at once, without a return to Python in between."""
        # Promises run after start() returns and before take() begins, so the timeout covers both calls. V8 does not
        # stop a promise that loops endlessly, not even after a timeout: only closing the isolate does.
        async with asyncio.timeout(self._timeout_s):
            _, taken = await asyncio.gather(
                self._js.eval_cancelable(f"__SSR.start({json.dumps(request)});undefined"),
                self._js.eval_cancelable(TAKE),
            )
        return taken

    def has_grown(self) -> bool:
        """Whether the heap exceeds the soft limit after a garbage collection. Collects it above GARBAGE_BYTES."""
        try:
            # heap_stats has no timeout of its own, so this call first checks that V8 responds.
            self._js.eval("0", timeout_sec=self._timeout_s)
        except JSTimeoutException:
            return True
        if self.heap_bytes() <= GARBAGE_BYTES:
            return False
        self._js.low_memory_notification()
        return self.heap_bytes() > self._soft_limit_bytes

    def heap_bytes(self) -> int:
        """Bytes on V8's heap, including garbage."""
        return int(self._js.heap_stats()["used_heap_size"])

    def close(self) -> None:
        """Stop V8, also during a render. An isolate that is not closed can block the interpreter's exit."""
        self._v8.close()

"""One V8 isolate with the highlighting bundle in it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from py_mini_racer import JSOOMException, JSTimeoutException

from kinfolk.highlight.snippet import Coloured, Snippet
from kinfolk.v8 import V8

TIDY_EVERY = 64
"""Batches after which V8 is made to give back what it hoards: 100 MB less at the end of a family, for 0.1 s each."""
STARTUP_S = 60.0
"""The bundle with its thirty grammars loads in 0.3 s; a busy machine takes its time."""


class EngineFailed(Exception):
    """The isolate gave no clean result and must be replaced."""


class Engine:
    """Owns V8 and the thread on which its results arrive. Blocks; for one thread at a time."""

    def __init__(self, bundle: str, *, timeout_s: float, memory_mb: int) -> None:
        self._timeout_s = timeout_s
        self._batches = 0
        self._v8 = V8(bundle, thread="v8-highlight", startup_s=STARTUP_S)
        self._js = self._v8.js
        self._js.set_hard_memory_limit(memory_mb * 2**20)

    def highlight(self, snippets: Sequence[Snippet]) -> list[Coloured]:
        """What becomes of each, in the same order. After EngineFailed this isolate is only good for `close`."""
        request = json.dumps(
            [{"language": s.language, "code": s.code, "added": [*s.added], "removed": [*s.removed]} for s in snippets]
        )
        try:
            answer = self._js.eval(f"__HL.highlight({json.dumps(request)})", timeout_sec=self._timeout_s)
        except JSTimeoutException:
            raise EngineFailed(f"took longer than {self._timeout_s:g} s") from None
        except JSOOMException:
            raise EngineFailed("ran out of memory") from None
        except Exception as failure:
            raise EngineFailed(f"JavaScript failed: {failure}") from failure
        if self._js.was_hard_memory_limit_reached():
            raise EngineFailed("ran out of memory")
        made = _read(answer, len(snippets))
        self._batches += 1
        if self._batches % TIDY_EVERY == 0:
            self.tidy()
        return made

    def languages(self) -> tuple[frozenset[str], dict[str, str]]:
        """The words that are coloured, and those that are plain by decision with the reason."""
        known = json.loads(str(self._js.eval("__HL.languages()", timeout_sec=self._timeout_s)))
        return frozenset(known["coloured"]), dict(known["plain"])

    def tidy(self) -> None:
        """Give back memory. Only between clean results, for V8 may never answer when it is still busy."""
        self._js.low_memory_notification()

    def close(self) -> None:
        """End V8, whatever it is doing. An isolate that is not closed can hang the interpreter at its exit."""
        self._v8.close()


def _read(answer: object, expected: int) -> list[Coloured]:
    try:
        rows = json.loads(answer) if isinstance(answer, str) else None
        if not isinstance(rows, list) or len(rows) != expected:
            raise EngineFailed("did not answer for every snippet")
        made = []
        for row in rows:
            html, fault = row["html"], row.get("fault")
            if not isinstance(html, str) or not (fault is None or isinstance(fault, str)):
                raise EngineFailed("gave a result of another shape")
            made.append(Coloured(html, fault))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise EngineFailed(f"gave a result that cannot be read: {wrong}") from wrong
    return made

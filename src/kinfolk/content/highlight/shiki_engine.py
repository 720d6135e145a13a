"""One V8 isolate that runs the Shiki bundle."""

from __future__ import annotations

import json
from collections.abc import Sequence

from py_mini_racer import JSOOMException, JSTimeoutException

from kinfolk.content.highlight.code_snippet import CodeSnippet, HighlightedCode
from kinfolk.runtime.v8 import V8Isolate

MEMORY_RELEASE_BATCHES = 64
"""Batches between two releases of V8's free memory, which take 0.1 s each and save 100 MB over all docs."""
STARTUP_S = 60.0
"""The bundle with its thirty grammars loads in 0.3 s; a busy machine takes longer."""


class ShikiError(Exception):
    """The isolate returned no valid result and must be replaced."""


class ShikiEngine:
    """Owns a V8 isolate. Its methods block and must be called by one thread at a time."""

    def __init__(self, bundle: str, *, timeout_s: float, memory_mb: int) -> None:
        self._timeout_s = timeout_s
        self._batches = 0
        self._v8 = V8Isolate(bundle, thread="v8-highlight", startup_s=STARTUP_S)
        self._js = self._v8.js
        self._js.set_hard_memory_limit(memory_mb * 2**20)

    def highlight(self, snippets: Sequence[CodeSnippet]) -> list[HighlightedCode]:
        """The highlighted snippets, in the same order. After a ShikiError only `close` may be called."""
        request = json.dumps(
            [{"language": s.language, "code": s.code, "line_classes": s.line_classes} for s in snippets]
        )
        try:
            answer = self._js.eval(f"__HL.highlight({json.dumps(request)})", timeout_sec=self._timeout_s)
        except JSTimeoutException:
            raise ShikiError(f"took longer than {self._timeout_s:g} s") from None
        except JSOOMException:
            raise ShikiError("ran out of memory") from None
        except Exception as failure:
            raise ShikiError(f"JavaScript failed: {failure}") from failure
        if self._js.was_hard_memory_limit_reached():
            raise ShikiError("ran out of memory")
        highlighted = _read(answer, len(snippets))
        self._batches += 1
        if self._batches % MEMORY_RELEASE_BATCHES == 0:
            self.release_memory()
        return highlighted

    def languages(self) -> tuple[frozenset[str], dict[str, str]]:
        """The language names that are highlighted, and the names of plain languages with the reason."""
        known = json.loads(str(self._js.eval("__HL.languages()", timeout_sec=self._timeout_s)))
        return frozenset(known["highlighted"]), dict(known["plain"])

    def release_memory(self) -> None:
        """Release free memory. Only while V8 is idle: the call may block for ever when V8 is busy."""
        self._js.low_memory_notification()

    def close(self) -> None:
        """Stop V8 at once. An isolate that is not closed can hang the interpreter at exit."""
        self._v8.close()


def _read(answer: object, expected: int) -> list[HighlightedCode]:
    try:
        rows = json.loads(answer) if isinstance(answer, str) else None
        if not isinstance(rows, list) or len(rows) != expected:
            raise ShikiError("did not return a result for every snippet")
        highlighted = []
        for row in rows:
            html, fault = row["html"], row.get("fault")
            if not isinstance(html, str) or not (fault is None or isinstance(fault, str)):
                raise ShikiError("returned a result of another shape")
            highlighted.append(HighlightedCode(html, fault))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise ShikiError(f"returned a result that cannot be read: {wrong}") from wrong
    return highlighted

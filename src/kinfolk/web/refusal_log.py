"""Refused requests: each is counted in the metrics, and the log gets a sample of them.

    log_refusal("search", "rate", address=address)

An attack causes many refusals a second. For each kind and reason one line is logged in INTERVAL_S seconds, with the
number of suppressed lines.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog

from kinfolk.runtime import metrics

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

INTERVAL_S = 10.0
"""Seconds between two lines of one kind and reason."""
MAX_FIELD = 200
"""Characters of a field that are logged: values from clients may be long."""


class RefusalLog:
    """Counts and logs refusals. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._logged_at_s: dict[tuple[str, str], float] = {}
        self._suppressed: dict[tuple[str, str], int] = {}

    def __call__(self, kind: str, reason: str, **fields: object) -> None:
        """Count a refusal and log it, if no other of its kind and reason was logged within INTERVAL_S.

        `kind` and `reason` are labels of a metric: pass constants, never values from a client.
        """
        metrics.count_refusal(kind, reason)
        key, now_s = (kind, reason), self._clock()
        with self._lock:
            last_s = self._logged_at_s.get(key)
            if last_s is not None and now_s - last_s < INTERVAL_S:
                self._suppressed[key] = self._suppressed.get(key, 0) + 1
                return
            self._logged_at_s[key] = now_s
            suppressed = self._suppressed.pop(key, 0)
        shown = {name: _short(value) for name, value in fields.items()}
        log.warning("request refused", kind=kind, reason=reason, suppressed=suppressed, **shown)


def _short(value: object) -> object:
    return value[:MAX_FIELD] if isinstance(value, str) else value


log_refusal = RefusalLog()
"""The refusal log of this process."""

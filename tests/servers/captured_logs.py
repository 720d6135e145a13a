"""Captures log entries of all levels in a test, while threads of other tests may log."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, NoReturn

import structlog
from structlog.testing import LogCapture
from structlog.typing import EventDict


class _EventCapture(LogCapture):
    """Captures entries of these events, and drops all others."""

    def __init__(self, events: tuple[str, ...]) -> None:
        super().__init__()
        self._events = events

    def __call__(self, logger: Any, method_name: str, event_dict: MutableMapping[str, Any]) -> NoReturn:
        if event_dict["event"] not in self._events:
            raise structlog.DropEvent
        super().__call__(logger, method_name, event_dict)


@contextmanager
def captured_logs(*events: str) -> Iterator[list[EventDict]]:
    """The entries of these events, each with its `log_level`.

    structlog's `capture_logs` changes the list of processors in place: a thread that logs meanwhile may find it empty,
    and gets a TypeError.
    """
    capture = _EventCapture(events)
    before = structlog.get_config()
    structlog.configure(processors=[capture], wrapper_class=structlog.make_filtering_bound_logger(0))
    try:
        yield capture.entries
    finally:
        structlog.configure(**before)

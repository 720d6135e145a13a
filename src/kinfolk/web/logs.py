"""How the log looks: for eyes on a console, or a JSON object a line for machines."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType
from typing import TextIO

import structlog


def set_up_logs(form: str, file: TextIO | None = None) -> None:
    """Write to this file, by default to standard error. `form` is `console` or `json`."""
    file = file or sys.stderr
    # Plain tracebacks: the fancy ones print local variables, and some of those are secrets.
    for_eyes = structlog.dev.ConsoleRenderer(colors=file.isatty(), exception_formatter=structlog.dev.plain_traceback)
    machine = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=repr))
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *(machine if form == "json" else (for_eyes,)),
        ],
        # One write a line: print() makes two where output is not buffered, and other processes write between them.
        logger_factory=structlog.WriteLoggerFactory(file),
    )


def log_uncaught() -> None:
    """From now on what libraries log, warnings, and errors that nothing catches are lines of our log too.

    For processes that serve: everywhere else a traceback on the console is what is wanted.
    """
    logging.basicConfig(level=logging.WARNING, handlers=[_Forward()], force=True)
    logging.captureWarnings(capture=True)
    log = structlog.get_logger(__name__)

    def uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        log.critical("uncaught error", exc_info=(kind, error, trace))

    def uncaught_in_thread(about: threading.ExceptHookArgs) -> None:
        if about.exc_value is not None:
            name = about.thread.name if about.thread is not None else ""
            log.error("thread crashed", thread=name, exc_info=(about.exc_type, about.exc_value, about.exc_traceback))

    def unraisable(about: sys.UnraisableHookArgs) -> None:
        error = about.exc_value
        info = (type(error), error, about.exc_traceback) if error is not None else None
        log.error("error ignored", where=repr(about.object), reason=about.err_msg or "", exc_info=info)

    sys.excepthook = uncaught
    sys.unraisablehook = unraisable
    threading.excepthook = uncaught_in_thread


class _Forward(logging.Handler):
    """Gives records of the standard library's logging to ours."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            log = structlog.get_logger(record.name)
            log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
        except Exception:  # noqa: BLE001 - logging must not fail what it is called from
            self.handleError(record)

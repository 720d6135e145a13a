"""Configures the log: readable lines for a console, or one JSON object in each line."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, WrappedLogger

from kinfolk.runtime.telemetry.request_identity import current_request


def set_up_logs(form: str, file: TextIO | None = None) -> None:
    """Write to this file, by default to standard error. `form` is `console` or `json`."""
    file = file or sys.stderr
    # Plain tracebacks: others contain local variables, and some of these are secrets.
    console = structlog.dev.ConsoleRenderer(colors=file.isatty(), exception_formatter=structlog.dev.plain_traceback)
    json_lines = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=repr))
    structlog.configure(
        processors=[
            add_request,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *(json_lines if form == "json" else (console,)),
        ],
        # One write for each line: unbuffered print() writes twice, and lines of other processes could come between.
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _LogFile(file))),
    )


def add_request(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the id of the request that a line is about, and that of its trace if it differs."""
    identity = current_request.get()
    if identity is not None:
        event.setdefault("request_id", identity.request_id)
        if identity.trace_id != identity.request_id:
            event.setdefault("trace_id", identity.trace_id)
    return event


class _LogFile:
    """A file whose failures, such as a full disk, do not fail what is logged. Lines are lost meanwhile."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


def log_uncaught() -> None:
    """Log messages of the standard library's logging, warnings and uncaught errors, too.

    For server processes. Commands print their tracebacks on the console.
    """
    logging.basicConfig(level=logging.WARNING, handlers=[_StructlogHandler()], force=True)
    # Its warnings repeat what clients send. `web.mcp_endpoint` logs a sample of refused requests.
    logging.getLogger("mcp").setLevel(logging.ERROR)
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


class _StructlogHandler(logging.Handler):
    """Forwards records of the standard library's logging to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            log = structlog.get_logger(record.name)
            log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)
        except Exception:  # noqa: BLE001 - logging must not fail what it is called from
            self.handleError(record)

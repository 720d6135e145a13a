"""How the log looks: for eyes on a console, or a JSON object a line for machines."""

from __future__ import annotations

import sys

import structlog


def set_up_logs(form: str) -> None:
    """Write to standard error. `form` is `console` or `json`."""
    # Plain tracebacks: the fancy ones print local variables, and some of those are secrets.
    for_eyes = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    machine = (structlog.processors.format_exc_info, structlog.processors.JSONRenderer())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *(machine if form == "json" else (for_eyes,)),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )

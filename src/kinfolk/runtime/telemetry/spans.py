"""Spans of the work of this process. Without a tracer they cost a comparison.

    with span("render round"):                          # a part of a request that is recorded
        ...
    with background_span("index build"):                # recorded by itself
        ...

Names and attributes are constants of the code, ids and numbers: no text of readers, no query strings, no values of SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from kinfolk.runtime.telemetry.request_identity import RequestIdentity

Attributes = Mapping[str, str | int | float | bool]


class OpenSpan(Protocol):
    """A span that has not ended."""

    def set(self, attributes: Attributes, *, failed: bool = False) -> None:
        """Add attributes. `failed` marks the span as an error."""


class Tracer(Protocol):
    """Records spans."""

    def request(self, name: str, identity: RequestIdentity) -> AbstractContextManager[OpenSpan]: ...
    def part(self, name: str, attributes: Attributes) -> AbstractContextManager[OpenSpan]: ...
    def background(self, name: str, attributes: Attributes) -> AbstractContextManager[OpenSpan]: ...


class UnrecordedSpan:
    """A span of nothing."""

    def set(self, attributes: Attributes, *, failed: bool = False) -> None:
        """Record nothing."""


class _Installed:
    tracer: Tracer | None = None


_UNRECORDED = UnrecordedSpan()
UNRECORDED: AbstractContextManager[OpenSpan] = nullcontext(_UNRECORDED)
_NO_ATTRIBUTES: Attributes = {}


def use_tracer(tracer: Tracer | None) -> None:
    """Record spans of this process with this tracer from now on; None records none."""
    _Installed.tracer = tracer


def request_span(name: str, identity: RequestIdentity | None) -> AbstractContextManager[OpenSpan]:
    """The span of a request, if it is sampled."""
    tracer = _Installed.tracer
    return UNRECORDED if tracer is None or identity is None else tracer.request(name, identity)


def span(name: str, attributes: Attributes = _NO_ATTRIBUTES) -> AbstractContextManager[OpenSpan]:
    """A part of the current span; nothing if none is recorded."""
    tracer = _Installed.tracer
    return UNRECORDED if tracer is None else tracer.part(name, attributes)


def background_span(name: str, attributes: Attributes = _NO_ATTRIBUTES) -> AbstractContextManager[OpenSpan]:
    """Work that is always recorded: a part of the current span, else a trace of its own. For rare work only."""
    tracer = _Installed.tracer
    return UNRECORDED if tracer is None else tracer.background(name, attributes)

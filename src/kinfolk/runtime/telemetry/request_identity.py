"""The id of a request, which the log, error pages and response headers name, and its place in a trace.

    identity = identify(headers, trusted=True)      # of the proxy's headers, else made
    identity.request_id                             # "4bf92f3577b34da6a3ce929d0e0e4736"

The trace has the id of the request where that is possible, so one search finds both.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass

HEADER = b"x-request-id"
TRACE_HEADER = b"traceparent"

_ID = re.compile(rb"[A-Za-z0-9._:=+/-]{8,128}")
"""Ids of common proxies and CDNs. Short ones would not be unique; other characters could end a log line or header."""
_TRACEPARENT = re.compile(rb"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,64})?")
"""https://www.w3.org/TR/trace-context/#traceparent-header. Later versions may append fields; version 00 may not."""
_TRACE_ID = re.compile(r"[0-9a-f]{32}")
_NO_TRACE, _NO_SPAN = "0" * 32, "0" * 16


@dataclass(frozen=True)
class RequestIdentity:
    """`parent_span` is the id of the proxy's span, empty without one; `sampled` says whether the proxy records it."""

    request_id: str
    trace_id: str
    parent_span: str = ""
    sampled: bool = False


current_request: ContextVar[RequestIdentity | None] = ContextVar("kinfolk_request", default=None)
"""The request that this code runs for, also in the tasks and threads of asyncio that it has started."""


def identify(headers: Iterable[tuple[bytes, bytes]], *, trusted: bool) -> RequestIdentity:
    """The identity in the headers of a trusted proxy, else a new one. Invalid and repeated headers are ignored."""
    ids: list[bytes] = []
    parents: list[bytes] = []
    if trusted:
        for name, value in headers:
            if name == HEADER:
                ids.append(value)
            elif name == TRACE_HEADER:
                parents.append(value)
    trace_id, parent_span, sampled = _parse_parent(parents[0]) if len(parents) == 1 else ("", "", False)
    request_id = ids[0].decode("ascii") if len(ids) == 1 and _ID.fullmatch(ids[0]) else trace_id
    request_id = request_id or secrets.token_hex(16)
    if not trace_id:
        usable = _TRACE_ID.fullmatch(request_id) and request_id != _NO_TRACE
        trace_id = request_id if usable else secrets.token_hex(16)
    return RequestIdentity(request_id, trace_id, parent_span, sampled)


def _parse_parent(value: bytes) -> tuple[str, str, bool]:
    """The ids of trace and span, and whether the proxy records the trace; empty for an invalid header."""
    found = _TRACEPARENT.fullmatch(value)
    if found is None or (value.startswith(b"00-") and found[4] is not None):
        return "", "", False
    trace_id, span_id = found[1].decode(), found[2].decode()
    if trace_id == _NO_TRACE or span_id == _NO_SPAN:
        return "", "", False
    return trace_id, span_id, bool(int(found[3], 16) & 1)

"""The identity of an HTTP request: of the headers of a trusted proxy, else new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from starlette.types import Scope

from kinfolk.config.settings import Network
from kinfolk.runtime.telemetry.request_identity import HEADER, TRACE_HEADER, RequestIdentity, current_request, identify
from kinfolk.web.protocol.client_address import is_trusted

_HEADERS = (HEADER, TRACE_HEADER)


def request_identity(scope: Scope, trusted: Sequence[Network]) -> RequestIdentity:
    """The identity of a request. Headers of a peer that is no trusted proxy do not count."""
    headers = [header for header in scope["headers"] if header[0] in _HEADERS]
    if not headers:
        return identify((), trusted=False)
    peer = scope["client"][0] if scope.get("client") else ""
    return identify(headers, trusted=is_trusted(peer, trusted))


@contextmanager
def identified(scope: Scope, trusted: Sequence[Network]) -> Iterator[str]:
    """The id of a request, which log lines have until the end of the block."""
    identity = request_identity(scope, trusted)
    before = current_request.set(identity)
    try:
        yield identity.request_id
    finally:
        current_request.reset(before)


def current_request_id() -> str:
    """The id of the request that this code runs for; empty outside of requests."""
    identity = current_request.get()
    return identity.request_id if identity is not None else ""

"""The identity of a request: which headers of a proxy count."""

from __future__ import annotations

import re

import pytest

from kinfolk.runtime.telemetry.request_identity import identify

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01".encode()


def test_request_without_headers_gets_an_id_that_is_also_its_trace() -> None:
    first, second = identify((), trusted=True), identify((), trusted=True)
    assert re.fullmatch("[0-9a-f]{32}", first.request_id)
    assert first.trace_id == first.request_id != second.request_id


def test_id_of_a_trusted_proxy_is_taken() -> None:
    identity = identify([(b"x-request-id", b"8c1f0f7b-6a1e-4d4c")], trusted=True)
    assert identity.request_id == "8c1f0f7b-6a1e-4d4c"
    assert re.fullmatch("[0-9a-f]{32}", identity.trace_id)


def test_traceparent_of_a_trusted_proxy_names_trace_span_and_request() -> None:
    identity = identify([(b"traceparent", PARENT)], trusted=True)
    assert (identity.trace_id, identity.parent_span, identity.sampled) == (TRACE, SPAN, True)
    assert identity.request_id == TRACE


def test_both_headers_count() -> None:
    identity = identify([(b"traceparent", PARENT), (b"x-request-id", b"edge-12345678")], trusted=True)
    assert (identity.request_id, identity.trace_id) == ("edge-12345678", TRACE)


def test_headers_of_other_peers_are_ignored() -> None:
    identity = identify([(b"traceparent", PARENT), (b"x-request-id", b"edge-12345678")], trusted=False)
    assert identity.trace_id == identity.request_id not in (TRACE, "edge-12345678")
    assert identity.parent_span == ""


@pytest.mark.parametrize(
    "value", [b"", b"short", b"a" * 129, b"12345678\r\nset-cookie: a", b"<b>12345678</b>", b"12345678 9", b"\xff" * 9]
)
def test_invalid_id_is_replaced(value: bytes) -> None:
    made = identify([(b"x-request-id", value)], trusted=True).request_id
    assert re.fullmatch("[0-9a-f]{32}", made)


def test_repeated_headers_are_ignored() -> None:
    headers = [(b"x-request-id", b"edge-12345678"), (b"x-request-id", b"edge-87654321")]
    assert identify(headers, trusted=True).request_id not in ("edge-12345678", "edge-87654321")
    assert identify([(b"traceparent", PARENT)] * 2, trusted=True).parent_span == ""


@pytest.mark.parametrize(
    "value",
    [
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-extra",
        f"00-{TRACE}-{SPAN}",
        "x" * 10_000,
    ],
)
def test_invalid_traceparent_is_ignored(value: str) -> None:
    identity = identify([(b"traceparent", value.encode())], trusted=True)
    assert (identity.parent_span, identity.sampled) == ("", False)
    assert identity.trace_id != TRACE


def test_later_version_of_traceparent_may_have_more_fields() -> None:
    identity = identify([(b"traceparent", f"01-{TRACE}-{SPAN}-00-more".encode())], trusted=True)
    assert (identity.trace_id, identity.sampled) == (TRACE, False)

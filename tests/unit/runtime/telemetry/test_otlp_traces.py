"""Spans arrive at a collector; one that misbehaves costs spans and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY
from tests.servers.collector import StandInCollector, collecting

from kinfolk.runtime.telemetry.collector import Collector
from kinfolk.runtime.telemetry.otlp_traces import MAX_QUEUED, TraceExport
from kinfolk.runtime.telemetry.request_identity import RequestIdentity, current_request, identify
from kinfolk.runtime.telemetry.spans import background_span, request_span, span, use_tracer

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture
def collector() -> Iterator[StandInCollector]:
    with collecting() as started:
        yield started


def export_to(collector: StandInCollector, *, ratio: float = 1.0) -> TraceExport:
    export = TraceExport(Collector(collector.address, {"authorization": "secret"}, ratio))
    use_tracer(export)
    return export


@pytest.fixture(autouse=True)
def untraced() -> Iterator[None]:
    yield
    use_tracer(None)


def answer(identity: RequestIdentity) -> None:
    """A request that reads the database in a function."""
    token = current_request.set(identity)
    with request_span("page request", identity) as recorded, span("function docs.page"), span("database read"):
        recorded.set({"http.response.status_code": 500}, failed=True)
    current_request.reset(token)


def dropped(reason: str) -> float:
    return REGISTRY.get_sample_value("kinfolk_spans_dropped_total", {"reason": reason}) or 0.0


def test_spans_of_a_request_are_one_trace_with_the_id_of_the_request(collector: StandInCollector) -> None:
    export, identity = export_to(collector), identify((), trusted=True)
    answer(identity)
    assert export.queue.send()
    read, function, request = collector.spans
    assert {one.trace_id.hex() for one in collector.spans} == {identity.request_id}
    assert (read.parent_span_id, function.parent_span_id, request.parent_span_id) == (
        function.span_id,
        request.span_id,
        b"",
    )
    assert (request.name, request.status.code) == ("page request", 2)
    assert collector.headers == ["secret"]


def test_span_of_the_proxy_is_the_parent(collector: StandInCollector) -> None:
    export = export_to(collector, ratio=0)
    answer(RequestIdentity("edge-12345678", TRACE, PARENT, sampled=True))
    answer(RequestIdentity("edge-12345679", TRACE, PARENT, sampled=False))
    export.queue.send()
    assert (collector.spans[2].trace_id.hex(), collector.spans[2].parent_span_id.hex()) == (TRACE, PARENT)
    assert len(collector.spans) == 3


def test_requests_outside_the_sample_are_not_recorded_and_background_work_is(collector: StandInCollector) -> None:
    export = export_to(collector, ratio=0)
    answer(identify((), trusted=True))
    with span("database read"), background_span("index build"):
        pass
    export.queue.send()
    assert [one.name for one in collector.spans] == ["index build"]


def test_full_queue_drops_spans_and_counts_them(collector: StandInCollector) -> None:
    export_to(collector)
    before = dropped("queue")
    for _ in range(MAX_QUEUED + 3):
        with background_span("sync"):
            pass
    assert dropped("queue") == before + 3


@pytest.mark.parametrize(("status", "body"), [(503, b""), (400, b"no"), (302, b""), (200, b"x" * 200_000)])
def test_batch_that_the_collector_does_not_take_is_counted(
    collector: StandInCollector, status: int, body: bytes
) -> None:
    export, before = export_to(collector), dropped("collector")
    collector.status, collector.body = status, body
    with background_span("sync"):
        pass
    assert not export.queue.send()
    assert dropped("collector") == before + 1


def test_collector_that_does_not_answer_is_given_up_at_the_stop(collector: StandInCollector) -> None:
    export, before = export_to(collector), dropped("stopped") + dropped("collector")
    collector.held.clear()
    for _ in range(300):
        with background_span("sync"):
            pass
    export.queue.stop()
    export.queue.run()
    assert dropped("stopped") + dropped("collector") == before + 300


def test_last_spans_are_sent_at_the_stop(collector: StandInCollector) -> None:
    export = export_to(collector)
    for _ in range(300):
        with background_span("sync"):
            pass
    export.queue.stop()
    export.queue.run()
    assert len(collector.spans) == 300


def test_error_names_its_type_and_not_its_message(collector: StandInCollector) -> None:
    export = export_to(collector)
    with pytest.raises(ValueError, match="private"), background_span("sync"):
        raise ValueError("private")
    export.queue.send()
    assert collector.spans[0].status.message == "ValueError"
    assert not collector.spans[0].events

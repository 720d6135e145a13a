"""Traces of a running server at a collector: what they contain, also after a batch that is not answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.processes.family import eventually
from tests.servers.collector import StandInCollector, collecting
from tests.servers.serving import LEAN, serving

PAGE, STATISTICS, FAILING = "/query/latest/docs/framework/react/guides/caching", "/stats/npm", "/"
"""A page of files, one of the database, and one whose function fails."""
FAULT = {"kinfolk.api.functions.home.FEATURED": 0.5}
"""No list has half an entry."""
REQUEST_ID = "x-request-id"


@dataclass(frozen=True)
class SiteTrace:
    """The spans of a request by their names."""

    spans: tuple[Span, ...]

    @property
    def root(self) -> Span:
        [found] = [span for span in self.spans if not span.parent_span_id]
        return found

    @property
    def names(self) -> set[str]:
        return {span.name for span in self.spans}


def trace_of(collector: StandInCollector, request_id: str) -> SiteTrace:
    return SiteTrace(tuple(span for span in collector.spans if span.trace_id.hex() == request_id))


def attributes(span: Span) -> Mapping[str, object]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def test_requests_are_sent_as_traces_with_their_ids_and_parts(tmp_path: Path, built: Path) -> None:
    assert built
    with collecting() as collector:
        collector.held.clear()
        otlp = {"KINFOLK_OTLP": collector.address, "KINFOLK_OTLP_HEADERS": "authorization=token"}
        environment = LEAN | otlp | {"KINFOLK_TRACE_RATIO": "1", "KINFOLK_PRERENDER": "off"}
        with (
            serving(tmp_path, environment=environment, constants=FAULT) as server,
            httpx.Client(base_url=server.url) as client,
        ):
            assert client.get("/_server/theme.get").status_code == 200
            eventually(lambda: collector.headers, "a batch is sent")
            # The collector has not answered it yet, and answers nothing else.
            assert client.get(PAGE).status_code == 200
            assert collector.spans == []
            collector.held.set()
            answers = {path: client.get(path) for path in (STATISTICS, FAILING)}
            assert client.get(STATISTICS).headers.get(REQUEST_ID) is None
            assert [answer.status_code for answer in answers.values()] == [200, 500]
    ids = {path: answer.headers[REQUEST_ID] for path, answer in answers.items()}
    assert set(collector.headers) == {"token"}

    trace = trace_of(collector, ids[STATISTICS])
    assert trace.names >= {"page request", "render round", "database read"}
    assert any(name.startswith("function ") for name in trace.names)
    known = {span.span_id for span in trace.spans}
    assert all(span.parent_span_id in known for span in trace.spans if span is not trace.root)
    root = trace.root
    assert attributes(root) == {
        "http.request.method": "GET",
        "url.path": STATISTICS,
        "http.response.status_code": 200,
        "kinfolk.kind": "page",
        "kinfolk.request_id": ids[STATISTICS],
    }
    for span in trace.spans:
        assert root.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= root.end_time_unix_nano
    # A cached page has no span.
    assert len([span for span in collector.spans if attributes(span).get("url.path") == STATISTICS]) == 1

    failed = trace_of(collector, ids[FAILING])
    assert failed.root.status.code == Status.STATUS_CODE_ERROR
    assert ids[FAILING] in answers[FAILING].text
    lines = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    logged = [line["event"] for line in lines if line.get("request_id") == ids[FAILING]]
    assert {"function crashed", "request failed"} <= set(logged)

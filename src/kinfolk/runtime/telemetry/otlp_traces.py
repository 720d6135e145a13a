"""Sends spans to a collector over OTLP/HTTP, with the SDK of OpenTelemetry. Imported only where a collector is set.

A request only appends its spans to a queue. One thread of each worker process sends them, and drops what a collector
that is slow or away does not take: `kinfolk_spans_dropped_total` counts them.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased, Sampler, SamplingResult, TraceIdRatioBased
from opentelemetry.trace import Link, NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.trace.span import TraceState
from opentelemetry.util.types import Attributes as SdkAttributes

from kinfolk.runtime.metrics import SPANS_DROPPED
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.runtime.telemetry.collector import Collector
from kinfolk.runtime.telemetry.collector_session import CollectorSession
from kinfolk.runtime.telemetry.request_identity import RequestIdentity, current_request
from kinfolk.runtime.telemetry.spans import UNRECORDED, Attributes, OpenSpan, use_tracer

MAX_QUEUED = 4096
"""Spans that wait: about 8 MB. A cold page has ten."""
BATCH = 256
EXPORT_EVERY_S = 1.0
TIMEOUT_S = 1.5
"""Seconds for one batch, retries included: a stop waits for the batch that is being sent, and has 2 s."""
MAX_VALUE = 256
"""Characters of an attribute."""
SERVICE = "traces"


class SpanQueue(SpanProcessor, Service):
    """Queues ended spans, and sends them from a thread. Thread-safe; `on_end` does not block."""

    def __init__(self, exporter: SpanExporter, *, size: int = MAX_QUEUED, every_s: float = EXPORT_EVERY_S) -> None:
        self._exporter = exporter
        self._size = size
        self._every_s = every_s
        self._ended: deque[ReadableSpan] = deque()
        self._full = threading.Event()
        self._stopping = False

    def on_end(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        if context is None or not context.trace_flags.sampled:
            return
        if len(self._ended) >= self._size:
            SPANS_DROPPED.labels("queue").inc()
            return
        self._ended.append(span)
        if len(self._ended) >= BATCH:
            self._full.set()

    def start(self, supervisor: Supervisor) -> None:
        supervisor.start(SERVICE, self.run, stop=self.stop)

    def run(self) -> None:
        """Send until `stop`, then what is left, unless the collector fails."""
        while not self._stopping:
            self._full.wait(self._every_s)
            self._full.clear()
            self.send()
        while self._ended and self.send():
            pass
        self._drop("stopped", len(self._ended))

    def stop(self) -> None:
        """Make `run` return after one more batch. Does not block."""
        self._stopping = True
        self._full.set()

    def send(self) -> bool:
        """Send a batch. Returns whether the collector took it."""
        batch = [self._ended.popleft() for _ in range(min(BATCH, len(self._ended)))]
        if not batch:
            return True
        if len(self._ended) >= BATCH:
            self._full.set()
        if self._exporter.export(batch) is SpanExportResult.SUCCESS:
            return True
        self._drop("collector", len(batch))
        return False

    @staticmethod
    def _drop(reason: str, spans: int) -> None:
        if spans:
            SPANS_DROPPED.labels(reason).inc(spans)


class TraceExport(Service):
    """Records spans of this process, and sends them. Make it after the fork."""

    def __init__(self, collector: Collector, *, exporter: SpanExporter | None = None) -> None:
        # Its lines about each failed batch would fill the log: the metric counts them.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self.queue = SpanQueue(exporter or span_exporter(collector))
        provider = TracerProvider(
            sampler=ParentBased(_RequestSampler(collector.ratio)),
            resource=Resource.create({"service.name": "kinfolk", **collector.resource}),
            id_generator=_RequestIds(),
            span_limits=SpanLimits(max_attributes=32, max_span_attribute_length=MAX_VALUE, max_events=0, max_links=0),
            shutdown_on_exit=False,
        )
        provider.add_span_processor(self.queue)
        self._tracer = provider.get_tracer("kinfolk")

    def start(self, supervisor: Supervisor) -> None:
        self.queue.start(supervisor)
        use_tracer(self)

    def close(self) -> None:
        use_tracer(None)

    def request(self, name: str, identity: RequestIdentity) -> AbstractContextManager[OpenSpan]:
        """The span of a request: a child of the proxy's span, if there is one."""
        parent = Context()
        if identity.parent_span:
            flags = TraceFlags(TraceFlags.SAMPLED if identity.sampled else TraceFlags.DEFAULT)
            context = SpanContext(
                int(identity.trace_id, 16), int(identity.parent_span, 16), is_remote=True, trace_flags=flags
            )
            parent = trace.set_span_in_context(NonRecordingSpan(context), parent)
        attributes = {"kinfolk.request_id": identity.request_id}
        return _opened(self._tracer.start_span(name, parent, kind=SpanKind.SERVER, attributes=attributes))

    def part(self, name: str, attributes: Attributes) -> AbstractContextManager[OpenSpan]:
        """A child of the current span, if it is recorded."""
        if not trace.get_current_span().is_recording():
            return UNRECORDED
        return _opened(self._tracer.start_span(name, attributes=attributes))

    def background(self, name: str, attributes: Attributes) -> AbstractContextManager[OpenSpan]:
        """A child of the current span, if it is recorded, else the first span of a trace."""
        context = None if trace.get_current_span().is_recording() else Context()
        return _opened(self._tracer.start_span(name, context, attributes=attributes))


def span_exporter(collector: Collector) -> SpanExporter:
    """The exporter of OpenTelemetry."""
    return OTLPSpanExporter(
        endpoint=f"{collector.address}/v1/traces",
        headers=dict(collector.headers),
        timeout=TIMEOUT_S,
        session=CollectorSession(),
    )


class _OpenSdkSpan:
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set(self, attributes: Attributes, *, failed: bool = False) -> None:
        self._span.set_attributes(attributes)
        if failed:
            self._span.set_status(Status(StatusCode.ERROR))


@contextmanager
def _opened(span: trace.Span) -> Iterator[OpenSpan]:
    """The current span until the end of the block. An error names its type only: messages may have texts of readers."""
    with trace.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield _OpenSdkSpan(span)
        except BaseException as failure:
            span.set_status(Status(StatusCode.ERROR, type(failure).__name__))
            raise


class _RequestSampler(Sampler):
    """Records a share of the requests, and all work in the background."""

    def __init__(self, ratio: float) -> None:
        self._requests = TraceIdRatioBased(ratio)

    def should_sample(  # noqa: PLR0917 - the signature of the SDK
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: SdkAttributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        sampler = self._requests if kind is SpanKind.SERVER else ALWAYS_ON
        return sampler.should_sample(parent_context, trace_id, name, kind, attributes, links, trace_state)

    def get_description(self) -> str:
        return "a share of the requests"


class _RequestIds(RandomIdGenerator):
    """The trace of a request has the id of the request."""

    def generate_trace_id(self) -> int:
        identity = current_request.get()
        return int(identity.trace_id, 16) if identity is not None else super().generate_trace_id()

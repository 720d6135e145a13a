"""A collector of OpenTelemetry on the loopback: decodes what arrives, or misbehaves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class StandInCollector:
    """What has arrived. `status` is that of answers, `body` what follows; `held` delays answers until it is set."""

    def __init__(self) -> None:
        self.address = ""
        self.status = 200
        self.body = b""
        self.headers: list[str | None] = []
        self.spans: list[Span] = []
        self.metrics: dict[str, Metric] = {}
        self.held = threading.Event()
        self.held.set()

    def take(self, path: str, body: bytes) -> None:
        """Decode a request."""
        if path == "/v1/traces":
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    self.spans.extend(scope.spans)
        elif path == "/v1/metrics":
            for measured in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                for scope_metrics in measured.scope_metrics:
                    self.metrics.update((metric.name, metric) for metric in scope_metrics.metrics)


@contextmanager
def collecting() -> Iterator[StandInCollector]:
    """A collector until the end of the block."""
    collector = StandInCollector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            collector.headers.append(self.headers["authorization"])
            collector.held.wait(20)
            if collector.status == 200:
                collector.take(self.path, body)
            self.send_response(collector.status)
            self.send_header("location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(collector.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                self.close_connection = True  # the exporter has given up

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    collector.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        collector.held.set()
        server.shutdown()
        thread.join()
        server.server_close()

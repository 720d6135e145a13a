"""Sends the metrics of all worker processes to a collector: the values of Prometheus, under the same names.

The parent process reads the files of the workers, as for a scrape. Instruments of OpenTelemetry in each worker would
count a second time, and forget what a killed worker had counted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping

import structlog
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricExporter,
    MetricExportResult,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric as PrometheusMetric
from prometheus_client.samples import Sample

from kinfolk.runtime.telemetry.collector import Collector
from kinfolk.runtime.telemetry.collector_session import CollectorSession

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

EVERY_S = 15.0
TIMEOUT_S = 5.0
STOP_S = 1.0
"""Seconds that the end of the server waits for the last metrics."""
_BOUND = "le"
_CUMULATIVE = AggregationTemporality.CUMULATIVE


class MetricsPusher:
    """A thread that sends the metrics of a registry. After a failure, the next values have the same counts."""

    def __init__(
        self,
        collector: Collector,
        registry: CollectorRegistry,
        *,
        every_s: float = EVERY_S,
        exporter: MetricExporter | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self._registry = registry
        self._every_s = every_s
        self._exporter = exporter or OTLPMetricExporter(
            endpoint=f"{collector.address}/v1/metrics",
            headers=dict(collector.headers),
            timeout=TIMEOUT_S,
            session=CollectorSession(),
        )
        self._resource = Resource.create({"service.name": "kinfolk", **collector.resource})
        self._clock = clock
        self._began_ns = clock()
        self._failed = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Send once more, and end. Waits for STOP_S at most."""
        self._stopping.set()
        self._thread.join(STOP_S)

    def send(self) -> bool:
        """Send all values. Returns whether the collector took them."""
        scope = ScopeMetrics(InstrumentationScope("kinfolk"), self._metrics(), "")
        data = MetricsData([ResourceMetrics(self._resource, [scope], "")])
        return self._exporter.export(data) is MetricExportResult.SUCCESS

    def _run(self) -> None:
        while not self._stopping.wait(self._every_s):
            self._note(taken=self._try())
        self._try()

    def _try(self) -> bool:
        try:
            return self.send()
        except Exception:
            # A metrics file that a worker begins, for example: the next call reads it whole.
            log.exception("metrics not read")
            return False

    def _note(self, *, taken: bool) -> None:
        """Log the first failure, and the end of it."""
        if taken == self._failed:
            self._failed = not taken
            (log.info if taken else log.warning)("metrics sent again" if taken else "metrics not sent")

    def _metrics(self) -> list[Metric]:
        now_ns = self._clock()
        return [
            converted
            for metric in self._registry.collect()
            for converted in converted_metrics(metric, began_ns=self._began_ns, now_ns=now_ns)
        ]


def converted_metrics(metric: PrometheusMetric, *, began_ns: int, now_ns: int) -> Iterable[Metric]:
    """A metric of Prometheus as one of OpenTelemetry, with the name of its samples."""
    match metric.type:
        case "counter":
            samples = [sample for sample in metric.samples if sample.name.endswith("_total")]
            points = [_point(sample, began_ns, now_ns) for sample in samples]
            yield Metric(f"{metric.name}_total", metric.documentation, "", Sum(points, _CUMULATIVE, is_monotonic=True))
        case "gauge":
            points = [_point(sample, began_ns, now_ns) for sample in metric.samples]
            yield Metric(metric.name, metric.documentation, "", Gauge(points))
        case "histogram":
            histograms = [
                _histogram(labels, samples, began_ns, now_ns) for labels, samples in _by_labels(metric.samples).items()
            ]
            yield Metric(metric.name, metric.documentation, "", Histogram(histograms, _CUMULATIVE))


def _point(sample: Sample, began_ns: int, now_ns: int) -> NumberDataPoint:
    return NumberDataPoint(dict(sample.labels), began_ns, now_ns, sample.value)


def _by_labels(samples: Iterable[Sample]) -> Mapping[tuple[tuple[str, str], ...], list[Sample]]:
    grouped: dict[tuple[tuple[str, str], ...], list[Sample]] = {}
    for sample in samples:
        labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != _BOUND))
        grouped.setdefault(labels, []).append(sample)
    return grouped


def _histogram(
    labels: tuple[tuple[str, str], ...], samples: Iterable[Sample], began_ns: int, now_ns: int
) -> HistogramDataPoint:
    """Prometheus counts in each bucket also what is in smaller ones; OpenTelemetry does not."""
    below: dict[float, float] = {}
    total = 0.0
    for sample in samples:
        if sample.name.endswith("_bucket"):
            below[float(sample.labels[_BOUND])] = sample.value
        elif sample.name.endswith("_sum"):
            total = sample.value
    bounds = sorted(below)
    counts = [below[bound] for bound in bounds]
    buckets = [int(count - before) for count, before in zip(counts, [0.0, *counts[:-1]], strict=True)]
    return HistogramDataPoint(
        dict(labels),
        began_ns,
        now_ns,
        int(counts[-1]) if counts else 0,
        total,
        buckets,
        bounds[:-1],
        # Prometheus has neither.
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
    )

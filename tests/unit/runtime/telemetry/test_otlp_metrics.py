"""The collector receives the values of Prometheus under their names."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from tests.servers.collector import collecting

from kinfolk.runtime.telemetry.collector import Collector
from kinfolk.runtime.telemetry.otlp_metrics import MetricsPusher
from kinfolk.runtime.telemetry.telemetry_export import start_sending_metrics


def test_counters_gauges_and_histograms_arrive_with_their_labels() -> None:
    registry = CollectorRegistry()
    Counter("requests", "Requests", ["kind"], registry=registry).labels("page").inc(3)
    Gauge("workers", "Workers", registry=registry).set(2)
    seconds = Histogram("seconds", "Seconds", buckets=(1, 5), registry=registry)
    for value in (0.5, 2, 3, 9):
        seconds.observe(value)
    with collecting() as collector:
        assert MetricsPusher(Collector(collector.address), registry).send()
    counted, sampled = collector.metrics["requests_total"].sum, collector.metrics["workers"].gauge
    assert (counted.data_points[0].as_double, counted.data_points[0].attributes[0].value.string_value) == (3, "page")
    assert (counted.is_monotonic, sampled.data_points[0].as_double) == (True, 2)
    point = collector.metrics["seconds"].histogram.data_points[0]
    assert (point.count, point.sum, list(point.bucket_counts), list(point.explicit_bounds)) == (
        4,
        14.5,
        [1, 2, 1],
        [1, 5],
    )


def test_last_values_are_sent_at_the_stop() -> None:
    registry = CollectorRegistry()
    Gauge("workers", "Workers", registry=registry).set(2)
    with collecting() as collector:
        pusher = start_sending_metrics(Collector(collector.address), registry)
        assert pusher is not None
        pusher.stop()
    assert "workers" in collector.metrics
    assert start_sending_metrics(Collector(""), registry) is None

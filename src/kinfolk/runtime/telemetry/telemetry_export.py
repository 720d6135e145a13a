"""Sends traces and metrics to a collector: without one nothing of OpenTelemetry is imported."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Protocol

from prometheus_client import CollectorRegistry

from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.telemetry.collector import Collector


def check_telemetry(address: str) -> None:
    """Raises Invalid where a collector is set and the packages are missing."""
    if address and find_spec("opentelemetry") is None:
        raise Invalid("KINFOLK_OTLP needs OpenTelemetry: pip install 'kinfolk[telemetry]'")


def trace_services(collector: Collector) -> tuple[Service, ...]:
    """The service that sends the spans of this process; none without a collector. Call it after the fork."""
    if not collector.address:
        return ()
    from kinfolk.runtime.telemetry.otlp_traces import TraceExport

    return (TraceExport(collector),)


class Stoppable(Protocol):
    """What ends by `stop`, within a second."""

    def stop(self) -> None: ...


def start_sending_metrics(collector: Collector, registry: CollectorRegistry) -> Stoppable | None:
    """Send the metrics of a registry until `stop`; None without a collector."""
    if not collector.address:
        return None
    from kinfolk.runtime.telemetry.otlp_metrics import MetricsPusher

    pusher = MetricsPusher(collector, registry)
    pusher.start()
    return pusher

"""The collector of traces and metrics that the settings name."""

from __future__ import annotations

from importlib.metadata import version

from kinfolk.config.settings import Settings
from kinfolk.runtime.telemetry.collector import Collector


def collector_of(settings: Settings) -> Collector:
    """The collector; without an address if none is set."""
    resource = {"service.version": version("kinfolk")}
    return Collector(settings.otlp, settings.otlp_headers, settings.trace_ratio, resource)

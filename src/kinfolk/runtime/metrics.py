"""The Prometheus metrics of the process.

Worker processes write to files in PROMETHEUS_MULTIPROC_DIR, which must be set before this module is imported, and the
parent process aggregates the files (`prometheus_client.multiprocess`). Without the variable, values stay in memory.
Names follow https://prometheus.io/docs/practices/naming/. docs/operations.md lists all metrics.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector

from kinfolk.runtime.telemetry.metric_files import AllocatedDict

PRELOAD = "preload"
"""Name of the files until `use_worker_slot` is called: those of the process that forks the workers."""


class _MetricFiles:
    name = PRELOAD


if values.ValueClass is not values.MutexValue:
    # Files are named after worker slots, not process ids: a replacement continues the counters of its predecessor, and
    # the number of files does not grow with the number of replaced workers.
    values.MmapedDict = AllocatedDict  # type: ignore[attr-defined]  # it is imported there
    values.ValueClass = values.MultiProcessValue(lambda: _MetricFiles.name)


def worker_slot() -> str:
    """The slot of this worker."""
    return _MetricFiles.name


def use_worker_slot(name: str) -> None:
    """Write to the files of this slot from now on. Only one process may use a slot at a time."""
    _MetricFiles.name = name


REQUESTS = Counter("kinfolk_requests", "Answered requests, cached pages included", ["kind", "status"])
REQUEST_SECONDS = Histogram(
    "kinfolk_request_seconds",
    "Seconds from the head of a request to the end of its answer, without the time that sending took",
    ["kind"],
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
REFUSED = Counter("kinfolk_refused", "Requests refused, by the budget or limit that refused them", ["kind", "reason"])
PAGE_CACHE = Counter("kinfolk_page_cache_requests", "Pages answered from the cache (hit) or made (miss)", ["result"])
CACHE_BYTES = Gauge("kinfolk_cache_bytes", "Bytes held by a cache", ["cache"], multiprocess_mode="livesum")
RENDERS = Counter("kinfolk_renders", "Rounds of rendering in V8", ["outcome"])
RENDER_SECONDS = Histogram("kinfolk_render_seconds", "Seconds of one round of rendering, waiting included")
WAITING_REQUESTS = Gauge(
    "kinfolk_waiting_requests", "Uncached requests that wait for their turn", ["lane"], multiprocess_mode="livesum"
)
ISOLATES = Gauge("kinfolk_isolates", "V8 isolates that can render", multiprocess_mode="livesum")
ISOLATES_REPLACED = Counter("kinfolk_isolates_replaced", "V8 isolates that were replaced", ["reason"])
LOOP_LAG = Gauge(
    "kinfolk_event_loop_lag_seconds",
    "Most seconds by which the event loop was late within the last minute",
    multiprocess_mode="livemax",
)
CONNECTIONS = Gauge("kinfolk_connections", "Open connections", multiprocess_mode="livesum")
SYNC_AGE = Gauge(
    "kinfolk_sync_age_seconds",
    "Seconds since the last successful refresh of all branches, or since the start",
    multiprocess_mode="livemax",
)
INDEX_AGE = Gauge(
    "kinfolk_search_index_age_seconds",
    "Seconds since the search index was last found current, or since the start",
    multiprocess_mode="livemax",
)
BACKGROUND_ERRORS = Counter("kinfolk_background_errors", "Failures of background services", ["service"])
BACKGROUND_UP = Gauge(
    "kinfolk_background_up",
    "Whether a background service runs (1) or waits for its restart (0)",
    ["service"],
    multiprocess_mode="livemin",
)
MEMORY_BYTES = Gauge(
    "kinfolk_memory_bytes", "Resident memory of a worker process, by its slot", ["worker"], multiprocess_mode="livemax"
)
LIVE_STREAMS = Gauge("kinfolk_live_streams", "Open streams of live events", multiprocess_mode="livesum")
LIVE_EVENTS = Counter("kinfolk_live_events", "Events sent to streams, without heartbeats")
ANSWERS = Counter("kinfolk_answers", "Questions that a chat service was to answer, by what came of them", ["outcome"])
CDN_PURGES = Counter(
    "kinfolk_cdn_purges", "Purges of the CDN: sent, refused by its limit of requests, failed", ["outcome"]
)
CDN_PENDING = Gauge(
    "kinfolk_cdn_pending_tags", "Stale tags that the CDN has not confirmed yet", multiprocess_mode="livemax"
)
WORKERS = Gauge("kinfolk_workers", "Worker processes that answer requests", multiprocess_mode="livemax")
WORKERS_REPLACED = Counter("kinfolk_workers_replaced", "Worker processes that were replaced", ["reason"])
SPANS_DROPPED = Counter("kinfolk_spans_dropped", "Spans that no collector has received, by the reason", ["reason"])
DATABASE_UP = Gauge("kinfolk_database_up", "Whether the database answers (1) or not (0)", multiprocess_mode="livemin")
DISK_FREE_BYTES = Gauge("kinfolk_disk_free_bytes", "Free bytes of the disk of `var`", multiprocess_mode="livemin")
DISK_BYTES = Gauge("kinfolk_disk_bytes", "Bytes of the disk of `var`", multiprocess_mode="livemax")
MEMORY_LIMIT_BYTES = Gauge(
    "kinfolk_memory_limit_bytes",
    "Memory that all processes together may use: the limit of the control group, else that of the machine",
    multiprocess_mode="livemax",
)
OPEN_FILES = Gauge(
    "kinfolk_open_files",
    "Open file descriptors of a worker process, by its slot",
    ["worker"],
    multiprocess_mode="livemax",
)
OPEN_FILES_LIMIT = Gauge(
    "kinfolk_open_files_limit", "File descriptors that a worker process may open", multiprocess_mode="livemin"
)
BUILD_INFO = Gauge("kinfolk_build_info", "The version of Kinfolk; always 1", ["version"], multiprocess_mode="livemax")


@dataclass(frozen=True)
class ConnectionCounts:
    """`of_all_workers` is false where worker processes share no metrics: the counts are then those of this process."""

    connections: int
    streams: int
    of_all_workers: bool


def connection_counts() -> ConnectionCounts:
    """The open connections and live streams, at most a second old. Reads files: it may block for some milliseconds."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    registry = REGISTRY
    if folder is not None:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)
    connections, streams = (
        int(registry.get_sample_value(name) or 0) for name in ("kinfolk_connections", "kinfolk_live_streams")
    )
    return ConnectionCounts(connections, streams, of_all_workers=folder is not None)


def count_refusal(kind: str, reason: str) -> None:
    """Count a refused request."""
    REFUSED.labels(kind, reason).inc()

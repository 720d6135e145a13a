"""Serves the metrics of all worker processes from the parent process, on a separate address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.metrics import PRELOAD, WORKERS, WORKERS_REPLACED, use_worker_slot

PARENT = "parent"


class MetricsExporter:
    """Aggregates the metrics files of workers in `folder`, and counts the workers. Does nothing if that is None."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        if folder is not None:
            use_worker_slot(PARENT)
            # Remove the zeros from before `write_as`: they would count as those of a worker.
            mark_process_dead(PRELOAD, folder)

    def ready(self, workers: int) -> None:
        """So many workers answer requests."""
        WORKERS.set(workers)

    def ended(self, slot: int, reason: str, workers: int) -> None:
        """The worker in this slot is gone: what it showed as its present state is over, what it counted stays."""
        WORKERS.set(workers)
        if reason != "stopped":
            WORKERS_REPLACED.labels(reason).inc()
        if self._folder is not None:
            mark_process_dead(str(slot), self._folder)

    @contextmanager
    def serving(self, address: tuple[str, int] | None) -> Iterator[None]:
        """Answer scrapes at this address. Raises Invalid when nothing can listen there."""
        if address is None or self._folder is None:
            yield
            return
        host, port = address
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=self._folder)
        try:
            server, thread = start_http_server(port, addr=host, registry=registry)
        except OSError as refused:
            raise Invalid(f"Cannot listen on {host}:{port} for metrics: {refused.strerror}") from refused
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join(1)

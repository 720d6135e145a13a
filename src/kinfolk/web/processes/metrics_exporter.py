"""Serves the metrics of all worker processes from the parent process, on a separate address."""

from __future__ import annotations

import socket
import threading
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.metrics import PRELOAD, WORKERS, WORKERS_REPLACED, use_worker_slot
from kinfolk.runtime.telemetry.collector import Collector
from kinfolk.runtime.telemetry.telemetry_export import Stoppable, start_sending_metrics

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

PARENT = "parent"


class MetricsExporter:
    """Aggregates the metrics files of workers in `folder`, and counts the workers. Does nothing if that is None."""

    def __init__(self, folder: str | None, collector: Collector | None = None) -> None:
        self._folder = folder
        self._collector = collector or Collector("")
        self._pusher: Stoppable | None = None
        self._server: WSGIServer | None = None
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

    def open(self, address: tuple[str, int] | None, inherited: socket.socket | None) -> socket.socket | None:
        """A socket for scrapes: the inherited one, if it has this address. Raises Invalid if none can be opened."""
        if address is None or self._folder is None:
            return None
        host, port = address
        try:
            family, _, _, _, resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            if inherited is not None and inherited.family == family and inherited.getsockname()[:2] == resolved[:2]:
                return inherited
            listening = socket.socket(family)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(resolved)
            listening.listen()
        except OSError as refused:
            raise Invalid(f"Cannot listen on {host}:{port} for metrics: {refused.strerror}") from refused
        return listening

    def start(self, listening: socket.socket | None) -> None:
        """Answer scrapes on this socket, if there is one, and send metrics to the collector, if one is set."""
        if self._folder is None:
            return
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=self._folder)
        if self._pusher is None:
            self._pusher = start_sending_metrics(self._collector, registry)
        if listening is None or self._server is not None:
            return
        self._server = _server_on(listening, make_wsgi_app(registry))
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def stop(self) -> None:
        """Send the last metrics, and answer no further scrapes.

        Their counts would alternate with those of the server that replaces this one.
        """
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        if self._pusher is not None:
            self._pusher.stop()
            self._pusher = None


class _ScrapeHandler(WSGIRequestHandler):
    """Logs no requests."""

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes are not logged."""


def _server_on(listening: socket.socket, app: WSGIApplication) -> WSGIServer:
    """A server on an open socket. Each scrape has a thread, so that a slow client delays no other."""
    host, port = listening.getsockname()[:2]
    server = _ScrapeServer((host, port), _ScrapeHandler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    server.server_name, server.server_port = host, port
    server.setup_environ()
    server.set_app(app)
    return server


class _ScrapeServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True

"""Runs the server: a parent process that listens and supervises worker processes."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import structlog

from kinfolk.config.settings import Settings, check_secret
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.runtime.logging_config import log_uncaught
from kinfolk.web.processes.handover import Handover, program
from kinfolk.web.processes.inherited_sockets import HTTP, METRICS, InheritedSockets
from kinfolk.web.processes.metrics_folder import metrics_folder
from kinfolk.web.processes.pid_file import PidFile
from kinfolk.web.processes.process_supervisor import ProcessSupervisor
from kinfolk.web.processes.server_lock import running_server
from kinfolk.web.processes.service_notifier import ServiceNotifier

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Listening:
    """Where a server listens, unless it was started with sockets, and how its process is found."""

    host: str
    port: int
    reuse_port: bool = False
    """Several servers may listen on the port: the kernel distributes connections over them (SO_REUSEPORT)."""
    pid_file: Path | None = None


def serve_site(settings: Settings, sockets: InheritedSockets, at: Listening, *, workers: int) -> None:
    """Serve until interrupted. Raises SiteError when the site cannot start."""
    log_uncaught()
    if not sockets.http:
        sockets.http.append(listen(at.host, at.port, reuse_port=at.reuse_port))
    with contextlib.ExitStack() as stack:
        for one in sockets.http:
            stack.enter_context(one)
        stack.enter_context(running_server(settings.var))
        folder = stack.enter_context(_metrics_folder(settings))
        # Nearly all that is created until `freeze` is kept. Collections meanwhile take 0.15 s.
        gc.disable()
        # Imported here: the folder of metrics must be set before. Forked workers share the imported modules.
        from kinfolk.site.telemetry import collector_of
        from kinfolk.web.processes.metrics_exporter import MetricsExporter
        from kinfolk.web.processes.worker_process import run_worker
        from kinfolk.web.protocol.connections import raise_descriptor_limit

        raise_descriptor_limit()
        check_site(settings)
        exporter = MetricsExporter(folder, collector_of(settings))
        metrics = exporter.open(settings.metrics, sockets.metrics)
        _upgrade_database(settings)
        is_replacement = sockets.replaces_a_server
        notifier = ServiceNotifier(os.environ)
        pid_file = stack.enter_context(PidFile(at.pid_file))
        announced = False

        def on_ready(summary: str) -> None:
            nonlocal announced
            if not announced:
                click.echo(f"{summary}\nOpen {_address_of(sockets.http[0])}")
                announced = True
                if not is_replacement:
                    # The server that this one replaces announces it: only systemd's main process may.
                    notifier.ready(summary)
            exporter.ready(supervisor.ready)
            if supervisor.ready >= workers:
                sockets.report_ready()
                pid_file.write()
                exporter.start(metrics)

        def on_stop() -> None:
            """Close the sockets of this process: the queues end with those of the workers, which empty them."""
            for one in sockets.http:
                one.close()
            exporter.stop()

        named = [*((HTTP, one.fileno()) for one in sockets.http), *([(METRICS, metrics.fileno())] if metrics else [])]
        supervisor = ProcessSupervisor(
            functools.partial(run_worker, sockets),
            workers,
            keep=[one.fileno() for one in sockets.http],
            wrap_stderr=settings.log == "json",
            on_ready=on_ready,
            on_end=lambda slot, reason: exporter.ended(slot, reason, supervisor.ready),
            on_stop=on_stop,
            on_preparing=sockets.report_preparing,
            handover=Handover(named, program()),
            notifier=notifier,
        )
        # Frozen objects are not scanned by the garbage collector of workers, which would copy their memory pages.
        gc.collect()
        gc.freeze()
        gc.enable()
        if not is_replacement:
            exporter.start(metrics)
        try:
            supervisor.run()
        finally:
            exporter.stop()


def _address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def check_site(settings: Settings) -> None:
    """Raises SiteError for a site that cannot start. Creates the validators that all workers share."""
    from kinfolk.config.catalog import load_catalog
    from kinfolk.runtime.telemetry.telemetry_export import check_telemetry
    from kinfolk.web.background.cdn.cdn_apis import cdn_of

    if load_catalog(settings.site).accounts:
        check_secret(settings)
    cdn_of(settings)
    check_telemetry(settings.otlp)


def _upgrade_database(settings: Settings) -> None:
    """Upgrade the database before any worker uses it. After a failure, docs are served, and workers try again.

    Raises Invalid for an address that is none.
    """
    from kinfolk.db.database import open_database
    from kinfolk.site.site import upgrade_database

    database = open_database(settings)
    try:
        upgrade_database(database, settings)
    except SiteError as failure:
        log.error("database not upgraded", address=database.address, reason=failure.message)  # noqa: TRY400
    finally:
        # Forked workers would share its connections.
        database.close()


def listen(host: str, port: int, *, reuse_port: bool = False) -> socket.socket:
    """A socket that all workers share. Raises Invalid when nothing can listen there."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(address)
    except OSError as refused:
        raise Invalid(f"Cannot listen on {host}:{port}: {refused.strerror}") from refused
    return listening


@contextmanager
def _metrics_folder(settings: Settings) -> Iterator[str | None]:
    """The folder of metrics files while the server runs; None without metrics."""
    if settings.metrics is None and not settings.otlp:
        yield None
        return
    with metrics_folder() as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        yield str(folder)

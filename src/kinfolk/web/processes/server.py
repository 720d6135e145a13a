"""Runs the server: a parent process that listens and supervises worker processes."""

from __future__ import annotations

import functools
import gc
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click
import structlog

from kinfolk.config.settings import Settings, check_secret
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.runtime.logging_config import log_uncaught
from kinfolk.web.processes.process_supervisor import ProcessSupervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def serve_site(settings: Settings, *, host: str, port: int, workers: int) -> None:
    """Serve until interrupted. Raises SiteError when the site cannot start."""
    log_uncaught()
    with listen(host, port) as listening, _metrics_folder(settings) as folder:
        # Nearly all that is created until `freeze` is kept. Collections meanwhile take 0.15 s.
        gc.disable()
        # Imported here: the folder of metrics must be set before. Forked workers share the imported modules.
        from kinfolk.web.processes.metrics_exporter import MetricsExporter
        from kinfolk.web.processes.worker_process import run_worker
        from kinfolk.web.protocol.connections import raise_descriptor_limit

        raise_descriptor_limit()
        check_site(settings)
        _upgrade_database(settings)
        exporter = MetricsExporter(folder)
        announced = False

        def on_ready(summary: str) -> None:
            nonlocal announced
            if not announced:
                click.echo(f"{summary}\nOpen http://{host}:{port}")
                announced = True
            exporter.ready(supervisor.ready)

        supervisor = ProcessSupervisor(
            functools.partial(run_worker, listening),
            workers,
            keep=[listening.fileno()],
            wrap_stderr=settings.log == "json",
            on_ready=on_ready,
            on_end=lambda slot, reason: exporter.ended(slot, reason, supervisor.ready),
        )
        # Frozen objects are not scanned by the garbage collector of workers, which would copy their memory pages.
        gc.collect()
        gc.freeze()
        gc.enable()
        with exporter.serving(settings.metrics):
            supervisor.run()


def check_site(settings: Settings) -> None:
    """Raises SiteError for a site that cannot start. Creates the validators that all workers share."""
    from kinfolk.config.catalog import load_catalog
    from kinfolk.web.background.cdn.cdn_apis import cdn_of

    if load_catalog(settings.site).accounts:
        check_secret(settings)
    cdn_of(settings)


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


def listen(host: str, port: int) -> socket.socket:
    """A socket that all workers share. Raises Invalid when nothing can listen there."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as refused:
        raise Invalid(f"Cannot listen on {host}:{port}: {refused.strerror}") from refused
    return listening


@contextmanager
def _metrics_folder(settings: Settings) -> Iterator[str | None]:
    """The folder of metrics files while the server runs; None without metrics."""
    if settings.metrics is None:
        yield None
        return
    folder = tempfile.mkdtemp(prefix="kinfolk-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

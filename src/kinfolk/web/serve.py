"""Runs the site: a parent process that listens and looks after its workers, which answer."""

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

from kinfolk.errors import Invalid
from kinfolk.settings import Settings
from kinfolk.web.logs import log_uncaught
from kinfolk.web.workers import Workers


def serve_site(settings: Settings, *, host: str, port: int, workers: int) -> None:
    """Serve until interrupted. Raises SiteError when the site cannot start."""
    log_uncaught()
    with _listen(host, port) as listening, _metrics_folder(settings) as folder:
        # Here, because metrics must know their folder before they exist. What the parent imports, workers have.
        from kinfolk.catalog import load_catalog
        from kinfolk.web.connections import raise_descriptor_limit
        from kinfolk.web.exporter import Exporter
        from kinfolk.web.worker import run_worker

        raise_descriptor_limit()
        # Names wrong facts before anything starts, and makes the validators that every worker needs.
        load_catalog(settings.data)
        exporter = Exporter(folder)
        announced = False

        def on_ready(about: str) -> None:
            nonlocal announced
            if not announced:
                click.echo(f"{about}\nOpen http://{host}:{port}")
                announced = True
            exporter.ready(supervisor.ready)

        supervisor = Workers(
            functools.partial(run_worker, listening),
            workers,
            keep=[listening.fileno()],
            wrap_stderr=settings.log == "json",
            on_ready=on_ready,
            on_end=lambda slot, reason: exporter.ended(slot, reason, supervisor.ready),
        )
        # What a process begins with stays. A worker that looked through it for garbage would copy all of it.
        gc.collect()
        gc.freeze()
        with exporter.serving(settings.metrics):
            supervisor.run()


def _listen(host: str, port: int) -> socket.socket:
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
    """Where workers write their metrics while the server runs; None where metrics are off."""
    if settings.metrics is None:
        yield None
        return
    folder = tempfile.mkdtemp(prefix="kinfolk-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

"""Runs the application under uvicorn, one process a worker."""

from __future__ import annotations

import socket

import click
from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from kinfolk.errors import Invalid
from kinfolk.settings import Settings
from kinfolk.site import open_site
from kinfolk.web.connections import raise_descriptor_limit
from kinfolk.web.files import check_built

BACKLOG = 1024
IDLE_S = 30
"""Seconds that a connection may wait for its next request."""
SHUTDOWN_S = 5
"""Seconds that answers under way have when the server ends."""
STUCK_S = 30
"""Seconds without a sign of life after which a worker is replaced."""


def serve_site(settings: Settings, *, host: str, port: int, workers: int) -> None:
    """Serve until interrupted. Says first what is served, so that a wrong folder is seen at once."""
    check_built(settings)
    raise_descriptor_limit()
    site = open_site(settings)
    listening = _listen(host, port)
    trees = site.editions.docs.snapshot.trees
    click.echo(
        f"Serving {site.editions.source.description}: {len(trees)} branches of {len(site.catalog.libraries)} libraries"
    )
    click.echo(f"Open http://{host}:{port}")
    config = Config(
        "kinfolk.web.app:application",
        factory=True,
        interface="asgi3",
        loop="uvloop",
        http="kinfolk.web.protocol:ReaderProtocol",
        ws="none",
        workers=workers,
        backlog=BACKLOG,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=SHUTDOWN_S,
        timeout_worker_healthcheck=STUCK_S,
    )
    # Also for one worker: should V8 take the process down with it, another one is there in a second.
    Multiprocess(config, sockets=[listening]).run()


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

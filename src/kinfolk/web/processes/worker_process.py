"""The main function of a worker process: uvicorn with the application, heartbeats, and an exit without delay."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Generator
from typing import NoReturn

import structlog
from uvicorn import Config, Server

from kinfolk.runtime import metrics
from kinfolk.runtime.allocator import set_up_allocator
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp, application
from kinfolk.web.endpoints.files.static_files import check_built
from kinfolk.web.processes.process_supervisor import HEARTBEAT_S, ParentPipe
from kinfolk.web.protocol.http11 import Http11Protocol

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

BACKLOG = 1024
IDLE_S = 30
"""Seconds that a connection may be idle between requests."""
DRAIN_S = 5
"""Seconds for responses in progress when the server stops. Background services have `app.STOP_S` after that."""
_PR_SET_PDEATHSIG = 1


def run_worker(listening: socket.socket, slot: int, pipe: ParentPipe) -> None:
    """Serve on a socket that all workers share, until SIGTERM. Does not return: it ends the process."""
    _set_up_process()
    metrics.use_worker_slot(str(slot))
    try:
        app = application(pipe.log_file)
        check_built(app.site.settings)
    except SiteError as wrong:
        pipe.failed(wrong.message)
        end_process(1)
    config = Config(
        app,
        interface="asgi3",
        loop="uvloop",
        http=Http11Protocol,
        ws="none",
        backlog=BACKLOG,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=DRAIN_S,
    )
    WorkerServer(config, app, pipe).run([listening])


class WorkerServer(Server):
    """uvicorn's server with heartbeats to the parent. It ends its process."""

    def __init__(self, config: Config, app: SiteApp, pipe: ParentPipe) -> None:
        super().__init__(config)
        self._app = app
        self._pipe = pipe
        self._heartbeat: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Does not return: closing the event loop would wait for all running threads."""
        code = 1
        try:
            await super().serve(sockets)
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except Exception:
            log.exception("worker crashed")
        finally:
            end_process(code)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._pipe.ready(_summary(self._app.site))
        self._heartbeat = asyncio.create_task(self._send_heartbeats())

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle SIGTERM only, and do not raise it again at the end, as uvicorn does."""
        signal.signal(signal.SIGTERM, self.handle_exit)
        yield

    async def _send_heartbeats(self) -> None:
        while True:
            self._pipe.beat()
            await asyncio.sleep(HEARTBEAT_S)


def _summary(site: Site) -> str:
    trees, libraries = site.content.publisher.docs.snapshot.trees, site.catalog.libraries
    return f"Serving {site.content.publisher.source.description}: {len(trees)} branches of {len(libraries)} libraries"


def end_process(code: int) -> NoReturn:
    """End the process after flushing the log. Skips atexit handlers, which would wait for threads that are stuck."""
    for child in multiprocessing.active_children():
        child.kill()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _set_up_process() -> None:
    """Configure allocator and signals of this process. It is forked, so environment variables would have no effect.

    The worker also works without.
    """
    set_up_allocator()
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        # The kernel kills the worker when its parent exits, also while its Python is stuck.
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

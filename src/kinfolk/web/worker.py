"""What runs in a worker process: uvicorn's server with our application, heartbeats, and an end that nothing delays."""

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

from kinfolk import metrics
from kinfolk.allocator import set_up_allocator
from kinfolk.errors import SiteError
from kinfolk.site import Site
from kinfolk.web.app import Kinfolk, application
from kinfolk.web.files import check_built
from kinfolk.web.protocol import ReaderProtocol
from kinfolk.web.workers import HEARTBEAT_S, Link

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

BACKLOG = 1024
IDLE_S = 30
"""Seconds that a connection may wait for its next request."""
DRAIN_S = 5
"""Seconds that answers under way have when the server ends. Background services have `app.STOP_S` after that."""
_PR_SET_PDEATHSIG = 1


def run_worker(listening: socket.socket, slot: int, link: Link) -> None:
    """Serve on a socket that all workers share, until SIGTERM. Does not return: the process ends here."""
    _set_up_process()
    metrics.write_as(str(slot))
    try:
        app = application(link.log_file)
        check_built(app.site.settings)
    except SiteError as wrong:
        link.failed(wrong.message)
        end_process(1)
    config = Config(
        app,
        interface="asgi3",
        loop="uvloop",
        http=ReaderProtocol,
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
    WorkerServer(config, app, link).run([listening])


class WorkerServer(Server):
    """uvicorn's server, which sends heartbeats to the parent and ends its process."""

    def __init__(self, config: Config, app: Kinfolk, link: Link) -> None:
        super().__init__(config)
        self._app = app
        self._link = link
        self._beating: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Does not return, since leaving the event loop would wait for every thread that still works."""
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
        self._link.ready(_summary(self._app.site))
        self._beating = asyncio.create_task(self._beat())

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """SIGTERM only, and without raising it again at the end, as uvicorn does."""
        signal.signal(signal.SIGTERM, self.handle_exit)
        yield

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            self._link.beat()
            due_s = loop.time() + HEARTBEAT_S
            await asyncio.sleep(HEARTBEAT_S)
            metrics.LOOP_LAG.set(loop.time() - due_s)


def _summary(site: Site) -> str:
    trees, libraries = site.editions.docs.snapshot.trees, site.catalog.libraries
    return f"Serving {site.editions.source.description}: {len(trees)} branches of {len(libraries)} libraries"


def end_process(code: int) -> NoReturn:
    """End now, with what was logged. Threads that are stuck, and what would wait for them at exit, are left behind."""
    for child in multiprocessing.active_children():
        child.kill()
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _set_up_process() -> None:
    """Everything that a worker needs from the system is set here, since no new program is loaded that could read it
    from its environment. Nothing of it is essential.
    """
    set_up_allocator()
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        # A worker whose Python is stuck cannot see that its parent is gone; the kernel can.
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

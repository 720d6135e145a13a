"""The main function of a worker process: uvicorn with the application, heartbeats, and an exit without delay."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import multiprocessing
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Generator, Sequence
from multiprocessing.connection import wait
from types import FrameType
from typing import NoReturn, TextIO

import structlog
from uvicorn import Config, Server

from kinfolk.config.settings import process_settings
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.logging_config import log_uncaught, set_up_logs
from kinfolk.runtime.services.allocator import set_up_allocator
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.endpoints.files.static_files import check_built
from kinfolk.web.processes.inherited_sockets import InheritedSockets
from kinfolk.web.processes.process_supervisor import DRAIN, HEARTBEAT_S, ParentPipe
from kinfolk.web.protocol.http11 import Http11Protocol

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

BACKLOG = 1024
IDLE_S = 30
"""Seconds that a connection may be idle between requests."""
DRAIN_S = 5
"""Seconds for responses in progress when the server stops. Background services have `app.STOP_S` after that."""
HANDED_OVER_S = 32.0
"""Seconds for connections when another server replaces this one: an idle one ends after IDLE_S, as at other times. A
request that is sent in the moment of an earlier end would be lost."""
ACCEPT_S = 1.0
"""Seconds in which a server that stops accepts the connections that wait in the kernel's queue."""
PREPARATION_S = 3600.0
"""Limit of the first index build of a server that replaces another one. 100,000 pages take half of it."""
LOADED_S = 60.0
"""Seconds after the start when docs, search and first pages are in memory, and stay."""
_PR_SET_PDEATHSIG = 1


def run_worker(sockets: InheritedSockets, slot: int, pipe: ParentPipe) -> None:
    """Serve on sockets that all workers share, until SIGTERM. Does not return: it ends the process."""
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
    server = WorkerServer(config, app, pipe)
    if sockets.replaces_a_server:
        app.before_serving = server.open_search
    server.run(list(sockets.http))


def application(log_file: TextIO | None = None) -> SiteApp:
    """The application of a worker process, configured by its environment. Logs to `log_file` or standard error."""
    settings = process_settings()
    set_up_logs(settings.log, log_file)
    log_uncaught()
    _end_with_parent()
    app = create_app(settings)
    freeze_objects()
    return app


def freeze_objects() -> None:
    """Exclude the objects of this moment from garbage collections: a full one then takes a tenth of a second less.

    Cycles among them are never freed, so this is called only twice.
    """
    gc.collect()
    gc.freeze()


def _end_with_parent() -> None:
    """Kill this worker when its parent is gone: it would keep answering on the port next to the next server."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        log.error("worker ends", reason="the server that started it is gone")
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, args=(parent.sentinel,), name="parent-watch", daemon=True).start()


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
        asyncio.get_running_loop().call_later(LOADED_S, freeze_objects)

    async def open_search(self) -> None:
        """Wait for the index, also for its first build: until this worker answers, those of the server before do."""
        updater = self._app.site.search.updater
        until_s = time.monotonic() + PREPARATION_S
        while updater is not None and not updater.is_ready and not self.should_exit:
            if time.monotonic() > until_s:
                self._pipe.failed(f"The search index was not built within {PREPARATION_S / 60:g} minutes")
                end_process(1)
            self._pipe.preparing()
            await asyncio.to_thread(updater.wait, HEARTBEAT_S)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle SIGTERM and DRAIN, and do not raise them again at the end, as uvicorn does."""
        signal.signal(signal.SIGTERM, self.handle_exit)
        signal.signal(DRAIN, self._hand_over)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._app.connections.closes_idle = True
        super().handle_exit(sig, frame)

    def _hand_over(self, _number: int, _frame: FrameType | None) -> None:
        self._app.connections.closes_idle = False
        self.config.timeout_graceful_shutdown = int(HANDED_OVER_S)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await _accept_waiting(sockets or [])
        await super().shutdown(sockets)

    async def _send_heartbeats(self) -> None:
        while True:
            self._pipe.beat()
            await asyncio.sleep(HEARTBEAT_S)


async def _accept_waiting(sockets: Sequence[socket.socket]) -> None:
    """Run the event loop until no connection waits in the queues of these sockets: the kernel resets those that do."""
    queues = select.poll()
    for listening in sockets:
        queues.register(listening, select.POLLIN)
    until_s = time.monotonic() + ACCEPT_S
    while sockets and queues.poll(0) and time.monotonic() < until_s:  # noqa: ASYNC110 - the kernel has no event for it
        await asyncio.sleep(0)  # the loop accepts meanwhile


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

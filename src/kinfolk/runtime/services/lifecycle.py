"""The lifecycle of long-lived services: `async with running(...)` starts them in order and closes them together.

async with running(supervisor, [highlighter, search, reader], stop_s=2, close_s=1):
    ...
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Sequence

import structlog

from kinfolk.runtime.services.supervisor import Supervisor, reason_of

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Service:
    """A long-lived object with background work or open resources. Both methods may block for a moment."""

    def start(self, supervisor: Supervisor) -> None:
        """Start background work as services of `supervisor`."""

    def close(self) -> None:
        """Release resources. The supervisor has stopped the background work before."""


@contextlib.asynccontextmanager
async def running(
    supervisor: Supervisor, services: Sequence[Service], *, stop_s: float, close_s: float
) -> AsyncIterator[None]:
    """Run these services until the end of the block, also when one of them fails to start.

    Stopping takes `stop_s` for all background work, then `close_s` for all services at once. A service that takes
    longer is logged and abandoned.
    """
    try:
        for service in services:
            await asyncio.to_thread(service.start, supervisor)
        yield
    finally:
        await supervisor.close(within_s=stop_s)
        await asyncio.gather(*(_close(service, close_s) for service in services))


async def _close(service: Service, limit_s: float) -> None:
    name = type(service).__name__
    try:
        async with asyncio.timeout(limit_s):
            await _in_thread(service.close, name)
    except Exception as failure:
        log.exception("service not closed", service=name, reason=reason_of(failure))


async def _in_thread(close: Callable[[], None], name: str) -> None:
    """Call `close` in a daemon thread: a thread of the executor that is stuck would keep the process from ending."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()

    def set_outcome(failure: BaseException | None) -> None:
        if done.done():
            return
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)

    def run() -> None:
        failure: BaseException | None = None
        try:
            close()
        except BaseException as raised:  # noqa: BLE001 - the awaiting task raises it
            failure = raised
        with contextlib.suppress(RuntimeError):  # the event loop has ended meanwhile
            loop.call_soon_threadsafe(set_outcome, failure)

    threading.Thread(target=run, name=f"close {name}", daemon=True).start()
    await done

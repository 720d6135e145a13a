"""New versions of the code while readers send requests: none may fail."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from tests.faults.site import PLAIN, Site, expect, fault
from tests.servers.deploy_readers import DeployReaders, Readings
from tests.servers.releases import DeployedServer, Releases

RATE = 100.0
DEPLOYS = (1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8)
"""Ten deploys and two downgrades: release 4 after 5, and 8 after 9."""
PAGES = 12
"""Different pages: each new server renders them for its first readers."""
PATIENT = PLAIN | {"KINFOLK_RENDER_TIMEOUT_S": "30"}
"""The client, two servers and other work share the processors."""
PAUSE_S = 3.0
"""Seconds of requests between two deploys."""


async def _deploy(server: DeployedServer, releases: Releases, change: Callable[[], None], *, repeats: bool) -> Readings:
    server.wait_for_search()
    readers = DeployReaders(server.url, rate=RATE, pages=PAGES, repeats=repeats)
    reading = asyncio.create_task(readers.run())
    try:
        for release in DEPLOYS:
            await asyncio.sleep(PAUSE_S)
            releases.deploy(release)
            await asyncio.to_thread(change)
        await asyncio.sleep(PAUSE_S)
    finally:
        readers.stop()
        await reading
    return readers.readings


def _figure(readings: Readings, wrong: Sequence[str]) -> str:
    requests = readings.requests
    text = (
        f"{len(readings.failed)} of {requests.total():,} failed ({requests['new']:,} on new connections,"
        f" {requests['used'] + requests['seldom']:,} on used ones, of which {readings.repeated} were repeated on new"
        f" ones), {readings.reconnects} live streams reconnected,"
        f" p99 {readings.p99_ms:.0f} ms, longest {readings.max_ms / 1000:.1f} s"
    )
    shown = [*readings.failed[:5], *wrong[:5]]
    return text + (f": {'; '.join(shown)}" if shown else "")


def _log_errors(server: DeployedServer) -> list[str]:
    return [line[:300] for line in server.log.splitlines() if '"level":"error"' in line.replace(" ", "")]


@fault("U1", "Ten deploys and two downgrades by reload")
def deploys_by_reload(site: Site) -> str:
    return _measure(site, lambda server: server.reload(), is_held=False)


@fault("U2", "Ten deploys and two downgrades by a restart below a socket that systemd holds")
def deploys_by_restart(site: Site) -> str:
    def change(server: DeployedServer) -> None:
        server.build_index()
        server.restart()

    return _measure(site, change, is_held=True)


def _measure(site: Site, change: Callable[[DeployedServer], None], *, is_held: bool) -> str:
    releases = Releases(site.folder / "releases")
    for release in sorted({0, *DEPLOYS}, reverse=True):
        releases.deploy(release)
    environment = site.environment(PATIENT)
    environment.pop("PYTHONPATH", None)
    with DeployedServer(releases, environment, "--workers", "2", socket_held=is_held) as server:
        # A stop closes idle connections, into which a reader may write in the same moment.
        readings = asyncio.run(_deploy(server, releases, lambda: change(server), repeats=is_held))
        wrong = _log_errors(server)
    return expect(not readings.failed and not wrong, _figure(readings, wrong))


@fault("U3", "A server ends beside another one on its port")
def two_servers_on_one_port(site: Site) -> str:
    """`--reuse-port`: each has a queue, and the kernel may reset what arrives while one is closed."""
    releases = Releases(site.folder / "releases")
    releases.deploy(0)
    environment = site.environment(PATIENT)
    environment.pop("PYTHONPATH", None)
    options = ("--workers", "1", "--reuse-port")
    ends = 5

    async def run() -> Readings:
        first.wait_for_search()
        readers = DeployReaders(first.url, rate=RATE, pages=PAGES)
        reading = asyncio.create_task(readers.run())
        for _ in range(ends):
            await asyncio.sleep(1)
            with contextlib.ExitStack() as other:
                second = DeployedServer(Releases(site.folder / "second"), environment, *options)
                second.port = first.port
                Releases(site.folder / "second").deploy(0)
                await asyncio.to_thread(other.enter_context, second)
                await asyncio.sleep(1)
                await asyncio.to_thread(other.close)
        readers.stop()
        await reading
        return readers.readings

    with DeployedServer(releases, environment, *options) as first:
        readings = asyncio.run(run())
    total = readings.requests.total()
    return expect(len(readings.failed) <= ends, f"{len(readings.failed)} of {total:,} failed in {ends} ends")

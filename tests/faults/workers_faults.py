"""Worker processes that are killed, stopped, or do not exit."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.faults.site import LEAN, PLAIN, Server, Site, expect, fault
from tests.faults.soak_workers import KILLED, STOPPED, soak

KILLS = 12
LIMIT_S = 40.0
"""Seconds after which a measurement stops waiting."""
SOAK_S = 180.0 if os.environ.get("FAULTS_FULL") else 40.0
SEARCHING = PLAIN | {"KINFOLK_SEARCH_RATE": "0"}


def answering(server: Server) -> set[int]:
    """The workers that respond now, identified by the sockets of eight simultaneous connections."""
    at = urlsplit(server.url)
    connections = [http.client.HTTPConnection(at.hostname or "", at.port, timeout=1) for _ in range(8)]
    found = set()
    try:
        for connection in connections:
            connection.connect()
        ports = {connection.sock.getsockname()[1] for connection in connections}
        for connection in connections:
            connection.request("GET", "/_server/theme.get")
        for connection in connections:
            if connection.getresponse().status != 200:
                return set()
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        inodes = {f"socket:[{line[9]}]" for line in lines if int(line[2].partition(":")[2], 16) in ports}
        for pid in server.workers():
            links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
            if inodes & set(links):
                found.add(pid)
    except (OSError, http.client.HTTPException):
        pass
    finally:
        for connection in connections:
            connection.close()
    return found


def until_two_answer(server: Server, *, without: int | None = None) -> float:
    """Seconds until two workers other than `without` respond; at most LIMIT_S."""
    began_s = time.monotonic()
    seen: set[int] = set()
    while time.monotonic() - began_s < LIMIT_S:
        seen = {pid for pid in seen | answering(server) if pid != without and Path(f"/proc/{pid}").exists()}
        if len(seen) >= 2:
            break
    return time.monotonic() - began_s


@fault("D5a", "A killed worker is replaced late")
def killed_worker(site: Site) -> str:
    with site.serving("--workers", "2", environment=LEAN) as server:
        until_two_answer(server)
        took_s: list[float] = []
        while len(took_s) < KILLS and max(took_s, default=0) < 5:
            worker = server.workers()[len(took_s) % 2]
            time.sleep(1 + 0.1 * len(took_s))  # at different points of the parent's loop
            os.kill(worker, signal.SIGKILL)
            took_s.append(until_two_answer(server, without=worker))
    return expect(max(took_s) <= 2, f"longest of {len(took_s)} times until two workers answer: {max(took_s):.2f} s")


@fault("D5b", "A stopped worker is replaced late")
def stopped_worker(site: Site) -> str:
    with site.serving("--workers", "2", environment=LEAN) as server:
        until_two_answer(server)
        worker = server.workers()[0]
        os.kill(worker, signal.SIGSTOP)
        took_s = until_two_answer(server, without=worker)
        if worker in server.workers():
            os.kill(worker, signal.SIGKILL)
    return expect(took_s <= 10, f"{took_s:.1f} s until two workers answer")


@fault("D5c", "SIGTERM does not stop a server whose worker is stopped")
def stop_with_a_stopped_worker(site: Site) -> str:
    with site.serving("--workers", "2", environment=LEAN) as server:
        until_two_answer(server)
        workers = server.workers()
        os.kill(workers[0], signal.SIGSTOP)
        began_s = time.monotonic()
        server.process.terminate()
        try:
            server.process.wait(LIMIT_S / 2)
            figure = f"ended after {time.monotonic() - began_s:.1f} s"
        except subprocess.TimeoutExpired:
            figure = f"still there after {LIMIT_S / 2:g} s"
        took_s = time.monotonic() - began_s
        for worker in workers:
            if Path(f"/proc/{worker}").exists():
                os.kill(worker, signal.SIGKILL)
    return expect(took_s <= 10, figure)


@fault("W1", "Two workers under load, one killed each 10 s")
def soak_killed(site: Site) -> str:
    with site.serving("--workers", "2", environment=SEARCHING) as server:
        result = soak(server, KILLED, seconds=SOAK_S)
    return expect(result.longest_s <= 2 and not result.wrong, str(result))


@fault("W2", "Two workers under load, one stopped each 10 s")
def soak_stopped(site: Site) -> str:
    with site.serving("--workers", "2", environment=SEARCHING) as server:
        result = soak(server, STOPPED, seconds=SOAK_S)
        for worker in server.workers():
            os.kill(worker, signal.SIGCONT)
    return expect(result.longest_s <= 10 and not result.wrong, str(result))

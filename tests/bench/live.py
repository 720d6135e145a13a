"""Live events with many readers: memory of a stream, latency of a broadcast, and the return after a killed worker.

    make bench-live            or: python tests/bench/live.py --streams 5000

The client is one process with epoll, on another core than the worker. The database is a PostgreSQL server of its own,
whose notification takes less than a millisecond: with SQLite, a change is noticed after half a second on average.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.inputs.stored_stars import StoredStars
from tests.servers.databases import PostgresServer, postgresql_programs
from tests.servers.serving import LEAN, Server, serving

from kinfolk.db.database import Database
from kinfolk.live.topics import encode_topics

TOPIC: tuple[str, dict[str, str]] = ("figures.library", {"library": "query"})
REPOSITORY = "TanStack/query"
ROUNDS = 7
FIRST, LAST = 123_456, 999_999
"""Stars before the first round, and after the worker was killed."""
STEP = 200
"""Connections that are opened before the client waits for their first events."""
BACK_S = 60.0


@dataclass
class Reader:
    """One stream of the client. `stars` is the newest value that it has."""

    socket: socket.socket | None = None
    stars: int = 0
    unread: bytes = b""
    due_s: float = 0.0
    failures: int = 0


@dataclass
class Readers:
    """Many streams in one process."""

    url: str
    readers: list[Reader] = field(default_factory=list)
    _by_descriptor: dict[int, Reader] = field(default_factory=dict)
    _epoll: select.epoll = field(default_factory=select.epoll)

    def open(self, count: int) -> None:
        for start in range(0, count, STEP):
            new = [Reader() for _ in range(min(STEP, count - start))]
            self.readers += new
            for reader in new:
                self.connect(reader)
            self.read_until(partial(_all_have_a_value, new), within_s=30)

    def connect(self, reader: Reader) -> None:
        parts = urlsplit(self.url)
        query = encode_topics(TOPIC)
        request = f"GET /api/live?q={query}&b={id(reader):x} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
        opened = socket.create_connection((parts.hostname, parts.port), timeout=10)
        opened.sendall(request.encode())
        opened.setblocking(False)
        reader.socket = opened
        self._by_descriptor[opened.fileno()] = reader
        self._epoll.register(opened.fileno(), select.EPOLLIN)

    def read_until(self, done: Callable[[], bool], *, within_s: float) -> list[float]:
        """Read until `done`. Returns when each event with a new value arrived."""
        arrived: list[float] = []
        deadline_s = time.perf_counter() + within_s
        while not done():
            if time.perf_counter() > deadline_s:
                raise SystemExit(
                    f"not within {within_s:g} s: {sum(not reader.socket for reader in self.readers)} closed"
                )
            for descriptor, _ in self._epoll.poll(0.05, 10_000):
                if self._read(descriptor):
                    arrived.append(time.perf_counter())
            self._reconnect()
        return arrived

    def _read(self, descriptor: int) -> bool:
        reader = self._by_descriptor[descriptor]
        assert reader.socket is not None
        try:
            received = reader.socket.recv(65536)
        except OSError:
            received = b""
        if not received:
            self._epoll.unregister(descriptor)
            del self._by_descriptor[descriptor]
            reader.socket.close()
            reader.socket, reader.unread = None, b""
            self._postpone(reader)
            return False
        reader.unread += received
        value = reader.unread.rfind(b'"stars":')
        patch = reader.unread.rfind(b'"path":"/stars","value":')
        at = max(value + 8 if value >= 0 else -1, patch + 24 if patch >= 0 else -1)
        if at < 0 or not reader.unread.endswith(b"\r\n"):
            return False
        end = at
        while reader.unread[end : end + 1].isdigit():
            end += 1
        stars, reader.unread = int(reader.unread[at:end]), b""
        changed, reader.stars, reader.failures = stars != reader.stars, stars, 0
        return changed

    def _postpone(self, reader: Reader) -> None:
        """As `retryDelay` of the browser does."""
        reader.failures += 1
        longest_s = min(30.0, 2.0**reader.failures)
        reader.due_s = time.perf_counter() + longest_s * random.uniform(0.5, 1)  # noqa: S311 - no secret

    def _reconnect(self) -> None:
        now_s = time.perf_counter()
        for reader in self.readers:
            if reader.socket is None and reader.due_s <= now_s:
                try:
                    self.connect(reader)
                except OSError:
                    self._postpone(reader)


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def _all_have_a_value(readers: list[Reader]) -> bool:
    return all(reader.stars for reader in readers)


def _all_have(readers: list[Reader], number: int) -> bool:
    """Whether all have this number of stars."""
    return all(reader.stars == number for reader in readers)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(server: Server, stars: StoredStars, streams: int) -> None:
    (worker,) = server.workers()
    stars.put(FIRST)
    readers = Readers(server.url)
    readers.open(20)  # what the first ones allocate is not of the streams
    before_kib = resident_kib(worker)
    began_s = time.perf_counter()
    readers.open(streams)
    print(f"{streams} streams opened in {time.perf_counter() - began_s:.1f} s")
    rounds = []
    for number in range(FIRST + 1, FIRST + ROUNDS + 1):
        sent_s = time.perf_counter()
        stars.put(number)
        arrived = readers.read_until(partial(_all_have, readers.readers, number), within_s=30)
        rounds.append([(at_s - sent_s) * 1000 for at_s in arrived])
        # The limit of one event a second for a topic is not reached.
        time.sleep(1.1)
    each_kib = (resident_kib(worker) - before_kib) / streams
    medians = sorted(percentile(each, 0.5) for each in rounds)
    tails = sorted(percentile(each, 0.99) for each in rounds)
    print(f"memory of a stream: {each_kib:.1f} KiB")
    print(f"broadcast p50 {medians[len(medians) // 2]:.0f} ms, p99 {tails[len(tails) // 2]:.0f} ms"
          f" (rounds: {', '.join(f'{tail:.0f}' for tail in tails)})")  # fmt: skip
    os.kill(worker, signal.SIGKILL)
    killed_s = time.perf_counter()
    stars.put(LAST)
    back = readers.read_until(partial(_all_have, readers.readers, LAST), within_s=BACK_S)
    print(f"killed worker: all are back with the newest state after {max(back) - killed_s:.1f} s, half of them after"
          f" {percentile(back, 0.5) - killed_s:.1f} s")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=5000)
    streams = parser.parse_args().streams
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    postgresql = PostgresServer(postgresql_programs())
    try:
        postgresql.start()
        url = postgresql.create()
        with tempfile.TemporaryDirectory() as folder:
            environment = {
                **LEAN,
                "KINFOLK_CONNECTIONS": str(streams * 2 + 1000),
                "KINFOLK_DATABASE_URL": url.set(drivername="postgresql").render_as_string(hide_password=False),
                "KINFOLK_LINK_CHECK": "off",
            }
            with serving(Path(folder), environment=environment) as server:
                database = Database(url, lock_folder=Path(folder))
                measure(server, StoredStars(database, REPOSITORY), streams)
                database.close()
    finally:
        postgresql.remove()


if __name__ == "__main__":
    main()

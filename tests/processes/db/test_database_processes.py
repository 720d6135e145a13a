"""The database with several processes: locks, upgrades at once, and a server whose database is away."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
from sqlalchemy.engine import URL
from tests.processes.database_holder import hold_lock, output_of, upgrade_database
from tests.servers.databases import PostgresServer, postgresql_programs, sqlite_url
from tests.servers.kinfolk_process import fork_context
from tests.servers.serving import LEAN, Server, serving

from kinfolk.db.database import Database
from kinfolk.db.schema import current, is_current

PAGE = "/query/latest/docs/framework/react/overview"
WAIT_S = 30.0


@dataclass(frozen=True)
class OtherProcess:
    """A process that uses the same database."""

    process: BaseProcess
    pipe: Connection

    def receive(self) -> object:
        assert self.pipe.poll(WAIT_S)
        return self.pipe.recv()

    def end(self) -> int | None:
        """Let the process continue to its end, and return its exit status."""
        self.pipe.send("continue")
        self.process.join(WAIT_S)
        return self.process.exitcode


@contextlib.contextmanager
def process(work: Callable[[URL, Path, Connection], None], database: Database, locks: Path) -> Iterator[OtherProcess]:
    """A process that ends with the block at the latest."""
    context = fork_context()
    ours, theirs = context.Pipe()
    running = context.Process(target=work, args=(database.url, locks, theirs))  # type: ignore[attr-defined]
    running.start()
    with ours:
        try:
            yield OtherProcess(running, ours)
        finally:
            running.kill()
            running.join()
            theirs.close()


def test_lock_excludes_other_processes(database: Database, tmp_path: Path) -> None:
    with process(hold_lock, database, tmp_path / "locks") as holder:
        assert holder.receive() is True
        with database.exclusive("import") as held:
            assert not held
        with process(hold_lock, database, tmp_path / "locks") as other:
            assert other.receive() is False
        assert holder.end() == 0
    with database.exclusive("import") as held:
        assert held


def test_lock_of_a_killed_process_is_released(database: Database, tmp_path: Path) -> None:
    with process(hold_lock, database, tmp_path / "locks") as holder:
        assert holder.receive() is True
        holder.process.kill()
        # PostgreSQL notices the closed connection a moment later.
        with database.exclusive("import", wait=True) as held:
            assert held


def test_processes_upgrade_at_once(empty_database: Database, tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(process(upgrade_database, empty_database, tmp_path / "locks")) for _ in range(4)]
        assert [one.receive() for one in running] == ["ready"] * 4
        for one in running:
            one.pipe.send("continue")
        for one in running:
            one.process.join(WAIT_S)
        assert [one.process.exitcode for one in running] == [0] * 4
        outputs = [output_of(tmp_path / "locks", one.process.pid or 0).read_text() for one in running]
    assert outputs == [""] * 4
    assert is_current(empty_database)


# A server whose database is away


def wait_until(reached: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while not reached():
        assert time.monotonic() < deadline_s
        time.sleep(0.05)


def database_state(server: Server) -> dict[str, object]:
    services: list[dict[str, object]] = httpx.get(f"{server.url}/readyz").json()["services"]
    return next(service for service in services if service["name"] == "database")


def test_docs_are_served_while_postgresql_is_away(tmp_path: Path) -> None:
    server = PostgresServer(postgresql_programs())
    database = Database(server.url(), lock_folder=tmp_path)
    address = server.url().set(drivername="postgresql").render_as_string()
    try:
        with serving(tmp_path, environment=LEAN | {"KINFOLK_DATABASE_URL": address}) as site:
            assert "database not upgraded" in site.log
            assert httpx.get(site.url + PAGE).status_code == 200
            assert database_state(site)["last_error"] == "Unavailable"
            server.start()
            wait_until(lambda: current(database) is not None)
            database.close()
            server.stop()
            assert httpx.get(site.url + PAGE + "?again").status_code == 200
    finally:
        server.remove()


def test_server_upgrades_the_database_before_workers_start(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2", environment=LEAN) as site:
        assert httpx.get(site.url + PAGE).status_code == 200
        assert database_state(site)["last_error"] is None
        database = Database(sqlite_url(tmp_path / "var" / "kinfolk.sqlite"), lock_folder=tmp_path)
        assert is_current(database)
        database.close()


def test_damaged_database_is_left_and_docs_are_served(tmp_path: Path) -> None:
    file = tmp_path / "var" / "kinfolk.sqlite"
    file.parent.mkdir()
    content = b"This is no database. " * 500
    file.write_bytes(content)
    with serving(tmp_path, environment=LEAN) as site:
        assert "file is not a database" in site.log
        assert httpx.get(site.url + PAGE).status_code == 200
    assert file.read_bytes() == content

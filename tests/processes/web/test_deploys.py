"""New code while readers send requests: a deploy, a failed one and a downgrade. `make faults` has more of them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from sqlalchemy.engine import URL
from tests.servers.deploy_readers import DeployReaders
from tests.servers.releases import FIRST_WITH_OTHER_SEARCH, DeployedServer, Releases
from tests.servers.serving import PLAIN

from kinfolk.db.database import FILE, Database
from kinfolk.db.schema import current

RATE = 20.0
"""Requests a second: the tests of other processes run at the same time."""


def test_deploys_and_a_downgrade_lose_no_request(tmp_path: Path, built: Path) -> None:
    releases = Releases(tmp_path)
    releases.deploy(0)
    with DeployedServer(releases, PLAIN) as server:
        server.wait_for_search()
        first = server.pid

        async def deploy() -> DeployReaders:
            readers = DeployReaders(server.url, rate=RATE, pages=3)
            reading = asyncio.create_task(readers.run())
            releases.deploy(FIRST_WITH_OTHER_SEARCH)
            await asyncio.to_thread(server.reload)
            newer = server.pid
            releases.deploy_broken()
            await asyncio.to_thread(server.reload_in_vain)
            releases.deploy(0)
            await asyncio.to_thread(server.reload)
            assert len({first, newer, server.pid}) == 3
            readers.stop()
            await reading
            return readers

        readers = asyncio.run(deploy())
        assert server.probe() == 200
        var = tmp_path / "var"
        database = Database(URL.create("sqlite", database=str(var / FILE)), lock_folder=var)
        version = current(database)
        database.close()

    assert readers.readings.failed == []
    assert readers.readings.reconnects > 0
    assert readers.readings.requests["used"] > 0
    assert readers.readings.requests["new"] > 0
    assert version == f"later{FIRST_WITH_OTHER_SEARCH}"
    errors = [entry for entry in map(_entry, server.log.splitlines()) if entry.get("level") in ("error", "critical")]
    assert [(entry["event"], entry["reason"]) for entry in errors] == [
        ("reload failed", "it ended: the log has its last lines")
    ]


def _entry(line: str) -> dict[str, str]:
    return dict(json.loads(line)) if line.startswith("{") else {}

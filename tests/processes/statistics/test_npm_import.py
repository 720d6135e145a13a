"""`kinfolk npm` in processes of its own: killed in the middle of an import, and beside a server."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import chain, cycle, repeat
from pathlib import Path

import httpx
import pytest
from tests.inputs.npm_histories import real_histories
from tests.servers.kinfolk_process import RunningCommand
from tests.servers.npm_api import Fault, NpmApi, downloads
from tests.servers.serving import LEAN, serving
from tests.sites.sample_site import SITE, read_settings

from kinfolk.config.settings import ROOT
from kinfolk.db.database import Database, open_database
from kinfolk.statistics.histories.history import FIRST_DAY
from kinfolk.statistics.histories.history_store import HistoryStore
from kinfolk.statistics.npm_config import load_npm_config
from kinfolk.statistics.open_statistics import imported_packages

INTERVAL_S = 0.01
FAULTS: list[Fault] = ["server-error", "cut", "short", "html", "slow", "error-200", "other-package"]
GROUPS: list[list[Fault | None]] = [[*repeat(None, 9), fault] for fault in FAULTS]


@pytest.fixture
def npm() -> Iterator[NpmApi]:
    with NpmApi(today=datetime.now(UTC).date(), slow_s=0.1) as api:
        yield api


@pytest.fixture
def environment(npm: NpmApi, tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "KINFOLK_VAR": str(tmp_path / "var"),
        "KINFOLK_NPM_DOWNLOADS_API": npm.url,
        "KINFOLK_NPM_INTERVAL_S": str(INTERVAL_S),
        "COLUMNS": "120",
    }


def start(environment: Mapping[str, str], *arguments: str) -> RunningCommand:
    return RunningCommand("npm", *arguments, environment=environment, folder=ROOT)


def finish(command: RunningCommand, status: int = 0) -> str:
    """The complete output of a command."""
    with command:
        ended = command.finish(240)
    assert ended.returncode == status, ended.stderr[-3000:]
    return ended.stdout + ended.stderr


def kill(command: RunningCommand) -> None:
    with command:
        assert command.poll() is None


def open_stored(environment: Mapping[str, str]) -> Database:
    return open_database(read_settings(environment))


def test_a_killed_import_of_the_default_packages_is_completed(
    npm: NpmApi, environment: dict[str, str], tmp_path: Path
) -> None:
    # One request in ten fails.
    npm.faults = chain(repeat(None, 9), ["limit-for-1s"], cycle(chain.from_iterable(GROUPS)))
    npm.unknown = {"temporal-polyfill"}
    environment["KINFOLK_SITE"] = str(_data_of_default_packages(tmp_path))
    packages = {*imported_packages(read_settings(environment)), *real_histories(), ""} - npm.unknown
    assert packages > set(load_npm_config(SITE).packages) - npm.unknown
    for requests in (40, 120):
        process = start(environment, "import")
        deadline_s = time.monotonic() + 60
        while len(npm.arrivals) < requests and process.poll() is None and time.monotonic() < deadline_s:
            time.sleep(0.005)
        kill(process)
        database = open_stored(environment)
        assert 0 < len(HistoryStore(database).year_states()) <= len(packages)
        database.close()
    output = finish(start(environment, "import"))
    assert 'Package "temporal-polyfill" not found on npm' in output
    assert "All counts are up to date" in output
    _check_complete(environment, packages, npm.today)
    assert min(npm.gaps_s) >= INTERVAL_S
    before = len(npm.arrivals)
    finish(start(environment, "import"))
    assert len(npm.arrivals) == before


def _data_of_default_packages(tmp_path: Path) -> Path:
    """The site's configuration without the packages of libraries, which would make a test three times longer."""
    data = tmp_path / "data"
    shutil.copytree(SITE, data)
    for file in (data / "libraries").glob("*.toml"):
        file.write_text(re.sub(r"^npm_packages = \[.*?\]\n", "", file.read_text(), flags=re.MULTILINE | re.DOTALL))
    return data


def _check_complete(environment: Mapping[str, str], packages: set[str], today: date) -> None:
    last = today - timedelta(days=1)
    days = [FIRST_DAY + timedelta(days=number) for number in range((last - FIRST_DAY).days + 1)]
    database = open_stored(environment)
    histories = HistoryStore(database).histories(packages)
    assert set(histories) == packages
    for name, history in histories.items():
        assert (history.source, history.first) == ("npm", FIRST_DAY), name
        assert history.counts.tolist() == [downloads(name, day) for day in days], name
    database.close()


def test_two_imports_at_once(npm: NpmApi, environment: dict[str, str]) -> None:
    first = start(environment, "import")
    while not npm.arrivals:
        time.sleep(0.005)
    assert "Error: Counts are already being imported" in finish(start(environment, "import"), status=1)
    kill(first)


def test_status_export_and_load(npm: NpmApi, environment: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "history.ndjson"
    process = start(environment, "import")
    while len(npm.arrivals) < 30:
        time.sleep(0.005)
    kill(process)
    status = finish(start(environment, "status"))
    assert re.search(r"^\d of \d+ packages are complete$", status, re.MULTILINE)
    assert re.search(r"^  react: [1-9]\d? of 1\d years$", status, re.MULTILINE)
    assert "Last success: 20" in status
    exported = finish(start(environment, "export", str(file)))
    lines = len(file.read_bytes().splitlines()) - 1
    assert f"{lines} years and weeks are in {file}" in exported
    other = environment | {"KINFOLK_VAR": str(tmp_path / "other")}
    assert f"{lines} years and weeks are read from {file}" in finish(start(other, "load", str(file)))
    file.write_text("{}")
    refused = finish(start(other, "load", str(file)), status=1)
    assert "Error: history.ndjson: line 1: format: Field required" in refused


def test_without_a_network_the_command_says_what_is_missing(environment: dict[str, str], tmp_path: Path) -> None:
    unreachable = environment | {
        "KINFOLK_SITE": str(_data_of_default_packages(tmp_path)),
        "KINFOLK_NPM_DOWNLOADS_API": "http://127.0.0.1:9",
        "KINFOLK_NPM_INTERVAL_S": "0",
    }
    output = finish(start(unreachable, "import"), status=1)
    assert "packages are incomplete, such as" in output
    assert "npm cannot be reached: ConnectError" in output


VALIDATION = """
[[categories]]
title = "Validation"
groups = [{ packages = ["zod"], color = "#ff4500" }, { packages = ["yup"], color = "#ec4899" }]
"""


def test_pages_of_all_workers_show_counts_as_they_are_imported(npm: NpmApi, tmp_path: Path) -> None:
    npm.faults = iter(["server-error"])
    site = _data_of_default_packages(tmp_path)
    (site / "npm.toml").write_text(VALIDATION)
    environment = LEAN | {
        "KINFOLK_SITE": str(site),
        "KINFOLK_NPM_IMPORT": "on",
        "KINFOLK_NPM_DOWNLOADS_API": npm.url,
        "KINFOLK_NPM_INTERVAL_S": str(INTERVAL_S),
    }
    page, chart = "/stats/npm/zod-vs-yup", "/stats/npm.json?packageGroups=[{%22packages%22:[{%22name%22:%22zod%22}]}]"
    with serving(tmp_path, "--workers", "2", environment=environment) as server:
        # Each connection may reach another worker.
        assert all(httpx.get(server.url + page).status_code == 200 for _ in range(6))
        deadline_s = time.monotonic() + 120

        def is_ready() -> bool:
            one = httpx.get(server.url + chart).json()
            return bool(one["series"][0]["status"] == "ready" and not one["sample"])

        def is_shown() -> bool:
            text = httpx.get(server.url + page).text
            return "being fetched" not in text and "Sample data" not in text

        # One request at a time until the counts are there: each renders the page again.
        while not (is_ready() and is_shown() and all(is_ready() and is_shown() for _ in range(6))):
            if time.monotonic() > deadline_s:
                pytest.fail(f"the pages show no counts after {len(npm.arrivals)} requests")
            time.sleep(0.2)
        unknown = httpx.get(f"{server.url}/stats/npm/made-up-one-vs-made-up-two").text
        assert "have not been fetched from npm yet" in unknown
        assert 'content="noindex"' in unknown
        assert not any("made-up" in path for path in npm.paths)
        name = {"data": {"name": "is-odd"}, "context": {}}
        status = httpx.post(f"{server.url}/_server/npm.request", json=name).json()["data"]
        assert status["state"] == "waiting"
        while "/downloads/point/last-week/is-odd" not in npm.paths:
            assert time.monotonic() < deadline_s
            time.sleep(0.1)
    assert min(npm.gaps_s) >= INTERVAL_S

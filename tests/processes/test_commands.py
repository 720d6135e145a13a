"""The command line as an operator meets it: what it says, and the exit code that a script sees."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually, upstream_family
from tests.serving import LEAN, Server, serving

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.settings import SETTINGS, Settings


def kinfolk(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kinfolk", *arguments],
        env={**os.environ, "KINFOLK_MIRROR": "off", "KINFOLK_HIGHLIGHT": "off", "KINFOLK_SEARCH": "off", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("commands"), environment=LEAN) as server:
        yield server


@pytest.fixture
def wrong_data(tmp_path: Path, settings: Settings) -> str:
    """The facts, with a word where a number belongs."""
    data = Path(shutil.copytree(settings.data, tmp_path / "data"))
    query = data / "libraries/query.toml"
    query.write_text(re.sub(r"^order = \d+$", 'order = "three"', query.read_text(), flags=re.MULTILINE))
    return str(data)


# serve


def test_the_start_says_what_is_served_and_where(server: Server, bundled: Docs) -> None:
    branches, libraries = len(bundled.snapshot.trees), len(bundled.catalog.libraries)
    assert f"Serving the bundled docs: {branches} branches of {libraries} libraries\nOpen {server.url}\n" in server.log


def test_the_start_says_which_branches_are_mirrored_and_which_are_bundled(
    tmp_path: Path, settings: Settings, catalog: Catalog, bundled: Docs, built: Path
) -> None:
    assert built
    family = upstream_family(tmp_path, settings, catalog)
    synced = family.sync("ranger", "store")
    assert (synced.returncode, synced.stdout) == (0, f"2 of 11 branches are mirrored in {tmp_path / 'mirror'}\n")
    with family.serving() as server:
        lacking = len(bundled.snapshot.trees) - 2
        assert f"Serving the mirror in {tmp_path / 'mirror'}, the bundled docs for {lacking} branches" in server.log


def test_a_port_that_is_taken_is_named(server: Server) -> None:
    port = str(httpx.URL(server.url).port)
    refused = kinfolk("serve", "--port", port)
    assert refused.returncode == 1
    assert refused.stderr == f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use\n"


def test_an_address_of_another_machine_is_named() -> None:
    refused = kinfolk("serve", "--host", "203.0.113.9")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "Error: Cannot listen on 203.0.113.9:8000: Cannot assign requested address\n"


def test_no_worker_outlives_a_server_that_was_killed(tmp_path: Path, built: Path) -> None:
    assert built
    with serving(tmp_path, "--workers", "2", environment=LEAN) as server:
        # The first answers, which may be before the second is begun.
        eventually(lambda: len(server.workers()) == 2, "both workers are there")
        workers = [Path(f"/proc/{worker}") for worker in server.workers()]
        server.process.send_signal(signal.SIGKILL)
        eventually(lambda: not any(map(Path.exists, workers)), "the workers are gone")


@pytest.mark.parametrize("command", [["serve"], ["get", "/"]])
def test_a_frontend_that_is_not_built_is_named_with_what_to_do(tmp_path: Path, command: list[str]) -> None:
    refused = kinfolk(*command, KINFOLK_FRONTEND=str(tmp_path))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == f"Error: The frontend is not built in {tmp_path}: run `make build`\n"


def test_a_folder_without_docs_is_named(tmp_path: Path, built: Path) -> None:
    assert built
    refused = kinfolk("serve", "--content", str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Error: {tmp_path} holds none of the ")


@pytest.mark.parametrize("command", [["serve"], ["get", "/"], ["check"], ["sync"]])
def test_a_wrong_fact_is_named_by_its_file_and_key(wrong_data: str, built: Path, command: list[str]) -> None:
    assert built
    refused = kinfolk(*command, KINFOLK_DATA=wrong_data)
    assert refused.returncode == 1
    assert "libraries/query.toml: order: should be a valid integer\n" in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (["serve", "--prot", "80"], "Error: No such option '--prot'."),
        (["serve", "--port", "65536"], "Error: Invalid value for '--port': 65536 is not in the range"),
        (["serve", "--workers", "0"], "Error: Invalid value for '--workers': 0 is not in the range"),
        (["serve", "--content", "/nowhere"], "Error: Invalid value for '--content': Directory '/nowhere' does not"),
        (["srve"], "Error: No such command 'srve'."),
    ],
)
def test_what_the_command_line_does_not_know_is_named(command: list[str], complaint: str) -> None:
    refused = kinfolk(*command)
    assert refused.returncode == 2
    assert complaint in refused.stderr


def test_a_setting_that_makes_no_sense_is_named() -> None:
    refused = kinfolk("serve", KINFOLK_REFRESH_S="soon")
    assert (refused.returncode, refused.stderr) == (1, "Error: KINFOLK_REFRESH_S must be a number, not 'soon'\n")


# get


@pytest.mark.parametrize(
    ("path", "exit_code", "shown"),
    [
        ("/ranger/latest/docs/overview", 0, "<h1"),
        ("/nowhere", 1, "Not Found</h1>"),
        ("/query/v3/docs/framework/react/overview", 1, "There is no copy of TanStack/query@v3 on this site yet"),
    ],
)
def test_get_prints_a_page_and_fails_where_there_is_none(built: Path, path: str, exit_code: int, shown: str) -> None:
    assert built
    got = kinfolk("get", path)
    assert got.returncode == exit_code
    assert shown in got.stdout


def test_get_shows_where_a_redirect_leads(built: Path) -> None:
    assert built
    got = kinfolk("get", "--head", "/stats")
    assert (got.returncode, got.stdout) == (0, "\n")
    assert "307 in " in got.stderr
    assert "\nlocation: /stats/npm\n" in got.stderr


# check, generate, settings, sync


def test_check_counts_what_it_looked_at(tmp_path: Path) -> None:
    write_docs(tmp_path, "[the other page](./other.md)", other="Text.\n")
    checked = kinfolk("check", "--content", str(tmp_path), KINFOLK_WORDS=str(tmp_path))
    assert (checked.returncode, checked.stdout) == (0, "2 pages with 1 links: nothing is broken\n")


def test_check_names_a_broken_link_by_file_and_line(tmp_path: Path) -> None:
    write_docs(tmp_path, "[the other page](./other.md)")
    checked = kinfolk("check", "--content", str(tmp_path), KINFOLK_WORDS=str(tmp_path))
    assert checked.returncode == 1
    assert "TanStack/ranger/main/docs/overview.md: line 3: the link ./other.md leads nowhere\n" in checked.stdout


def write_docs(folder: Path, text: str, **pages: str) -> None:
    docs = folder / "TanStack/ranger/main/docs"
    docs.mkdir(parents=True)
    (docs / "config.json").write_text('{"sections": [{"label": "A", "children": [{"label": "B", "to": "overview"}]}]}')
    for name, body in {"overview": f"# Overview\n\n{text}\n", **pages}.items():
        (docs / f"{name}.md").write_text(body)


def test_the_generated_client_is_up_to_date() -> None:
    checked = kinfolk("generate", "--check")
    assert (checked.returncode, checked.stdout) == (0, "The client is up to date\n")


def test_settings_lists_what_can_be_set_and_what_it_is_now() -> None:
    listed = kinfolk("settings", KINFOLK_REFRESH_S="77")
    assert listed.returncode == 0
    assert re.search(r"^KINFOLK_REFRESH_S +77\n {4}Seconds between", listed.stdout, re.MULTILINE)
    assert [setting.name for setting in SETTINGS] == re.findall(r"^(KINFOLK_\w+) ", listed.stdout, re.MULTILINE)


def test_settings_hides_what_is_secret() -> None:
    secrets = {setting.name: f"do-not-tell-{setting.name}" for setting in SETTINGS if setting.secret}
    listed = kinfolk("settings", **secrets)
    assert {"KINFOLK_WEBHOOK_SECRET", "KINFOLK_GITHUB_TOKEN"} <= set(secrets)
    assert "do-not-tell" not in listed.stdout


def test_sync_names_a_library_that_it_does_not_know(tmp_path: Path) -> None:
    refused = kinfolk("sync", "nope", KINFOLK_MIRROR=str(tmp_path / "mirror"))
    assert (refused.returncode, refused.stderr) == (1, 'Error: Library with id "nope" not found\n')
    assert not (tmp_path / "mirror").exists()


def test_sync_says_when_mirrors_are_turned_off() -> None:
    refused = kinfolk("sync")
    assert (refused.returncode, refused.stderr) == (
        1,
        "Error: KINFOLK_MIRROR is off: name a folder for the mirrors\n",
    )

"""Commands: their output and their exit codes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually, upstream_family
from tests.servers.kinfolk_process import run_kinfolk
from tests.servers.serving import LEAN, Server, free_port, serving
from tests.sites.sample_site import complete_site

from kinfolk.config.settings import SETTINGS, Settings
from kinfolk.content.docs import DocsSnapshot


def kinfolk(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    off = {"KINFOLK_MIRROR": "off", "KINFOLK_HIGHLIGHT": "off", "KINFOLK_SEARCH": "off"}
    with tempfile.TemporaryDirectory() as var:
        return run_kinfolk(*arguments, environment={**os.environ, "KINFOLK_VAR": var, **off, **environment})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("commands"), environment=LEAN) as server:
        yield server


@pytest.fixture
def invalid_data(tmp_path: Path, settings: Settings) -> str:
    """A site folder with a number in place of the family's name."""
    data = Path(shutil.copytree(settings.site, tmp_path / "data"))
    facts = data / "kinfolk.toml"
    facts.write_text(re.sub(r"^family = .*$", "family = 3", facts.read_text(), flags=re.MULTILINE))
    return str(data)


# serve


def test_start_prints_the_docs_and_the_address(server: Server, bundled: DocsSnapshot) -> None:
    branches, libraries = len(bundled.snapshot.trees), len(bundled.catalog.libraries)
    assert f"Serving the bundled docs: {branches} branches of {libraries} libraries\nOpen {server.url}\n" in server.log


def test_start_prints_mirrored_and_bundled_branches(tmp_path: Path, bundled: DocsSnapshot, built: Path) -> None:
    assert built
    family = upstream_family(tmp_path / "family")
    mirror = family.folder / "mirror"
    synced = family.sync("ranger", "store")
    assert (synced.returncode, synced.stdout) == (0, f"2 of 11 branches are mirrored in {mirror}\n")
    with family.serving() as server:
        missing = len(bundled.snapshot.trees) - 2
        assert f"Serving the mirror in {mirror}, the bundled docs for {missing} branches" in server.log


def test_port_in_use_is_an_error(server: Server) -> None:
    port = str(httpx.URL(server.url).port)
    failed = kinfolk("serve", "--port", port)
    assert failed.returncode == 1
    assert failed.stderr == f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use\n"


def test_host_of_another_machine_is_an_error() -> None:
    failed = kinfolk("serve", "--host", "203.0.113.9")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == "Error: Cannot listen on 203.0.113.9:8000: Cannot assign requested address\n"


def test_workers_exit_when_the_server_is_killed(tmp_path: Path, built: Path) -> None:
    assert built
    with serving(tmp_path, "--workers", "2", environment=LEAN) as server:
        # The server is ready when the first worker responds; the second one may start later.
        eventually(lambda: len(server.workers()) == 2, "both workers run")
        workers = [Path(f"/proc/{worker}") for worker in server.workers()]
        server.process.send_signal(signal.SIGKILL)
        eventually(lambda: not any(map(Path.exists, workers)), "the workers exit")


def test_public_site_with_the_default_secret_is_refused(tmp_path: Path) -> None:
    port = str(free_port())
    refused = kinfolk("serve", "--port", port, KINFOLK_ORIGIN="https://docs.example.com", KINFOLK_VAR=str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: KINFOLK_SECRET must be set")


@pytest.mark.parametrize("command", [["serve"], ["get", "/"]])
def test_missing_build_is_an_error_that_names_the_command(tmp_path: Path, command: list[str]) -> None:
    failed = kinfolk(*command, KINFOLK_FRONTEND=str(tmp_path))
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == f"Error: The frontend is not built in {tmp_path}: run `make build`\n"


def test_folder_without_docs_is_an_error(tmp_path: Path, built: Path) -> None:
    assert built
    failed = kinfolk("serve", "--content", str(tmp_path))
    assert failed.returncode == 1
    assert failed.stderr.startswith(f"Error: {tmp_path} holds none of the ")


@pytest.mark.parametrize("command", [["serve"], ["get", "/"], ["check"], ["sync"]])
def test_invalid_data_is_reported_with_file_and_key(invalid_data: str, built: Path, command: list[str]) -> None:
    assert built
    failed = kinfolk(*command, KINFOLK_SITE=invalid_data)
    assert failed.returncode == 1
    assert "kinfolk.toml: family: should be a valid string\n" in failed.stdout + failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["serve", "--prot", "80"], "Error: No such option '--prot'."),
        (["serve", "--port", "65536"], "Error: Invalid value for '--port': 65536 is not in the range"),
        (["serve", "--workers", "0"], "Error: Invalid value for '--workers': 0 is not in the range"),
        (["serve", "--content", "/nowhere"], "Error: Invalid value for '--content': Directory '/nowhere' does not"),
        (["srve"], "Error: No such command 'srve'."),
    ],
)
def test_invalid_argument_is_reported(command: list[str], message: str) -> None:
    failed = kinfolk(*command)
    assert failed.returncode == 2
    assert message in failed.stderr


def test_error_names_an_invalid_setting() -> None:
    failed = kinfolk("serve", KINFOLK_REFRESH_S="soon")
    assert (failed.returncode, failed.stderr) == (1, "Error: KINFOLK_REFRESH_S must be a number, not 'soon'\n")


# get


@pytest.mark.parametrize(
    ("path", "exit_code", "content"),
    [
        ("/ranger/latest/docs/overview", 0, "<h1"),
        ("/nowhere", 1, "Not Found</h1>"),
        ("/query/v3/docs/framework/react/overview", 1, "There is no copy of TanStack/query@v3 on this site yet"),
    ],
)
def test_get_prints_a_page_and_fails_if_it_is_missing(built: Path, path: str, exit_code: int, content: str) -> None:
    assert built
    got = kinfolk("get", path)
    assert got.returncode == exit_code
    assert content in got.stdout


def test_get_prints_the_location_of_a_redirect(built: Path) -> None:
    assert built
    got = kinfolk("get", "--head", "/stats")
    assert (got.returncode, got.stdout) == (0, "\n")
    assert "307 in " in got.stderr
    assert "\nlocation: /stats/npm\n" in got.stderr


# check, generate, settings, sync


def test_check_counts_pages_and_links(tmp_path: Path) -> None:
    write_docs(tmp_path, "[the other page](./other.md)", other="Text.\n")
    checked = kinfolk("check", "--content", str(tmp_path), KINFOLK_SITE=str(complete_site(tmp_path)))
    assert (checked.returncode, checked.stdout) == (0, "2 pages with 1 links: nothing is broken\n")


def test_check_reports_a_broken_link_with_file_and_line(tmp_path: Path) -> None:
    write_docs(tmp_path, "[the other page](./other.md)")
    checked = kinfolk("check", "--content", str(tmp_path), KINFOLK_SITE=str(complete_site(tmp_path)))
    assert checked.returncode == 1
    assert "TanStack/ranger/main/docs/overview.md: line 3: the link ./other.md leads nowhere\n" in checked.stdout


def write_docs(folder: Path, text: str, **pages: str) -> None:
    docs = folder / "TanStack/ranger/main/docs"
    docs.mkdir(parents=True)
    (docs / "config.json").write_text('{"sections": [{"label": "A", "children": [{"label": "B", "to": "overview"}]}]}')
    for name, body in {"overview": f"# Overview\n\n{text}\n", **pages}.items():
        (docs / f"{name}.md").write_text(body)


def test_generated_files_are_up_to_date() -> None:
    checked = kinfolk("generate", "--check")
    files = ["frontend/src/api/generated.ts", "docs/configuration.md"]
    assert (checked.returncode, checked.stdout) == (0, "".join(f"{file} is up to date\n" for file in files))


def test_settings_lists_all_settings_with_their_values() -> None:
    listed = kinfolk("settings", KINFOLK_REFRESH_S="77")
    assert listed.returncode == 0
    assert re.search(r"^KINFOLK_REFRESH_S +77\n {4}Seconds between", listed.stdout, re.MULTILINE)
    assert [setting.name for setting in SETTINGS] == re.findall(r"^(KINFOLK_\w+) ", listed.stdout, re.MULTILINE)


def test_settings_hides_secrets() -> None:
    secrets = {setting.name: f"do-not-print-{setting.name}" for setting in SETTINGS if setting.secret}
    listed = kinfolk("settings", **secrets)
    assert {"KINFOLK_WEBHOOK_SECRET", "KINFOLK_GITHUB_TOKEN"} <= set(secrets)
    assert "do-not-print" not in listed.stdout


def test_sync_of_an_unknown_library_is_an_error(tmp_path: Path) -> None:
    failed = kinfolk("sync", "nope", KINFOLK_MIRROR=str(tmp_path / "mirror"))
    assert (failed.returncode, failed.stderr) == (1, 'Error: Library with id "nope" not found\n')
    assert not (tmp_path / "mirror").exists()


def test_sync_without_a_mirror_folder_is_an_error() -> None:
    failed = kinfolk("sync")
    assert (failed.returncode, failed.stderr) == (
        1,
        "Error: KINFOLK_MIRROR is off: name a folder for the mirrors\n",
    )

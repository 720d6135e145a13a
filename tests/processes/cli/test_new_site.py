"""The workflow of a new site: its steps are run, except the installation, with repositories of this machine."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from tests.servers.kinfolk_process import run_kinfolk
from tests.unit.content.sources.git.sources_upstream import Upstreams

from kinfolk.config.docs_address import Ref

WIDGETS, GEARS = Ref("acme/widgets", "main"), Ref("acme/gears", "main")
PAGE = "---\ntitle: Overview\n---\n\nSee the [license](../LICENSE).\n"


RunStep = Callable[[str, Path, Mapping[str, str]], tuple[int, str]]
"""Runs a command in a folder with these variables: its exit status and its output."""


def new_site(folder: Path, *repositories: str) -> Path:
    named = [argument for repository in repositories for argument in ("--repo", repository)]
    done = run_kinfolk("new", str(folder), "--name", "Acme", "--no-fetch", *named, environment=os.environ)
    assert done.returncode == 0, done.stderr
    return folder


def run_in_shell(command: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def run_without_shell(command: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """As run_in_shell for a command of this project, whose start takes a second of CPU."""
    program, *arguments = shlex.split(command)
    assert program == "kinfolk"
    done = run_kinfolk(*arguments, environment=environment, folder=folder)
    return done.returncode, done.stdout + done.stderr


def run_steps(site: Path, upstreams: Upstreams, run: RunStep) -> list[tuple[str, int, str]]:
    """Run the steps of the workflow as the code host does: each command, its exit status and its output."""
    job = yaml.safe_load((site / ".github/workflows/check.yml").read_text())["jobs"]["check"]
    own = {name: value for name, value in os.environ.items() if not name.startswith("KINFOLK_")}
    commands = [step["run"] for step in job["steps"] if "run" in step and "pip install" not in step["run"]]
    environment = {
        **own,
        **job.get("env", {}),
        "PATH": f"{Path(sys.executable).parent}:{own['PATH']}",
        # In place of the code host.
        "KINFOLK_UPSTREAM": upstreams.url_template,
    }
    done = []
    for command in commands:
        status, output = run(command, site, environment)
        done.append((command, status, output))
        if status:
            break
    return done


@pytest.fixture
def upstreams(tmp_path: Path) -> Upstreams:
    upstreams = Upstreams(tmp_path / "upstream")
    for ref in (WIDGETS, GEARS):
        upstreams.commit(ref, {"docs/overview.md": PAGE, "LICENSE": "MIT"})
    return upstreams


def test_workflow_mirrors_and_checks_the_repositories(tmp_path: Path, upstreams: Upstreams) -> None:
    site = new_site(tmp_path / "site", "acme/widgets", "acme/gears")
    steps = run_steps(site, upstreams, run_without_shell)
    assert [(command, status) for command, status, _ in steps] == [("kinfolk sync", 0), ("kinfolk check", 0)], steps
    upstreams.commit(GEARS, {"docs/overview.md": "See [nothing](nothing.md).\n"})
    *_, (_, status, output) = run_steps(site, upstreams, run_without_shell)
    assert (status, "docs/overview.md: line 1: the link nothing.md leads nowhere" in output) == (1, True), output


def test_workflow_of_a_site_with_its_own_docs_needs_no_repository(tmp_path: Path) -> None:
    steps = run_steps(new_site(tmp_path / "site"), Upstreams(tmp_path / "upstream"), run_in_shell)
    assert [(command, status) for command, status, _ in steps] == [("kinfolk sync", 0), ("kinfolk check", 0)], steps

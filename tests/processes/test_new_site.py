"""The workflow of a new site: its steps are run, except the installation, with repositories of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.unit.sources_upstream import Upstreams

from kinfolk.docs_address import Ref

WIDGETS, GEARS = Ref("acme/widgets", "main"), Ref("acme/gears", "main")
PAGE = "---\ntitle: Overview\n---\n\nSee the [license](../LICENSE).\n"


def new_site(folder: Path, *repositories: str) -> Path:
    named = [argument for repository in repositories for argument in ("--repo", repository)]
    subprocess.run([sys.executable, "-m", "kinfolk", "new", str(folder), "--name", "Acme", *named], check=True)
    return folder


def run_steps(site: Path, upstreams: Upstreams) -> list[tuple[str, int, str]]:
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
        result = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=site,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        done.append((command, result.returncode, result.stdout))
        if result.returncode:
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
    steps = run_steps(site, upstreams)
    assert [(command, status) for command, status, _ in steps] == [("kinfolk sync", 0), ("kinfolk check", 0)], steps
    upstreams.commit(GEARS, {"docs/overview.md": "See [nothing](nothing.md).\n"})
    *_, (_, status, output) = run_steps(site, upstreams)
    assert (status, "docs/overview.md: line 1: the link nothing.md leads nowhere" in output) == (1, True), output


def test_workflow_of_a_site_with_its_own_docs_needs_no_repository(tmp_path: Path) -> None:
    steps = run_steps(new_site(tmp_path / "site"), Upstreams(tmp_path / "upstream"))
    assert [(command, status) for command, status, _ in steps] == [("kinfolk sync", 0), ("kinfolk check", 0)], steps

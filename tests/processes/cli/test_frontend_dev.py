"""`npm run dev` builds a copy of the frontend after each change."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import pytest

NODE = Path(sys.executable).with_name("node")
PATIENCE_S = 120
COMPONENT = "src/components/docs/DocsTopBar.tsx"
COLOR = re.compile(r"\x1b\[[\d;]*m")


@dataclass
class FrontendBuild:
    """The folder of the sources, and what the builds print."""

    folder: Path
    log: TextIO

    def until(self, *starts: str) -> None:
        """Wait for lines that begin so, in any order: the two builds run side by side if one notices a change late."""
        missing, printed = list(starts), []
        deadline = time.monotonic() + PATIENCE_S
        while missing:
            printed.append(COLOR.sub("", self.log.readline()))
            found = next((start for start in missing if printed[-1].startswith(start)), None)
            if found is not None:
                missing.remove(found)
            elif not printed[-1]:
                assert time.monotonic() < deadline, f"no line begins with {missing}: {''.join(printed)}"
                time.sleep(0.05)

    def text(self, name: str) -> str:
        return (self.folder / "dist-dev" / name).read_text()


@pytest.fixture
def build(built: Path, tmp_path: Path) -> Iterator[FrontendBuild]:
    if not NODE.exists():
        pytest.fail("Node is not installed: run `make setup`")
    folder = tmp_path / "frontend"
    ignored = shutil.ignore_patterns("node_modules", "dist", "dist-dev")
    shutil.copytree(built.parent, folder, ignore=ignored)
    (folder / "node_modules").symlink_to(built.parent / "node_modules")
    shutil.copytree(built, folder / "dist")
    # Colors as in a terminal and in most CI systems: the problems for `kinfolk dev` must come without them.
    colored = {**os.environ, "FORCE_COLOR": "1"}
    with (tmp_path / "log").open("w") as output, (tmp_path / "log").open() as log:
        process = subprocess.Popen([NODE, "dev.ts"], cwd=folder, env=colored, stdout=output, start_new_session=True)
        try:
            made = FrontendBuild(folder, log)
            made.until("Built ssr", "Built client")
            yield made
        finally:
            # `node` of the environment starts the program in a process of its own.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(15)


def test_changes_are_built_and_faults_are_named(build: FrontendBuild) -> None:
    component = build.folder / COMPONENT
    valid = component.read_text()
    component.write_text(valid.replace("On this page", "Contents of this page"))
    build.until("Built ssr", "Built client")
    assert "Contents of this page" in build.text("ssr/ssr.js")
    boot = build.text(f"client{json.loads(build.text('ssr/manifest.json'))['boot']}")
    app = re.search(r'"app":"([^"]+)"', boot)
    assert app is not None
    assert any("Contents of this page" in build.text(f"client/assets/{file}") for file in app[1].split())

    component.write_text(f"const = 5\n{valid}")
    build.until("Build failed", "Build failed")
    assert json.loads(build.text("ssr/problems.json")) == [
        {"file": COMPONENT, "line": 1, "reason": "[builtin:vite-transform] Unexpected token"}
    ]
    component.write_text(valid)
    build.until("Built ssr")
    assert "Contents of this page" not in build.text("ssr/ssr.js")

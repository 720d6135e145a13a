"""`npm run dev` builds a copy of the frontend after each change."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

NODE = Path(sys.executable).with_name("node")
COMPONENT = "src/components/docs/DocsTopBar.tsx"


@dataclass
class FrontendBuild:
    """The folder of the sources, and the lines that the builds print."""

    folder: Path
    lines: Iterator[str]

    def until(self, start: str) -> None:
        """Read lines up to one that begins so."""
        assert any(line.startswith(start) for line in self.lines), f"ended before {start}"

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
    process = subprocess.Popen([NODE, "dev.ts"], cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    try:
        made = FrontendBuild(folder, iter(process.stdout))
        made.until("Built client")
        yield made
    finally:
        # `node` of the environment starts the program in a process of its own.
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=15)


def test_changes_are_built_and_faults_are_named(build: FrontendBuild) -> None:
    component = build.folder / COMPONENT
    valid = component.read_text()
    component.write_text(valid.replace("On this page", "Contents of this page"))
    build.until("Built ssr")
    assert "Contents of this page" in build.text("ssr/ssr.js")
    build.until("Built client")
    app = json.loads(build.text("ssr/manifest.json"))["app"].split()
    assert any("Contents of this page" in build.text(f"client{file}") for file in app)

    component.write_text(f"const = 5\n{valid}")
    build.until("Build failed")
    build.until("Build failed")
    assert json.loads(build.text("ssr/problems.json")) == [
        {"file": COMPONENT, "line": 1, "reason": "[builtin:vite-transform] Unexpected token"}
    ]
    component.write_text(valid)
    build.until("Built ssr")
    assert "Contents of this page" not in build.text("ssr/ssr.js")

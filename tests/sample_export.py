"""The export of the sample site, which the tests of one run share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.run_folder import shared_folder
from tests.sample_site import SITE

HOST = "https://example.com"
BASE_PATH = "/below"
ORIGIN = f"{HOST}{BASE_PATH}"


def run_export(folder: Path, content: Path, var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kinfolk", "export", str(folder), "--content", str(content), *arguments]
    return subprocess.run(command, check=False, env=environment(var), capture_output=True, text=True, timeout=180)


def environment(var: Path) -> dict[str, str]:
    return {
        **os.environ,
        "KINFOLK_SITE": str(SITE),
        "KINFOLK_VAR": str(var),
        "KINFOLK_ORIGIN": ORIGIN,
        "KINFOLK_SECRET": "s" * 40,
        "KINFOLK_HIGHLIGHT": "on",
    }


def sample_export(factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample docs as `content`, their export as `site`, and its `var`. Tests do not change it."""

    def make(folder: Path) -> None:
        shutil.copytree(SITE / "repos", folder / "content")
        done = run_export(folder / "site", folder / "content", folder / "var", "--no-share-images", "--workers", "2")
        assert done.returncode == 0, done.stderr[-3000:]

    return shared_folder(factory, "sample-export", make)

"""The export of the sample site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.prepared import SOURCE, Prepared
from tests.sample_site import SITE
from tests.sample_var import SAMPLE_VAR

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


def _make(folder: Path) -> None:
    shutil.copytree(SITE / "repos", folder / "content")
    odd = folder / "content/TanStack/ranger/main/docs/it's [a] (b) $c#d?e 100%.md"
    odd.write_text("# A page\n\n[Overview](./overview.md)\n")
    (folder / "var").mkdir()
    for file in SAMPLE_VAR.folder().glob("highlight.*"):
        shutil.copy(file, folder / "var")
    done = run_export(folder / "site", folder / "content", folder / "var", "--no-share-images", "--workers", "2")
    assert done.returncode == 0, done.stderr[-3000:]


SAMPLE_EXPORT = Prepared("sample-export", (*SOURCE, Path(__file__)), _make, (SAMPLE_VAR,))
"""The sample docs as `content`, their export as `site`, and its `var`."""

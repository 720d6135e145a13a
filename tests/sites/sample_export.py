"""The export of the sample site."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.servers.kinfolk_process import run_kinfolk
from tests.sites import acme_site
from tests.sites.acme_site import write_acme_site
from tests.sites.sample_site import SITE
from tests.sites.sample_var import SAMPLE_VAR
from tests.suite.prepared import SOURCE, Prepared

HOST = "https://example.com"
BASE_PATH = "/below"
ORIGIN = f"{HOST}{BASE_PATH}"


def run_export(
    folder: Path, content: Path, var: Path, *arguments: str, site: Path = SITE
) -> subprocess.CompletedProcess[str]:
    command = ["export", str(folder), "--content", str(content), "--no-share-images", *arguments]
    return run_kinfolk(*command, environment=environment(var, site), timeout=180)


def environment(var: Path, site: Path = SITE) -> dict[str, str]:
    return {
        **os.environ,
        "KINFOLK_SITE": str(site),
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
    done = run_export(folder / "site", folder / "content", folder / "var", "--workers", "1")
    assert done.returncode == 0, done.stderr[-3000:]


SAMPLE_EXPORT = Prepared("sample-export", (*SOURCE, Path(__file__)), _make, (SAMPLE_VAR,))
"""The sample docs as `content`, their export as `site`, and its `var`."""


def _make_small(folder: Path) -> None:
    write_acme_site(folder / "acme")
    arguments = "--workers", "1"
    done = run_export(folder / "export", folder / "acme/repos", folder / "var", *arguments, site=folder / "acme")
    assert done.returncode == 0, done.stderr[-3000:]


SMALL_EXPORT = Prepared("small-export", (*SOURCE, Path(__file__), Path(acme_site.__file__)), _make_small)
"""The site of another family as `acme`, its `export`, and its `var`. Tests change copies of it."""

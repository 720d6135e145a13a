"""The site of the pictures: the bundled docs, with an old version and an API reference of the sample library."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.browser import sample_library
from tests.servers.kinfolk_process import run_kinfolk
from tests.sites.sample_site import SITE
from tests.sites.sample_var import HIGHLIGHTED_CODE
from tests.suite.prepared import SOURCE, Prepared


def _make(folder: Path) -> None:
    docs = folder / "repos"
    shutil.copytree(SITE / "repos", docs)
    query = sample_library.write_library(folder / "sample") / "TanStack" / "query"
    shutil.copytree(query / "v4", docs / "TanStack/query/v4")
    shutil.copytree(query / "main/docs/reference", docs / "TanStack/query/main/docs/reference")
    shutil.copytree(HIGHLIGHTED_CODE.folder(), folder / "var")
    own = {"KINFOLK_SITE": str(SITE), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(folder / "var")}
    for command in ("highlight", "index"):
        done = run_kinfolk(command, "--content", str(docs), environment={**os.environ, **own}, timeout=600)
        assert done.returncode == 0, done.stderr[-3000:]


PICTURED_SITE = Prepared(
    "pictured-site", (*SOURCE, Path(__file__), Path(sample_library.__file__)), _make, (HIGHLIGHTED_CODE,)
)
"""The docs in `repos`, and their highlighted code and search index in `var`."""

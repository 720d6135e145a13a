"""The real docs of TanStack Query and its bundled examples, beside the bundled docs of the other libraries."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.servers.kinfolk_process import run_kinfolk
from tests.sites.corpus_data import CORPUS, corpus_folder
from tests.sites.sample_site import SITE
from tests.suite.prepared import SOURCE, Prepared

REPOSITORY = "TanStack/query"


def _make(folder: Path) -> None:
    docs, bundled = folder / "repos", SITE / "repos"
    shutil.copytree(bundled, docs, ignore=shutil.ignore_patterns("query"))
    shutil.copytree(corpus_folder() / REPOSITORY, docs / REPOSITORY)
    shutil.copytree(bundled / REPOSITORY / "main/examples", docs / REPOSITORY / "main/examples", dirs_exist_ok=True)
    own = {"KINFOLK_SITE": str(SITE), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(folder / "var")}
    run_kinfolk("index", "--content", str(docs), environment={**os.environ, **own}, timeout=600).check_returncode()


QUERY_SITE = Prepared("query-site", (*SOURCE, Path(__file__)), _make, (CORPUS,))
"""The docs in `repos`, and their search index in `var`."""

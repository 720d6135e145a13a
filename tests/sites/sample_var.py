"""The files that a server of the sample site writes in the background."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.servers.kinfolk_process import run_kinfolk
from tests.sites.sample_site import SITE
from tests.suite.prepared import SOURCE, Prepared


def _make(folder: Path) -> None:
    environment = {**os.environ, "KINFOLK_SITE": str(SITE), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(folder)}
    for command in ("highlight", "index"):
        done = run_kinfolk(command, environment=environment, timeout=600)
        assert done.returncode == 0, done.stderr[-3000:]


def _make_highlighted(folder: Path) -> None:
    for file in SAMPLE_VAR.folder().glob("highlight.*"):
        shutil.copy(file, folder)


SAMPLE_VAR = Prepared("sample-var", (*SOURCE, Path(__file__)), _make)
"""The highlighted code and the search index of the sample site."""

HIGHLIGHTED_CODE = Prepared("highlighted-code", (Path(__file__),), _make_highlighted, (SAMPLE_VAR,))
"""The same without the index, for servers of other docs, which would start with an index of the sample docs."""

"""The files that a server of the sample site writes in the background, made once in a test run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.run_folder import shared_folder
from tests.sample_site import SITE


def sample_var(factory: pytest.TempPathFactory) -> Path:
    """A folder with the highlighted code and the search index of the sample site. Tests do not change it."""

    def make(folder: Path) -> None:
        environment = {**os.environ, "KINFOLK_SITE": str(SITE), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(folder)}
        for command in ("highlight", "index"):
            subprocess.run([sys.executable, "-m", "kinfolk", command], check=True, env=environment, capture_output=True)

    return shared_folder(factory, "sample-var", make)


def highlighted_code(factory: pytest.TempPathFactory) -> Path:
    """The same without the index, for servers of other docs, which would start with an index of the sample docs."""

    def make(folder: Path) -> None:
        for file in sample_var(factory).glob("highlight.*"):
            shutil.copy(file, folder)

    return shared_folder(factory, "highlighted-code", make)

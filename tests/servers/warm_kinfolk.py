"""What a start of the site computes from code alone, for the process from which tests fork (`kinfolk_process`).

The validators of data files, the tables of the database and the rules of Markdown take 0.2 s of CPU in each server.
"""

from __future__ import annotations

import ctypes
import gc
import tempfile
from pathlib import Path

import py_mini_racer
from sqlalchemy.engine import URL
from tests.sites.sample_site import SITE

from kinfolk.config.settings import ROOT
from kinfolk.db.database import Database
from kinfolk.db.schema import upgrade
from kinfolk.site.configuration_check import configuration_faults


def _warm() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = URL.create("sqlite", database=str(Path(folder) / "warm.sqlite"))
        database = Database(file, lock_folder=Path(folder))
        upgrade(database)
        database.close()
    configuration_faults(SITE, ROOT / "frontend" / "dist")
    # To load V8 takes 40 ms. It is not started: its threads would not be in a fork.
    ctypes.CDLL(str(next(Path(py_mini_racer.__file__).parent.glob("libmini_racer.*"))))
    # Forks collect only what they create.
    gc.collect()
    gc.freeze()


_warm()

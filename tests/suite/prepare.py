"""Makes what many tests read (tests/suite/prepared.py), two at a time: `python -m tests.suite.prepare`."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import structlog
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from tests.pictures.pictured_site import PICTURED_SITE
from tests.processes.family import MIRRORED_FAMILY
from tests.sites.corpus_data import CORPUS, CORPUS_CRAWL, CORPUS_INDEX, CORPUS_MARKDOWN, corpus_source
from tests.sites.query_site import QUERY_SITE
from tests.sites.sample_export import SAMPLE_EXPORT, SMALL_EXPORT
from tests.sites.sample_var import HIGHLIGHTED_CODE, SAMPLE_VAR
from tests.suite.prepared import Prepared
from tests.suite.temporary_folders import use_memory

ALL = (
    CORPUS,
    SAMPLE_VAR,
    CORPUS_CRAWL,
    CORPUS_MARKDOWN,
    CORPUS_INDEX,
    SAMPLE_EXPORT,
    QUERY_SITE,
    HIGHLIGHTED_CODE,
    PICTURED_SITE,
    SMALL_EXPORT,
    MIRRORED_FAMILY,
)
"""What takes longest is made early."""
IN_OWN_PROCESS = frozenset((CORPUS_INDEX, CORPUS_MARKDOWN))
"""They use threads and isolates. The others only start processes, which are forked from one that has all modules."""
NEEDS_CORPUS = frozenset((CORPUS, CORPUS_CRAWL, CORPUS_INDEX, QUERY_SITE, CORPUS_MARKDOWN))


def main() -> None:
    use_memory()
    # Warnings about pages of the corpus are the same in each run, and break the progress bar.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    if len(sys.argv) > 1:
        # Tests of data that this machine cannot make skip, too.
        with suppress(pytest.skip.Exception):
            next(one for one in ALL if one.name == sys.argv[1]).folder()
        return
    wanted = [one for one in ALL if corpus_source() is not None or one not in NEEDS_CORPUS]
    missing = [one for one in wanted if not one.path.exists()]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        bar = progress.add_task("Preparing test data", total=len(missing))

        def make(one: Prepared) -> None:
            began = time.monotonic()
            if one in IN_OWN_PROCESS:
                subprocess.run([sys.executable, "-m", "tests.suite.prepare", one.name], check=True)
            else:
                with suppress(pytest.skip.Exception):
                    one.folder()
            progress.console.print(f"{one.name}: {time.monotonic() - began:.1f} s")
            progress.advance(bar)

        list(pool.map(make, missing))


if __name__ == "__main__":
    main()

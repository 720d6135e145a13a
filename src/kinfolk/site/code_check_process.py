"""A process that checks the code of all docs whenever it gets a line, and keeps what it has read until the next.

    python -m kinfolk.site.code_check_process

It reads the docs from the settings of its environment. It writes `.` for each page that it has checked and `!` after
each run, and ends with its standard input. Its parent is `web.background.docs_checks.code_check_service`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

import structlog

from kinfolk.config.catalog import open_catalog
from kinfolk.config.settings import Settings, process_settings
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import default_source
from kinfolk.content.docs.snapshots.code_check_run import open_code_check_run
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import check_store_file, markdown_renderer, open_releases
from kinfolk.content.redirects import load_redirects
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.runtime.logging_config import set_up_logs
from kinfolk.site.preview_code_checks import open_preview_checks

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NICENESS = 15
PAGE, DONE = b".", b"!"


class SiteCodeChecks:
    """Checks the docs of the settings' source as they are at each call. For one thread."""

    def __init__(self, settings: Settings, *, on_page: Callable[[], None] = lambda: None) -> None:
        """Raises Unavailable without docs, Invalid if the frontend is not built."""
        catalog = open_catalog(settings)
        self._source = default_source(settings, catalog)
        markdown = markdown_renderer(catalog, MarkdownProcessPool())
        # The packages of a version are those of its newest release.
        self._releases = open_releases(settings, catalog, markdown)
        self._docs = DocsSnapshot(
            catalog, load_redirects(settings.site), self._source.open(), markdown=markdown, releases=self._releases
        )
        self.store = CheckStore(check_store_file(settings))
        self.run = open_code_check_run(settings, catalog, lambda: self._docs, self.store, on_page=on_page)
        self._previews = open_preview_checks(settings, catalog, lambda: self._docs, self.run)

    def check(self) -> int:
        """Check what changed. Returns the number of pages that were checked. Raises Unavailable."""
        self._docs = self._docs.with_snapshot(self._source.open())
        if self._releases is not None:
            self._releases.update()
        # Previews are few pages, and are waited for. Those of a base that was not checked follow it.
        return self._check_previews() + self.run.check_all() + self._check_previews()

    def _check_previews(self) -> int:
        try:
            return self._previews.check() if self._previews is not None else 0
        except Unavailable as failure:
            log.warning("code of previews not checked", reason=failure.message)
            return 0


def main() -> None:
    os.nice(NICENESS)
    wanted = threading.Event()

    def listen() -> None:
        while os.read(0, 4096):
            wanted.set()
        os.killpg(0, signal.SIGKILL)  # with the processes of Markdown and of the compiler

    threading.Thread(target=listen, name="parent watch", daemon=True).start()
    settings = process_settings()
    # To the standard error: the standard output is for the parent.
    set_up_logs(settings.log)
    output = sys.stdout.fileno()
    checks = SiteCodeChecks(settings, on_page=lambda: _write(output, PAGE))
    while True:
        wanted.wait()
        wanted.clear()
        try:
            checks.check()
        except SiteError as failure:
            log.warning("code not checked", reason=failure.message)
        _write(output, DONE)


def _write(output: int, message: bytes) -> None:
    os.write(output, message)


if __name__ == "__main__":
    main()

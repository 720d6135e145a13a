"""Checks the code of previews, in the process that checks the code of all docs."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import is_preview_name
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.checker.code_checker import CheckFailed
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.code_check_run import CodeCheckRun
from kinfolk.content.docs.snapshots.preview_report import PreviewComparison
from kinfolk.content.pull_requests.known_previews import KnownPreview, KnownPreviews
from kinfolk.content.pull_requests.pull_request_store import PreviewLimits, PullRequestStore
from kinfolk.db.database import open_database, utc_now
from kinfolk.runtime.errors import SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class PreviewCodeChecks:
    """For one thread. `docs` must have the heads of pull requests."""

    def __init__(self, previews: KnownPreviews, docs: Callable[[], DocsSnapshot], run: CodeCheckRun) -> None:
        self._previews = previews
        self._docs = docs
        self._run = run
        self._store = run.store

    def check(self) -> int:
        """Check the changed pages of the previews that are fetched, and delete the checks of former previews.

        Returns the number of checked pages. Raises Unavailable when the database fails.
        """
        self._previews.update()
        known = self._previews.all()
        self._remove_others({(each.library.id, each.version) for each in known})
        return sum(map(self._check, known))

    def _check(self, preview: KnownPreview) -> int:
        library, releases = preview.library, self._docs().releases
        release = library.releases.table.version(preview.version)
        head = release.pull_request if release else None
        if head is None or releases is None or not releases.is_fetched(preview.ref):
            return 0
        state = self._store.preview_state(library.id, preview.version, base=head.base, commit=preview.ref.branch)
        if state.is_checked or state.key is None:
            return 0
        try:
            compared = PreviewComparison(ContentReader(self._docs()), library, preview.version)
            return self._run.check_preview(compared)
        except (SiteError, CheckFailed) as failure:
            log.warning("code of preview not checked", ref=str(preview.ref), reason=str(failure))
            return 0

    def _remove_others(self, known: set[tuple[str, str]]) -> None:
        for library, version in self._store.checked_versions():
            if is_preview_name(version) and (library, version) not in known:
                self._store.remove(library, version)


def has_previews(settings: Settings) -> bool:
    """Whether a site shows previews of pull requests."""
    return settings.mirror is not None and bool(settings.previews)


def open_preview_checks(
    settings: Settings, catalog: Catalog, docs: Callable[[], DocsSnapshot], run: CodeCheckRun
) -> PreviewCodeChecks | None:
    """None for a site without previews. It reads the table of previews, and changes nothing in it."""
    if not has_previews(settings):
        return None
    limits = PreviewLimits(settings.previews, settings.preview_days, settings.closed_preview_days)
    previews = KnownPreviews(catalog, PullRequestStore(open_database(settings), limits, now=utc_now))
    return PreviewCodeChecks(previews, docs, run)

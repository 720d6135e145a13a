"""Records the new reports of checked code, and purges what shows them. Each process reads the reports of all."""

from __future__ import annotations

from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.dependencies import Dependency, code_checks_of_library
from kinfolk.maintenance.code_check_weeks import CodeCheckWeeks
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site
from kinfolk.web.background.revision_purge import RevisionPurge


class CodeReports:
    """For one thread."""

    def __init__(self, store: CheckStore, weeks: CodeCheckWeeks) -> None:
        self._store = store
        self._weeks = weeks

    def stale_since(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        """Record the reports after the one with this number as those of this week.

        Returns the number of the last report, and what became stale. Blocks. Raises Unavailable.
        """
        last, versions = self._store.reports_since(revision)
        for library, version in sorted(versions):
            report = self._store.report(library, version)
            if report is not None:
                self._weeks.record(report)
        return last, frozenset(code_checks_of_library(library) for library, _ in versions)


def start_code_reports(site: Site, supervisor: Supervisor) -> None:
    """Start the task, on a site that checks code."""
    store = site.maintenance.code_checks
    if store is None:
        return
    reports = CodeReports(store, site.maintenance.code_weeks)
    purge = RevisionPurge(reports.stale_since, site.content.publisher.purge)
    supervisor.start_task("code reports", purge.run)

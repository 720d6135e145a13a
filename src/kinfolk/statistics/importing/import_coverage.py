"""What the importer has stored, and how its last requests went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kinfolk.db.database import Database, utc_now
from kinfolk.statistics.histories.history_store import HistoryStore
from kinfolk.statistics.histories.version_counts import recorded_weeks
from kinfolk.statistics.importing.import_plan import is_complete, newest_counted, years_to
from kinfolk.statistics.importing.import_queue import ImportQueue
from kinfolk.statistics.importing.importer_state import ImporterState, ImporterStateStore


@dataclass(frozen=True)
class PackageCoverage:
    """`years` are fetched from npm, of `all_years`; `has_file` if there are counts of a file."""

    name: str
    years: int
    all_years: int
    complete: bool
    has_file: bool


@dataclass(frozen=True)
class ImportCoverage:
    packages: tuple[PackageCoverage, ...]
    waiting: tuple[str, ...]
    not_found: tuple[str, ...]
    with_versions: int
    state: ImporterState


def import_coverage(database: Database, packages: Sequence[str]) -> ImportCoverage:
    """The coverage of `packages` and of those that readers requested. Raises Unavailable."""
    now = utc_now()
    store, queue = HistoryStore(database), ImportQueue(database, now=utc_now)
    state = ImporterStateStore(database).read()
    last = newest_counted(state.counted, now).day
    years, stored = store.year_states(), store.stored_packages()
    names = dict.fromkeys((*packages, *sorted(queue.imported()), *sorted(stored)))
    return ImportCoverage(
        packages=tuple(
            PackageCoverage(
                name,
                years=len(years.get(name, {})),
                all_years=len(years_to(last)),
                complete=is_complete(years.get(name, {}), last),
                has_file=name in stored and name not in years,
            )
            for name in names
            if name
        ),
        waiting=tuple(queue.waiting()),
        not_found=tuple(sorted(queue.not_found())),
        with_versions=len(recorded_weeks(database)),
        state=state,
    )

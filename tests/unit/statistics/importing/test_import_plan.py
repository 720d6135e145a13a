"""Which requests to npm are due, and in which order."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from kinfolk.statistics.histories.history import FIRST_DAY, REGISTRY
from kinfolk.statistics.histories.history_store import YearState
from kinfolk.statistics.importing.downloads_api import MAX_BULK_DAYS, MAX_DAYS, is_unscoped
from kinfolk.statistics.importing.import_plan import (
    CountsTask,
    StoredState,
    VersionsTask,
    count_requests,
    due_tasks,
    is_complete,
    is_final,
    newest_counted,
    years_to,
)
from kinfolk.statistics.importing.importer_state import Counted

NOON = datetime(2026, 11, 22, 12)  # noqa: DTZ001 - as the database stores times
COUNTED = Counted(date(2026, 11, 21), NOON - timedelta(hours=6))
PACKAGES = ["react", "vue", "@angular/core", REGISTRY]


def counts_tasks(packages: list[str], stored: StoredState, *, bulk: int = 32) -> list[CountsTask]:
    tasks = due_tasks(packages, stored, COUNTED, bulk=bulk)
    return [task for task in tasks if isinstance(task, CountsTask)]


def all_years(*, final: bool, as_of: datetime) -> dict[int, YearState]:
    return {year: YearState(final, as_of) for year in years_to(COUNTED.day)}


def test_everything_is_due_at_first_the_newest_year_and_versions_before_earlier_years() -> None:
    tasks = due_tasks(PACKAGES, StoredState(), COUNTED, bulk=32)
    newest = (date(2026, 1, 1), date(2026, 11, 21))
    assert tasks[:6] == [
        CountsTask(("react", "vue"), 2026, (newest,)),
        CountsTask(("@angular/core",), 2026, (newest,)),
        CountsTask((REGISTRY,), 2026, (newest,)),
        VersionsTask("react", COUNTED.day),
        VersionsTask("vue", COUNTED.day),
        VersionsTask("@angular/core", COUNTED.day),
    ]
    years = [task.year for task in tasks[6:] if isinstance(task, CountsTask)]
    assert years == sorted(years, reverse=True)
    assert count_requests(tasks) == len(PACKAGES) * 12 + 3


def test_a_leap_year_of_several_packages_takes_two_requests() -> None:
    (task,) = [task for task in counts_tasks(["react", "vue"], StoredState()) if task.year == 2024]
    assert task.spans == ((date(2024, 1, 1), date(2024, 12, 30)), (date(2024, 12, 31), date(2024, 12, 31)))


def test_the_first_year_begins_with_the_first_day_of_npm() -> None:
    (task,) = [task for task in counts_tasks(["react"], StoredState()) if task.year == 2015]
    assert task.spans == ((FIRST_DAY, date(2015, 12, 31)),)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", "@s/a", "@s/b", REGISTRY]), unique=True),
    st.dates(FIRST_DAY, date(2040, 12, 31)),
    st.integers(1, 5),
)
def test_all_days_are_requested_once(packages: list[str], last: date, bulk: int) -> None:
    counted = Counted(last, datetime.combine(last, datetime.min.time()) + timedelta(days=1, hours=6))
    # Numbers of days: there are up to nine thousand for each package.
    requested: dict[str, list[int]] = {name: [] for name in packages}
    for task in due_tasks(packages, StoredState(), counted, bulk=bulk):
        if isinstance(task, VersionsTask):
            continue
        assert len(task.packages) == 1 or all(map(is_unscoped, task.packages))
        for first, end in task.spans:
            assert (end - first).days < (MAX_BULK_DAYS if len(task.packages) > 1 else MAX_DAYS)
            for name in task.packages:
                requested[name] += range(first.toordinal(), end.toordinal() + 1)
    every = list(range(FIRST_DAY.toordinal(), last.toordinal() + 1))
    assert all(sorted(days) == every for days in requested.values())


def test_years_that_are_not_final_are_due_again_when_another_day_is_counted() -> None:
    before, after = COUNTED.since - timedelta(minutes=1), COUNTED.since
    assert len(counts_tasks(["react"], StoredState({"react": all_years(final=False, as_of=before)}))) == 12
    assert counts_tasks(["react"], StoredState({"react": all_years(final=False, as_of=after)})) == []
    assert counts_tasks(["react"], StoredState({"react": all_years(final=True, as_of=before)})) == []


def test_a_year_is_final_14_days_after_its_end() -> None:
    assert not is_final(2025, date(2026, 1, 14))
    assert is_final(2025, date(2026, 1, 15))
    assert not is_final(2026, date(2026, 11, 22))


def test_versions_are_recorded_in_weeks_that_do_not_overlap() -> None:
    years = {"react": all_years(final=True, as_of=NOON)}

    def due(last: date) -> list[object]:
        return list(due_tasks(["react"], StoredState(years, {"react": last}), COUNTED, bulk=32))

    assert due(date(2026, 11, 15)) == []
    assert due(date(2026, 11, 14)) == [VersionsTask("react", COUNTED.day)]


def test_packages_that_failed_come_last_and_in_smaller_groups() -> None:
    names = [f"p{number}" for number in range(8)]
    failures = dict.fromkeys(names[:4], 1) | {"p4": 3}
    tasks = [
        task.packages
        for task in due_tasks(names, StoredState(), COUNTED, bulk=4, failures=failures)
        if isinstance(task, CountsTask) and task.year == 2026
    ]
    assert tasks == [("p5", "p6", "p7"), ("p0", "p1"), ("p2", "p3"), ("p4",)]


def test_yesterday_counts_from_noon_if_the_total_of_the_registry_is_not_known() -> None:
    assert newest_counted(None, NOON) == Counted(date(2026, 11, 21), NOON)
    morning = NOON - timedelta(minutes=1)
    assert newest_counted(None, morning) == Counted(date(2026, 11, 20), NOON - timedelta(days=1))
    assert newest_counted(COUNTED, morning) == COUNTED
    assert newest_counted(Counted(date(2026, 11, 1), NOON), NOON) == Counted(date(2026, 11, 21), NOON)


def test_a_package_is_complete_with_all_years() -> None:
    years = all_years(final=False, as_of=NOON)
    assert is_complete(years, COUNTED.day)
    assert not is_complete(years, date(2027, 1, 1))
    assert not is_complete({year: state for year, state in years.items() if year != 2019}, COUNTED.day)

"""What is shown of stored figures and download histories, and when each figure is due."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.npm_histories import history

from kinfolk.config.catalog import Catalog
from kinfolk.config.catalog.library import Package
from kinfolk.statistics.figures.figure_refresh import FIRST_RETRY, LONGEST_RETRY, next_due, retry_after
from kinfolk.statistics.figures.figure_store import FigureKey, StoredFigure
from kinfolk.statistics.figures.open_source_figures import Figure, downloads_figures, sum_figures
from kinfolk.statistics.figures.site_figures import main_package, main_packages

TODAY = date(2026, 3, 18)
NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
A, B, C = (FigureKey(f"repository:a/{name}", "stars") for name in "abc")


def days_ago(days: int, value: int = 5) -> StoredFigure:
    return StoredFigure(value, NOON - timedelta(days=days))


@pytest.mark.parametrize(("days", "is_old"), [(0, False), (3, False), (4, True), (400, True), (-1, False)])
def test_figure_is_old_after_three_days(days: int, is_old: bool) -> None:
    figure = sum_figures([A], {A: days_ago(days)}, today=TODAY)
    assert figure == Figure(5, (TODAY - timedelta(days=days)).isoformat(), is_old)


def test_sum_has_the_time_of_its_oldest_figure() -> None:
    stored = {A: days_ago(0, 1), B: days_ago(5, 2), C: days_ago(1, 4)}
    assert sum_figures([A, B, C], stored, today=TODAY) == Figure(7, "2026-03-13", is_old=True)


def test_figure_that_is_named_twice_counts_once() -> None:
    assert sum_figures([A, A], {A: days_ago(0)}, today=TODAY) == Figure(5, "2026-03-18", is_old=False)


def test_sum_is_unknown_until_each_figure_is_known_or_absent() -> None:
    assert sum_figures([A, B], {A: days_ago(0)}, today=TODAY) is None
    assert sum_figures([A, B], {A: days_ago(0), B: StoredFigure(failures=3)}, today=TODAY) is None
    assert sum_figures([A, B], {A: days_ago(0), B: StoredFigure(absent=True)}, today=TODAY) == Figure(
        5, "2026-03-18", is_old=False
    )


def test_zero_is_a_known_figure_and_nothing_is_not() -> None:
    assert sum_figures([A], {A: days_ago(0, 0)}, today=TODAY) == Figure(0, "2026-03-18", is_old=False)
    assert sum_figures([A], {A: StoredFigure(absent=True)}, today=TODAY) is None
    assert sum_figures([], {}, today=TODAY) is None


def test_value_of_a_repository_that_is_gone_is_still_shown() -> None:
    figure = sum_figures([A], {A: replace(days_ago(9), absent=True)}, today=TODAY)
    assert figure == Figure(5, "2026-03-09", is_old=True)


# Downloads


def test_downloads_are_the_sum_and_the_mean_of_the_last_week() -> None:
    total, per_day = downloads_figures(
        [history("a", "2026-03-08", [1000, 1000, 1000, 7, 7, 7, 7, 7, 7, 7]), history("b", "2026-03-15", [1, 2, 3])],
        today=TODAY,
    )
    assert total == Figure(3049 + 6, "2026-03-17", is_old=False)
    assert per_day == Figure(9, "2026-03-17", is_old=False)


def test_days_without_a_count_and_of_outages_do_not_count() -> None:
    first = [10, 10, 0, None, 30, 30, 30, 30, 30, 0]
    second = [20, 20, 0, None, None, 0, 20, 20, 20, 0]
    total, per_day = downloads_figures(
        [history("a", "2026-03-08", first), history("b", "2026-03-08", second)], today=TODAY
    )
    assert total == Figure(170 + 100, "2026-03-16", is_old=False)
    # The last seven counted days: 170 / 7 of the first, and 100 / 6 of the second, whose zero is a count.
    assert per_day == Figure(round(170 / 7 + 100 / 6), "2026-03-16", is_old=False)


def test_downloads_are_as_old_as_the_package_with_the_oldest_counts() -> None:
    total, _ = downloads_figures(
        [history("a", "2026-03-10", [5] * 8), history("b", "2025-01-01", [5] * 10)], today=TODAY
    )
    assert total == Figure(90, "2025-01-10", is_old=True)


@pytest.mark.parametrize("histories", [None, [], [history("a", "2026-03-10", [0, 0, 0])]])
def test_downloads_without_counts_are_unknown(histories: list[object] | None) -> None:
    assert downloads_figures(histories, today=TODAY) == (None, None)  # type: ignore[arg-type]


def test_packages_without_downloads_add_nothing() -> None:
    total, per_day = downloads_figures(
        [history("a", "2026-03-10", [5] * 8), history("b", "2015-01-10", [0] * 9)], today=TODAY
    )
    assert (total, per_day) == (Figure(40, "2026-03-17", is_old=False), Figure(5, "2026-03-17", is_old=False))


# Main packages


def test_main_package_is_that_of_the_first_framework(catalog: Catalog) -> None:
    found = {library.id: main_package(catalog, library) for library in catalog.libraries}
    # The install command of Table names a version, and other frameworks first.
    assert found["table"] == "@tanstack/react-table"
    assert found["config"] == "@tanstack/vite-config"
    assert main_packages(catalog) == tuple(found.values())


def test_main_package_without_install_commands_is_the_first_of_npm(catalog: Catalog) -> None:
    query = catalog.library("query")
    assert main_package(catalog, replace(query, packages=())) == query.npm_packages[0]
    assert main_package(catalog, replace(query, packages=(), npm_packages=())) is None
    scoped = replace(query, packages=(Package("@a/b"), Package("c@1.2", "vue")))
    assert main_package(catalog, scoped) == "c"


# Times


@given(
    now=st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2100, 1, 1)),  # noqa: DTZ001
    count=st.integers(1, 40),
    hours=st.sampled_from([1, 24]),
)
def test_requests_are_spread_over_the_period(now: datetime, count: int, hours: int) -> None:
    period = timedelta(hours=hours)
    due = sorted(next_due(now, position, count, period) for position in range(count))
    assert all(now + period / 2 <= at < now + period * 3 / 2 for at in due)
    second = timedelta(seconds=1)
    assert all(abs(later - earlier - period / count) < second for earlier, later in pairwise(due))


@given(position=st.integers(0, 17), late_s=st.integers(0, 1799))
def test_figure_is_due_at_the_same_time_of_each_hour(position: int, late_s: int) -> None:
    hour = timedelta(hours=1)
    first = next_due(NOON, position, 18, hour)
    assert next_due(first + timedelta(seconds=late_s), position, 18, hour) == first + hour


def test_pauses_after_failures_double_up_to_a_limit() -> None:
    pauses = [retry_after(failures) for failures in range(1, 12)]
    assert pauses[:3] == [FIRST_RETRY, 2 * FIRST_RETRY, 4 * FIRST_RETRY]
    assert pauses[-1] == retry_after(10**9) == LONGEST_RETRY

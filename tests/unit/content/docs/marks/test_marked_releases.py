"""Which releases count for the marks of pages, and which of them are recent."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.docs.marks.marked_releases import marked_releases, recent_releases

TODAY = date(2026, 6, 30)


def release(number: str, days_ago: int = 0) -> Release:
    return Release(number, f"v{number}", number, TODAY - timedelta(days=days_ago), {}, "docs", number)


def test_stable_releases_of_the_newest_major_count_in_their_order() -> None:
    names = ("5.10.0", "5.9.1", "4.40.0", "5.0.0-beta.1", "6.0.0-rc.1", "svelte@6.1.0", "5.0.0")
    table = ReleaseTable(map(release, names))
    assert [each.number for each in marked_releases(table)] == ["5.0.0", "5.9.1", "5.10.0"]


@pytest.mark.parametrize("numbers", [(), ("1.0.0-beta.1",), ("vue@1.0.0",)])
def test_library_without_stable_releases_has_no_history(numbers: tuple[str, ...]) -> None:
    assert marked_releases(ReleaseTable(map(release, numbers))) == ()


@pytest.mark.parametrize(
    ("ages", "recent"),
    [
        ({"5.0.0": 400, "5.1.0": 61, "5.2.0": 60, "5.3.0": 1}, {"5.2.0", "5.3.0"}),
        ({"5.1.0": 200, "5.2.0": 190, "5.2.1": 180}, {"5.2.0", "5.2.1"}),
        ({"5.2.0": 366, "5.2.1": 365}, {"5.2.1"}),
        ({"5.2.0": 900}, set()),
        ({}, set()),
    ],
)
def test_last_days_and_the_newest_minor_are_recent(ages: dict[str, int], recent: set[str]) -> None:
    assert recent_releases([release(number, age) for number, age in ages.items()], TODAY) == recent

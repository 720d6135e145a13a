"""Clicks propose meanings where most of them lead to one page that does not rank first."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from tests.inputs.docs_records import DOCS_PAGES, docs_index

from kinfolk.search.analytics.learned_meanings import FavoredPage, favored_page, learned_meanings, page_place
from kinfolk.search.analytics.neutral_address import neutral_address
from kinfolk.search.analytics.query_log import ClickedText, RecordClicks
from kinfolk.search.engine.tantivy_index import TantivyIndex

FIRST = date(2026, 10, 28)
ADDRESSES = {str(record["objectID"]): address for record in DOCS_PAGES if (address := neutral_address(record))}
COMPARISON = "query:latest:comparison#"
REACT, VUE = "query:latest:framework/react/guides/caching#", "query:latest:framework/vue/guides/caching#"
STALE_TIME = "query:latest:framework/react/guides/caching#stale-time"
REMOVED = "query:latest:removed#"


def clicked(*days: dict[str, int], text: str = "swr", searches: int = 50) -> ClickedText:
    """Clicks by record on each day from FIRST."""
    clicks = [
        RecordClicks(record, FIRST + timedelta(days=at), count)
        for at, records in enumerate(days)
        for record, count in records.items()
    ]
    return ClickedText(text, searches, tuple(clicks))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TantivyIndex:
    return docs_index(tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("days", "address"),
    [
        # 60 percent of the clicks, on three days.
        ([{COMPARISON: 2, REACT: 1}, {COMPARISON: 2, REACT: 1}, {COMPARISON: 2, REACT: 2}], "query/comparison"),
        # Less than 60 percent.
        ([{COMPARISON: 59, REACT: 41}, {COMPARISON: 59, REACT: 41}, {COMPARISON: 59, REACT: 41}], None),
        # Any number of clicks on two days.
        ([{COMPARISON: 9000}, {COMPARISON: 9000}, {REACT: 1}], None),
        # All frameworks and sections are one page.
        ([{REACT: 3, VUE: 1}, {VUE: 3, COMPARISON: 1}, {STALE_TIME: 3}], "query/guides/caching"),
        # All versions are one page.
        ([{COMPARISON: 1}, {"query:v4:comparison#": 4}, {COMPARISON: 1}], "query/comparison"),
        # A section that has the majority by itself.
        (
            [{STALE_TIME: 3, REACT: 1}, {STALE_TIME: 3}, {STALE_TIME: 3, COMPARISON: 1}],
            "query/guides/caching#stale-time",
        ),
        # A page that does not exist, or is not part of the docs.
        ([{REMOVED: 9}, {REMOVED: 9, COMPARISON: 3}, {REMOVED: 9}], None),
        # Such pages count in the total.
        ([{COMPARISON: 5}, {COMPARISON: 5}, {COMPARISON: 5, REMOVED: 16}], None),
        ([], None),
    ],
)
def test_favored_page_has_majority_on_several_days(days: list[dict[str, int]], address: str | None) -> None:
    found = favored_page(clicked(*days), ADDRESSES)
    assert (found.address if found else None) == address


def test_favored_page_has_its_evidence() -> None:
    days = [{COMPARISON: 4, REACT: 1}, {COMPARISON: 3, REMOVED: 2}, {}, {COMPARISON: 5, VUE: 2}]
    assert favored_page(clicked(*days), ADDRESSES) == FavoredPage(
        page="query/comparison",
        address="query/comparison",
        clicks=12,
        total=17,
        by_day={FIRST: 4, FIRST + timedelta(days=1): 3, FIRST + timedelta(days=3): 5},
        others=[("query/guides/caching", 3), (REMOVED, 2)],
    )


def test_required_majority_is_configurable() -> None:
    days = [{COMPARISON: 7, REACT: 3}] * 3
    assert favored_page(clicked(*days), ADDRESSES, majority_percent=70) is not None
    assert favored_page(clicked(*days), ADDRESSES, majority_percent=71) is None


def test_place_counts_pages_of_latest_versions(index: TantivyIndex) -> None:
    pages = "query/comparison", "query/guides/caching", "table/guide/sorting"
    assert [page_place(index, "swr", page) for page in pages] == [1, 2, None]


def test_line_names_clicks_days_and_present_place(index: TantivyIndex) -> None:
    (line,) = learned_meanings([clicked(*[{"table:latest:guide/sorting#": 4, REACT: 1}] * 3)], index)
    assert (line.says, line.page) == ("swr", "table/guide/sorting")
    assert line.why == "12 of 15 clicks from 2026-10-28 to 2026-10-30; not among the first 50"
    assert line.notes == [
        "50 searches. Clicks on the page by day: 2026-10-28 4, 2026-10-29 4, 2026-10-30 4.",
        "Most clicked besides: query/guides/caching 3.",
    ]


def test_page_that_ranks_first_is_not_proposed(index: TantivyIndex) -> None:
    assert list(learned_meanings([clicked(*[{COMPARISON: 4}] * 3)], index)) == []
    (line,) = learned_meanings([clicked(*[{REACT: 2, VUE: 2}] * 3)], index)
    assert line.why == "12 of 12 clicks from 2026-10-28 to 2026-10-30; place 2"


def test_text_with_a_meaning_is_not_proposed(index: TantivyIndex) -> None:
    several = [clicked(*[{"table:latest:guide/sorting#": 4}] * 3, text=text) for text in ("swr", "apollo")]
    assert [line.says for line in learned_meanings(several, index, accepted={"swr"})] == ["apollo"]

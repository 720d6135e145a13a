"""Meanings that clicks suggest: texts whose readers open one page that the search does not rank first.

Clicks are input of the public. They change no result: a maintainer sees the evidence, and adds the line or does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from kinfolk.config.catalog import LATEST
from kinfolk.search.analytics.neutral_address import NeutralAddress, neutral_address
from kinfolk.search.analytics.proposed_meaning import ProposedMeaning
from kinfolk.search.analytics.query_log import ClickedText
from kinfolk.search.filters import Equals
from kinfolk.search.query import SearchableIndex, SearchQuery

MAJORITY_PERCENT = 60
MIN_DAYS = 3
"""Days with clicks on the page: what happens on one day, such as a flood of requests, proposes nothing."""
RANKED_PAGES = 50
"""Pages among which the present place of a page is looked up."""
LATEST_VERSION = Equals("version", LATEST)
_RECORDS_PER_READ = 100
_MOST_OTHERS = 3


@dataclass(frozen=True)
class FavoredPage:
    """The page with the majority of the clicks of a text. `address` names a section where that has the majority."""

    page: str
    address: str
    clicks: int
    total: int
    by_day: Mapping[date, int]
    """Clicks on the page, the first day first."""
    others: Sequence[tuple[str, int]]
    """Other pages or records with their clicks, the most clicked first."""


def favored_page(
    clicked: ClickedText, addresses: Mapping[str, NeutralAddress], *, majority_percent: int = MAJORITY_PERCENT
) -> FavoredPage | None:
    """The page that the majority of clicks leads to, on at least MIN_DAYS days; None without one.

    `addresses` has the records of docs pages that exist. Clicks on others count in the total only.
    """
    pages: Counter[str] = Counter()
    sections: Counter[str] = Counter()
    by_day: dict[str, Counter[date]] = {}
    existing = set()
    for one in clicked.clicks:
        address = addresses.get(one.record)
        page = address.page if address else one.record
        pages[page] += one.count
        by_day.setdefault(page, Counter())[one.day] += one.count
        if address:
            existing.add(page)
            sections[address.section] += one.count
    total = pages.total()
    (page, clicks), *others = pages.most_common() or [("", 0)]

    def is_majority(count: int) -> bool:
        return count * 100 >= total * majority_percent

    if page not in existing or not is_majority(clicks) or len(by_day[page]) < MIN_DAYS:
        return None
    section = next((name for name, count in sections.items() if is_majority(count)), page)
    return FavoredPage(page, section, clicks, total, dict(sorted(by_day[page].items())), others)


def learned_meanings(
    texts: Iterable[ClickedText],
    index: SearchableIndex,
    *,
    accepted: Collection[str] = (),
    majority_percent: int = MAJORITY_PERCENT,
) -> Iterator[ProposedMeaning]:
    """A line for each text whose favored page does not rank first, in the order of the texts.

    `accepted` are texts that have a meaning already.
    """
    for clicked in texts:
        if clicked.text in accepted:
            continue
        addresses = _addresses(index, sorted({one.record for one in clicked.clicks}))
        favored = favored_page(clicked, addresses, majority_percent=majority_percent)
        if favored is None:
            continue
        place = page_place(index, clicked.text, favored.page)
        if place != 1:
            yield _proposal(clicked, favored, place)


def page_place(index: SearchableIndex, text: str, page: str) -> int | None:
    """The place of a page among the pages of the latest versions, from 1; None if it is not among the first."""
    hits = index.search(SearchQuery(text=text, where=LATEST_VERSION, distinct=1, length=RANKED_PAGES)).hits
    found = (
        at for at, hit in enumerate(hits, start=1) if (at_hit := neutral_address(hit.record)) and at_hit.page == page
    )
    return next(found, None)


def _addresses(index: SearchableIndex, ids: Sequence[str]) -> dict[str, NeutralAddress]:
    found = {}
    for start in range(0, len(ids), _RECORDS_PER_READ):
        batch = ids[start : start + _RECORDS_PER_READ]
        for id, record in zip(batch, index.get(batch), strict=True):
            if record is not None and (address := neutral_address(record)):
                found[id] = address
    return found


def _proposal(clicked: ClickedText, favored: FavoredPage, place: int | None) -> ProposedMeaning:
    first, last = min(favored.by_day), max(favored.by_day)
    at = f"place {place}" if place is not None else f"not among the first {RANKED_PAGES}"
    by_day = ", ".join(f"{day} {count}" for day, count in favored.by_day.items())
    notes = [f"{clicked.searches} searches. Clicks on the page by day: {by_day}."]
    if favored.others:
        others = ", ".join(f"{name} {count}" for name, count in favored.others[:_MOST_OTHERS])
        notes.append(f"Most clicked besides: {others}.")
    return ProposedMeaning(
        says=clicked.text,
        page=favored.address,
        why=f"{favored.clicks} of {favored.total} clicks from {first} to {last}; {at}",
        notes=notes,
    )

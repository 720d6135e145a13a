"""Results of the search page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kinfolk.config.site_folder import DEFAULTS
from kinfolk.search.docs_index.results_view import HITS_PER_PAGE, AnswerFragments, TextFragment, search_page
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import load_ranking_config


def records() -> Iterator[Record]:
    for at in range(HITS_PER_PAGE + 1):
        yield {
            "objectID": f"{at}",
            "url": f"/query/latest/docs/{at}",
            "hierarchy": {"lvl0": "Query", "lvl1": f"Page {at}"},
            "content": "The docs say much. Retries of the mutation are set like this:",
            "library": "query",
            "version": ["latest"],
            "group": f"{at}",
            "weight": {"pageRank": 100 - at, "level": 1, "position": 0},
            "_excerpt": {"code": ["useMutation({ retry: 3 })"], "after": "61"},
        }


@pytest.fixture
def index(tmp_path: Path) -> SiteIndex:
    return SiteIndex(TantivyIndex.create(tmp_path, load_ranking_config(DEFAULTS).settings, records()), "1")


def test_first_result_has_its_answer_with_marked_words(index: SiteIndex) -> None:
    first, *others = search_page(index, "the mutation retries", {}, page=0).found
    assert first.answer == AnswerFragments(
        text=(
            TextFragment("Retries", found=True),
            TextFragment(" of the ", found=False),
            TextFragment("mutation", found=True),
            TextFragment(" are set like this:", found=False),
        ),
        code=(
            TextFragment("use", found=False),
            TextFragment("Mutation", found=True),
            TextFragment("({ ", found=False),
            TextFragment("retry", found=True),
            TextFragment(": 3 })", found=False),
        ),
    )
    assert len(others) == HITS_PER_PAGE - 1
    assert not any(page.answer for page in others)


def test_second_page_of_results_has_no_answer(index: SiteIndex) -> None:
    (last,) = search_page(index, "mutation retries", {}, page=1).found
    assert last.answer is None

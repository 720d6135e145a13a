"""Texts whose searches helped no reader are listed with pages that may be meant."""

from __future__ import annotations

from datetime import date
from typing import Literal

import pytest
from tests.inputs.docs_records import docs_index

from kinfolk.search.analytics.query_log import UnansweredText
from kinfolk.search.analytics.suggested_meanings import (
    MOST_CANDIDATES,
    candidate_pages,
    query_variants,
    split_compound,
    suggested_meanings,
)
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.text.vocabulary import Vocabulary

FIRST, LAST = date(2026, 11, 1), date(2026, 11, 24)
WORDS = Vocabulary(
    [[(word, 1) for word in ("get", "server", "servers", "side", "props", "sort", "rows", "form", "the")]]
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TantivyIndex:
    return docs_index(tmp_path_factory.mktemp("index"))


def unanswered(
    text: str, kind: Literal["without-results", "without-clicks"] = "without-results", searches: int = 12
) -> UnansweredText:
    return UnansweredText(text, kind, searches, FIRST, LAST)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getserversideprops", ("get", "server", "side", "props")),
        ("serversort", ("server", "sort")),
        ("serversprops", ("servers", "props")),
        ("server", ()),
        ("getsomethingelse", ()),
        ("", ()),
    ],
)
def test_compound_is_split_into_fewest_known_words(word: str, parts: tuple[str, ...]) -> None:
    assert split_compound(word, WORDS) == parts


@pytest.mark.parametrize(
    ("text", "variants"),
    [
        # Known words: each is left out once.
        ("sort server rows", ("server rows", "sort rows", "sort server")),
        # An unknown word is dropped, or corrected.
        ("sort teleport", ("sort",)),
        ("srot rows", ("sort rows", "rows", "sort")),
        # A compound is split.
        ("serversort rows", ("server sort rows", "sort rows", "server rows", "server sort")),
        # The search leaves out stop words by itself.
        ("sort the rows", ("the rows", "sort the")),
        ("sort the", ()),
        # Nothing is left of these.
        ("sort", ()),
        ("teleport", ()),
        ("?!", ()),
    ],
)
def test_variants_correct_or_leave_out_words(text: str, variants: tuple[str, ...]) -> None:
    assert query_variants(text, WORDS, stop_words=("the",)) == variants


def test_candidates_have_all_words_of_a_variant(index: TantivyIndex) -> None:
    found = candidate_pages(["server props", "server", "order rows"], index)
    # Two variants find the first one.
    assert found[0].page == "start/guide/server-functions"
    assert {address.page for address in found[1:]} == {"query/guides/ssr", "table/guide/sorting"}
    assert len(found) == MOST_CANDIDATES
    assert candidate_pages(["server sorting"], index) == ()


def test_lines_have_counts_dates_and_candidates(index: TantivyIndex) -> None:
    texts = [unanswered("getserversideprops"), unanswered("teleport", searches=4)]
    first, second = suggested_meanings(texts, index, index.vocabulary)
    assert (first.says, first.page) == ("getserversideprops", None)
    assert first.why == "12 searches without results from 2026-11-01 to 2026-11-24"
    assert first.candidates[0].page == "start/guide/server-functions"
    assert (second.says, second.candidates) == ("teleport", ())


def test_text_that_has_results_now_is_left_out(index: TantivyIndex) -> None:
    assert list(suggested_meanings([unanswered("sorting")], index, index.vocabulary)) == []


def test_pages_that_readers_did_not_click_are_no_candidates(index: TantivyIndex) -> None:
    text = unanswered("apollo table", "without-clicks")
    (line,) = suggested_meanings([text], index, index.vocabulary)
    assert line.why == "12 searches with results, none of which was clicked, from 2026-11-01 to 2026-11-24"
    # Comparison has both words, Sorting has one: the search shows both.
    assert line.candidates == ()


def test_each_text_is_listed_once(index: TantivyIndex) -> None:
    texts = [unanswered("sorting"), unanswered("sorting", "without-clicks"), unanswered("sorting", "without-clicks")]
    assert len(list(suggested_meanings(texts, index, index.vocabulary))) == 1


def test_text_with_a_meaning_is_not_listed(index: TantivyIndex) -> None:
    texts = [unanswered("teleport"), unanswered("quasar")]
    found = suggested_meanings(texts, index, index.vocabulary, accepted={"teleport"})
    assert [line.says for line in found] == ["quasar"]

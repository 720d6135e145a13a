"""Matching and ranking, with a few records per query."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as given_that
from hypothesis import strategies as st

from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import AllOf, AnyOf, Equals, Filter, InRange, Not, Record
from kinfolk.search.query import SearchQuery, SearchResult, Span
from kinfolk.search.ranking_config import Demotion, FacetBoost, IndexSettings, Intent, Synonym
from kinfolk.search.text.match_finder import WordMatchFinder

Make = Callable[..., TantivyIndex]

DOCS = IndexSettings(
    searchable_attributes=("title", "section", "content"),
    attributes_for_faceting=("searchable(library)", "framework", "price", "filterOnly(hidden)", "plain"),
    custom_ranking=("desc(worth)", "asc(place)"),
    attribute_for_distinct="page",
    remove_stop_words=True,
    stop_words=("the", "how", "to", "a"),
    remove_words_if_no_results=True,
    heading="title",
    heading_suffixes=("guide", "hook"),
    prefix_aliases=(("use", "create", "inject"),),
    facet_boosts=(FacetBoost("library"), FacetBoost("framework", matches_without_text=True, boost=2)),
    demotions=(Demotion("plain", "true", unless=("comparison",)),),
    synonyms=(Synonym(("abort", "cancel")), Synonym(("disabling queries",), "lazy query")),
)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def index(*records: Record, settings: IndexSettings = DOCS) -> TantivyIndex:
        numbered = [{"objectID": str(at), **record} for at, record in enumerate(records)]
        return TantivyIndex.create(tmp_path / "index", settings, numbered)

    return index


def titles(answer: SearchResult) -> list[object]:
    return [hit.record["title"] for hit in answer.hits]


def pages(*several: str, **more: object) -> list[Record]:
    return [{"title": title, **more} for title in several]  # type: ignore[dict-item]


QUERIES = (
    "Query Cancellation", "useQuery", "useQueryClient", "injectQuery", "Query Keys", "Debouncing Guide",
    "Infinite Queries", "Row Pinning", "Disabling Queries", "Prefetching",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("cancel", "Query Cancellation"),
        ("abort", "Query Cancellation"),
        ("query keys", "Query Keys"),
        ("queryKeys", "Query Keys"),
        ("querykeys", "Query Keys"),
        ("usequery", "useQuery"),
        ("use query", "useQuery"),
        ("useQ", "useQuery"),
        ("injectQ", "injectQuery"),
        ("debouncing", "Debouncing Guide"),
        ("debounce", "Debouncing Guide"),
        ("debouce", "Debouncing Guide"),
        ("infinte query", "Infinite Queries"),
        ("raw pinning", "Row Pinning"),
        ("lazy query", "Disabling Queries"),
        ("how to the prefetch", "Prefetching"),
        ("rpefetching", "Prefetching"),
        ("infin", "Infinite Queries"),
    ],
)
def test_page_is_found_by_variants_of_its_title(make: Make, text: str, first: str) -> None:
    assert titles(make(*pages(*QUERIES)).search(SearchQuery(text)))[:1] == [first]


def test_title_ranks_above_mention_and_typo_below_both(make: Make) -> None:
    index = make({"title": "Other", "content": "caching"}, {"title": "Caching"}, {"title": "Cashing"})
    assert titles(index.search(SearchQuery("caching"))) == ["Caching", "Other", "Cashing"]


def test_full_heading_and_exact_case_rank_first(make: Make) -> None:
    index = make({"title": "Query Keys in depth", "worth": 9}, {"title": "query keys"}, {"title": "Query Keys"})
    assert titles(index.search(SearchQuery("Query Keys"))) == ["Query Keys", "query keys", "Query Keys in depth"]


def test_custom_ranking_breaks_ties(make: Make) -> None:
    index = make(
        {"title": "Keys", "worth": 1, "place": 1},
        {"title": "Keys", "worth": 5, "place": 2},
        {"title": "Keys", "worth": 5, "place": 1},
        {"title": "Keys"},
    )
    assert [hit.id for hit in index.search(SearchQuery("keys")).hits] == ["2", "1", "0", "3"]


def test_adjacent_words_rank_above_separate_words(make: Make) -> None:
    index = make({"content": "stale data has a time", "worth": 9}, {"content": "the stale time of data"})
    assert [hit.id for hit in index.search(SearchQuery("stale time")).hits] == ["1", "0"]


def test_library_name_in_query_boosts_its_records(make: Make) -> None:
    index = make({"title": "State", "library": "form", "worth": 9}, {"title": "State", "library": "table"})
    assert index.search(SearchQuery("table state")).hits[0].record["library"] == "table"
    assert [hit.record["library"] for hit in index.search(SearchQuery("state")).hits] == ["form", "table"]


def test_page_for_all_frameworks_matches_framework_name(make: Make) -> None:
    index = make({"title": "Pagination", "framework": ["react", "vue"]}, {"title": "Pagination", "framework": ["lit"]})
    assert [hit.id for hit in index.search(SearchQuery("vue pagination")).hits][:1] == ["0"]


def test_demoted_records_rank_last_unless_named(make: Make) -> None:
    index = make({"title": "Cache comparison", "plain": True}, {"title": "Other", "content": "cache comparison"})
    assert titles(index.search(SearchQuery("cache"))) == ["Other", "Cache comparison"]
    assert titles(index.search(SearchQuery("cache comparison"))) == ["Cache comparison", "Other"]


def test_prefix_aliases_match_across_frameworks(make: Make) -> None:
    index = make({"title": "injectQuery"}, {"title": "useQuery"})
    assert titles(index.search(SearchQuery("useQuery"))) == ["useQuery", "injectQuery"]


def test_words_are_removed_only_with_too_few_results(make: Make) -> None:
    index = make({"title": "Query Keys"}, {"title": "Row Pinning"}, {"title": "Row Models"})
    assert titles(index.search(SearchQuery("query keys nonsense"))) == ["Query Keys"]
    assert index.search(SearchQuery("query nonsense", remove_words_if_no_results=False)).total == 0
    assert titles(index.search(SearchQuery("row pinning keys")))[0] == "Row Pinning"


def test_long_query_finds_page_that_lacks_one_word(make: Make) -> None:
    about, mention, levels = "Navigation Blocking", "Everything at length", ("section", "part", "point")
    words = "Warning of changes that are unsaved, and of navigation that is blocking."
    index = make(
        {"title": about, "content": "For changes in a form.", "page": "1"},
        {"title": mention, "content": words, "page": "2"},
        *({"title": f"Other {at}", "page": f"other {at}"} for at in range(20)),
        settings=dataclasses.replace(
            DOCS, searchable_attributes=("title", *levels, "content"), distinct=1, min_results=1, optional_word_from=3
        ),
    )
    optional = index.search(SearchQuery("navigation blocking unsaved"))
    assert (titles(optional), optional.total) == ([about, mention], 2)
    strict = index.search(SearchQuery("navigation blocking unsaved", remove_words_if_no_results=False))
    assert (titles(strict), strict.total) == ([mention], 1)


ASKED = dataclasses.replace(
    DOCS,
    searchable_attributes=("title", "section", "phrases", "content"),
    attributes_for_faceting=(*DOCS.attributes_for_faceting, "filterOnly(purpose)"),
    phrases="phrases",
    distinct=1,
    optional_word_from=3,
    demotions=(Demotion("plain", "true"),),
    intents=(Intent("purpose", "migration", ("moving from", "renamed")),),
)


def test_question_finds_page_by_phrases_that_its_text_lacks(make: Make) -> None:
    index = make(
        {
            "title": "Window Focus Refetching",
            "phrases": ["data reloads after alt tab", "revalidateOnFocus"],
            "page": "1",
        },
        {"title": "Tabs", "content": "Data after tab. Why it reloads is not said.", "page": "2"},
        {"title": "Focus", "page": "3"},
        settings=ASKED,
    )
    assert titles(index.search(SearchQuery("why do data reload when i alt tab back")))[0] == "Window Focus Refetching"
    assert titles(index.search(SearchQuery("revalidateOnFocus"))) == ["Window Focus Refetching"]


def test_query_with_the_words_of_a_phrase_ranks_above_a_title_with_them(make: Make) -> None:
    index = make(
        {"title": "Server Functions", "phrases": ["rpc call"], "page": "1"},
        {"title": "An RPC is called", "page": "2"},
        settings=ASKED,
    )
    assert titles(index.search(SearchQuery("calling the RPC"))) == ["Server Functions", "An RPC is called"]


def test_more_words_of_a_question_do_not_lose_the_page(make: Make) -> None:
    index = make(
        {"title": "Query Cancellation", "content": "Abort a request.", "page": "1"},
        *({"title": f"Other {at}", "content": "a component goes", "page": f"other {at}"} for at in range(20)),
        settings=ASKED,
    )
    for text in (
        "abort the request",
        "abort the request when the component",
        "abort the request when the component goes away",
    ):
        found = index.search(SearchQuery(text))
        assert titles(found)[0] == "Query Cancellation"
    assert found.total == 21
    assert index.search(SearchQuery(text, length=0)).total == 21


def test_question_without_half_of_its_words_is_no_match(make: Make) -> None:
    index = make({"title": "Query Keys", "page": "1"}, {"title": "Row Models", "page": "2"}, settings=ASKED)
    assert titles(index.search(SearchQuery("how are query keys like row ids"))) == ["Query Keys"]


def test_intent_ranks_its_records_first_and_none_of_them_is_demoted(make: Make) -> None:
    index = make(
        {"title": "Cache Time", "content": "How long data stay.", "page": "1"},
        {"title": "New names", "content": "The cache time.", "purpose": "migration", "plain": True, "page": "2"},
        settings=ASKED,
    )
    assert titles(index.search(SearchQuery("cache time renamed")))[0] == "New names"
    assert titles(index.search(SearchQuery("how long is the cache time")))[0] == "Cache Time"
    assert titles(index.search(SearchQuery("cache time")))[0] == "Cache Time"


def test_definition_of_a_name_ranks_above_headings_that_mention_it(make: Make) -> None:
    settings = dataclasses.replace(ASKED, defines="defines")
    index = make(
        {"title": "Cache", "section": "Using gcTime to opt out", "page": "1", "worth": 5},
        {"title": "Options", "content": "The gcTime in milliseconds.", "defines": ["gcTime"], "page": "2"},
        {"title": "New names", "section": "Rename cacheTime", "defines": ["cacheTime"], "plain": True, "page": "3"},
        {"title": "Old posts", "section": "The cacheTime of old", "page": "4"},
        settings=settings,
    )
    assert titles(index.search(SearchQuery("gcTime")))[0] == "Options"
    assert titles(index.search(SearchQuery("cacheTime"))) == ["New names", "Old posts"]
    both = titles(index.search(SearchQuery("difference cacheTime gcTime")))
    assert set(both[:2]) == {"Options", "New names"}


def test_name_is_translated_to_the_named_framework(make: Make) -> None:
    index = make(
        {"title": "Rules", "content": "useMutation in a component", "framework": ["angular"], "worth": 5},
        {"title": "injectMutation", "framework": ["angular"]},
        {"title": "useMutation", "framework": ["react"]},
        settings=DOCS,
    )
    assert titles(index.search(SearchQuery("angular useMutation")))[0] == "injectMutation"
    filtered = SearchQuery("useMutation", where=Equals("framework", "angular"))
    assert titles(index.search(filtered))[0] == "injectMutation"


def test_slight_demotion_decides_between_equal_places_only(make: Make) -> None:
    settings = dataclasses.replace(DOCS, demotions=(Demotion("plain", "true", slight=True),))
    index = make(
        {"title": "Query keys", "plain": True, "worth": 9},
        {"title": "Query keys"},
        {"section": "The keys"},
        settings=settings,
    )
    assert [hit.id for hit in index.search(SearchQuery("keys")).hits] == ["1", "2", "0"]


def test_full_heading_may_begin_with_library_name(make: Make) -> None:
    index = make(
        {"title": "Start once more", "section": "Quick", "library": "start"},
        {"title": "Quick Start", "library": "table"},
    )
    assert titles(index.search(SearchQuery("quick start")))[0] == "Quick Start"
    assert titles(index.search(SearchQuery("qoick start")))[0] == "Quick Start"


@pytest.mark.parametrize("text", ["query kys", "qury keys", "quary keys", "query kesy", "query keyys"])
def test_typo_in_any_word_of_a_title_is_corrected(make: Make, text: str) -> None:
    others = [f"Query {name}" for name in ("Functions", "Options", "Retries", "Filters")]
    assert titles(make(*pages(*others, "Query Keys")).search(SearchQuery(text)))[0] == "Query Keys"


def test_identifier_ranks_above_longer_identifier(make: Make) -> None:
    index = make(
        {"title": "usePrefetchQuery", "worth": 9},
        {"title": "QueryClient", "section": "queryClient.prefetchQuery"},
    )
    assert titles(index.search(SearchQuery("prefetchQuery"))) == ["QueryClient", "usePrefetchQuery"]


def test_title_with_identifier_part_ranks_above_mentions(make: Make) -> None:
    index = make(
        {"title": "Testing", "content": "set cacheTime here", "worth": 9},
        {"title": "Caching", "content": "set cacheTime here"},
    )
    assert titles(index.search(SearchQuery("cacheTime"))) == ["Caching", "Testing"]


def test_query_word_is_not_a_synonym_of_another_query_word(make: Make) -> None:
    index = make(
        {"title": "Cancel", "worth": 9},
        {"title": "Abort and cancel"},
        settings=dataclasses.replace(DOCS, heading=None),
    )
    assert titles(index.search(SearchQuery("abort cancel ", remove_words_if_no_results=False))) == ["Abort and cancel"]


def test_adjacent_facet_names_do_not_rank(make: Make) -> None:
    about = {"library": "form", "framework": "vue", "plain": "false"}
    index = make(
        {"title": "Overview of form in vue", "worth": 9, **about},
        {"title": "Arrays in vue form", **about},
    )
    assert titles(index.search(SearchQuery("vue form")))[0] == "Overview of form in vue"


def test_page_with_several_matches_ranks_above_one_match(make: Make) -> None:
    settings = dataclasses.replace(DOCS, distinct=1, max_group_matches=4)
    index = make(
        {"title": "Overview", "content": "isDirty", "page": "overview", "worth": 2},
        *({"title": "State", "content": "isDirty", "page": "state", "worth": 0} for _ in range(4)),
        settings=settings,
    )
    assert titles(index.search(SearchQuery("isDirty"))) == ["State", "Overview"]


def test_unknown_word_is_split_into_two_known_words(make: Make) -> None:
    index = make({"title": "Save your work", "content": "which is done by itself: auto"}, {"title": "Other"})
    assert titles(index.search(SearchQuery("autosave"))) == ["Save your work"]
    assert titles(index.search(SearchQuery("autosave", remove_words_if_no_results=False))) == []


def test_distinct_returns_and_counts_one_record_per_page(make: Make) -> None:
    index = make(
        {"title": "Keys", "page": "a", "library": "query"},
        {"title": "Keys", "section": "More keys", "page": "a", "library": "query"},
        {"title": "Keys", "page": "b", "library": "form"},
    )
    grouped = index.search(SearchQuery("keys", distinct=1, facets=("library",)))
    assert (len(grouped.hits), grouped.total, grouped.facets) == (2, 2, {"library": {"form": 1, "query": 1}})
    each = index.search(SearchQuery("keys", distinct=0, facets=("library",)))
    assert (len(each.hits), each.total, each.facets) == (3, 3, {"library": {"query": 2, "form": 1}})


def test_pages_of_hits_have_no_gaps_or_duplicates(make: Make) -> None:
    index = make(*({"title": f"Keys {at}", "worth": at % 7} for at in range(400)))
    found = [
        hit.id
        for offset in range(0, 400, 37)
        for hit in index.search(SearchQuery("keys", offset=offset, length=37)).hits
    ]
    assert len(found) == len(set(found)) == 400


FILTERED: Sequence[tuple[Filter, list[str]]] = [
    (Equals("library", "query"), ["0", "1"]),
    (Equals("library", "Query"), []),
    (Equals("framework", "vue"), ["1", "2"]),
    (Equals("unknown", "x"), []),
    (Equals("price", "3"), ["2"]),
    (Equals("count", "7"), ["1"]),
    (Equals("objectID", "2"), ["2"]),
    (Equals("_tags", "hot"), ["0"]),
    (Equals("plain", "true"), ["2"]),
    (Not(Equals("library", "query")), ["2"]),
    (AllOf((Equals("library", "query"), Equals("framework", "vue"))), ["1"]),
    (AllOf(()), ["0", "1", "2"]),
    (AnyOf((Equals("objectID", "0"), Equals("objectID", "2"))), ["0", "2"]),
    (AnyOf(()), []),
    (InRange("price", 1.5, 3), ["1", "2"]),
    (InRange("price", 1.6), ["2"]),
    (InRange("price", high=1), ["0"]),
    (InRange("price"), ["0", "1", "2"]),
    (InRange("deep.number", -5, -5), ["1"]),
    (InRange("price", 3, 1), []),
    (InRange("price", -1e300, 1e300), ["0", "1", "2"]),
    (InRange("price", 1e-9, 2**70), ["0", "1", "2"]),
    (InRange("count", 7, 7), ["1"]),
    (InRange("nothing", 0, 1), []),
]


@pytest.mark.parametrize(("where", "ids"), FILTERED)
def test_filter_selects_records(make: Make, where: Filter, ids: list[str]) -> None:
    index = make(
        {"library": "query", "framework": ["react"], "price": 1, "_tags": ["hot"]},
        {"library": "query", "framework": ["react", "vue"], "price": 1.5, "count": 7, "deep": {"number": -5}},
        {"library": "form", "framework": ["vue"], "price": 3, "plain": True},
    )
    assert sorted(hit.id for hit in index.search(SearchQuery(where=where)).hits) == ids


def test_nan_range_is_rejected(make: Make) -> None:
    with pytest.raises(Invalid):
        make({"price": 1}).search(SearchQuery(where=InRange("price", math.nan)))


def test_filter_has_as_many_hits_as_its_facet_value_was_counted(make: Make) -> None:
    similar = pages("Cachet", "Cacho", library="table")
    index = make(*pages(*["Cache"] * 10, library="query"), *pages("Cache", library="table"), *similar)
    counted = index.search(SearchQuery("cache", facets=("library",), prefix_mode="none")).facets["library"]
    assert counted == {"query": 10, "table": 1}
    for library, count in counted.items():
        narrowed = SearchQuery("cache", where=Equals("library", library), prefix_mode="none")
        assert index.search(narrowed).total == count
    # A filter without the word itself still finds words that it may be a typo of.
    without = make(*pages(*["Cache"] * 10, library="query"), *similar)
    typo = SearchQuery("cache", where=Equals("library", "table"), prefix_mode="none")
    assert without.search(typo).total == 2


def test_facets_are_counted_and_numeric_facets_have_stats(make: Make) -> None:
    index = make(
        {"title": "a", "library": "query", "price": 2, "hidden": "x"},
        {"title": "a", "library": "form", "price": 4},
        {"title": "a", "library": "form", "price": 3},
    )
    answer = index.search(SearchQuery("a", facets=("*",), length=0))
    assert answer.facets == {"library": {"form": 2, "query": 1}, "price": {"2": 1, "3": 1, "4": 1}}
    stats = answer.stats["price"]
    assert (stats.least, stats.most, stats.average, stats.sum) == (2, 4, 3, 9)
    assert index.search(SearchQuery("a", facets=("library",), max_values_per_facet=1)).facets == {
        "library": {"form": 2}
    }


def test_facet_values_match_word_prefixes(make: Make) -> None:
    index = make({"library": "Query Core"}, {"library": "Form"}, {"library": "Query Core"}, {"library": "coreUtils"})
    assert index.facet_values("library", "co", SearchQuery(), limit=5) == (("Query Core", 2), ("coreUtils", 1))
    assert index.facet_values("library", "query c", SearchQuery(), limit=5) == (("Query Core", 2),)
    with pytest.raises(Invalid):
        index.facet_values("framework", "r", SearchQuery(), limit=5)


def test_optional_filters_rank_without_excluding(make: Make) -> None:
    index = make({"title": "Keys", "library": "query", "worth": 9}, {"title": "Keys", "library": "form"})
    found = index.search(SearchQuery("keys", optional_filters=(Equals("library", "form"),)))
    assert [hit.record["library"] for hit in found.hits] == ["form", "query"]


def test_stop_words_are_not_marked(make: Make) -> None:
    found = make({"title": "How to cancel"}).search(SearchQuery("how to cancel the page"))
    assert [span.words for span in found.spans("How to cancel the query")] == [("cancel",)]


def test_query_is_restricted_to_attributes(make: Make) -> None:
    index = make({"title": "Keys"}, {"content": "keys"})
    assert [hit.id for hit in index.search(SearchQuery("keys", restrict_attributes=("content",))).hits] == ["1"]
    assert index.search(SearchQuery("keys", restrict_attributes=("nothing",))).total == 0


@pytest.mark.parametrize(
    ("text", "beginnings", "found"),
    [("quer", "last", 1), ("quer ", "last", 0), ("quer", "none", 0), ("quer ke", "all", 1), ("quer ke", "last", 0)],
)
def test_only_the_last_open_word_is_a_prefix(make: Make, text: str, beginnings: str, found: int) -> None:
    index = make({"title": "Querying Keyboards"})
    question = SearchQuery(text, prefix_mode=beginnings, max_typos=0, remove_words_if_no_results=False)  # type: ignore[arg-type]
    assert index.search(question).total == found


MARKED = [
    ("query can", "Query Cancellation", ["Query", "Can"]),
    ("cancel", "Query Cancellation", ["Cancellation"]),
    ("useq", "call useQuery()", ["useQ"]),
    ("query", "useQueryClient", ["Query"]),
    ("debouce", "Debouncing", ["Debouncing"]),
    ("use query", "useQuery", ["useQuery"]),
    ("cafe", "Das Café.", ["Café"]),
    ("keys", "monkeys and donkeys", []),
    ("", "anything", []),
]


@pytest.mark.parametrize(("text", "shown", "marked"), MARKED)
def test_query_words_are_matched_in_any_text(make: Make, text: str, shown: str, marked: list[str]) -> None:
    index = make(*pages(*QUERIES, "Café"))
    spans = index.search(SearchQuery(text)).spans(shown)
    assert [shown[span.start : span.end] for span in spans] == marked


@given(st.text(alphabet="erkqQKuyY $_2.", max_size=60))
def test_prefiltered_matches_equal_all_matches(shown: str) -> None:
    def spans(text: str) -> list[Span]:
        return list(WordMatchFinder({"query": ("query",)}, {}, {"ke": "ke", "$": "$"}).spans(text))

    # A text with a non-ASCII character is matched word by word.
    assert spans(shown) == spans(f"{shown} ü")


@given_that(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_query_has_a_result_without_overlapping_spans(
    tmp_path_factory: pytest.TempPathFactory, text: str, shown: str
) -> None:
    index = TantivyIndex.create(tmp_path_factory.mktemp("index"), DOCS, [{"objectID": "1", "title": shown}])
    spans = index.search(SearchQuery(text, facets=("*",))).spans(shown)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(shown) for edge in edges)


@pytest.mark.parametrize(
    "text", ["a" * 512, "a " * 256, "x" * 9 + " " + "y" * 9, ":(*?[~^", "  ", "AND OR NOT", "日本語"]
)
def test_extreme_queries_have_a_result(make: Make, text: str) -> None:
    assert make(*pages(*QUERIES)).search(SearchQuery(text)).total >= 0


def test_write_is_one_commit_and_changes_the_generation(make: Make) -> None:
    index = make({"title": "One"}, {"title": "Two"})
    before = index.generation
    index.write([{"objectID": "0", "title": "Uno"}, {"objectID": "9", "title": "Nine"}], ["1"])
    assert index.generation != before
    assert index.get(["0", "1", "9"]) == ({"objectID": "0", "title": "Uno"}, None, {"objectID": "9", "title": "Nine"})
    assert (index.count, index.search(SearchQuery("one")).total) == (2, 0)


def test_invalid_record_leaves_index_unchanged(make: Make) -> None:
    index = make({"title": "One"})
    unkeepable: list[Record] = [{"title": "no id"}, {"objectID": "2", "title": "x", "number": 2**70}]
    for wrong in unkeepable:
        with pytest.raises(Invalid):
            index.write([{"objectID": "1", "title": "Two"}, wrong])
    assert (index.count, index.search(SearchQuery("two")).total) == (1, 0)
    index.write([{"objectID": "1", "title": "Two"}])
    assert index.count == 2


def test_result_is_cached_until_a_write(make: Make) -> None:
    index = make({"title": "One"})
    assert index.search(SearchQuery("one")) is index.search(SearchQuery("one"))
    index.write([{"objectID": "2", "title": "One more"}])
    assert index.search(SearchQuery("one")).total == 2


def test_browse_is_consistent_during_writes(make: Make) -> None:
    index = make(*({"title": f"Title {at}"} for at in range(50)))
    seen, cursor = index.browse(None, SearchQuery(), limit=20)
    index.write([], [str(at) for at in range(50)])
    while cursor is not None:
        more, cursor = index.browse(cursor, SearchQuery(), limit=20)
        seen += more
    assert sorted(int(str(record["objectID"])) for record in seen) == list(range(50))
    with pytest.raises(Invalid):
        index.browse("no cursor", SearchQuery(), limit=1)


def test_changed_settings_index_the_same_records_again(make: Make) -> None:
    index = make({"title": "One", "content": "hidden"})
    index.apply_settings(IndexSettings(searchable_attributes=("title",)))
    assert (index.search(SearchQuery("hidden")).total, index.search(SearchQuery("one")).total) == (0, 1)


def test_reader_sees_commit_after_refresh(make: Make, tmp_path: Path) -> None:
    index = make({"title": "One"})
    other = TantivyIndex(tmp_path / "index", DOCS)
    index.write([{"objectID": "2", "title": "Two"}])
    assert other.search(SearchQuery("two")).total == 0
    other.refresh()
    assert other.search(SearchQuery("two")).total == 1


def test_concurrent_writes_are_serialized(make: Make) -> None:
    index = make()
    threads = [threading.Thread(target=index.write, args=([{"objectID": str(at), "title": "One"}],)) for at in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.count == 6


def test_throttled_opening_gives_the_same_index(make: Make, tmp_path: Path) -> None:
    make({"title": "One"}, {"title": "Two"})
    calls: list[None] = []
    other = TantivyIndex(tmp_path / "index", DOCS, throttle=lambda: calls.append(None))
    assert len(calls) > len(DOCS.tiers)
    assert (other.count, other.search(SearchQuery("two")).total) == (2, 1)


def test_folder_without_an_index_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        TantivyIndex(tmp_path, DOCS)


def test_identifier_without_its_prefix_ranks_the_page_about_it_first(make: Make) -> None:
    settings = dataclasses.replace(DOCS, synonyms=(Synonym(("fn", "function")),))
    index = make(
        {"title": "Middleware", "content": "createServerFn", "worth": 1},
        {"title": "Server Functions", "content": "createServerFn"},
        settings=settings,
    )
    assert titles(index.search(SearchQuery("createServerFn"))) == ["Server Functions", "Middleware"]


# Letters and symbols

LANGUAGES = (
    {"title": "C", "content": "Calls and callbacks of the cache in C."},
    {"title": "Clients", "section": "C in the net", "content": "Create a client for f and c."},
    {"title": "Language bindings", "section": "C++ and C# and .NET and F#", "content": "Bindings for C++."},
    {"title": "Suche", "section": "Suche mit Größe", "content": "Straße, Łódź, Ærøskøbing, øl and ışık."},
    {"title": "Optional chaining ?.", "content": "a?.b and => and ??=."},
    {"title": "Assertions", "content": "Write value!! at your own risk. Why? Because!"},
)


@pytest.mark.parametrize("text", ["C++", "c#", "F#", ".NET", ".net", "bindings for C++"])
def test_name_with_symbols_finds_the_heading_about_it_first(make: Make, text: str) -> None:
    answer = make(*LANGUAGES).search(SearchQuery(text))
    assert answer.hits[0].record["title"] == "Language bindings"


@pytest.mark.parametrize(
    "text", ["strasse", "STRASSE", "Straße", "lodz", "ŁÓDŹ", "aeroskobing", "ol", "grosse", "größe", "isik"]
)
def test_letters_without_a_decomposition_are_folded_in_query_and_index(make: Make, text: str) -> None:
    assert titles(make(*LANGUAGES).search(SearchQuery(text)))[0] == "Suche"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("?.", ["Optional chaining ?."]),
        ("=>", ["Optional chaining ?."]),
        ("??=", ["Optional chaining ?."]),
        ("!!", ["Assertions"]),
        ("!", []),
        ("?", []),
        ("&&", []),
        (", ;", []),
        ("🎉", []),
    ],
)
def test_query_of_symbols_finds_what_has_them_and_nothing_else(make: Make, text: str, expected: list[str]) -> None:
    index = make(*LANGUAGES)
    assert titles(index.search(SearchQuery(text))) == expected
    assert len(index.browse(None, SearchQuery(text), limit=10)[0]) == len(expected)
    assert len(index.search(SearchQuery(f" {text[:0]} ")).hits) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("strasse", "Die Straße dort", ["Straße"]),
        ("lodz", "In Łódź", ["Łódź"]),
        ("stra", "Die Straße", ["Straße"]),
        ("c++", "Bindings for C++ and C", ["C++", "C"]),
        (".net", "The .NET runtime of the net", [".NET", "net"]),
        ("?.", "a?.b and (x?.y)", ["?.", "?."]),
        ("=>", "größe => x", ["=>"]),
        ("c#", "A C# and a c", ["C#", "c"]),
    ],
)
def test_matches_with_folded_letters_and_symbols_are_ranges_of_the_written_text(
    make: Make, query: str, text: str, marked: list[str]
) -> None:
    answer = make(*LANGUAGES).search(SearchQuery(query))
    assert [text[span.start : span.end] for span in answer.spans(text)] == marked

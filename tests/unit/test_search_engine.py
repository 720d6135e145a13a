"""Finding and ranking, on a few records made for each question."""

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

from kinfolk.errors import Invalid, Unavailable
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.marker import WordMarker
from kinfolk.search.query import All, Answer, Between, Either, Equals, Filter, Not, Question, Record, Span
from kinfolk.search.rules import Demoted, IndexSettings, Named, Synonym

Make = Callable[..., TantivyIndex]

DOCS = IndexSettings(
    searchable_attributes=("title", "section", "content"),
    attributes_for_faceting=("searchable(library)", "framework", "price", "filterOnly(hidden)", "plain"),
    custom_ranking=("desc(worth)", "asc(place)"),
    attribute_for_distinct="page",
    remove_stop_words=True,
    stop_words=("the", "how", "to", "a"),
    last_resort=True,
    heading="title",
    heading_suffixes=("guide", "hook"),
    sisters=(("use", "create", "inject"),),
    named=(Named("library"), Named("framework", stands=True, boost=2)),
    demoted=(Demoted("plain", "true", unless=("comparison",)),),
    synonyms=(Synonym(("abort", "cancel")), Synonym(("disabling queries",), "lazy query")),
)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def index(*records: Record, settings: IndexSettings = DOCS) -> TantivyIndex:
        numbered = [{"objectID": str(at), **record} for at, record in enumerate(records)]
        return TantivyIndex.create(tmp_path / "index", settings, numbered)

    return index


def titles(answer: Answer) -> list[object]:
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
def test_a_page_is_found_by_what_somebody_may_call_it(make: Make, text: str, first: str) -> None:
    assert titles(make(*pages(*QUERIES)).search(Question(text)))[:1] == [first]


def test_a_title_comes_before_a_mention_and_a_typo_after_both(make: Make) -> None:
    index = make({"title": "Other", "content": "caching"}, {"title": "Caching"}, {"title": "Cashing"})
    assert titles(index.search(Question("caching"))) == ["Caching", "Other", "Cashing"]


def test_the_whole_heading_comes_before_a_longer_one_and_its_spelling_before_another(make: Make) -> None:
    index = make({"title": "Query Keys in depth", "worth": 9}, {"title": "query keys"}, {"title": "Query Keys"})
    assert titles(index.search(Question("Query Keys"))) == ["Query Keys", "query keys", "Query Keys in depth"]


def test_of_records_that_match_alike_the_worthier_comes_first(make: Make) -> None:
    index = make(
        {"title": "Keys", "worth": 1, "place": 1},
        {"title": "Keys", "worth": 5, "place": 2},
        {"title": "Keys", "worth": 5, "place": 1},
        {"title": "Keys"},
    )
    assert [hit.id for hit in index.search(Question("keys")).hits] == ["2", "1", "0", "3"]


def test_words_next_to_each_other_come_before_words_apart(make: Make) -> None:
    index = make({"content": "stale data has a time", "worth": 9}, {"content": "the stale time of data"})
    assert [hit.id for hit in index.search(Question("stale time")).hits] == ["1", "0"]


def test_the_name_of_a_library_in_the_question_puts_its_records_first(make: Make) -> None:
    index = make({"title": "State", "library": "form", "worth": 9}, {"title": "State", "library": "table"})
    assert index.search(Question("table state")).hits[0].record["library"] == "table"
    assert [hit.record["library"] for hit in index.search(Question("state")).hits] == ["form", "table"]


def test_a_page_for_every_framework_is_found_with_the_name_of_one(make: Make) -> None:
    index = make({"title": "Pagination", "framework": ["react", "vue"]}, {"title": "Pagination", "framework": ["lit"]})
    assert [hit.id for hit in index.search(Question("vue pagination")).hits][:1] == ["0"]


def test_what_is_demoted_comes_last_unless_it_is_asked_for(make: Make) -> None:
    index = make({"title": "Cache comparison", "plain": True}, {"title": "Other", "content": "cache comparison"})
    assert titles(index.search(Question("cache"))) == ["Other", "Cache comparison"]
    assert titles(index.search(Question("cache comparison"))) == ["Cache comparison", "Other"]


def test_what_one_framework_calls_use_another_calls_inject(make: Make) -> None:
    index = make({"title": "injectQuery"}, {"title": "useQuery"})
    assert titles(index.search(Question("useQuery"))) == ["useQuery", "injectQuery"]


def test_some_words_are_enough_only_where_too_few_records_have_all(make: Make) -> None:
    index = make({"title": "Query Keys"}, {"title": "Row Pinning"}, {"title": "Row Models"})
    assert titles(index.search(Question("query keys nonsense"))) == ["Query Keys"]
    assert index.search(Question("query nonsense", last_resort=False)).total == 0
    assert titles(index.search(Question("row pinning keys")))[0] == "Row Pinning"


def test_a_question_of_many_words_finds_the_page_about_them_though_it_lacks_one(make: Make) -> None:
    about, mention, levels = "Navigation Blocking", "Everything at length", ("section", "part", "point")
    words = "Warning of changes that are unsaved, and of navigation that is blocking."
    index = make(
        {"title": about, "content": "For changes in a form.", "page": "1"},
        {"title": mention, "content": words, "page": "2"},
        *({"title": f"Other {at}", "page": f"other {at}"} for at in range(20)),
        settings=dataclasses.replace(
            DOCS, searchable_attributes=("title", *levels, "content"), distinct=1, enough=1, forgiving_from=3
        ),
    )
    asked = index.search(Question("navigation blocking unsaved"))
    assert (titles(asked), asked.total) == ([about, mention], 2)
    strict = index.search(Question("navigation blocking unsaved", last_resort=False))
    assert (titles(strict), strict.total) == ([mention], 1)


def test_a_heading_of_several_words_may_begin_with_the_name_of_a_library(make: Make) -> None:
    index = make(
        {"title": "Start once more", "section": "Quick", "library": "start"},
        {"title": "Quick Start", "library": "table"},
    )
    assert titles(index.search(Question("quick start")))[0] == "Quick Start"
    assert titles(index.search(Question("qoick start")))[0] == "Quick Start"


@pytest.mark.parametrize("text", ["query kys", "qury keys", "quary keys", "query kesy", "query keyys"])
def test_a_slip_in_any_word_of_a_title_finds_it(make: Make, text: str) -> None:
    others = [f"Query {name}" for name in ("Functions", "Options", "Retries", "Filters")]
    assert titles(make(*pages(*others, "Query Keys")).search(Question(text)))[0] == "Query Keys"


def test_an_identifier_comes_before_a_longer_one_that_has_its_parts(make: Make) -> None:
    index = make(
        {"title": "usePrefetchQuery", "worth": 9},
        {"title": "QueryClient", "section": "queryClient.prefetchQuery"},
    )
    assert titles(index.search(Question("prefetchQuery"))) == ["QueryClient", "usePrefetchQuery"]


def test_a_title_with_a_part_of_an_identifier_comes_before_others_whose_text_has_it(make: Make) -> None:
    index = make(
        {"title": "Testing", "content": "set cacheTime here", "worth": 9},
        {"title": "Caching", "content": "set cacheTime here"},
    )
    assert titles(index.search(Question("cacheTime"))) == ["Caching", "Testing"]


def test_another_word_of_the_question_is_no_synonym_of_the_first(make: Make) -> None:
    index = make(
        {"title": "Cancel", "worth": 9},
        {"title": "Abort and cancel"},
        settings=dataclasses.replace(DOCS, heading=None),
    )
    assert titles(index.search(Question("abort cancel ", last_resort=False))) == ["Abort and cancel"]


def test_that_two_names_stand_together_in_a_text_says_nothing(make: Make) -> None:
    about = {"library": "form", "framework": "vue", "plain": "false"}
    index = make(
        {"title": "Overview of form in vue", "worth": 9, **about},
        {"title": "Arrays in vue form", **about},
    )
    assert titles(index.search(Question("vue form")))[0] == "Overview of form in vue"


def test_a_page_with_several_records_that_match_comes_before_one_that_mentions_it_once(make: Make) -> None:
    settings = dataclasses.replace(DOCS, distinct=1, repeated=4)
    index = make(
        {"title": "Overview", "content": "isDirty", "page": "overview", "worth": 2},
        *({"title": "State", "content": "isDirty", "page": "state", "worth": 0} for _ in range(4)),
        settings=settings,
    )
    assert titles(index.search(Question("isDirty"))) == ["State", "Overview"]


def test_a_word_that_is_nowhere_is_taken_for_the_two_it_is_made_of(make: Make) -> None:
    index = make({"title": "Save your work", "content": "which is done by itself: auto"}, {"title": "Other"})
    assert titles(index.search(Question("autosave"))) == ["Save your work"]
    assert titles(index.search(Question("autosave", last_resort=False))) == []


def test_one_record_stands_for_its_page_and_counts_once(make: Make) -> None:
    index = make(
        {"title": "Keys", "page": "a", "library": "query"},
        {"title": "Keys", "section": "More keys", "page": "a", "library": "query"},
        {"title": "Keys", "page": "b", "library": "form"},
    )
    grouped = index.search(Question("keys", distinct=1, facets=("library",)))
    assert (len(grouped.hits), grouped.total, grouped.facets) == (2, 2, {"library": {"form": 1, "query": 1}})
    each = index.search(Question("keys", distinct=0, facets=("library",)))
    assert (len(each.hits), each.total, each.facets) == (3, 3, {"library": {"query": 2, "form": 1}})


def test_pages_of_hits_follow_each_other_without_gap_or_repetition(make: Make) -> None:
    index = make(*({"title": f"Keys {at}", "worth": at % 7} for at in range(400)))
    found = [
        hit.id for offset in range(0, 400, 37) for hit in index.search(Question("keys", offset=offset, length=37)).hits
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
    (All((Equals("library", "query"), Equals("framework", "vue"))), ["1"]),
    (All(()), ["0", "1", "2"]),
    (Either((Equals("objectID", "0"), Equals("objectID", "2"))), ["0", "2"]),
    (Either(()), []),
    (Between("price", 1.5, 3), ["1", "2"]),
    (Between("price", 1.6), ["2"]),
    (Between("price", high=1), ["0"]),
    (Between("price"), ["0", "1", "2"]),
    (Between("deep.number", -5, -5), ["1"]),
    (Between("price", 3, 1), []),
    (Between("price", -1e300, 1e300), ["0", "1", "2"]),
    (Between("price", 1e-9, 2**70), ["0", "1", "2"]),
    (Between("count", 7, 7), ["1"]),
    (Between("nothing", 0, 1), []),
]


@pytest.mark.parametrize(("where", "ids"), FILTERED)
def test_a_filter_lets_pass_what_it_says(make: Make, where: Filter, ids: list[str]) -> None:
    index = make(
        {"library": "query", "framework": ["react"], "price": 1, "_tags": ["hot"]},
        {"library": "query", "framework": ["react", "vue"], "price": 1.5, "count": 7, "deep": {"number": -5}},
        {"library": "form", "framework": ["vue"], "price": 3, "plain": True},
    )
    assert sorted(hit.id for hit in index.search(Question(where=where)).hits) == ids


def test_a_range_of_no_number_is_refused(make: Make) -> None:
    with pytest.raises(Invalid):
        make({"price": 1}).search(Question(where=Between("price", math.nan)))


def test_facets_are_counted_with_the_largest_first_and_numbers_are_summed_up(make: Make) -> None:
    index = make(
        {"title": "a", "library": "query", "price": 2, "hidden": "x"},
        {"title": "a", "library": "form", "price": 4},
        {"title": "a", "library": "form", "price": 3},
    )
    answer = index.search(Question("a", facets=("*",), length=0))
    assert answer.facets == {"library": {"form": 2, "query": 1}, "price": {"2": 1, "3": 1, "4": 1}}
    stats = answer.stats["price"]
    assert (stats.least, stats.most, stats.average, stats.sum) == (2, 4, 3, 9)
    assert index.search(Question("a", facets=("library",), values_per_facet=1)).facets == {"library": {"form": 2}}


def test_a_facets_values_are_found_by_how_their_words_begin(make: Make) -> None:
    index = make({"library": "Query Core"}, {"library": "Form"}, {"library": "Query Core"}, {"library": "coreUtils"})
    assert index.facet_values("library", "co", Question(), most=5) == (("Query Core", 2), ("coreUtils", 1))
    assert index.facet_values("library", "query c", Question(), most=5) == (("Query Core", 2),)
    with pytest.raises(Invalid):
        index.facet_values("framework", "r", Question(), most=5)


def test_preferred_records_come_first_and_no_other_is_lost(make: Make) -> None:
    index = make({"title": "Keys", "library": "query", "worth": 9}, {"title": "Keys", "library": "form"})
    found = index.search(Question("keys", preferred=(Equals("library", "form"),)))
    assert [hit.record["library"] for hit in found.hits] == ["form", "query"]


def test_a_question_can_be_restricted_to_some_attributes(make: Make) -> None:
    index = make({"title": "Keys"}, {"content": "keys"})
    assert [hit.id for hit in index.search(Question("keys", fields=("content",))).hits] == ["1"]
    assert index.search(Question("keys", fields=("nothing",))).total == 0


@pytest.mark.parametrize(
    ("text", "beginnings", "found"),
    [("quer", "last", 1), ("quer ", "last", 0), ("quer", "none", 0), ("quer ke", "all", 1), ("quer ke", "last", 0)],
)
def test_only_a_word_being_typed_may_be_a_beginning(make: Make, text: str, beginnings: str, found: int) -> None:
    index = make({"title": "Querying Keyboards"})
    question = Question(text, beginnings=beginnings, most_typos=0, last_resort=False)  # type: ignore[arg-type]
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
def test_the_words_of_a_question_are_marked_in_any_text(make: Make, text: str, shown: str, marked: list[str]) -> None:
    index = make(*pages(*QUERIES, "Café"))
    spans = index.search(Question(text)).spans(shown)
    assert [shown[span.start : span.end] for span in spans] == marked


@given(st.text(alphabet="erkqQKuyY $_2.", max_size=60))
def test_words_are_marked_alike_whether_they_are_sought_or_read_one_by_one(shown: str) -> None:
    def spans(text: str) -> list[Span]:
        return list(WordMarker({"query": ("query",)}, {}, {"ke": "ke", "$": "$"}).spans(text))

    # A text with a sign beyond ASCII is read word by word.
    assert spans(shown) == spans(f"{shown} ü")


@given_that(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_is_answered_and_spans_never_overlap(
    tmp_path_factory: pytest.TempPathFactory, text: str, shown: str
) -> None:
    index = TantivyIndex.create(tmp_path_factory.mktemp("index"), DOCS, [{"objectID": "1", "title": shown}])
    spans = index.search(Question(text, facets=("*",))).spans(shown)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(shown) for edge in edges)


@pytest.mark.parametrize(
    "text", ["a" * 512, "a " * 256, "x" * 9 + " " + "y" * 9, ":(*?[~^", "  ", "AND OR NOT", "日本語"]
)
def test_a_question_nobody_would_ask_is_answered_all_the_same(make: Make, text: str) -> None:
    assert make(*pages(*QUERIES)).search(Question(text)).total >= 0


def test_writing_replaces_and_deletes_in_one_commit_and_changes_the_generation(make: Make) -> None:
    index = make({"title": "One"}, {"title": "Two"})
    before = index.generation
    index.write([{"objectID": "0", "title": "Uno"}, {"objectID": "9", "title": "Nine"}], ["1"])
    assert index.generation != before
    assert index.get(["0", "1", "9"]) == ({"objectID": "0", "title": "Uno"}, None, {"objectID": "9", "title": "Nine"})
    assert (index.count, index.search(Question("one")).total) == (2, 0)


def test_a_record_that_cannot_be_kept_leaves_the_index_as_it_was(make: Make) -> None:
    index = make({"title": "One"})
    unkeepable: list[Record] = [{"title": "no id"}, {"objectID": "2", "title": "x", "number": 2**70}]
    for wrong in unkeepable:
        with pytest.raises(Invalid):
            index.write([{"objectID": "1", "title": "Two"}, wrong])
    assert (index.count, index.search(Question("two")).total) == (1, 0)
    index.write([{"objectID": "1", "title": "Two"}])
    assert index.count == 2


def test_an_answer_is_kept_until_something_is_written(make: Make) -> None:
    index = make({"title": "One"})
    assert index.search(Question("one")) is index.search(Question("one"))
    index.write([{"objectID": "2", "title": "One more"}])
    assert index.search(Question("one")).total == 2


def test_browsing_shows_every_record_once_though_others_write_meanwhile(make: Make) -> None:
    index = make(*({"title": f"Title {at}"} for at in range(50)))
    seen, cursor = index.browse(None, Question(), most=20)
    index.write([], [str(at) for at in range(50)])
    while cursor is not None:
        more, cursor = index.browse(cursor, Question(), most=20)
        seen += more
    assert sorted(int(str(record["objectID"])) for record in seen) == list(range(50))
    with pytest.raises(Invalid):
        index.browse("no cursor", Question(), most=1)


def test_other_rules_read_the_same_records_in_another_way(make: Make) -> None:
    index = make({"title": "One", "content": "hidden"})
    index.reshape(IndexSettings(searchable_attributes=("title",)))
    assert (index.search(Question("hidden")).total, index.search(Question("one")).total) == (0, 1)


def test_another_reader_sees_a_commit_when_it_looks(make: Make, tmp_path: Path) -> None:
    index = make({"title": "One"})
    other = TantivyIndex(tmp_path / "index", DOCS)
    index.write([{"objectID": "2", "title": "Two"}])
    assert other.search(Question("two")).total == 0
    other.refresh()
    assert other.search(Question("two")).total == 1


def test_two_threads_may_write_at_once(make: Make) -> None:
    index = make()
    threads = [threading.Thread(target=index.write, args=([{"objectID": str(at), "title": "One"}],)) for at in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert index.count == 6


def test_opening_an_index_is_throttled_between_its_steps_and_finds_the_same(make: Make, tmp_path: Path) -> None:
    make({"title": "One"}, {"title": "Two"})
    calls: list[None] = []
    other = TantivyIndex(tmp_path / "index", DOCS, throttle=lambda: calls.append(None))
    assert len(calls) > len(DOCS.tiers)
    assert (other.count, other.search(Question("two")).total) == (2, 1)


def test_a_folder_without_an_index_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        TantivyIndex(tmp_path, DOCS)

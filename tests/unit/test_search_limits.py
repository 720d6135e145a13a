"""What one search may cost: numbers, lists, texts, time and the size of the answer are bounded."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from kinfolk.budget import BUDGETS, AnswerSize, Deadline, OverBudget
from kinfolk.errors import Invalid
from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.hits import attribute_names
from kinfolk.search.algolia.keys import Access, Keys
from kinfolk.search.algolia.parameters import LONGEST_TAG, MOST_ATTRIBUTES, read_search
from kinfolk.search.algolia.settings import engine_settings
from kinfolk.search.call_budget import CallBudget
from kinfolk.search.engine import LONGEST_ID, TantivyIndex
from kinfolk.search.indexes import Indexes, Shelf
from kinfolk.search.protocol import Ask, Protocol, route_of
from kinfolk.search.pushed import PushedIndexes
from kinfolk.search.query import MOST_CONDITIONS, Between, Either, Equals, Question, Record
from kinfolk.search.searches import Searches

LARGEST = 2**63 - 1
SETTINGS: Mapping[str, object] = {
    "searchableAttributes": ["title", "text"],
    "attributesForFaceting": ["searchable(kind)"],
    "attributeForDistinct": "kind",
    "distinct": 1,
}
RECORDS: list[Record] = [
    {"objectID": str(at), "title": f"Soup {at}", "text": "onion " * 2000, "kind": f"kind {at % 50}"}
    for at in range(100)
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TantivyIndex:
    return TantivyIndex.create(tmp_path_factory.mktemp("index"), engine_settings(SETTINGS, ()), RECORDS)


@pytest.fixture(scope="module")
def protocol(index: TantivyIndex, tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    folder = tmp_path_factory.mktemp("var")
    shelf = Shelf("soups", index, SETTINGS)
    indexes = Indexes({"soups": lambda: shelf}, PushedIndexes(folder, now=lambda: datetime.now(UTC)))
    return Protocol(indexes, Searches(folder / "searches.sqlite", today=lambda: date(2026, 1, 1)), Keys("a", "b", "c"))


def call(protocol: Protocol, *requests: Mapping[str, object], budget: CallBudget | None = None) -> Any:
    body = {"requests": [{"indexName": "soups", **request} for request in requests]}
    ask = Ask("POST", ("indexes", "*", "queries"), Access("search"), body, budget=budget or CallBudget())
    return orjson.loads(orjson.dumps(protocol.answer(ask).body))


class Ticking:
    """A clock on which each look takes a tenth of a second."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 10


# Numbers


@pytest.mark.parametrize(
    "window",
    [
        {"page": 2**31 - 1},
        {"page": 2**31 - 1, "hitsPerPage": 1000},
        {"offset": 2_000_000_000, "length": 1},
        {"offset": "2147483647", "length": "1000"},
    ],
)
@pytest.mark.parametrize("distinct", [False, 4])
def test_page_beyond_the_last_hit_is_empty(protocol: Protocol, window: dict[str, object], distinct: object) -> None:
    (found,) = call(protocol, {"query": "soup", "distinct": distinct, **window})["results"]
    assert (found["hits"], found["nbHits"]) == ([], 100)
    assert "offset" not in window or found["offset"] == int(str(window["offset"]))


@pytest.mark.parametrize("distinct", [None, 0, 1, LARGEST, -1])
@pytest.mark.parametrize(
    ("offset", "length"), [(LARGEST, 1), (0, LARGEST), (LARGEST, LARGEST), (-1, -1), (99, LARGEST)]
)
def test_no_number_reaches_the_engine_that_the_index_does_not_hold(
    index: TantivyIndex, offset: int, length: int, distinct: int | None
) -> None:
    question = Question(
        "soup", offset=offset, length=length, distinct=distinct, values_per_facet=LARGEST, most_typos=99
    )
    answer = index.search(question)
    assert len(answer.hits) <= 100
    assert answer.total in (0, 50, 100)


@pytest.mark.parametrize("number", [1e308, -1e308, 5e-324, 2.0**63, 2.0**64, -(2.0**63) - 2048])
def test_filters_take_any_number(index: TantivyIndex, number: float) -> None:
    where = Either((Between("size", low=number), Between("size", high=number), Between("size", number, number)))
    assert index.search(Question(where=where)).total == 0


def test_settings_cannot_open_more_pages_than_the_protocol_has() -> None:
    search = read_search("soups", {"page": 10**6, "hitsPerPage": 1000}, {"paginationLimitedTo": 2**31 - 1})
    assert (search.question.offset, search.question.length) == (20_000, 0)


def test_cursor_with_any_number_is_followed_to_the_end(index: TantivyIndex) -> None:
    def cursor(offset: str) -> str:
        return base64.urlsafe_b64encode(f"{index.generation}:{offset}".encode()).decode()

    assert index.browse(cursor(str(LARGEST)), Question(), most=LARGEST) == ((), None)
    with pytest.raises(Invalid):
        index.browse(cursor("9" * 5000), Question(), most=1)


def test_id_that_no_record_can_have_is_not_found(index: TantivyIndex) -> None:
    assert index.get(["é" * LONGEST_ID, "x" * 100_000, "1"])[:2] == (None, None)


# What is sent


def test_all_filters_together_have_a_largest_number_of_conditions(index: TantivyIndex) -> None:
    several = ["kind:a"] * (MOST_CONDITIONS // 2)
    read_search("soups", {"facetFilters": several, "optionalFilters": several}, {})
    with pytest.raises(Fault, match="more than 1000 conditions"):
        read_search("soups", {"facetFilters": several, "tagFilters": several, "filters": "NOT b:c"}, {})
    with pytest.raises(Invalid, match="More than 1000 conditions"):
        index.search(Question(where=Either((Equals("kind", "a"),) * (MOST_CONDITIONS + 1))))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"highlightPreTag": "<" * (LONGEST_TAG + 1)}, "highlightPreTag: longer than 256 characters"),
        ({"highlightPostTag": "<" * (LONGEST_TAG + 1)}, "highlightPostTag: longer than 256 characters"),
        ({"snippetEllipsisText": "." * (LONGEST_TAG + 1)}, "snippetEllipsisText: longer than 256 characters"),
        ({"attributesToSnippet": ["a"] * (MOST_ATTRIBUTES + 1)}, "attributesToSnippet: more than 100 texts"),
        ({"attributesToHighlight": ["a"] * (MOST_ATTRIBUTES + 1)}, "attributesToHighlight: more than 100 texts"),
        ({"attributesToRetrieve": ["a"] * (MOST_ATTRIBUTES + 1)}, "attributesToRetrieve: more than 100 texts"),
        ({"attributesToRetrieve": ["a." * 1000]}, "attributesToRetrieve: a text: longer than 512 characters"),
        ({"page": "1" * 100_000}, "page: expected a whole number"),
        ({"filters": f"a:{'b' * 5000}"}, "filters: an attribute or value: longer than 2048 characters"),
        (
            {"numericFilters": [f"a > {'1' * 1000}"]},
            "filters: '1111111111111111111111111111111111111111' is not a number",
        ),
    ],
)
def test_what_is_too_long_is_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(Fault) as refused:
        read_search("soups", parameters, {})
    assert (refused.value.message, refused.value.status) == (message, 400)


def test_an_attribute_named_twice_is_shown_once() -> None:
    search = read_search("soups", {"attributesToSnippet": ["text:5"] * 50 + ["text:7", "title"]}, {})
    assert [(one.attribute, one.words) for one in search.display.snippets] == [("text", 7), ("title", 10)]


def test_names_of_attributes_are_read_without_their_modifiers() -> None:
    names = ["unordered(title),alias", " content ", "desc( size )", "(x", "a(b", ")", "", " " * 500 + "("]
    assert attribute_names(names) == ("title", "alias", "content", "size", "b")


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("docs", "docs", True),
        ("docs", "doc", False),
        ("docs", "*", True),
        ("dev_docs", "dev_*", True),
        ("dev_", "dev_*", True),
        ("my_docs_v2", "*_docs_*", True),
        ("my_docs", "*_docs_*", False),
        ("ab", "ab*b", False),
        ("abb", "ab*b", True),
        ("a[b]", "a[b]", True),
        ("ab", "a?", False),
        ("a" * 100_000, "*a" * 4000 + "b", False),
    ],
)
def test_patterns_of_index_names_are_matched_in_one_pass(name: str, pattern: str, fits: bool) -> None:
    access = Access("search", (pattern,))
    if fits:
        access.require_index(name)
    else:
        with pytest.raises(Fault, match="Index not allowed"):
            access.require_index(name)


# The answer


def test_answer_is_given_up_before_it_is_larger_than_it_may_be(protocol: Protocol) -> None:
    tag = "<" * LONGEST_TAG
    budget = CallBudget()
    with pytest.raises(Fault, match="The answer would be larger than") as refused:
        call(protocol, {"query": "onion", "highlightPreTag": tag, "distinct": False, "hitsPerPage": 100}, budget=budget)
    assert (refused.value.status, refused.value.limit) == (400, "size")
    # The text with which it became too large was counted, and not put together: each has about a megabyte.
    assert budget.size.bytes < BUDGETS["search"].answer_bytes + (2 << 20)


def test_searches_of_a_call_share_the_size_of_its_answer(protocol: Protocol) -> None:
    one = {"query": "onion", "distinct": False, "hitsPerPage": 100, "attributesToHighlight": []}
    size = len(orjson.dumps(call(protocol, one)))
    fitting = BUDGETS["search"].answer_bytes // size
    assert len(call(protocol, *[one] * fitting)["results"]) == fitting
    with pytest.raises(Fault, match="The answer would be larger than"):
        call(protocol, *[one] * (fitting + 1))


def test_objects_are_counted_as_they_are_read(protocol: Protocol) -> None:
    requests = [{"indexName": "soups", "objectID": "1"}] * 1000
    with pytest.raises(Fault, match="The answer would be larger than"):
        protocol.answer(Ask("POST", ("indexes", "*", "objects"), Access("search"), {"requests": requests}))


def test_browsing_large_records_gives_fewer_of_them_and_a_cursor(tmp_path: Path) -> None:
    records: list[Record] = [{"objectID": str(at), "text": "x" * 90_000} for at in range(150)]
    index = TantivyIndex.create(tmp_path, engine_settings({}, ()), records)
    seen: list[Record] = []
    cursor, pages = None, 0
    while pages == 0 or cursor:
        found, cursor = index.browse(cursor, Question(), most=1000)
        assert sum(len(orjson.dumps(record)) for record in found) <= BUDGETS["search"].answer_bytes
        seen, pages = [*seen, *found], pages + 1
    assert (pages, sorted(int(str(record["objectID"])) for record in seen)) == (3, list(range(150)))


def test_size_of_an_answer_is_counted() -> None:
    size = AnswerSize("search")
    size.add(BUDGETS["search"].answer_bytes)
    with pytest.raises(OverBudget):
        size.add(1)


def test_kept_answers_weigh_what_their_questions_do(protocol: Protocol, index: TantivyIndex) -> None:
    for at in range(60):
        filters = [[f"kind:{at}{place}{'x' * 900}" for place in range(900)]]
        call(protocol, {"query": "soup", "facetFilters": filters, "hitsPerPage": 0})
    # Each question has a megabyte of filters.
    assert len(index._answers) < 16
    assert len(protocol._kept) < 16


# Time


@pytest.mark.parametrize(
    "request_",
    [
        {"query": "soup onion pie", "hitsPerPage": 100, "facets": ["*"], "distinct": False},
        {"query": "qnion suop", "removeWordsIfNoResults": "allOptional", "hitsPerPage": 100},
        {"query": "onion", "attributesToSnippet": ["*:100"], "hitsPerPage": 100},
        {"type": "facet", "facet": "kind", "facetQuery": "kind"},
    ],
)
def test_searches_stop_at_the_deadline_of_their_call(protocol: Protocol, request_: dict[str, object]) -> None:
    clock = Ticking()
    several = [{**request_, "userToken": str(at), "filters": f"NOT kind:x{at}"} for at in range(50)]
    with pytest.raises(Fault, match="took longer than 2 s") as refused:
        call(protocol, *several, budget=CallBudget(Deadline("search", clock=clock)))
    assert (refused.value.status, refused.value.retry_after_s, refused.value.limit) == (429, 1, "time")
    # One to begin with, and one for each tenth of a second.
    assert clock.looks <= 21


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (("indexes", "*", "objects"), {"requests": [{"indexName": "soups", "objectID": "1"}] * 30}),
        (
            ("indexes", "*", "recommendations"),
            {"requests": [{"indexName": "soups", "model": "related-products", "objectID": "1"}] * 30},
        ),
        (
            ("events",),
            {
                "events": [
                    {"eventType": "view", "eventName": "x", "index": "soups", "objectIDs": [f"{i}"]} for i in range(30)
                ]
            },
        ),
    ],
)
def test_every_call_has_a_deadline(protocol: Protocol, path: tuple[str, ...], body: object) -> None:
    budget = CallBudget(Deadline("search", clock=Ticking()))
    with pytest.raises(Fault, match="took longer than 2 s"):
        protocol.answer(Ask("POST", path, Access("search"), body, budget=budget))


def test_a_search_without_a_deadline_has_one_of_its_own(index: TantivyIndex) -> None:
    assert index.search(Question("soup 7")).total > 0


@pytest.mark.parametrize(
    ("path", "body", "cost"),
    [
        (("indexes", "*", "queries"), {"requests": [{}] * 50}, 50),
        (("indexes", "*", "recommendations"), {"requests": [{}] * 7}, 7),
        (("indexes", "*", "objects"), {"requests": [{}] * 21}, 3),
        (("events",), {"events": [{}] * 1000}, 100),
        (("indexes", "soups", "query"), {"requests": [{}] * 50}, 1),
        (("indexes", "soups", "facets", "kind", "query"), {}, 1),
        (("indexes", "*", "queries"), {"requests": 5}, 1),
        (("indexes", "*", "queries"), [], 1),
        (("indexes", "*", "queries"), None, 1),
    ],
)
def test_call_counts_as_many_searches_as_it_has(path: tuple[str, ...], body: object, cost: int) -> None:
    assert route_of("POST", path).cost(body) == cost

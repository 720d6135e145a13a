"""Limits of one API call: numbers, lists, texts, time and the size of the response."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.servers.databases import sqlite_url

from kinfolk.db.database import Database
from kinfolk.runtime.budget import BUDGETS, AnswerSize, Deadline, OverBudget
from kinfolk.runtime.errors import Invalid
from kinfolk.search.algolia.api import AlgoliaApi, find_route
from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.api_keys import ApiKeys, KeyPermissions
from kinfolk.search.algolia.call_budget import CallBudget
from kinfolk.search.algolia.calls.call import ApiRequest
from kinfolk.search.algolia.formats.hit_format import attribute_names
from kinfolk.search.algolia.formats.parameters import LONGEST_TAG, MAX_ATTRIBUTES, read_search
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader, engine_settings
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.engine.tantivy_index import MAX_ID_BYTES, TantivyIndex
from kinfolk.search.filters import MAX_CONDITIONS, AnyOf, Equals, InRange, Record
from kinfolk.search.pushed_indexes import PushedIndexes
from kinfolk.search.query import SearchQuery

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
def api(index: TantivyIndex, tmp_path_factory: pytest.TempPathFactory) -> AlgoliaApi:
    folder = tmp_path_factory.mktemp("var")
    handle = IndexHandle("soups", index, SETTINGS)
    indexes = IndexRegistry(
        {"soups": lambda: handle}, PushedIndexes(folder, AlgoliaSettingsReader(), now=lambda: datetime.now(UTC))
    )
    return AlgoliaApi(
        indexes,
        QueryLog(Database(sqlite_url(folder / "kinfolk.sqlite"), lock_folder=folder), today=lambda: date(2026, 1, 1)),
        ApiKeys("a", "b", "c"),
    )


def untimed_budget() -> CallBudget:
    """The limits of a call for which no time passes."""
    return CallBudget(Deadline("search", clock=lambda: 0.0))


def call(api: AlgoliaApi, *requests: Mapping[str, object], budget: CallBudget | None = None) -> Any:
    """`budget` is untimed by default."""
    budget = budget or untimed_budget()
    body = {"requests": [{"indexName": "soups", **request} for request in requests]}
    request = ApiRequest("POST", ("indexes", "*", "queries"), KeyPermissions("search"), body, budget=budget)
    return orjson.loads(orjson.dumps(api.handle(request).body))


class AdvancingClock:
    """A clock that advances by 0.1 s with each read."""

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return self.reads / 10


# Numbers


@pytest.mark.no_cover
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
def test_page_beyond_the_last_hit_is_empty(api: AlgoliaApi, window: dict[str, object], distinct: object) -> None:
    (found,) = call(api, {"query": "soup", "distinct": distinct, **window})["results"]
    assert (found["hits"], found["nbHits"]) == ([], 100)
    assert "offset" not in window or found["offset"] == int(str(window["offset"]))


@pytest.mark.parametrize("distinct", [None, 0, 1, LARGEST, -1])
@pytest.mark.parametrize(
    ("offset", "length"), [(LARGEST, 1), (0, LARGEST), (LARGEST, LARGEST), (-1, -1), (99, LARGEST)]
)
def test_numbers_are_limited_to_the_size_of_the_index(
    index: TantivyIndex, offset: int, length: int, distinct: int | None
) -> None:
    query = SearchQuery(
        "soup", offset=offset, length=length, distinct=distinct, max_values_per_facet=LARGEST, max_typos=99
    )
    answer = index.search(query)
    assert len(answer.hits) <= 100
    assert answer.total in (0, 50, 100)


@pytest.mark.parametrize("number", [1e308, -1e308, 5e-324, 2.0**63, 2.0**64, -(2.0**63) - 2048])
def test_filters_accept_any_number(index: TantivyIndex, number: float) -> None:
    where = AnyOf((InRange("size", low=number), InRange("size", high=number), InRange("size", number, number)))
    assert index.search(SearchQuery(where=where)).total == 0


def test_settings_cannot_exceed_the_pagination_limit() -> None:
    search = read_search("soups", {"page": 10**6, "hitsPerPage": 1000}, {"paginationLimitedTo": 2**31 - 1})
    assert (search.query.offset, search.query.length) == (20_000, 0)


def test_cursor_with_any_offset_reaches_the_end(index: TantivyIndex) -> None:
    def cursor(offset: str) -> str:
        return base64.urlsafe_b64encode(f"{index.generation}:{offset}".encode()).decode()

    assert index.browse(cursor(str(LARGEST)), SearchQuery(), limit=LARGEST) == ((), None)
    with pytest.raises(Invalid):
        index.browse(cursor("9" * 5000), SearchQuery(), limit=1)


def test_impossible_id_is_not_found(index: TantivyIndex) -> None:
    assert index.get(["é" * MAX_ID_BYTES, "x" * 100_000, "1"])[:2] == (None, None)


# Requests


def test_conditions_of_all_filters_are_limited(index: TantivyIndex) -> None:
    conditions = ["kind:a"] * (MAX_CONDITIONS // 2)
    read_search("soups", {"facetFilters": conditions, "optionalFilters": conditions}, {})
    with pytest.raises(ApiError, match="more than 1000 conditions"):
        read_search("soups", {"facetFilters": conditions, "tagFilters": conditions, "filters": "NOT b:c"}, {})
    with pytest.raises(Invalid, match="More than 1000 conditions"):
        index.search(SearchQuery(where=AnyOf((Equals("kind", "a"),) * (MAX_CONDITIONS + 1))))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"highlightPreTag": "<" * (LONGEST_TAG + 1)}, "highlightPreTag: longer than 256 characters"),
        ({"highlightPostTag": "<" * (LONGEST_TAG + 1)}, "highlightPostTag: longer than 256 characters"),
        ({"snippetEllipsisText": "." * (LONGEST_TAG + 1)}, "snippetEllipsisText: longer than 256 characters"),
        ({"attributesToSnippet": ["a"] * (MAX_ATTRIBUTES + 1)}, "attributesToSnippet: more than 100 texts"),
        ({"attributesToHighlight": ["a"] * (MAX_ATTRIBUTES + 1)}, "attributesToHighlight: more than 100 texts"),
        ({"attributesToRetrieve": ["a"] * (MAX_ATTRIBUTES + 1)}, "attributesToRetrieve: more than 100 texts"),
        ({"attributesToRetrieve": ["a." * 1000]}, "attributesToRetrieve: a text: longer than 512 characters"),
        ({"page": "1" * 100_000}, "page: expected a whole number"),
        ({"filters": f"a:{'b' * 5000}"}, "filters: an attribute or value: longer than 2048 characters"),
        (
            {"numericFilters": [f"a > {'1' * 1000}"]},
            "filters: '1111111111111111111111111111111111111111' is not a number",
        ),
    ],
)
def test_too_long_parameter_is_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ApiError) as error:
        read_search("soups", parameters, {})
    assert (error.value.message, error.value.status) == (message, 400)


def test_duplicate_attribute_is_returned_once() -> None:
    search = read_search("soups", {"attributesToSnippet": ["text:5"] * 50 + ["text:7", "title"]}, {})
    assert [(one.attribute, one.words) for one in search.display.snippets] == [("text", 7), ("title", 10)]


def test_attribute_modifiers_are_removed() -> None:
    names = ["unordered(title),alias", " content ", "desc( size )", "(x", "a(b", ")", "", " " * 500 + "("]
    assert attribute_names(names) == ("title", "alias", "content", "size", "b")


@pytest.mark.parametrize(
    ("name", "pattern", "matches"),
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
def test_index_patterns_match_in_linear_time(name: str, pattern: str, matches: bool) -> None:
    access = KeyPermissions("search", (pattern,))
    if matches:
        access.require_index(name)
    else:
        with pytest.raises(ApiError, match="Index not allowed"):
            access.require_index(name)


# Responses


def test_response_above_size_limit_is_aborted(api: AlgoliaApi) -> None:
    tag = "<" * LONGEST_TAG
    budget = untimed_budget()
    with pytest.raises(ApiError, match="The answer would be larger than") as error:
        call(api, {"query": "onion", "highlightPreTag": tag, "distinct": False, "hitsPerPage": 100}, budget=budget)
    assert (error.value.status, error.value.limit) == (400, "size")
    # The text that exceeds the limit is counted, but not added. Each text has about 1 MB.
    assert budget.size.bytes < BUDGETS["search"].answer_bytes + (2 << 20)


def test_searches_of_one_request_share_the_size_limit(api: AlgoliaApi) -> None:
    one = {"query": "onion", "distinct": False, "hitsPerPage": 100, "attributesToHighlight": []}
    size = len(orjson.dumps(call(api, one)))
    fitting = BUDGETS["search"].answer_bytes // size
    assert len(call(api, *[one] * fitting)["results"]) == fitting
    with pytest.raises(ApiError, match="The answer would be larger than"):
        call(api, *[one] * (fitting + 1))


def test_objects_count_against_the_size_limit(api: AlgoliaApi) -> None:
    body = {"requests": [{"indexName": "soups", "objectID": "1"}] * 1000}
    request = ApiRequest("POST", ("indexes", "*", "objects"), KeyPermissions("search"), body, budget=untimed_budget())
    with pytest.raises(ApiError, match="The answer would be larger than"):
        api.handle(request)


def test_browse_of_large_records_returns_fewer_and_a_cursor(tmp_path: Path) -> None:
    records: list[Record] = [{"objectID": str(at), "text": "x" * 90_000} for at in range(150)]
    index = TantivyIndex.create(tmp_path, engine_settings({}, ()), records)
    records_found: list[Record] = []
    cursor, pages = None, 0
    while pages == 0 or cursor:
        found, cursor = index.browse(cursor, SearchQuery(), limit=1000)
        assert sum(len(orjson.dumps(record)) for record in found) <= BUDGETS["search"].answer_bytes
        records_found, pages = [*records_found, *found], pages + 1
    assert (pages, sorted(int(str(record["objectID"])) for record in records_found)) == (3, list(range(150)))


def test_size_of_an_answer_is_counted() -> None:
    size = AnswerSize("search")
    size.add(BUDGETS["search"].answer_bytes)
    with pytest.raises(OverBudget):
        size.add(1)


@pytest.mark.no_cover
def test_cached_results_weigh_their_queries(api: AlgoliaApi, index: TantivyIndex) -> None:
    # More than may be cached, each with 1 MB of filters.
    for at in range(20):
        filters = [[f"kind:{at}{place}{'x' * 900}" for place in range(900)]]
        call(api, {"query": "soup", "facetFilters": filters, "hitsPerPage": 0})
    assert len(index._results) < 16
    assert len(api._context.responses) < 16


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
def test_searches_stop_at_the_deadline_of_the_request(api: AlgoliaApi, request_: dict[str, object]) -> None:
    clock = AdvancingClock()
    conditions = [{**request_, "userToken": str(at), "filters": f"NOT kind:x{at}"} for at in range(50)]
    with pytest.raises(ApiError, match="took longer than 2 s") as error:
        call(api, *conditions, budget=CallBudget(Deadline("search", clock=clock)))
    assert (error.value.status, error.value.retry_after_s, error.value.limit) == (429, 1, "time")
    # One read at the start, and one for each tenth of a second.
    assert clock.reads <= 21


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
def test_every_call_has_a_deadline(api: AlgoliaApi, path: tuple[str, ...], body: object) -> None:
    budget = CallBudget(Deadline("search", clock=AdvancingClock()))
    with pytest.raises(ApiError, match="took longer than 2 s"):
        api.handle(ApiRequest("POST", path, KeyPermissions("search"), body, budget=budget))


def test_search_has_a_default_deadline(index: TantivyIndex) -> None:
    assert index.search(SearchQuery("soup 7")).total > 0


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
def test_request_costs_one_per_search(path: tuple[str, ...], body: object, cost: int) -> None:
    assert find_route("POST", path).cost(body) == cost

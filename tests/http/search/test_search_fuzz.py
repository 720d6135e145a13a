"""Fuzz tests of the Algolia API: no server error, no response above its budget. FUZZ_CASES sets the number of cases."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, reject
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.suite.time_complexity import attempts_within

from kinfolk.config.settings import Settings
from kinfolk.runtime.budget import BUDGETS
from kinfolk.search.algolia.api import AlgoliaApi
from kinfolk.search.algolia.api_keys import secured_key
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader, engine_settings
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record
from kinfolk.search.pushed_indexes import PushedIndexes
from kinfolk.site.site import open_site
from kinfolk.web.app import SiteApp

CASES = int(os.environ.get("FUZZ_CASES", "200"))
ADMIN_KEY = "only for tests"
SETTINGS = {
    "searchableAttributes": ["title", "unordered(text)"],
    "attributesForFaceting": ["searchable(kind)", "filterOnly(size)"],
    "customRanking": ["desc(size)"],
}
MEALS: list[Record] = [
    {"objectID": "1", "title": "Onion soup", "text": "of onions and a <b>roux</b>", "kind": "soup", "size": 5},
    {"objectID": "2", "title": "Onion pie", "text": ["flour", "onions"], "kind": ["pie", "soup"], "size": 9.5},
    {"objectID": "a", "title": "", "text": {"a": {"b": None, "c": True}}, "kind": True, "_tags": "latest"},
]

words = st.sampled_from(["soup", "onion pie", "latest", "a", "", "*", "kind:soup", "size", "text", "title", "x" * 600])
long = st.builds(
    lambda part, times: part * times,
    st.sampled_from([" ", "<", "a ", "onion ", "é", "中", "\u0001", "(", '"', "a:b,", "[", "9", "x.", "$a", "-", "\\"]),
    st.sampled_from([100, 300, 3000, 20_000]),
)
short = words | st.text(max_size=20)
texts = short | long
extremes = st.sampled_from(
    [2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 1e308, 5e-324, -(2**31), -(2**63)]
)
numbers = st.integers(-3, 2000) | st.integers() | st.floats() | extremes | extremes.map(str)
plain = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=8
)
counts = st.sampled_from([2, 50, 99, 101, 400, 1001, 3000])


def nested(depth: int, inner: object) -> object:
    for _ in range(depth):
        inner = [inner]
    return inner


deep = st.builds(nested, st.sampled_from([3, 15, 17, 40, 200, 400]), plain)
attributes = st.sampled_from(
    ["*", "title", "text", "kind", "text.a", "*:1000", "text:1000", "title:999999999", "-text"]
)
many = st.builds(lambda one, times: [one] * times, attributes | short, counts) | st.builds(
    lambda one, times: [f"{one}{at}" for at in range(times)], attributes | short, counts
)
values = values | deep | many
filters = st.lists(
    st.sampled_from(
        [
            "kind",
            ":",
            "soup",
            "AND",
            "OR",
            "NOT",
            "(",
            ")",
            "<",
            ">=",
            "!=",
            "5",
            "TO",
            "'",
            '"',
            "\\",
            "-",
            "<score=2>",
        ]
    )
    | st.text(max_size=4),
    max_size=12,
).map(" ".join)
parameters = st.fixed_dictionaries(
    {},
    optional={
        "query": texts,
        "page": plain,
        "hitsPerPage": plain,
        "offset": plain,
        "length": plain,
        "filters": filters | values,
        "facetFilters": values | st.lists(filters, max_size=3),
        "numericFilters": values | st.lists(filters, max_size=3),
        "tagFilters": values,
        "optionalFilters": values | st.lists(filters, max_size=3),
        "facets": values | st.just(["*"]) | st.just("kind"),
        "maxValuesPerFacet": plain,
        "minWordSizefor1Typo": plain,
        "paginationLimitedTo": plain,
        "sortFacetValuesBy": values,
        "attributesToRetrieve": values | st.just(["title", "-text"]),
        "attributesToHighlight": values | st.just(["*"]),
        "attributesToSnippet": values | st.just(["*:3"]) | st.just(["text:0"]),
        "highlightPreTag": values,
        "highlightPostTag": values,
        "snippetEllipsisText": values,
        "restrictSearchableAttributes": values | st.just(["title"]),
        "restrictHighlightAndSnippetArrays": plain,
        "typoTolerance": values,
        "queryType": values,
        "distinct": values,
        "optionalWords": values,
        "removeWordsIfNoResults": values,
        "removeStopWords": values,
        "getRankingInfo": plain,
        "clickAnalytics": plain,
        "responseFields": values,
        "cursor": texts,
        "type": st.sampled_from(["default", "facet"]) | plain,
        "facet": texts,
        "facetQuery": texts,
        "maxFacetHits": plain,
        "extensions": values,
        "userToken": texts,
    },
)
events = st.fixed_dictionaries(
    {
        "eventType": st.sampled_from(["click", "view", "conversion"]) | short,
        "eventName": short,
        "index": st.sampled_from(["meals", "soups", "x"]),
        "objectIDs": st.lists(short, max_size=21),
    },
    optional={"positions": st.lists(numbers, max_size=21), "queryID": st.just("ab" * 16) | short},
)
names = st.sampled_from(["meals", "meals", "meals", "soups", "soups", "other", "*", "nowhere"])
searches = st.tuples(names, parameters).map(lambda one: {"indexName": one[0], **one[1]}) | st.tuples(
    names, st.text(max_size=40) | parameters
).map(lambda one: {"indexName": one[0], "params": one[1]})
records = st.dictionaries(
    st.sampled_from(["title", "text", "kind", "size", "objectID", "_tags", "a.b"]) | texts, values, max_size=5
)
operations = st.fixed_dictionaries(
    {
        "action": st.sampled_from(
            ["addObject", "updateObject", "partialUpdateObject", "partialUpdateObjectNoCreate", "deleteObject", "clear"]
        )
        | plain,
        "body": records | values,
    },
    optional={"indexName": names},
)
bodies = st.one_of(
    parameters,
    st.fixed_dictionaries({"requests": st.lists(searches, max_size=3)}, optional={"strategy": plain}),
    st.builds(lambda one, times: {"requests": [one] * times}, searches, st.sampled_from([10, 49, 50, 51])),
    st.fixed_dictionaries({"requests": st.lists(operations, max_size=4) | values}),
    st.fixed_dictionaries(
        {
            "requests": st.lists(
                st.fixed_dictionaries({"indexName": names, "model": texts, "objectID": texts}), max_size=2
            )
        }
    ),
    st.fixed_dictionaries({"events": values | st.lists(st.dictionaries(texts, values), max_size=3)}),
    st.builds(lambda one, times: {"events": [one] * times}, events, st.sampled_from([1, 30, 1000, 1001])),
    st.dictionaries(st.sampled_from([*SETTINGS, "hitsPerPage", "distinct", "attributeForDistinct"]) | texts, values),
    st.lists(
        st.dictionaries(st.sampled_from(["objectID", "type", "synonyms", "input"]), values, max_size=4), max_size=3
    ),
    st.fixed_dictionaries({"operation": st.sampled_from(["copy", "move"]), "destination": names, "scope": values}),
    values,
)
LARGEST_BODY = 2 << 20
"""Most bytes that are sent: twice the limit of the server, to bound the memory of the test."""
contents = bodies.map(lambda body: json.dumps(body).encode()[:LARGEST_BODY]) | st.binary(max_size=40)
calls = st.sampled_from(
    [
        ("POST", "indexes/*/queries"),
        ("POST", "indexes/*/queries"),
        ("POST", "indexes/*/objects"),
        ("POST", "indexes/*/batch"),
        ("POST", "indexes/*/recommendations"),
        ("POST", "events"),
        ("GET", "indexes"),
        ("GET", "isalive"),
        *(
            (method, f"indexes/{{}}{rest}")
            for method, rest in (
                ("POST", "/query"),
                ("GET", ""),
                ("POST", ""),
                ("DELETE", ""),
                ("POST", "/browse"),
                ("GET", "/browse"),
                ("POST", "/facets/kind/query"),
                ("POST", "/batch"),
                ("POST", "/deleteByQuery"),
                ("POST", "/clear"),
                ("POST", "/operation"),
                ("GET", "/settings"),
                ("PUT", "/settings"),
                ("GET", "/task/{}"),
                ("POST", "/synonyms/batch"),
                ("POST", "/synonyms/search"),
                ("PUT", "/synonyms/{}"),
                ("POST", "/rules/batch"),
                ("POST", "/rules/search"),
                ("GET", "/{}"),
                ("PUT", "/{}"),
                ("DELETE", "/{}"),
                ("POST", "/{}/partial"),
            )
        ),
    ]
)
keys = (
    st.sampled_from([ADMIN_KEY] * 6 + ["kinfolk-search", secured_key("kinfolk-search", "filters=kind%3Asoup")]) | texts
)


@dataclass(frozen=True)
class Fuzzed:
    """A fuzzed request."""

    call: tuple[str, str]
    names: tuple[str, str]
    key: str
    content: bytes
    query: dict[str, str]
    zipped: bool

    @property
    def path(self) -> str:
        path = self.call[1]
        for name in self.names:
            path = path.replace("{}", quote(name, safe=""), 1)
        return f"/1/{path}"

    @property
    def headers(self) -> dict[bytes, bytes]:
        key = self.key.encode("latin-1", "replace").translate(None, b"\r\n\0").strip()
        packed = {b"content-encoding": b"gzip"} if self.zipped else {}
        return {b"x-algolia-application-id": b"kinfolk", b"x-algolia-api-key": key, **packed}


sent = st.builds(
    Fuzzed,
    call=calls,
    names=st.tuples(names, short),
    key=keys,
    content=contents,
    query=parameters.map(
        lambda given: {name: value for name, value in given.items() if isinstance(value, str) and len(value) < 8000}
    ),
    zipped=st.booleans(),
)


@pytest.fixture(scope="module")
def app(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteApp]:
    folder = tmp_path_factory.mktemp("var")
    site = open_site(dataclasses.replace(settings, search_admin_key=ADMIN_KEY, var=folder, search_rate=0))
    rules = engine_settings(SETTINGS, ())
    meals = IndexHandle("meals", TantivyIndex.create(folder / "meals", rules, MEALS), SETTINGS)
    indexes = IndexRegistry(
        {"meals": lambda: meals},
        PushedIndexes(folder / "pushed", AlgoliaSettingsReader(), now=lambda: datetime.now(UTC)),
    )
    api = AlgoliaApi(indexes, site.search.algolia.query_log, site.search.algolia.keys)
    yield SiteApp(dataclasses.replace(site, search=dataclasses.replace(site.search, algolia=api)))
    api.close()


@pytest.fixture(scope="module")
def client(app: SiteApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test")


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


LARGEST_ANSWER = BUDGETS["search"].answer_bytes + (64 << 10)
LONGEST_CPU_S = 5 * BUDGETS["search"].time_s
"""CPU time of the process for one call: more than the deadline, less than an endless loop."""


@pytest.mark.fuzz
@hypothesis_settings(
    max_examples=CASES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(sent=sent)
def test_fuzzed_requests_cause_no_server_error(client: httpx.AsyncClient, runner: asyncio.Runner, sent: Fuzzed) -> None:
    content = gzip.compress(sent.content) if sent.zipped else sent.content
    try:
        request = client.build_request(
            sent.call[0], sent.path, params=sent.query, headers=sent.headers, content=content
        )
    except httpx.InvalidURL:  # httpx rejects addresses over 65,536 characters
        reject()
    for _ in attempts_within(LONGEST_CPU_S):
        answer = runner.run(client.send(request))
    assert answer.status_code < 500, answer.text
    assert len(answer.content) <= LARGEST_ANSWER
    assert isinstance(answer.json(), dict | list)
    assert answer.headers["access-control-allow-origin"] == "*"


def test_fuzzed_writes_are_searchable(app: SiteApp) -> None:
    pushed = app.site.search.algolia.indexes._pushed
    for id in pushed.store.pending():
        pushed._update_engine(id)
    assert pushed.store.pending() == ()

"""The Algolia API over HTTP: encodings, limits and error messages."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import re
import shutil
import threading
from collections.abc import AsyncIterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from lxml import html
from tests.sites.sample_site import read_settings
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.config.settings import Settings
from kinfolk.db.database import Database
from kinfolk.runtime.budget import Deadline
from kinfolk.search.algolia.api import AlgoliaApi
from kinfolk.search.algolia.formats.settings_format import engine_settings
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.docs_index.index_updater import IndexUpdater
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchQuery, SearchResult
from kinfolk.search.ranking_config import IndexSettings, load_ranking_config
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.search.algolia_endpoint import THREADS, AlgoliaEndpoint

pytestmark = pytest.mark.anyio

ADMIN_KEY = "only for tests"
SETTINGS: Mapping[str, object] = {
    "searchableAttributes": ["hierarchy.lvl1", "content"],
    "attributesForFaceting": ["searchable(library)", "version"],
}
PAGES: list[Record] = [
    {
        "objectID": f"{library} {at}",
        "hierarchy": {"lvl0": library, "lvl1": f"Caching {library} {at}"},
        "content": "How long answers are kept. " * 20,
        "library": library,
        "version": ["latest"],
    }
    for library in ("query", "form")
    for at in range(20)
]


@pytest.fixture(scope="module")
def api(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AlgoliaApi:
    """An API with one site index of 40 pages."""
    folder = tmp_path_factory.mktemp("pages")
    pages = IndexHandle("pages", TantivyIndex.create(folder, engine_settings(SETTINGS, ()), PAGES), SETTINGS)
    indexes = IndexRegistry({"pages": lambda: pages}, site.search.algolia.indexes._pushed)
    keys = dataclasses.replace(site.search.algolia.keys, admin=ADMIN_KEY)
    return AlgoliaApi(indexes, site.search.algolia.query_log, keys)


@pytest.fixture
def unused_api(api: AlgoliaApi, sqlite_database: Database) -> AlgoliaApi:
    """The same API with an empty query log. Slow tests may add queries to the log of the module."""
    searches = QueryLog(sqlite_database, today=lambda: date(2026, 11, 21))
    return AlgoliaApi(api.indexes, searches, api.keys)


@pytest.fixture(scope="module")
def site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return open_site(dataclasses.replace(settings, var=tmp_path_factory.mktemp("var")))


def client_of(site: Site, api: AlgoliaApi, *, rate: float = 0) -> tuple[SiteApp, httpx.AsyncClient]:
    settings = dataclasses.replace(site.settings, search_rate=rate)
    app = SiteApp(dataclasses.replace(site, search=dataclasses.replace(site.search, algolia=api), settings=settings))
    return app, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test")


@pytest.fixture
async def client(site: Site, api: AlgoliaApi) -> AsyncIterator[httpx.AsyncClient]:
    _, client = client_of(site, api)
    async with client:
        yield client


AUTH = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
ADMIN = AUTH | {"x-algolia-api-key": ADMIN_KEY}
SEARCH = {"requests": [{"indexName": "pages", "query": "caching", "facets": ["library"]}]}


async def search(client: httpx.AsyncClient, **parameters: object) -> dict[str, Any]:
    body = {"requests": [{"indexName": "pages", **parameters}]}
    answer = await client.post("/1/indexes/*/queries", json=body, headers=AUTH)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["results"][0]
    return found


async def test_keys_in_the_url_and_text_content_type_are_accepted(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/1/indexes/*/queries",
        params={"X-Algolia-Application-Id": "kinfolk", "x-algolia-api-key": "kinfolk-search", "x-algolia-agent": "x"},
        content=json.dumps(SEARCH),
        headers={"content-type": "text/plain", "origin": "https://other.example"},
    )
    (found,) = answer.json()["results"]
    assert (found["nbHits"], found["facets"]) == (40, {"library": {"form": 20, "query": 20}})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "correlation-id, retry-after, x-request-id"
    assert answer.headers["cache-control"] == "no-store"
    assert len(answer.headers["correlation-id"]) == 32


async def test_preflight_request_is_permitted(client: httpx.AsyncClient) -> None:
    headers = {"origin": "https://other.example", "access-control-request-headers": "content-type, x-algolia-api-key"}
    answer = await client.options("/1/indexes/*/queries", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-headers"] == "content-type, x-algolia-api-key"
    assert "PUT" in answer.headers["access-control-allow-methods"]


async def test_chunked_and_compressed_body_is_accepted(client: httpx.AsyncClient) -> None:
    compressed = gzip.compress(json.dumps(SEARCH).encode())

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(compressed), 10):
            yield compressed[at : at + 10]

    answer = await client.post("/1/indexes/*/queries", content=pieces(), headers=AUTH | {"content-encoding": "gzip"})
    assert answer.json()["results"][0]["nbHits"] == 40


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
async def test_response_is_compressed_by_accept_encoding(client: httpx.AsyncClient, encoding: str) -> None:
    answer = await client.post("/1/indexes/*/queries", json=SEARCH, headers=AUTH | {"accept-encoding": encoding})
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert answer.json()["results"][0]["nbHits"] == 40


@pytest.mark.parametrize(
    ("call", "content", "status", "message"),
    [
        ("POST /1/indexes/*/queries", b"{", 400, "Invalid JSON"),
        ("POST /1/indexes/*/queries", b"[]", 400, "The body must be an object"),
        ("POST /1/indexes/*/queries", b"", 400, "requests: expected a list of searches"),
        ("POST /1/indexes/*/queries", b'{"requests":[{}]}', 400, "indexName: expected the name of an index"),
        ("POST /1/indexes/*/queries", b"x" * (2 << 20), 413, "The body is larger than"),
        ("POST /1/indexes/nowhere/query", b"", 404, "Index nowhere does not exist"),
        (
            "POST /1/indexes/pages/query",
            b'{"hitsPerPage":1001}',
            400,
            "hitsPerPage: expected a number from 0 to 1000",
        ),
        ("POST /1/indexes/pages/query", b'{"filters":"a b"}', 400, "filters: Unexpected token"),
        ("POST /1/indexes/pages/facets/kind/query", b"", 400, "Cannot search in `kind` attribute"),
        ("GET /1/indexes/pages/nothing", b"", 404, "ObjectID does not exist"),
        ("POST /1/indexes/pages/batch", b'{"requests":[]}', 403, "Index pages is made from this site's pages"),
        ("PUT /1/indexes/pages/settings", b"{}", 403, "Index pages is made from this site's pages"),
        ("DELETE /1/indexes/pages", b"", 403, "Index pages is made from this site's pages"),
        ("DELETE /1/events", b"", 405, "Method not allowed: this path is called with POST"),
        ("GET /1/clusters", b"", 404, "There is no such call here"),
        ("GET /1/", b"", 404, "There is no such call here"),
        ("GET /1", b"", 404, "There is no such call here"),
        ("POST /1", b"", 404, "There is no such call here"),
        ("PATCH /1/indexes", b"", 405, "Method not allowed: this path is called with GET"),
        ("TRACE /1/anything/else", b"", 404, "There is no such call here"),
        ("POST /1/events", b'{"events":[{}]}', 422, "Event 0: eventType must be"),
        ("GET /1/task/x", b"", 400, "taskID: expected a number"),
        ("GET /1/keys/guess", b"", 404, "Key does not exist"),
    ],
)
async def test_client_mistakes_have_a_message_and_a_4xx_status(
    client: httpx.AsyncClient, call: str, content: bytes, status: int, message: str
) -> None:
    answer = await client.request(*call.split(" "), content=content, headers=ADMIN)
    assert answer.status_code == status
    assert answer.json()["message"].startswith(message)
    assert answer.json()["status"] == status


async def test_wrong_key_is_rejected_before_the_body_is_read(client: httpx.AsyncClient) -> None:
    async def unread_body() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    answer = await client.post("/1/indexes/pages/batch", content=unread_body(), headers=AUTH)
    assert (answer.status_code, answer.json()["message"]) == (403, "Method not allowed with this API key")
    answer = await client.post("/1/indexes/*/queries", content=unread_body())
    assert (answer.status_code, answer.json()["message"]) == (403, "Invalid Application-ID or API key")


async def test_decompressed_body_above_limit_is_rejected(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(b" " * (64 << 20))
    answer = await client.post("/1/indexes/*/queries", content=bomb, headers=AUTH | {"content-encoding": "gzip"})
    assert answer.status_code == 413
    cut = gzip.compress(json.dumps(SEARCH).encode())[:-9]
    answer = await client.post("/1/indexes/*/queries", content=cut, headers=AUTH | {"content-encoding": "gzip"})
    assert answer.status_code == 400


async def test_index_name_may_contain_reserved_characters(client: httpx.AsyncClient) -> None:
    answer = await client.post("/1/indexes/a%2Fb%2e%2e%3F/query", headers=AUTH)
    assert answer.json()["message"] == "Index a/b..? does not exist"


async def test_pagination_by_page_and_by_offset(client: httpx.AsyncClient) -> None:
    page = await search(client, query="caching", page=1, hitsPerPage=15)
    assert (len(page["hits"]), page["nbPages"], page["page"]) == (15, 3, 1)
    window = await search(client, query="caching", offset=38, length=15)
    assert (len(window["hits"]), window["offset"], window["length"], "nbPages" in window) == (2, 38, 15, False)


@pytest.mark.parametrize("query", ["?", "  ", "\u00a0\u3000", "\U0001f389", "\u2764\ufe0f", "…", "()"])
async def test_query_without_words_finds_nothing(client: httpx.AsyncClient, query: str) -> None:
    assert (await search(client, query=query, facets=["library"]))["nbHits"] == 0
    # Only an empty query lists all records.
    assert (await search(client, query=""))["nbHits"] == 40


async def test_list_of_indexes_has_those_of_the_site(client: httpx.AsyncClient) -> None:
    listed = (await client.get("/1/indexes", headers=ADMIN)).json()["items"]
    assert [(each["name"], each["entries"], each["pendingTask"]) for each in listed] == [("pages", 40, False)]


async def test_index_of_the_site_is_listed_with_its_date_and_size(settings: Settings, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE_VAR.folder(), tmp_path / "var")
    indexed = open_site(dataclasses.replace(settings, var=tmp_path / "var", search=True))
    assert indexed.search.updater is not None
    assert indexed.search.updater.try_update()
    (summary,) = indexed.search.algolia.indexes.summaries()
    assert (summary.name, summary.entries) == ("tanstack", indexed.search.updater.index.count)
    assert summary.size > 1000
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z", summary.created)


async def test_index_that_is_not_ready_is_not_listed(site: Site) -> None:
    assert site.search.algolia.indexes.summaries() == []


async def test_disjunctive_facet_is_counted_by_a_separate_search(client: httpx.AsyncClient) -> None:
    refined = {"indexName": "pages", "facetFilters": [["library:query"]], "facets": ["library"]}
    counted = {"indexName": "pages", "facets": "library", "hitsPerPage": 0, "analytics": False}
    body = {"requests": [refined, counted]}
    answer = (await client.post("/1/indexes/*/queries", json=body, headers=AUTH)).json()["results"]
    assert [each["facets"]["library"] for each in answer] == [{"query": 20}, {"form": 20, "query": 20}]
    assert (answer[1]["hits"], answer[1]["nbPages"]) == ([], 0)


async def test_searches_are_skipped_after_enough_matches(client: httpx.AsyncClient) -> None:
    body = {"requests": [{"indexName": "pages"}, {"indexName": "pages"}], "strategy": "stopIfEnoughMatches"}
    first, second = (await client.post("/1/indexes/*/queries", json=body, headers=AUTH)).json()["results"]
    assert (len(first["hits"]), second["hits"], second["processed"]) == (20, [], False)


async def test_rate_limited_address_gets_retry_after(site: Site, api: AlgoliaApi) -> None:
    _, client = client_of(site, api, rate=0.01)
    async with client:
        first, second = [await client.post("/1/indexes/*/queries", json=SEARCH, headers=AUTH) for _ in range(2)]
    assert (first.status_code, second.status_code) == (200, 429)
    assert 1 <= int(second.headers["retry-after"]) <= 100


class BlockingIndex(TantivyIndex):
    """An index whose searches block until `go` is set."""

    go: threading.Event

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        self.go.wait(20)
        return super().search(query, deadline)


async def test_search_without_free_thread_gets_retry_after(site: Site, api: AlgoliaApi, tmp_path: Path) -> None:
    blocking = BlockingIndex.create(tmp_path, IndexSettings())
    assert isinstance(blocking, BlockingIndex)
    blocking.go = threading.Event()
    indexes = IndexRegistry({"stuck": lambda: IndexHandle("stuck", blocking, {})}, api.indexes._pushed)
    _, client = client_of(site, AlgoliaApi(indexes, api.query_log, api.keys))
    async with client, asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(client.post("/1/indexes/stuck/query", json={"query": str(at)}, headers=AUTH))
            for at in range(THREADS + 1)
        ]
        first, *_ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        blocking.go.set()
    (refused,) = [task.result() for task in first]
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert sorted(task.result().status_code for task in tasks) == [200] * THREADS + [429]


async def test_click_counts_for_its_query(site: Site, unused_api: AlgoliaApi) -> None:
    app, client = client_of(site, unused_api)
    # A fixed clock: the machine may pause, but the typing reader does not.
    app.search = AlgoliaEndpoint(app.site, clock=lambda: 0.0)
    async with client:
        for text in ("mu", "mutat", "mutation", "mutatio", "caching"):
            found = await search(client, query=text, clickAnalytics=True)
        await search(client, query="quiet", analytics=False)
        event = {
            "eventType": "click",
            "eventName": "Hit clicked",
            "index": "pages",
            "objectIDs": [found["hits"][2]["objectID"]],
            "positions": [3],
            "queryID": found["queryID"],
            "userToken": "anonymous-1",
        }
        unknown = event | {"index": "other"}
        answer = await client.post("/1/events", json={"events": [event, unknown]}, headers=AUTH)
        assert answer.json() == {"status": 200, "message": "OK"}
    await app.search.flush()
    report = unused_api.query_log.report("pages")
    assert {(each.text, each.searches, each.without_result, each.place) for each in report.texts} == {
        ("mutatio", 1, 1, None),
        ("caching", 1, 0, 3.0),
    }
    assert unused_api.query_log.most_clicked("pages") == ((found["hits"][2]["objectID"], 1),)
    assert unused_api.query_log.report("other").places == ()


async def test_clicked_records_are_recommended_as_trending(site: Site, unused_api: AlgoliaApi) -> None:
    _, client = client_of(site, unused_api)
    clicked = {"eventType": "click", "eventName": "x", "index": "pages", "objectIDs": ["form 7"]}
    request = {"indexName": "pages", "model": "trending-items", "threshold": 0, "maxRecommendations": 3}
    related_request = {"indexName": "pages", "model": "related-products", "objectID": "form 7", "threshold": 0}
    facets = {"indexName": "pages", "model": "trending-facets", "facetName": "library", "threshold": 0}
    async with client:
        await client.post("/1/events", json={"events": [clicked] * 3}, headers=AUTH)
        body = {"requests": [request, related_request, facets]}
        answer = await client.post("/1/indexes/*/recommendations", json=body, headers=AUTH)
    trending, related, values = answer.json()["results"]
    assert (trending["hits"][0]["objectID"], trending["hits"][0]["_score"], trending["nbHits"]) == ("form 7", 100, 3)
    assert "form 7" not in [hit["objectID"] for hit in related["hits"]]
    assert related["hits"][0]["_score"] > 50
    assert [hit["facetValue"] for hit in values["hits"]] == ["form", "query"]


async def test_search_config_names_hosts_and_key(site: Site, settings: Settings) -> None:
    async def config(**environment: str) -> dict[str, Any]:
        given = read_settings({"KINFOLK_MIRROR": "off", "KINFOLK_HIGHLIGHT": "off", **environment})
        _, client = client_of(dataclasses.replace(site, settings=given), site.search.algolia)
        async with client:
            answer: dict[str, Any] = (await client.get("/_server/search.config")).json()["data"]
            return answer

    assert await config() == {
        "appId": "kinfolk",
        "apiKey": "kinfolk-search",
        "index": "tanstack",
        "hosts": [],
        "examples": list(load_ranking_config(settings.site).examples),
        "ignoredWords": [*load_ranking_config(settings.site).index.stop_words, "tanstack"],
    }
    hosted = await config(KINFOLK_SEARCH_APP_ID="ABC", KINFOLK_SEARCH_KEY="theirs", KINFOLK_SEARCH_HOSTS="algolia")
    assert (hosted["appId"], hosted["apiKey"]) == ("ABC", "theirs")
    assert hosted["hosts"][0] == {"url": "abc-dsn.algolia.net", "protocol": "https"}
    assert len(hosted["hosts"]) == 4
    other = await config(KINFOLK_SEARCH_HOSTS="http://127.0.0.1:9/search, b.example.com")
    assert [host["url"] for host in other["hosts"]] == ["127.0.0.1:9/search", "b.example.com"]


class EndlessBuilder:
    """A builder that does not end until it is stopped."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def build(self) -> None:
        self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()


async def test_results_page_before_the_first_index_is_a_site_page(
    built: Path, site: Site, settings: Settings, tmp_path: Path
) -> None:
    ranking = load_ranking_config(settings.site)
    preparing = IndexUpdater(
        tmp_path, ranking, lambda: SearchableContent(site.content.publisher.docs, (), ranking), EndlessBuilder()
    )
    search = dataclasses.replace(site.search, updater=preparing)
    app = SiteApp(dataclasses.replace(site, search=search, settings=dataclasses.replace(settings, frontend=built)))
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        answer = await client.get("/search?q=caching")
        empty = await client.get("/search")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    assert answer.headers["cache-control"] == "private, no-store"
    page = html.fromstring(answer.text)
    assert page.xpath("//main//*[self::h1 or self::h2]/text()")[:2] == ["Search", "Search is unavailable"]
    assert "Search is starting up. Try again in a minute." in page.xpath("string(//main)")
    assert page.xpath("//main//input[@name='q']/@value") == ["caching"]
    assert page.xpath("//header")
    assert page.xpath("//footer")
    assert (empty.status_code, "retry-after" in empty.headers) == (200, False)


def test_site_without_pushed_indexes_writes_no_file(site: Site, settings: Settings, tmp_path: Path) -> None:
    site_without_indexes = open_site(dataclasses.replace(settings, var=tmp_path / "var"))
    assert site_without_indexes.search.algolia.indexes.find("anything") is None
    site_without_indexes.search.algolia.start()
    site_without_indexes.search.algolia.close()
    assert not (tmp_path / "var").exists()

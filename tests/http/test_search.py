"""The search's edge: what HTTP adds to the protocol, and what is said when something is wrong."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import threading
from collections.abc import AsyncIterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from lxml import html

from kinfolk.budget import Deadline
from kinfolk.search.algolia.settings import engine_settings
from kinfolk.search.build import Words
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.indexes import Indexes, Shelf
from kinfolk.search.keeper import SiteSearch
from kinfolk.search.protocol import Protocol
from kinfolk.search.query import Answer, Question, Record
from kinfolk.search.rules import IndexSettings, load_rules
from kinfolk.search.searches import Searches
from kinfolk.settings import Settings, read_settings
from kinfolk.site import Site, open_site
from kinfolk.web.app import Kinfolk
from kinfolk.web.search import THREADS, SearchApi

pytestmark = pytest.mark.anyio

ADMIN_KEY = "only for tests"
RULES: Mapping[str, object] = {
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
def protocol(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    """Over one index of the site, with forty pages."""
    folder = tmp_path_factory.mktemp("pages")
    pages = Shelf("pages", TantivyIndex.create(folder, engine_settings(RULES, ()), PAGES), RULES)
    indexes = Indexes({"pages": lambda: pages}, site.protocol.indexes._pushed)
    keys = dataclasses.replace(site.protocol.keys, admin=ADMIN_KEY)
    return Protocol(indexes, site.protocol.searches, keys)


@pytest.fixture
def unheard(protocol: Protocol, tmp_path: Path) -> Protocol:
    """The same before anybody has searched. What other tests search for is counted when they take their time."""
    searches = Searches(tmp_path / "searches.sqlite", today=lambda: date(2026, 11, 21))
    return Protocol(protocol.indexes, searches, protocol.keys)


@pytest.fixture(scope="module")
def site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return open_site(dataclasses.replace(settings, var=tmp_path_factory.mktemp("var")))


def client_of(site: Site, protocol: Protocol, *, rate: float = 0) -> tuple[Kinfolk, httpx.AsyncClient]:
    settings = dataclasses.replace(site.settings, search_rate=rate)
    app = Kinfolk(dataclasses.replace(site, protocol=protocol, settings=settings))
    return app, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test")


@pytest.fixture
async def client(site: Site, protocol: Protocol) -> AsyncIterator[httpx.AsyncClient]:
    _, client = client_of(site, protocol)
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


async def test_a_browser_asks_with_keys_in_the_address_and_text_as_the_type(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/1/indexes/*/queries",
        params={"X-Algolia-Application-Id": "kinfolk", "x-algolia-api-key": "kinfolk-search", "x-algolia-agent": "x"},
        content=json.dumps(SEARCH),
        headers={"content-type": "text/plain", "origin": "https://elsewhere.example"},
    )
    (found,) = answer.json()["results"]
    assert (found["nbHits"], found["facets"]) == (40, {"library": {"form": 20, "query": 20}})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "correlation-id, retry-after"
    assert answer.headers["cache-control"] == "no-store"
    assert len(answer.headers["correlation-id"]) == 32


async def test_a_browser_that_asks_first_may(client: httpx.AsyncClient) -> None:
    asked = {"origin": "https://elsewhere.example", "access-control-request-headers": "content-type, x-algolia-api-key"}
    answer = await client.options("/1/indexes/*/queries", headers=asked)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-headers"] == "content-type, x-algolia-api-key"
    assert "PUT" in answer.headers["access-control-allow-methods"]


async def test_a_body_may_come_in_pieces_and_compressed(client: httpx.AsyncClient) -> None:
    packed = gzip.compress(json.dumps(SEARCH).encode())

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(packed), 10):
            yield packed[at : at + 10]

    answer = await client.post("/1/indexes/*/queries", content=pieces(), headers=AUTH | {"content-encoding": "gzip"})
    assert answer.json()["results"][0]["nbHits"] == 40


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
async def test_an_answer_is_compressed_as_the_client_likes(client: httpx.AsyncClient, encoding: str) -> None:
    answer = await client.post("/1/indexes/*/queries", json=SEARCH, headers=AUTH | {"accept-encoding": encoding})
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert answer.json()["results"][0]["nbHits"] == 40


@pytest.mark.parametrize(
    ("asked", "content", "status", "message"),
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
        ("POST /1/events", b'{"events":[{}]}', 422, "Event 0: eventType must be"),
        ("GET /1/task/x", b"", 400, "taskID: expected a number"),
        ("GET /1/keys/guess", b"", 404, "Key does not exist"),
    ],
)
async def test_a_mistake_is_named_and_is_never_taken_for_ours(
    client: httpx.AsyncClient, asked: str, content: bytes, status: int, message: str
) -> None:
    answer = await client.request(*asked.split(" "), content=content, headers=ADMIN)
    assert answer.status_code == status
    assert answer.json()["message"].startswith(message)
    assert answer.json()["status"] == status


async def test_a_wrong_key_is_refused_before_the_body_is_read(client: httpx.AsyncClient) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    answer = await client.post("/1/indexes/pages/batch", content=never(), headers=AUTH)
    assert (answer.status_code, answer.json()["message"]) == (403, "Method not allowed with this API key")
    answer = await client.post("/1/indexes/*/queries", content=never())
    assert (answer.status_code, answer.json()["message"]) == (403, "Invalid Application-ID or API key")


async def test_a_body_that_grows_when_it_is_unpacked_is_given_up(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(b" " * (64 << 20))
    answer = await client.post("/1/indexes/*/queries", content=bomb, headers=AUTH | {"content-encoding": "gzip"})
    assert answer.status_code == 413
    cut = gzip.compress(json.dumps(SEARCH).encode())[:-9]
    answer = await client.post("/1/indexes/*/queries", content=cut, headers=AUTH | {"content-encoding": "gzip"})
    assert answer.status_code == 400


async def test_the_name_of_an_index_may_hold_what_means_something_in_a_path(client: httpx.AsyncClient) -> None:
    answer = await client.post("/1/indexes/a%2Fb%2e%2e%3F/query", headers=AUTH)
    assert answer.json()["message"] == "Index a/b..? does not exist"


async def test_pages_are_turned_and_windows_opened(client: httpx.AsyncClient) -> None:
    page = await search(client, query="caching", page=1, hitsPerPage=15)
    assert (len(page["hits"]), page["nbPages"], page["page"]) == (15, 3, 1)
    window = await search(client, query="caching", offset=38, length=15)
    assert (len(window["hits"]), window["offset"], window["length"], "nbPages" in window) == (2, 38, 15, False)


async def test_a_disjunctive_facet_is_counted_by_a_search_of_its_own(client: httpx.AsyncClient) -> None:
    refined = {"indexName": "pages", "facetFilters": [["library:query"]], "facets": ["library"]}
    counted = {"indexName": "pages", "facets": "library", "hitsPerPage": 0, "analytics": False}
    body = {"requests": [refined, counted]}
    answer = (await client.post("/1/indexes/*/queries", json=body, headers=AUTH)).json()["results"]
    assert [each["facets"]["library"] for each in answer] == [{"query": 20}, {"form": 20, "query": 20}]
    assert (answer[1]["hits"], answer[1]["nbPages"]) == ([], 0)


async def test_further_searches_are_left_out_when_there_is_enough(client: httpx.AsyncClient) -> None:
    body = {"requests": [{"indexName": "pages"}, {"indexName": "pages"}], "strategy": "stopIfEnoughMatches"}
    first, second = (await client.post("/1/indexes/*/queries", json=body, headers=AUTH)).json()["results"]
    assert (len(first["hits"]), second["hits"], second["processed"]) == (20, [], False)


async def test_an_address_that_asks_too_often_is_told_when_to_come_back(site: Site, protocol: Protocol) -> None:
    _, client = client_of(site, protocol, rate=0.01)
    async with client:
        first, second = [await client.post("/1/indexes/*/queries", json=SEARCH, headers=AUTH) for _ in range(2)]
    assert (first.status_code, second.status_code) == (200, 429)
    assert 1 <= int(second.headers["retry-after"]) <= 100


class Stuck(TantivyIndex):
    """An index that answers nobody until it is let go."""

    go: threading.Event

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:
        self.go.wait(20)
        return super().search(question, deadline)


async def test_who_would_wait_too_long_is_told_to_come_back(site: Site, protocol: Protocol, tmp_path: Path) -> None:
    stuck = Stuck.create(tmp_path, IndexSettings())
    assert isinstance(stuck, Stuck)
    stuck.go = threading.Event()
    indexes = Indexes({"stuck": lambda: Shelf("stuck", stuck, {})}, protocol.indexes._pushed)
    _, client = client_of(site, Protocol(indexes, protocol.searches, protocol.keys))
    async with client, asyncio.TaskGroup() as group:
        asked = [
            group.create_task(client.post("/1/indexes/stuck/query", json={"query": str(at)}, headers=AUTH))
            for at in range(THREADS + 1)
        ]
        first, *_ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        stuck.go.set()
    (refused,) = [task.result() for task in first]
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert sorted(task.result().status_code for task in asked) == [200] * THREADS + [429]


async def test_what_is_clicked_counts_for_what_was_searched_for(site: Site, unheard: Protocol) -> None:
    app, client = client_of(site, unheard)
    # For a reader who types without a pause, however long a machine may pause meanwhile.
    app.search = SearchApi(app.site, clock=lambda: 0.0)
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
        unknown = event | {"index": "elsewhere"}
        answer = await client.post("/1/events", json={"events": [event, unknown]}, headers=AUTH)
        assert answer.json() == {"status": 200, "message": "OK"}
    await app.search.close()
    report = unheard.searches.report("pages")
    assert {(each.text, each.searches, each.without_result, each.place) for each in report.texts} == {
        ("mutatio", 1, 1, None),
        ("caching", 1, 0, 3.0),
    }
    assert unheard.searches.popular("pages") == ((found["hits"][2]["objectID"], 1),)
    assert unheard.searches.report("elsewhere").places == ()


async def test_clicked_records_are_recommended_as_trending(site: Site, unheard: Protocol) -> None:
    _, client = client_of(site, unheard)
    clicked = {"eventType": "click", "eventName": "x", "index": "pages", "objectIDs": ["form 7"]}
    request = {"indexName": "pages", "model": "trending-items", "threshold": 0, "maxRecommendations": 3}
    like = {"indexName": "pages", "model": "related-products", "objectID": "form 7", "threshold": 0}
    facets = {"indexName": "pages", "model": "trending-facets", "facetName": "library", "threshold": 0}
    async with client:
        await client.post("/1/events", json={"events": [clicked] * 3}, headers=AUTH)
        body = {"requests": [request, like, facets]}
        answer = await client.post("/1/indexes/*/recommendations", json=body, headers=AUTH)
    trending, related, values = answer.json()["results"]
    assert (trending["hits"][0]["objectID"], trending["hits"][0]["_score"], trending["nbHits"]) == ("form 7", 100, 3)
    assert "form 7" not in [hit["objectID"] for hit in related["hits"]]
    assert related["hits"][0]["_score"] > 50
    assert [hit["facetValue"] for hit in values["hits"]] == ["form", "query"]


async def test_the_dialog_learns_whom_to_ask(site: Site, settings: Settings) -> None:
    async def told(**environment: str) -> dict[str, Any]:
        given = read_settings({"KINFOLK_MIRROR": "off", "KINFOLK_HIGHLIGHT": "off", **environment})
        _, client = client_of(dataclasses.replace(site, settings=given), site.protocol)
        async with client:
            answer: dict[str, Any] = (await client.get("/_server/search.config")).json()["data"]
            return answer

    assert await told() == {"appId": "kinfolk", "apiKey": "kinfolk-search", "index": "tanstack", "hosts": []}
    hosted = await told(KINFOLK_SEARCH_APP_ID="ABC", KINFOLK_SEARCH_KEY="theirs", KINFOLK_SEARCH_HOSTS="algolia")
    assert (hosted["appId"], hosted["apiKey"]) == ("ABC", "theirs")
    assert hosted["hosts"][0] == {"url": "abc-dsn.algolia.net", "protocol": "https"}
    assert len(hosted["hosts"]) == 4
    other = await told(KINFOLK_SEARCH_HOSTS="http://127.0.0.1:9/search, b.example.com")
    assert [host["url"] for host in other["hosts"]] == ["127.0.0.1:9/search", "b.example.com"]


class NeverDone:
    """Makes an index for as long as anybody lets it."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def build(self) -> None:
        self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()


async def test_a_page_of_results_that_waits_for_the_first_index_is_a_page_of_the_site(
    built: Path, site: Site, settings: Settings, tmp_path: Path
) -> None:
    rules = load_rules(settings.data)
    preparing = SiteSearch(tmp_path, rules, lambda: Words(site.editions.docs, (), rules), NeverDone())
    app = Kinfolk(dataclasses.replace(site, search=preparing, settings=dataclasses.replace(settings, frontend=built)))
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        asked = await client.get("/search?q=caching")
        empty = await client.get("/search")
    assert (asked.status_code, asked.headers["retry-after"]) == (503, "10")
    assert asked.headers["cache-control"] == "private, no-store"
    page = html.fromstring(asked.text)
    assert page.xpath("//main//*[self::h1 or self::h2]/text()")[:2] == ["Search", "The search cannot answer now"]
    assert "The search is being prepared." in page.xpath("string(//main)")
    assert page.xpath("//main//input[@name='q']/@value") == ["caching"]
    assert page.xpath("//header")
    assert page.xpath("//footer")
    assert (empty.status_code, "retry-after" in empty.headers) == (200, False)


def test_nothing_is_written_where_nobody_pushes(site: Site, settings: Settings, tmp_path: Path) -> None:
    quiet = open_site(dataclasses.replace(settings, var=tmp_path / "var"))
    assert quiet.protocol.indexes.find("anything") is None
    quiet.protocol.indexes.begin()
    quiet.protocol.close()
    assert not (tmp_path / "var").exists()

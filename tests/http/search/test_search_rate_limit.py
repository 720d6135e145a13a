"""Limits of the Algolia API over HTTP: the rate limit per address, budgets and refusals."""

from __future__ import annotations

import dataclasses
import gzip
from collections.abc import Mapping
from ipaddress import ip_network

import httpx
import pytest
from tests.servers.captured_logs import captured_logs

from kinfolk.config.settings import Settings
from kinfolk.runtime.metrics import REFUSED
from kinfolk.search.algolia.api import AlgoliaApi
from kinfolk.search.algolia.formats.settings_format import engine_settings
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.search.algolia_endpoint import AlgoliaEndpoint
from kinfolk.web.protocol.token_buckets import BURST_S

pytestmark = pytest.mark.anyio

ADMIN_KEY = "only for tests"
AUTH = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
ADMIN = AUTH | {"x-algolia-api-key": ADMIN_KEY}
QUERIES = "/1/indexes/*/queries"
ONE = {"indexName": "pages", "query": "caching"}
RATE = 2.0


@pytest.fixture(scope="module")
def site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("var")
    opened = open_site(dataclasses.replace(settings, var=folder, search_admin_key=ADMIN_KEY, search_rate=RATE))
    records = [{"objectID": str(at), "title": f"Caching {at}"} for at in range(40)]
    pages = IndexHandle("pages", TantivyIndex.create(folder / "pages", engine_settings({}, ()), records), {})
    indexes = IndexRegistry({"pages": lambda: pages}, opened.search.algolia.indexes._pushed)
    api = AlgoliaApi(indexes, opened.search.algolia.query_log, opened.search.algolia.keys)
    return dataclasses.replace(opened, search=dataclasses.replace(opened.search, algolia=api))


class Clock:
    """A clock that tests set."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(site: Site, clock: Clock) -> SiteApp:
    app = SiteApp(site)
    app.search = AlgoliaEndpoint(site, clock=clock)
    return app


def client_at(app: SiteApp, peer: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=(peer, 4711))
    return httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test", headers=AUTH)


async def search(client: httpx.AsyncClient, times: int, headers: Mapping[str, str] | None = None) -> httpx.Response:
    """Send one call with this number of searches."""
    return await client.post(QUERIES, json={"requests": [ONE] * times}, headers=headers)


async def test_request_of_many_searches_costs_as_many(app: SiteApp, clock: Clock) -> None:
    async with client_at(app, "192.0.2.1") as client:
        assert (await search(client, 15)).status_code == 200
        refused = await search(client, 10)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "3")
        assert refused.json()["message"] == "Too many searches from this address"
        clock.now_s += 3
        assert (await search(client, 10)).status_code == 200


async def test_request_above_a_full_bucket_leaves_a_debt(app: SiteApp, clock: Clock) -> None:
    async with client_at(app, "192.0.2.1") as client:
        assert (await search(client, 50)).status_code == 200
        refused = await search(client, 1)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "16")
        clock.now_s += 16
        assert (await search(client, 1)).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "cost"),
    [
        ("/1/indexes/*/recommendations", {"requests": [{"indexName": "pages", "model": "trending-items"}] * 5}, 5),
        ("/1/indexes/*/objects", {"requests": [{"indexName": "pages", "objectID": "1"}] * 50}, 5),
        (
            "/1/events",
            {"events": [{"eventType": "view", "eventName": "x", "index": "pages", "objectIDs": ["1"]}] * 50},
            5,
        ),
        ("/1/indexes/pages/query", {}, 1),
    ],
)
async def test_all_calls_count_against_the_rate_limit(app: SiteApp, path: str, body: object, cost: int) -> None:
    full = int(RATE * BURST_S)
    async with client_at(app, "192.0.2.1") as client:
        assert (await search(client, full - cost)).status_code == 200
        assert (await client.post(path, json=body)).status_code == 200
        assert (await client.get("/1/isalive")).status_code == 429


async def test_requests_with_wrong_keys_count(app: SiteApp) -> None:
    async with client_at(app, "192.0.2.1") as client:
        wrong = {"x-algolia-api-key": "guess"}
        tried = [(await client.get("/1/isalive", headers=wrong)).status_code for _ in range(22)]
    assert tried == [403] * 20 + [429] * 2


async def test_admin_key_is_not_limited(app: SiteApp) -> None:
    async with client_at(app, "192.0.2.1") as client:
        assert [(await search(client, 50, ADMIN)).status_code for _ in range(3)] == [200] * 3


async def test_rate_limit_is_per_address_or_ipv6_network(app: SiteApp) -> None:
    async def first_status(peer: str, forwarded_for: str = "") -> int:
        async with client_at(app, peer) as client:
            headers = {"x-forwarded-for": forwarded_for} if forwarded_for else {}
            return (await search(client, 50, headers)).status_code

    assert await first_status("192.0.2.1") == 200
    assert await first_status("192.0.2.2") == 200
    assert await first_status("192.0.2.2", "198.51.100.9") == 429  # not from a trusted proxy
    assert await first_status("127.0.0.1", "198.51.100.9") == 200
    assert await first_status("127.0.0.1", "203.0.113.5, 198.51.100.9") == 429
    assert await first_status("2001:db8:1:2::1") == 200
    assert await first_status("2001:db8:1:2:ffff::2") == 429
    assert await first_status("2001:db8:1:3::1") == 200


async def test_trusted_proxies_are_those_of_the_settings(site: Site, clock: Clock) -> None:
    settings = dataclasses.replace(site.settings, trusted_proxies=(ip_network("10.0.0.0/8"),))
    app = SiteApp(dataclasses.replace(site, settings=settings))
    app.search = AlgoliaEndpoint(app.site, clock=clock)
    async with client_at(app, "10.1.2.3") as client:
        first = await search(client, 50, {"x-forwarded-for": "198.51.100.1"})
        second = await search(client, 50, {"x-forwarded-for": "198.51.100.2"})
    assert (first.status_code, second.status_code) == (200, 200)


def refused(reason: str) -> float:
    samples = [sample for family in REFUSED.collect() for sample in family.samples]
    wanted = {"kind": "search", "reason": reason}
    return sum(one.value for one in samples if one.labels == wanted and one.name.endswith("_total"))


DEEP = b'{"requests":' + b"[" * 300 + b"]" * 300 + b"}"


@pytest.mark.parametrize(
    ("content", "reason", "message"),
    [
        (DEEP, "depth", "What was sent is nested deeper than 16 levels"),
        (b'{"requests":[' + b"1," * 30_000 + b"1]}", "items", "More than 20000 values were sent"),
        (b'{"requests":[' + b"{}," * 50 + b"{}]}", "items", "requests: more than 50 searches"),
        (
            b'{"requests":[{"indexName":"pages","highlightPreTag":"' + b"<" * 20_000 + b'"}]}',
            "length",
            "highlightPreTag: longer than 256 characters",
        ),
        (b" " * (2 << 20), "too_large", "The body is larger than 1048576 bytes"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
async def test_exceeded_budget_is_a_client_error(
    site: Site, content: bytes, reason: str, message: str, packed: bool
) -> None:
    app = SiteApp(dataclasses.replace(site, settings=dataclasses.replace(site.settings, search_rate=0)))
    before = refused(reason)
    async with client_at(app, "192.0.2.1") as client:
        headers = {"content-encoding": "gzip"} if packed else {}
        sent = gzip.compress(content) if packed else content
        answer = await client.post(QUERIES, content=sent, headers=headers)
    assert 400 <= answer.status_code < 500
    assert answer.json()["message"].startswith(message)
    assert refused(reason) == before + 1


async def test_deep_settings_are_rejected_for_the_admin_key(app: SiteApp) -> None:
    async with client_at(app, "192.0.2.1") as client:
        for path in ("/1/indexes/other/settings", "/1/indexes/other/rules/1", "/1/indexes/other/1"):
            content = b'{"a":' + b"[" * 300 + b"]" * 300 + b"}"
            answer = await client.put(path, content=content, headers=ADMIN)
            assert (answer.status_code, answer.json()["message"]) == (400, "The body is nested deeper than 36 levels")


async def test_repeated_refusals_are_one_log_line(app: SiteApp) -> None:
    before = refused("rate")
    with captured_logs("request refused") as lines:
        async with client_at(app, "192.0.2.77") as client:
            await search(client, 50)
            for _ in range(20):
                await search(client, 50)
    logged = [line for line in lines if line.get("reason") == "rate"]
    assert len(logged) <= 1
    assert refused("rate") == before + 20

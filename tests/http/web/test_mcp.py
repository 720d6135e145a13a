"""The MCP endpoint: tools, limits, and hostile messages. tests/processes/web/test_mcp.py has the official client."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.inputs.docs_pages import write_docs
from tests.inputs.npm_histories import history
from tests.servers.kinfolk_process import ForkedProcess
from tests.suite.delegating_tree import DelegatingTree

from kinfolk.api.mcp_tools.read_page_tool import PART_CHARACTERS
from kinfolk.config.settings import Settings
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, Tree
from kinfolk.site.site import Site, open_site, upgrade_database
from kinfolk.statistics.histories.history_store import HistoryStore, years_of
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.mcp.mcp_endpoint import MAX_BODY_BYTES, MAX_REQUESTS, McpEndpoint

pytestmark = pytest.mark.anyio

ORIGIN = "http://127.0.0.1:8000"
HEADERS = {"content-type": "application/json", "accept": "application/json", "mcp-protocol-version": "2025-11-25"}
TODAY = date(2026, 11, 23)
BASE = "TanStack/query/main/docs"
INDEX = f"Index of all pages: {ORIGIN}/query/latest/llms.txt"
LONG = f"# Long page\n\n{INDEX}\n\n" + "".join(f"Line {number} of a long page.\n" for number in range(2000))
FILES = {
    f"{BASE}/overview.md": "---\ntitle: Overview\n---\n\nSee [caching](./guides/caching.md).\n",
    f"{BASE}/guides/caching.md": "---\ntitle: Caching\ndescription: How it caches.\n---\n\nText.\n",
    f"{BASE}/install.md": "---\nredirect_from: [setup]\ntitle: Install\n---\n\nText.\n",
    f"{BASE}/long.md": LONG.replace(f"{INDEX}\n\n", ""),
    f"{BASE}/quick-start.md": "# Quick start\n",
    "TanStack/query/v4/docs/overview.md": "# Old overview\n",
}
FIRST_IMPORT = """
import sys
from concurrent.futures import ThreadPoolExecutor
import kinfolk.web.app
from kinfolk.web.endpoints.mcp.mcp_endpoint import import_sdk
assert not [name for name in sys.modules if name.partition(".")[0] in ("mcp", "mcp_types")]
with ThreadPoolExecutor(4) as threads:
    for imported in [threads.submit(import_sdk) for _ in range(4)]:
        imported.result()
assert "mcp.server" in sys.modules
"""
DATES = {
    "docs/overview.md": datetime(2026, 3, 1, 12, tzinfo=UTC),
    "docs/guides/caching.md": datetime(2026, 3, 5, tzinfo=UTC),
    "docs/quick-start.md": datetime(2026, 2, 1, tzinfo=UTC),
}


@dataclass(frozen=True)
class DatedTree(DelegatingTree):
    """A tree in which some files have a history."""

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(DATES[path], ("Ada Lovelace",)) if path in DATES else None


@dataclass(frozen=True)
class BlockingTree(DelegatingTree):
    """A tree whose reads block until the gate is open."""

    gate: Event

    def read(self, path: str) -> bytes:
        assert self.gate.wait(30)
        return super().read(path)


@pytest.fixture(scope="module")
def opened_site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with dated docs, and with 800 days of counts of a package."""
    folder = tmp_path_factory.mktemp("mcp")
    write_docs(folder / "repos", FILES)
    site = open_site(replace(settings, content=folder / "repos", var=folder / "var", mcp_rate=0.0))
    docs = site.content.publisher.docs
    trees: dict[Any, Tree] = {ref: DatedTree(tree) for ref, tree in docs.snapshot.trees.items()}
    site.content.publisher.docs = docs.with_snapshot(Snapshot(trees))
    upgrade_database(site.database, site.settings)
    first = TODAY - timedelta(days=800)
    HistoryStore(site.database).put(years_of(history("stored-one", first.isoformat(), [100] * 800)))
    return site


@pytest.fixture
def site(opened_site: Site) -> Iterator[Site]:
    """The site, whose docs a test may replace."""
    docs = opened_site.content.publisher.docs
    yield opened_site
    opened_site.content.publisher.docs = docs


@asynccontextmanager
async def serving(endpoint: McpEndpoint) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the endpoint, while its service runs."""
    service = asyncio.create_task(endpoint.run())
    transport = httpx.ASGITransport(endpoint, raise_app_exceptions=True)
    try:
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            yield client
    finally:
        service.cancel()
        await asyncio.wait([service])


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(McpEndpoint(site, today=lambda: TODAY)) as client:
        yield client


async def post(client: httpx.AsyncClient, message: object, **headers: str) -> httpx.Response:
    return await client.post("/mcp", content=json.dumps(message), headers=HEADERS | headers)


async def call(client: httpx.AsyncClient, tool: object, arguments: object = None) -> dict[str, Any]:
    """The result of a call of a tool."""
    params = {"name": tool, "arguments": {} if arguments is None else arguments}
    answer = await post(client, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()["result"]
    return result


async def answer_of(client: httpx.AsyncClient, tool: str, **arguments: object) -> dict[str, Any]:
    """The answer of a tool, which is not an error."""
    result = await call(client, tool, arguments)
    assert not result.get("isError"), result
    answer: dict[str, Any] = result["structuredContent"]
    return answer


async def error_of(client: httpx.AsyncClient, tool: str, arguments: object) -> str:
    """The message of a tool error."""
    result = await call(client, tool, arguments)
    assert result["isError"] is True
    return str(result["content"][0]["text"])


# Tools


async def test_page_is_read_as_markdown_with_version_revision_and_address(
    client: httpx.AsyncClient, site: Site
) -> None:
    answer = await answer_of(client, "read_page", address="/query/latest/docs/overview")
    assert answer["markdown"] == (
        f"# Overview\n\n{INDEX}\n\nSee [caching]({ORIGIN}/query/latest/docs/guides/caching).\n"
    )
    assert (answer["version"], answer["address"]) == ("v5", f"{ORIGIN}/query/latest/docs/overview")
    revisions = {ref.branch: tree.revision for ref, tree in site.content.publisher.docs.snapshot.trees.items()}
    assert (answer["revision"], answer["updated"]) == (revisions["main"], "2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    "arguments",
    [
        {"address": f"{ORIGIN}/query/latest/docs/overview#caching"},
        {"address": f"{ORIGIN}/query/v5/docs/overview/?x=1"},
        {"address": "/api/md/query/latest/docs/overview"},
        {"address": "/query/latest/docs/overview.md"},
        {"address": "/query/latest/docs/%6Fverview"},
        {"library": "query", "path": "overview"},
        {"library": "query", "version": "v5", "path": "/overview.md"},
    ],
)
async def test_page_has_several_names(client: httpx.AsyncClient, arguments: dict[str, str]) -> None:
    answer = await answer_of(client, "read_page", **arguments)
    assert (answer["title"], answer["address"]) == ("Overview", f"{ORIGIN}/query/latest/docs/overview")


async def test_moved_page_is_read_at_its_new_address(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "read_page", library="query", path="setup")
    assert (answer["title"], answer["address"]) == ("Install", f"{ORIGIN}/query/latest/docs/install")


async def test_page_of_an_old_version(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "read_page", library="query", version="v4", path="overview")
    assert (answer["version"], answer["address"]) == ("v4", f"{ORIGIN}/query/v4/docs/overview")


async def test_long_page_comes_in_parts_that_add_up_to_it(client: httpx.AsyncClient) -> None:
    parts, offset = [], 0
    while True:
        answer = await answer_of(client, "read_page", library="query", path="long", offset=offset)
        parts.append(answer["markdown"])
        if answer["next_offset"] is None:
            break
        offset = answer["next_offset"]
    assert "".join(parts) == LONG
    assert all(len(part) <= PART_CHARACTERS and part.endswith("page.\n") for part in parts)
    message = await error_of(client, "read_page", {"library": "query", "path": "long", "offset": len(LONG)})
    assert message == f"offset: The page has {len(LONG)} characters"


async def test_text_of_a_result_has_the_markdown_as_it_is(client: httpx.AsyncClient) -> None:
    about, markdown = (await call(client, "read_page", {"library": "query", "path": "overview"}))["content"]
    assert markdown["text"].startswith(f"# Overview\n\n{INDEX}\n\nSee")
    assert json.loads(about["text"])["address"] == f"{ORIGIN}/query/latest/docs/overview"


async def test_libraries_and_versions_are_listed_with_their_revisions(client: httpx.AsyncClient, site: Site) -> None:
    answer = await answer_of(client, "list_libraries")
    assert [one["id"] for one in answer["libraries"]] == [library.id for library in site.catalog.libraries]
    revisions = {one["id"]: one["revision"] for one in answer["libraries"]}
    versions = await answer_of(client, "list_versions", library="query")
    listed = {one["version"]: one for one in versions["versions"]}
    assert listed["v5"]["revision"] == versions["revision"] == revisions["query"]
    assert (listed["v5"]["is_latest"], listed["v5"]["pages"], listed["v4"]["pages"]) == (True, 5, 1)
    assert (listed["v3"]["revision"], revisions["table"]) == (None, None)
    assert listed["v4"]["address"].startswith(f"{ORIGIN}/query/v4/docs/")


async def test_changes_since_a_day_are_listed_newest_first(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "what_changed", library="query", since="2026-03-01")
    assert [(page["title"], page["updated"]) for page in answer["pages"]] == [
        ("Caching", "2026-03-05T00:00:00+00:00"),
        ("Overview", "2026-03-01T12:00:00+00:00"),
    ]
    assert (answer["total"], answer["known"], answer["all_pages"]) == (2, 3, 5)
    assert answer["feed"] == f"{ORIGIN}/query/changes.atom"
    first = await answer_of(client, "what_changed", library="query", since="2026-01-01", limit=1)
    assert (len(first["pages"]), first["total"]) == (1, 3)


async def test_changes_without_a_day_are_the_last_ones(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "what_changed", library="query", limit=2)
    assert [page["title"] for page in answer["pages"]] == ["Caching", "Overview"]
    assert (answer["since"], answer["total"]) == (None, 3)


async def test_old_version_without_histories_says_so(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "what_changed", library="query", version="v4", since="2026-01-01")
    assert (answer["known"], answer["all_pages"], answer["feed"]) == (1, 1, None)


async def test_downloads_are_real_counts_in_weeks_from_sunday(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "npm_downloads", packages=["stored-one"], days=30)
    (package,) = answer["packages"]
    assert (package["total"], package["days"], package["status"]) == (3000, 30, "ready")
    assert (answer["first_day"], answer["last_day"]) == ("2026-10-24", "2026-11-22")
    assert [(week["first_day"], week["downloads"], week["days"]) for week in package["weeks"]] == [
        ("2026-10-18", 100, 1),
        ("2026-10-25", 700, 7),
        ("2026-11-01", 700, 7),
        ("2026-11-08", 700, 7),
        ("2026-11-15", 700, 7),
        ("2026-11-22", 100, 1),
    ]
    assert answer["address"].startswith(f"{ORIGIN}/stats/npm?packageGroups=")


async def test_package_without_counts_has_a_message_and_no_sample(client: httpx.AsyncClient) -> None:
    answer = await answer_of(client, "npm_downloads", packages=["made-up-package", "stored-one"])
    missing, stored = answer["packages"]
    assert (missing["status"], missing["total"], missing["weeks"]) == ("no-data", None, [])
    assert missing["message"] == "This site has no download counts of this package."
    assert stored["total"] == 9000
    nothing = await answer_of(client, "npm_downloads", packages=["made-up-package"])
    assert (nothing["first_day"], nothing["packages"][0]["total"]) == (None, None)


async def test_search_without_an_index_says_so(client: httpx.AsyncClient) -> None:
    assert await error_of(client, "search", {"query": "caching"}) == "This site has no search of its own"


# Invalid arguments


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {}, "query: Field required"),
        ("search", {"query": ["a"]}, "query: Input should be a valid string"),
        ("search", {"query": "\x00"}, "query: contains a character that cannot be printed"),
        ("search", {"query": "x" * 600}, "query: String should have at most 512 characters"),
        ("search", {"query": "  "}, "query: String should have at least 1 character"),
        ("search", {"query": "x", "limit": 21}, "limit: Input should be less than or equal to 20"),
        ("search", {"query": "x", "limit": 10**30}, "limit: Input should be less than or equal to 20"),
        ("search", {"query": "x", "library": "nope"}, 'There is no library "nope". The tool list_libraries lists all.'),
        ("search", {"query": "x", "libary": "query"}, "There is no argument 'libary'"),
        ("read_page", {}, "Name the page by its address, or by its library, version and path"),
        ("read_page", {"address": "/query/latest/docs/a", "library": "query"}, "Name the page by its address, or"),
        ("read_page", {"address": "https://example.com/query/latest/docs/overview"}, "address: Only pages of"),
        ("read_page", {"address": "//127.0.0.1:8000/query/latest/docs/overview"}, "address: Only pages of"),
        ("read_page", {"address": f"{ORIGIN}.example.com/query/latest/docs/overview"}, "address: Only pages of"),
        ("read_page", {"address": "/blog/a-post"}, "address: Not a docs page."),
        ("read_page", {"address": "/query/latest/docs/%00"}, "path: No page has this path: it holds U+0000"),
        (
            "read_page",
            {"address": "/query/latest/docs/..%2F..%2Fpackage"},
            "path: No page has this path: it has a part",
        ),
        ("read_page", {"library": "query", "path": "../../README"}, "path: No page has this path: it has a part"),
        (
            "read_page",
            {"library": "query", "path": "a\\b"},
            "path: No page has this path: it holds a slash or a backslash",
        ),
        ("read_page", {"library": "query", "path": "x" * 1100}, "path: String should have at most 1024 characters"),
        ("read_page", {"library": "query", "path": "guides/cachin"}, "There is no page"),
        (
            "read_page",
            {"library": "query", "version": "v99", "path": "a"},
            'TanStack Query has no version "v99". Its vers',
        ),
        ("read_page", {"library": "table", "path": "a"}, "There is no copy of TanStack/table"),
        ("read_page", {"library": "query", "path": "overview", "offset": -1}, "offset: Input should be greater"),
        ("list_libraries", {"x": 1}, "There is no argument 'x'"),
        ("list_versions", {"library": ""}, "library: String should have at least 1 character"),
        ("what_changed", {"library": "query", "since": "yesterday"}, "since: Input should be a valid date"),
        ("what_changed", {"library": "query", "since": "99999-01-01"}, "since: Input should be a valid date"),
        ("npm_downloads", {"packages": []}, "packages: List should have at least 1 item"),
        ("npm_downloads", {"packages": ["a"] * 11}, "packages: List should have at most 10 items"),
        ("npm_downloads", {"packages": ["../etc"]}, "packages.0: is not a name that a package on npm can have"),
        ("npm_downloads", {"packages": ["a"], "days": 1e300}, "days: Unable to parse input string as an integer"),
    ],
)
async def test_invalid_arguments_are_tool_errors(
    client: httpx.AsyncClient, tool: str, arguments: object, message: str
) -> None:
    assert (await error_of(client, tool, arguments)).startswith(message)


async def test_missing_page_names_similar_pages(client: httpx.AsyncClient) -> None:
    message = await error_of(client, "read_page", {"library": "query", "path": "guides/cachin"})
    assert message.endswith(f"Similar pages: {ORIGIN}/query/latest/docs/guides/caching")


async def test_unknown_tool_is_an_error_of_the_protocol(client: httpx.AsyncClient) -> None:
    params = {"name": "delete_everything", "arguments": {}}
    answer = await post(client, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})
    assert answer.json()["error"] == {"code": -32602, "message": "There is no tool 'delete_everything'"}


# Hostile messages


def nested(levels: int) -> str:
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"[" * levels}{"]" * levels}}}'


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "The body is not JSON"),
        (b"\xff\xfe", 400, "The body is not JSON"),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', 400, "The body is not JSON"),
        (b"null", 400, "The body is not a message of JSON-RPC 2.0"),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400, "The body is not a message of JSON-RPC 2.0"),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}}', 400, "The body is not a message of JSON-RPC 2.0"),
        (b"[" + b'{"jsonrpc": "2.0", "id": 1, "method": "ping"},' * 500 + b"0]", 400, "Batches are not supported"),
        (nested(100).encode(), 400, "What was sent is nested deeper than 32 levels"),
        (nested(30_000).encode(), 400, ""),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": [' + b"0," * 20_000 + b"0]}", 400, "More than 10000"),
        (b" " * (MAX_BODY_BYTES + 1), 413, "The body is larger than 65536 bytes"),
    ],
    ids=["empty", "binary", "surrogate", "null", "version", "response", "batch", "deep", "deeper", "many", "large"],
)
async def test_hostile_body_is_an_error_of_the_protocol(
    client: httpx.AsyncClient, body: bytes, status: int, message: str
) -> None:
    answer = await client.post("/mcp", content=body, headers=HEADERS)
    assert answer.status_code == status
    assert message in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 400),
        ({"accept": "text/html"}, 406),
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"mcp-protocol-version": "1999-01-01"}, 400),
        ({"host": "localhost:9000"}, 200),
        ({"mcp-session-id": "made-up"}, 200),
    ],
)
async def test_headers_are_checked(client: httpx.AsyncClient, headers: dict[str, str], status: int) -> None:
    answer = await post(client, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, **headers)
    assert answer.status_code == status
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"])
async def test_other_methods_get_an_explanation(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/mcp", headers={"accept": "text/event-stream"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert method == "HEAD" or f"Add {ORIGIN}/mcp to your client" in answer.text


async def test_unknown_method_is_an_error_of_the_protocol(client: httpx.AsyncClient) -> None:
    answer = await post(client, {"jsonrpc": "2.0", "id": 1, "method": "resources/list"})
    assert answer.json()["error"]["code"] == -32601


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(
    ("query", "library", "version", "framework", "limit", "address", "path", "offset", "since", "packages", "days")
)
VALUES = JSON | st.sampled_from(
    ("query", "latest", "v4", "/query/latest/docs/overview", "overview", "2026-01-01", "react")
)
TOOL_NAMES = st.sampled_from(
    ("search", "read_page", "list_libraries", "list_versions", "what_changed", "npm_downloads")
)


@pytest.mark.no_cover
def test_any_arguments_get_an_answer_or_a_tool_error(site: Site) -> None:
    @given(tool=TOOL_NAMES, arguments=st.dictionaries(KEYS | st.text(max_size=10), VALUES, max_size=5))
    @hypothesis_settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
    def check(tool: str, arguments: Mapping[str, object]) -> None:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = asyncio.run(once(McpEndpoint(site, today=lambda: TODAY), message))
        assert answer.status_code in (200, 400)
        text = answer.text
        assert "Traceback" not in text
        assert "Something went wrong" not in text

    check()


async def once(endpoint: McpEndpoint, message: object) -> httpx.Response:
    async with serving(endpoint) as client:
        return await post(client, message)


# Limits


async def test_rate_is_limited_by_address(site: Site) -> None:
    limited = replace(site, settings=replace(site.settings, mcp_rate=0.2))
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with serving(McpEndpoint(limited, clock=lambda: 0.0)) as client:
        statuses = [(await post(client, ping)).status_code for _ in range(3)]
        refused = await post(client, ping)
        other = await post(client, ping, **{"x-forwarded-for": "203.0.113.7"})
    assert (statuses, refused.status_code, other.status_code) == ([200, 200, 429], 429, 200)
    assert refused.headers["retry-after"] == "5"
    assert refused.json()["error"]["message"] == "Too many requests from this address"


@dataclass(frozen=True)
class BusyTree(DelegatingTree):
    """A tree in which a read takes a second of CPU time."""

    def read(self, path: str) -> bytes:
        end_s = time.thread_time() + 1
        while time.thread_time() < end_s:
            pass
        return super().read(path)


MODERN = "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("headers", "meta"),
    [({}, {}), ({"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": "read_page"}, ENVELOPE)],
    ids=["handshake", "modern"],
)
async def test_call_that_takes_much_cpu_time_counts_as_more_requests(
    site: Site, headers: dict[str, str], meta: dict[str, object]
) -> None:
    docs = site.content.publisher.docs
    trees: dict[Any, Tree] = {ref: BusyTree(tree) for ref, tree in docs.snapshot.trees.items()}
    site.content.publisher.docs = docs.with_snapshot(Snapshot(trees))
    limited = replace(site, settings=replace(site.settings, mcp_rate=1.0))
    params = {"name": "read_page", "arguments": PAGE, "_meta": meta}
    # On a busy machine, the CPU time of the call takes several times as long.
    async with serving(McpEndpoint(limited, clock=lambda: 0.0, tool_s=60)) as client:
        answer = await post(client, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, **headers)
        again = await post(client, {"jsonrpc": "2.0", "id": 2, "method": "ping"})
    assert answer.json()["result"]["structuredContent"]["title"] == "Overview"
    assert again.status_code == 429


async def test_requests_above_the_limit_are_refused_and_others_are_answered(site: Site) -> None:
    gate = Event()
    docs = site.content.publisher.docs
    blocked: dict[Any, Tree] = {ref: BlockingTree(tree, gate) for ref, tree in docs.snapshot.trees.items()}
    site.content.publisher.docs = docs.with_snapshot(Snapshot(blocked))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read_page", "arguments": PAGE}}
    async with serving(McpEndpoint(site)) as client:
        calls = [asyncio.create_task(post(client, message)) for _ in range(MAX_REQUESTS + 1)]
        try:
            (first, *_), _ = await asyncio.wait(calls, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gate.set()
        answers = await asyncio.gather(*calls)
    refused = first.result()
    assert refused.json()["error"]["message"] == "Too many requests at once, try again in a second"
    assert refused.headers["retry-after"] == "1"
    assert sorted(answer.status_code for answer in answers) == [200] * MAX_REQUESTS + [429]


PAGE = {"library": "query", "path": "overview"}


async def test_call_that_takes_too_long_is_a_tool_error(site: Site) -> None:
    gate = Event()
    docs = site.content.publisher.docs
    blocked: dict[Any, Tree] = {ref: BlockingTree(tree, gate) for ref, tree in docs.snapshot.trees.items()}
    site.content.publisher.docs = docs.with_snapshot(Snapshot(blocked))
    async with serving(McpEndpoint(site, tool_s=0.05)) as client:
        try:
            assert await error_of(client, "read_page", PAGE) == "read_page took longer than 0.05 seconds"
        finally:
            gate.set()


async def test_request_before_the_service_has_started_waits_for_it(site: Site) -> None:
    endpoint = McpEndpoint(site)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(endpoint), base_url=ORIGIN) as client:
        waiting = asyncio.create_task(post(client, {"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        service = asyncio.create_task(endpoint.run())
        assert (await waiting).status_code == 200
        service.cancel()
        await asyncio.wait([service])


async def test_request_without_a_running_service_is_unavailable(site: Site) -> None:
    transport = httpx.ASGITransport(McpEndpoint(site, start_s=0.01))
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        answer = await post(client, {"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, -32000)


async def test_first_requests_at_the_same_time_are_answered(site: Site) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with serving(McpEndpoint(site)) as client:
        answers = await asyncio.gather(*(post(client, ping) for _ in range(MAX_REQUESTS)))
    assert [answer.status_code for answer in answers] == [200] * MAX_REQUESTS


def test_sdk_is_imported_for_the_first_request(tmp_path: Path) -> None:
    """By several threads at once, in a process of its own, because this one has imported it."""
    run = ForkedProcess.of_code(FIRST_IMPORT, tmp_path)
    assert (run.wait(60), (tmp_path / "errors").read_text()) == (0, "")


async def test_service_can_be_started_again(site: Site) -> None:
    endpoint = McpEndpoint(site)
    for _ in range(2):
        async with serving(endpoint) as client:
            assert (await post(client, {"jsonrpc": "2.0", "id": 1, "method": "ping"})).status_code == 200


def test_own_host_is_allowed_with_its_default_port() -> None:
    # The SDK takes a second to import, in each process that collects tests.
    from kinfolk.web.endpoints.mcp.mcp_server import transport_security

    security = transport_security("https://docs.example.com")
    assert {"docs.example.com", "docs.example.com:443"} <= set(security.allowed_hosts)
    assert "https://docs.example.com" in security.allowed_origins


def test_application_dispatches_to_the_endpoint(site: Site) -> None:
    answer = TestClient(SiteApp(site)).get("/mcp")
    assert (answer.status_code, answer.headers["x-content-type-options"]) == (405, "nosniff")

"""The MCP endpoint with the official client, in a site with two worker processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult
from tests.processes.family import eventually
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

pytestmark = pytest.mark.anyio

MODES = ("legacy", "auto")
"""With the handshake of earlier revisions of the protocol, and with the first revision without one."""
PAGE = "/query/latest/docs/framework/react/overview"
CALLS: dict[str, dict[str, object]] = {
    "search": {"query": "caching", "library": "query", "framework": "react", "limit": 3},
    "read_page": {"address": PAGE},
    "list_libraries": {},
    "list_versions": {"library": "query"},
    "what_changed": {"library": "query"},
    "npm_downloads": {"packages": ["react", "no-package-has-this-name"], "days": 30},
}
HOSTILE = (
    b"[" * 60_000,
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + b'{"a":' * 500 + b"1" + b"}" * 501,
    b"[" + b'{"jsonrpc": "2.0", "id": 1, "method": "ping"},' * 1000 + b"0]",
    b"x" * 100_000,
    b'{"jsonrpc": "2.0", "id": ' + b"9" * 6000 + b', "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "\\u0000"}',
    b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 7}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5, "arguments": "x"}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": [1]}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"progressToken": []}}}',
)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    environment = PLAIN | {"KINFOLK_MCP_RATE": "0"}
    with serving(
        tmp_path_factory.mktemp("mcp"), "--workers", "2", environment=environment, var=SAMPLE_VAR.folder()
    ) as server:
        eventually(lambda: server.log.count("search index opened") >= 2, "both workers have an index", within_s=120)
        yield server


@asynccontextmanager
async def connected(server: Server, mode: str) -> AsyncIterator[Client]:
    async with Client(f"{server.url}/mcp", mode=mode) as client:
        yield client


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    return answer


@pytest.mark.parametrize("mode", MODES)
async def test_client_connects_and_lists_read_only_tools(server: Server, mode: str) -> None:
    async with connected(server, mode) as client:
        assert client.server_info is not None
        assert client.server_info.title == "TanStack docs"
        tools = (await client.list_tools()).tools
    # Without checked packages, `symbol` has nothing to look in: tests/unit/api/mcp_tools calls it.
    assert {tool.name for tool in tools} == {*CALLS, "symbol"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert all(tool.output_schema and tool.description for tool in tools)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tool", CALLS)
async def test_every_answer_has_a_version_a_revision_and_an_address(server: Server, mode: str, tool: str) -> None:
    async with connected(server, mode) as client:
        answer = structured(await client.call_tool(tool, CALLS[tool]))
    assert answer["address"].startswith(f"{server.url}/")
    assert answer["version"] in ("latest", "v5")
    assert answer["revision"]


async def test_found_pages_can_be_read(server: Server) -> None:
    async with connected(server, "auto") as client:
        found = structured(await client.call_tool("search", CALLS["search"]))
        assert 0 < len(found["hits"]) <= 3
        docs = [hit for hit in found["hits"] if hit["readable"]]
        assert docs
        for hit in docs:
            page = structured(await client.call_tool("read_page", {"address": hit["address"]}))
            assert (page["library"], page["revision"]) == (hit["library"], hit["revision"])
            assert page["title"] == hit["title"]
    assert found["total"] >= len(found["hits"])


async def test_hits_outside_the_docs_are_marked(server: Server) -> None:
    async with connected(server, "auto") as client:
        found = structured(await client.call_tool("search", {"query": "caching", "limit": 20}))
    readable = {hit["kind"]: hit["readable"] for hit in found["hits"]}
    assert (readable["guide"], readable["blog"]) == (True, False)


async def test_page_is_the_one_that_the_site_serves_as_markdown(server: Server) -> None:
    async with connected(server, "auto") as client:
        page = structured(await client.call_tool("read_page", {"address": PAGE}))
    served = await asyncio.to_thread(httpx.get, page["markdown_address"])
    assert page["markdown"] == served.text


async def test_bundled_counts_are_real_and_a_missing_package_has_a_message(server: Server) -> None:
    async with connected(server, "auto") as client:
        answer = structured(await client.call_tool("npm_downloads", CALLS["npm_downloads"]))
    known, unknown = answer["packages"]
    assert known["total"] == sum(week["downloads"] for week in known["weeks"]) > 0
    assert (unknown["status"], unknown["total"], unknown["weeks"]) == ("no-data", None, [])
    assert "no download counts" in unknown["message"]


async def test_invalid_calls_are_errors_that_a_client_understands(server: Server) -> None:
    async with connected(server, "auto") as client:
        result = await client.call_tool("read_page", {"address": "/query/latest/docs/../../secret"})
        assert result.is_error
        with pytest.raises(MCPError, match="There is no tool"):
            await client.call_tool("drop_tables", {})


def test_hostile_bodies_get_client_errors_and_both_workers_survive(server: Server) -> None:
    workers = server.workers()
    versions = ("2025-11-25", "2026-07-28", "1", "")

    def send(body: bytes, version: str) -> httpx.Response:
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if version:
            headers["mcp-protocol-version"] = version
        return httpx.post(f"{server.url}/mcp", content=body, headers=headers, timeout=30)

    with ThreadPoolExecutor(8) as threads:
        cases = [(body, version) for body in HOSTILE for version in versions] * 3
        answers = list(threads.map(lambda case: send(*case), cases))
    assert {answer.status_code for answer in answers} <= {200, 202, 400, 404, 413, 429}
    assert all("error" in answer.json() for answer in answers if answer.content)
    assert "Traceback" not in server.log
    assert server.workers() == workers


async def test_concurrent_clients_are_answered_by_any_worker(server: Server) -> None:
    async def read() -> str:
        async with connected(server, "legacy") as client:
            page = structured(await client.call_tool("read_page", {"address": PAGE}))
            return str(page["revision"])

    assert len(set(await asyncio.gather(*(read() for _ in range(12))))) == 1


def test_rate_of_an_address_is_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = PLAIN | {"KINFOLK_MCP_RATE": "0.01", "KINFOLK_SEARCH": "off"}
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json"}
    with serving(tmp_path_factory.mktemp("limited"), "--workers", "1", environment=environment) as server:
        first, second = (httpx.post(f"{server.url}/mcp", json=ping, headers=headers) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 429)
    assert int(second.headers["retry-after"]) > 1

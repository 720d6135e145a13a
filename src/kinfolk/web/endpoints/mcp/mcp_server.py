"""The MCP server: the tools of `kinfolk.api.mcp_tools` in the types of the official SDK."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import structlog
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as ListedTool
from starlette.requests import Request

from kinfolk import __name__ as server_name
from kinfolk.api.mcp_tools.tools import TOOLS, JsonObject, Tool
from kinfolk.config.catalog import Catalog
from kinfolk.runtime.errors import SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

RunTool = Callable[[Tool, Mapping[str, object], Request | None], Awaitable[JsonObject]]
"""Runs a tool for a request, within limits. Raises SiteError."""
Context = ServerRequestContext[dict[str, object]]
_LONGEST_NAME = 80
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def make_manager(catalog: Catalog, origin: str, run: RunTool, *, max_body_bytes: int) -> StreamableHTTPSessionManager:
    """What answers requests, each with one JSON document."""
    return StreamableHTTPSessionManager(
        make_server(catalog, origin, run),
        json_response=True,
        stateless=True,
        security_settings=transport_security(origin),
        max_request_body_size=max_body_bytes,
    )


def transport_security(origin: str) -> TransportSecuritySettings:
    """Protection against DNS rebinding: the host of the site, and names of the loopback interface with any port."""
    parts = urlsplit(origin)
    hosts = [parts.netloc]
    if parts.port is None and parts.scheme in _DEFAULT_PORTS:
        hosts.append(f"{parts.netloc}:{_DEFAULT_PORTS[parts.scheme]}")
    local = [name for host in _LOOPBACK for name in (host, f"{host}:*")]
    return TransportSecuritySettings(
        allowed_hosts=[*hosts, *local],
        allowed_origins=[origin, *(f"{scheme}://{host}" for scheme in ("http", "https") for host in local)],
    )


def make_server(catalog: Catalog, origin: str, run: RunTool) -> Server[dict[str, object]]:
    """A server without state: it keeps nothing between two requests."""

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:_LONGEST_NAME]!r}")
        try:
            answer = await run(tool, params.arguments or {}, context.request)
        except SiteError as failed:
            return _error(failed.message)
        except Exception:
            log.exception("tool crashed", tool=tool.name)
            return _error("Something went wrong on our side")
        return CallToolResult(content=_content(answer), structured_content=answer)

    return Server(
        server_name,
        title=f"{catalog.family} docs",
        description=catalog.description,
        instructions=f"Documentation of the {catalog.family} libraries. Use search to find sections of pages and "
        "read_page to read a page, and symbol to look up a name of an API before you use it. Answers name the "
        "version of the docs: check that it is the one that the project uses, and pass another one if it is not.",
        website_url=origin,
        on_list_tools=_list_tools,
        on_call_tool=call_tool,
    )


async def _list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(
        tools=[
            ListedTool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=tool.input_schema,
                output_schema=tool.output_schema,
                annotations=_READ_ONLY,
            )
            for tool in TOOLS.values()
        ]
    )


def _content(answer: JsonObject) -> list[ContentBlock]:
    """The answer as text, for clients that do not read structured content. Markdown stays readable."""
    markdown = answer.get("markdown")
    if not isinstance(markdown, str):
        return [_text(json.dumps(answer, ensure_ascii=False))]
    about = {name: value for name, value in answer.items() if name != "markdown"}
    return [_text(json.dumps(about, ensure_ascii=False)), _text(markdown)]


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _error(message: str) -> CallToolResult:
    return CallToolResult(content=[_text(message)], is_error=True)

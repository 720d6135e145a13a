"""The table of tools: their names, arguments and answers, and the only place that turns JSON into a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from kinfolk.api.mcp_tools.changes_tool import ChangesAnswer, ChangesArguments, what_changed
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.api.mcp_tools.downloads_tool import DownloadsAnswer, DownloadsArguments, npm_downloads
from kinfolk.api.mcp_tools.library_tools import (
    LibrariesAnswer,
    LibraryArguments,
    NoArguments,
    VersionsAnswer,
    list_libraries,
    list_versions,
)
from kinfolk.api.mcp_tools.read_page_tool import PageAnswer, ReadPageArguments, read_page
from kinfolk.api.mcp_tools.search_tool import SearchAnswer, SearchArguments, search
from kinfolk.api.mcp_tools.symbol_tool import SymbolAnswer, SymbolArguments, symbol
from kinfolk.runtime.errors import Invalid

A = TypeVar("A")
R = TypeVar("R")
JsonObject = dict[str, object]
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Tool:
    """`call` takes the arguments as JSON and returns the answer as JSON. It blocks, and raises SiteError."""

    name: str
    title: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject
    call: Callable[[ToolContext, Mapping[str, object]], JsonObject]
    reads_database: bool


def _tool(
    run: Callable[[ToolContext, A], R],
    arguments: type[A],
    answer: type[R],
    *,
    title: str,
    description: str,
    reads_database: bool = False,
) -> Tool:
    reader, writer = TypeAdapter(arguments), TypeAdapter(answer)

    def call(context: ToolContext, given: Mapping[str, object]) -> JsonObject:
        try:
            read = reader.validate_python(given)
        except ValidationError as wrong:
            raise Invalid(_first_reason(wrong)) from None
        written: JsonObject = writer.dump_python(run(context, read), mode="json")
        return written

    schemas = (reader.json_schema(), writer.json_schema(mode="serialization"))
    return Tool(run.__name__, title, description, *schemas, call, reads_database)


def _first_reason(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:_LONGEST_NAME]
    if first["type"] == "unexpected_keyword_argument":
        return f"There is no argument {where!r}"
    # pydantic's message contains the name of the class.
    reason = "should be an object" if first["type"].startswith("dataclass") else first["msg"]
    return f"{where or 'arguments'}: {reason.removeprefix('Value error, ')}"


_ALL = (
    _tool(
        search,
        SearchArguments,
        SearchAnswer,
        title="Search the docs",
        description="Searches the docs, examples and blog of all libraries. Returns sections of pages, the best first, "
        "each with its text, version and address. Read the page of a readable one with read_page.",
    ),
    _tool(
        read_page,
        ReadPageArguments,
        PageAnswer,
        title="Read a docs page",
        description="Returns a docs page as Markdown, by its address or by library, version and path, with the "
        "signatures of the library's names in its code. Long pages come in parts: pass next_offset as offset to get "
        "the next one.",
    ),
    _tool(
        list_libraries,
        NoArguments,
        LibrariesAnswer,
        title="List the libraries",
        description="Lists all libraries with their latest versions, frameworks, npm packages and docs addresses.",
    ),
    _tool(
        list_versions,
        LibraryArguments,
        VersionsAnswer,
        title="List the versions of a library",
        description="Lists the versions of the docs of a library, with the branch, commit and date of each.",
    ),
    _tool(
        symbol,
        SymbolArguments,
        SymbolAnswer,
        title="Look up a symbol",
        description="Returns what the packages of a library export under a name: signature, modules to import it from, "
        "options, deprecation, the versions that have it, what replaced it, and the page about it. Of a name that a "
        "version lacks, it returns the nearest names. Call it before writing code against an API.",
    ),
    _tool(
        what_changed,
        ChangesArguments,
        ChangesAnswer,
        title="List changed docs pages",
        description="Lists the docs pages of a library that changed last, or since a date, the newest change first.",
    ),
    _tool(
        npm_downloads,
        DownloadsArguments,
        DownloadsAnswer,
        title="Count npm downloads",
        description="Returns real download counts of npm packages: the total of the last days, and weeks from Sunday "
        "to Saturday. A package without counts has a message instead.",
        reads_database=True,
    ),
)
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _ALL})
"""All tools by name."""

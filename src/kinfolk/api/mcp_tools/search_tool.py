"""The tool `search`: the engine of the site's search page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from kinfolk.api.mcp_tools.argument_types import FrameworkName, OptionalLibraryId, Query, VersionName, tool_arguments
from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.config.catalog import LATEST
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.docs_index.results_view import ResultPage, TextFragment, chosen_filter, result_page
from kinfolk.search.query import SearchQuery

MAX_HITS = 20
_DOCS_KINDS = ("guide", "reference")


@tool_arguments
class SearchArguments:
    query: Query
    library: OptionalLibraryId = ""
    framework: FrameworkName = ""
    version: VersionName = LATEST
    limit: Annotated[int, Field(ge=1, le=MAX_HITS, description="Number of results.")] = 10


@dataclass(frozen=True)
class SearchHit:
    """A section of a page. `headings` are those between the title of the page and the text.

    `readable`: the tool `read_page` can read the page. It cannot read posts, examples and landing pages.
    """

    title: str
    headings: tuple[str, ...]
    text: str
    kind: str
    library: str
    version: str
    revision: str | None
    address: str
    readable: bool


@dataclass(frozen=True)
class SearchAnswer:
    """`revision` is the id of the docs of all libraries; a hit has the commit of its own library."""

    version: str
    revision: str
    address: str
    total: int
    hits: tuple[SearchHit, ...]


def search(context: ToolContext, arguments: SearchArguments) -> SearchAnswer:
    """Raises NotFound for an unknown library or version, Unavailable without a search index."""
    if arguments.library:
        library = context.library(arguments.library)
        context.version_docs(library, arguments.version)
    index = context.site.search.updater
    if index is None:
        raise Unavailable("This site has no search of its own")
    chosen = {name: getattr(arguments, name) for name in ("library", "framework", "version")}
    result = index.index.search(SearchQuery(text=arguments.query, where=chosen_filter(chosen), length=arguments.limit))
    return SearchAnswer(
        version=arguments.version,
        revision=context.snapshot,
        address=context.url(f"/search?{_query_string({'q': arguments.query, **chosen})}"),
        total=result.total,
        hits=tuple(_hit(context, result_page(result, hit)) for hit in result.hits),
    )


def _hit(context: ToolContext, page: ResultPage) -> SearchHit:
    segments = page.to.split("#")[0].split("/")
    library = context.catalog.find_library(segments[1]) if len(segments) > 1 else None
    version = segments[2] if library and library.is_known_version(segments[2]) else LATEST
    return SearchHit(
        title=_plain(page.title),
        headings=page.trail,
        text=_plain(page.text),
        kind=page.kind,
        library=library.id if library else "",
        version=version,
        revision=context.revision(library, version) if library else context.snapshot,
        address=context.url(page.to),
        readable=page.kind in _DOCS_KINDS,
    )


def _plain(fragments: tuple[TextFragment, ...]) -> str:
    return "".join(fragment.text for fragment in fragments)


def _query_string(parameters: Mapping[str, str]) -> str:
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items() if value)

"""Search: the configuration of the search client, and results for pages without JavaScript."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.config.catalog import LATEST
from kinfolk.runtime.cache import DOCS, PRIVATE
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.docs_index.results_view import SearchResultsView, search_page
from kinfolk.search.open_search import site_index_name
from kinfolk.search.query import MAX_QUERY_LENGTH


@dataclass(frozen=True)
class SearchHost:
    """A host in the form of the search client: `url` is host, port and path, without the protocol."""

    url: str
    protocol: Literal["http", "https"]


@dataclass(frozen=True)
class SearchConfig:
    """The configuration of the search client. The key is public. Without hosts, the client searches this site.

    `examples` are queries that the empty search suggests. `ignored_words` are words of queries that say nothing about a
    page.
    """

    app_id: str
    api_key: str
    index: str
    hosts: tuple[SearchHost, ...]
    examples: tuple[str, ...]
    ignored_words: tuple[str, ...]


@registry.function("search.config", cache=DOCS)
async def search_config(call: Call) -> SearchConfig:
    settings = call.site.settings
    return SearchConfig(
        app_id=settings.search_app_id,
        api_key=settings.search_key,
        index=site_index_name(call.site.catalog),
        hosts=tuple(_search_host(host) for host in settings.search_hosts),
        examples=call.site.search.examples,
        ignored_words=call.site.search.ignored_words,
    )


@request_data
class SearchRequest:
    """`page` starts at zero. An empty filter does not filter."""

    text: str
    library: str = ""
    framework: str = ""
    version: str = LATEST
    page: int = 0


@registry.function("search.results", cache=PRIVATE)
async def search_results(call: Call, request: SearchRequest) -> SearchResultsView:
    """The results page without JavaScript. Not cached, because the number of queries has no bound."""
    search = call.site.search.updater
    if search is None:
        raise Unavailable("This site has no search of its own")
    index = search.index
    chosen = {"library": request.library, "framework": request.framework, "version": request.version}
    return await asyncio.to_thread(search_page, index, request.text[:MAX_QUERY_LENGTH], chosen, page=request.page)


def _search_host(address: str) -> SearchHost:
    protocol, _, url = address.partition("://")
    return SearchHost(url, "http" if protocol == "http" else "https")

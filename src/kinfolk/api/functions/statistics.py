"""npm download statistics."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import StringConstraints

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.runtime.cache import DOCS, PRIVATE
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.comparisons.comparison_query import LONGEST
from kinfolk.statistics.statistics_types import (
    ComparisonChoices,
    ImportStatus,
    PackageSuggestions,
    VersionAdoption,
)

QueryText = Annotated[str, StringConstraints(max_length=LONGEST)]


@request_data
class ComparisonRequest:
    """`search` is the query of the page, without `?`. `packages` is the end of an address such as `react-vs-vue`."""

    search: QueryText
    packages: str = ""


@registry.function("npm.comparison", cache=DOCS)
async def npm_comparison(call: Call, request: ComparisonRequest) -> ComparisonChart:
    """The chart of a comparison. Always answers: invalid parameters fall back to their defaults."""
    return await asyncio.to_thread(call.content.npm_chart, request.search, packages=request.packages)


@registry.function("npm.choices", cache=DOCS)
async def npm_choices(call: Call) -> ComparisonChoices:
    return await asyncio.to_thread(call.content.npm_choices)


@request_data
class SuggestionRequest:
    text: str


@registry.function("npm.suggestions", cache=PRIVATE)
async def npm_suggestions(call: Call, request: SuggestionRequest) -> PackageSuggestions:
    """Packages whose name has the text: from what is stored, the categories, and the optional search service."""
    search = call.site.statistics.package_search
    found = search.results(request.text) if search is not None else ()
    packages = await asyncio.to_thread(call.site.statistics.npm.suggestions, request.text, found or ())
    return PackageSuggestions(packages, complete=found is not None)


@request_data
class PackageRequest:
    name: str


@registry.function("npm.request", method="POST", cache=PRIVATE)
async def npm_request(call: Call, request: PackageRequest) -> ImportStatus:
    """Queue the import of a package that is not stored. Raises Refused above the limits of the queue."""
    return await asyncio.to_thread(call.site.statistics.npm.request_import, request.name, client=call.client)


@registry.function("npm.versions", cache=DOCS)
async def npm_versions(call: Call, request: PackageRequest) -> VersionAdoption:
    """Downloads by major version in the recorded weeks, which may be none."""
    return await asyncio.to_thread(call.content.npm_versions, request.name)

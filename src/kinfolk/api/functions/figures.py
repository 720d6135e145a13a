"""Stars, contributors, dependents and downloads of a library and of the family."""

from __future__ import annotations

import asyncio

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.runtime.cache import DOCS
from kinfolk.statistics.figures.open_source_figures import FamilyFigures, OpenSourceFigures


@request_data
class FiguresRequest:
    id: str


@registry.function("figures.library", cache=DOCS)
async def figures_library(call: Call, request: FiguresRequest) -> OpenSourceFigures:
    """The stored figures of a library. Raises NotFound for an unknown one."""
    library = call.site.catalog.library(request.id)
    return await asyncio.to_thread(call.content.library_figures, library)


@registry.function("figures.family", cache=DOCS)
async def figures_family(call: Call) -> FamilyFigures:
    """The sums of the stored figures of all libraries."""
    return await asyncio.to_thread(call.content.family_figures)

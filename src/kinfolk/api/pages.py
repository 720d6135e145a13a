"""The site's own pages, such as support and terms, and the consultants they list."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from kinfolk.api.headings import DocHeading, doc_headings
from kinfolk.api.registry import Call, Html, registry, request_data
from kinfolk.cache import DOCS
from kinfolk.catalog import Consultant
from kinfolk.prose_pages import ProseLink


@request_data
class PageRequest:
    name: str


@dataclass(frozen=True)
class SitePage:
    """A page of the site's own content. `updated` is set for pages with a date, such as legal ones."""

    title: str
    description: str
    updated: str | None
    outline: bool
    picture: Html | None
    links: tuple[ProseLink, ...]
    html: Html
    headings: tuple[DocHeading, ...]


@registry.function("page.read", cache=DOCS)
async def page_read(call: Call, request: PageRequest) -> SitePage:
    """A page of `pages`, by its file name without `.md`."""
    written = await asyncio.to_thread(call.content.prose_page, request.name)
    return SitePage(
        title=written.title,
        description=written.description,
        updated=written.updated,
        outline=written.outline,
        picture=Html(written.picture) if written.picture else None,
        links=written.links,
        html=Html(call.content.prose_body(written)),
        headings=doc_headings(written.page.headings),
    )


@registry.function("consultants.list", cache=DOCS)
async def consultants_list(call: Call) -> tuple[Consultant, ...]:
    """Consultants: the first is always the same, the order of the others changes daily."""
    return call.site.catalog.consultants_on(call.content.today)

"""The site's own pages, such as support and terms, and what their sections show."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from kinfolk.api.functions.headings import DocHeading, doc_headings
from kinfolk.api.registry import Call, Html, PictureHtml, registry, request_data
from kinfolk.config.catalog import Consultant, Course
from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
from kinfolk.content.pages.prose_pages import PageSection, ProseLink
from kinfolk.runtime.cache import DOCS


@request_data
class PageRequest:
    name: str


@dataclass(frozen=True)
class SitePage:
    """A page of the site's own content. `updated` is set for pages with a date, such as legal ones.

    `consultants` and `courses` are those of the sections with these names: the first consultant is always the same, the
    order of the others changes daily.
    """

    title: str
    description: str
    updated: str | None
    outline: bool
    picture: Html | None
    links: tuple[ProseLink, ...]
    sections: tuple[PageSection, ...]
    consultants: tuple[Consultant, ...]
    courses: tuple[Course, ...]
    html: Html
    extra_styles: bool
    headings: tuple[DocHeading, ...]


@registry.function("page.read", cache=DOCS)
async def page_read(call: Call, request: PageRequest) -> SitePage:
    """A page of `pages`, by its address without the first slash."""
    written = await asyncio.to_thread(call.content.prose_page, request.name)
    catalog = call.site.catalog
    html = call.content.prose_body(written)
    return SitePage(
        title=written.title,
        description=written.description,
        updated=written.updated,
        outline=written.outline,
        picture=PictureHtml(written.picture) if written.picture else None,
        links=written.links,
        sections=written.sections,
        consultants=catalog.consultants_on(call.content.today) if "consultants" in written.sections else (),
        courses=catalog.courses if "courses" in written.sections else (),
        html=Html(html),
        extra_styles=needs_extra_styles(html),
        headings=doc_headings(written.page.headings),
    )

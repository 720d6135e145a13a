"""`/stats/npm/saved/{slug}`: the public address of a comparison that a reader saved.

It follows the reader's changes.
"""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import Receive, Scope, Send

from kinfolk.config.base_path import BasePath
from kinfolk.content.redirects import SAFE_IN_QUERY
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.pages.page_responses import error_page, send_page

PREFIX = "/stats/npm/saved/"
HEADERS = {"cache-control": "no-store", "x-robots-tag": "noindex"}


class PublicComparisons:
    """The ASGI application for these addresses."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        slug: str = scope["path"].removeprefix(PREFIX)
        try:
            found = await asyncio.to_thread(self._site.accounts.items.public_comparison, slug)
            query = quote(found.query, SAFE_IN_QUERY)
            response = RedirectResponse(f"/stats/npm?{query}" if query else "/stats/npm", 307, headers=HEADERS)
        except SiteError as failure:
            await send_page(scope, send, error_page(failure, BasePath.of(self._site.settings.origin)))
            return
        await response(scope, receive, send)

"""The site's own pages as Markdown: the address of a page with `.md`."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.api.content import SiteContent
from kinfolk.content.pages.prose_markdown import page_markdown
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.machine_readable.text_cache import MachineReadableCache
from kinfolk.web.responses import MARKDOWN, cache_headers, markdown_error, packed_response

_SUFFIX = ".md"


class SitePageMarkdown:
    """Responses with the Markdown of pages."""

    def __init__(self, site: Site, texts: MachineReadableCache) -> None:
        self._site, self._texts = site, texts
        self._origin = site.settings.origin

    def routes(self) -> list[Route]:
        return [Route("/{name:path}.md", self._page)]

    def has(self, path: str) -> bool:
        """Whether the address is that of a page with `.md`."""
        return path.endswith(_SUFFIX) and self._site.content.pages.has(path[1:].removesuffix(_SUFFIX))

    async def _page(self, request: Request) -> Response:
        name: str = request.path_params["name"]

        def generate(content: SiteContent) -> Iterable[str]:
            page = content.prose_page(name)
            return [page_markdown(page, self._site.content.pages.export(page), self._origin)]

        try:
            text = await self._texts.listing(request.url.path, generate)
        except SiteError as failure:
            return markdown_error(failure, see=f"{self._origin}/llms.txt")
        headers = {
            "content-type": MARKDOWN,
            **cache_headers(DOCS, text.tags),
            "content-disposition": f'inline; filename="{name.rpartition("/")[2]}.md"',
            "link": f'<{self._origin}/{name}>; rel="canonical"',
            "x-robots-tag": "noindex",
        }
        return packed_response(request, text.packed, headers)

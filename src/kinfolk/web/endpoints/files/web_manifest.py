"""The web app manifest, and the OpenSearch description for the address bar of browsers."""

from __future__ import annotations

import json
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.branding import SiteBrand
from kinfolk.config.base_path import BasePath
from kinfolk.config.catalog import Catalog
from kinfolk.runtime.cache import ICONS
from kinfolk.site.site import Site
from kinfolk.web.responses import cache_headers

MANIFEST = "/site.webmanifest"
OPENSEARCH = "/opensearch.xml"


def manifest(catalog: Catalog, brand: SiteBrand, base: BasePath) -> dict[str, object]:
    """The web app manifest. `display` is browser, because many links lead to other sites."""
    scalable = {"src": base.add(brand.favicon_path), "type": "image/svg+xml", "sizes": "any"}
    icons = [
        *([scalable] if brand.marks.favicon.is_svg else []),
        {"src": base.add("/icon-192.png"), "type": "image/png", "sizes": "192x192"},
        {"src": base.add("/icon-512.png"), "type": "image/png", "sizes": "512x512"},
        {"src": base.add("/icon-maskable.png"), "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ]
    return {
        "id": base.add("/"),
        "name": catalog.title,
        "short_name": catalog.family,
        "description": catalog.description,
        "start_url": base.add("/"),
        "display": "browser",
        "theme_color": brand.colors.light.surface,
        "background_color": brand.colors.dark.surface,
        "icons": icons,
    }


def opensearch(catalog: Catalog, origin: str) -> str:
    """The OpenSearch 1.1 description. Its short name has at most 16 characters."""
    name = catalog.family[:16].rstrip()
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>{escape(name)}</ShortName>
  <Description>{escape(f"Search the docs of every {catalog.family} library")}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="192" height="192" type="image/png">{escape(origin)}/icon-192.png</Image>
  <Url type="text/html" template="{escape(origin)}/search?q={{searchTerms}}"/>
</OpenSearchDescription>
"""


def opensearch_route(site: Site) -> Route:
    body = opensearch(site.catalog, site.settings.origin).encode()

    async def answer(_: Request) -> Response:
        return Response(body, media_type="application/opensearchdescription+xml", headers=cache_headers(ICONS))

    return Route(OPENSEARCH, answer)


def manifest_route(site: Site) -> Route:
    base = BasePath.of(site.settings.origin)
    body = json.dumps(manifest(site.catalog, site.brand, base), ensure_ascii=False).encode()

    async def answer(_: Request) -> Response:
        return Response(body, media_type="application/manifest+json", headers=cache_headers(ICONS))

    return Route(MANIFEST, answer)

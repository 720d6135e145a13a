"""What a device is told that keeps the site among its programs."""

from __future__ import annotations

import json
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.cache import ICONS
from kinfolk.catalog import Catalog
from kinfolk.site import Site

MANIFEST = "/site.webmanifest"
OPENSEARCH = "/opensearch.xml"
_PAPER, _NIGHT = "#fdfcfa", "#141311"


def manifest(catalog: Catalog) -> dict[str, object]:
    """The web app manifest. It opens in a browser: links to other places are half of what the site is for."""
    icons = [
        {"src": "/favicon.svg", "type": "image/svg+xml", "sizes": "any"},
        {"src": "/icon-192.png", "type": "image/png", "sizes": "192x192"},
        {"src": "/icon-512.png", "type": "image/png", "sizes": "512x512"},
        {"src": "/icon-maskable.png", "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ]
    return {
        "id": "/",
        "name": catalog.title,
        "short_name": catalog.family,
        "description": catalog.description,
        "start_url": "/",
        "display": "browser",
        "theme_color": _PAPER,
        "background_color": _NIGHT,
        "icons": icons,
    }


def opensearch(catalog: Catalog, origin: str) -> str:
    """How a browser searches this site from its address bar (OpenSearch 1.1): names have at most 16 letters there."""
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
        return Response(body, media_type="application/opensearchdescription+xml", headers=dict(ICONS.headers()))

    return Route(OPENSEARCH, answer)


def manifest_route(site: Site) -> Route:
    body = json.dumps(manifest(site.catalog), ensure_ascii=False).encode()

    async def answer(_: Request) -> Response:
        return Response(body, media_type="application/manifest+json", headers=dict(ICONS.headers()))

    return Route(MANIFEST, answer)

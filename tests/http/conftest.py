"""A site on the bundled docs, requested in this process over ASGI."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest

from kinfolk.settings import Settings
from kinfolk.site import Site, open_site, upgrade_database
from kinfolk.web.app import SiteApp

Fetch = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def site(settings: Settings) -> Site:
    site = open_site(settings)
    upgrade_database(site.database, settings)
    return site


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a site without a renderer, which functions, files and webhooks do not need."""
    transport = httpx.ASGITransport(SiteApp(site))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


@pytest.fixture
def fetch(client: httpx.AsyncClient) -> Fetch:
    """Call an API function as the browser does."""

    async def call(id: str, data: object = None) -> httpx.Response:
        payload = json.dumps({"data": data, "context": {}})
        return await client.get(f"/_server/{id}", params={"createServerFn": "", "payload": payload})

    return call

"""A site on the bundled docs, asked in this process over ASGI."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest

from kinfolk.settings import Settings
from kinfolk.site import Site, open_site
from kinfolk.web.app import Kinfolk

Ask = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def site(settings: Settings) -> Site:
    return open_site(settings)


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    """Without a renderer: functions, files and hooks need none."""
    transport = httpx.ASGITransport(Kinfolk(site))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


@pytest.fixture
def ask(client: httpx.AsyncClient) -> Ask:
    """Call a function as the browser does."""

    async def call(id: str, data: object = None) -> httpx.Response:
        payload = json.dumps({"data": data, "context": {}})
        return await client.get(f"/_server/{id}", params={"createServerFn": "", "payload": payload})

    return call

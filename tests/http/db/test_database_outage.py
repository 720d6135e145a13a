"""The site answers while its database is away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.web.app import SiteApp, create_app

pytestmark = pytest.mark.anyio

PAGE = "/query/latest/docs/framework/react/overview"


@pytest.fixture(params=["postgresql://me@127.0.0.1:1/site", "sqlite:////dev/null/site.sqlite"])
async def app(request: pytest.FixtureRequest, settings: Settings, built: Path) -> AsyncIterator[SiteApp]:
    """A site whose database cannot be opened."""
    app = create_app(replace(settings, database_url=request.param))
    async with app.running():
        yield app


@pytest.fixture
async def client(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


async def test_docs_are_served_without_a_database(client: httpx.AsyncClient) -> None:
    assert (await client.get(PAGE)).status_code == 200
    report = (await client.get("/readyz")).json()
    assert report["status"] == "ok"
    (database,) = [service for service in report["services"] if service["name"] == "database"]
    assert database["last_error"] == "Unavailable"


async def test_clicks_are_accepted_without_a_database(client: httpx.AsyncClient) -> None:
    keys = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
    click = {"eventType": "click", "eventName": "x", "index": "tanstack", "objectIDs": ["1"]}
    answer = await client.post("/1/events", json={"events": [click]}, headers=keys)
    assert answer.status_code == 200

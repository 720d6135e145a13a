"""Clicks that clients report become proposals for a maintainer, and change no result."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.inputs.docs_records import docs_index

from kinfolk.config.settings import Settings
from kinfolk.db.database import Database
from kinfolk.search.algolia.api import AlgoliaApi
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.analytics.learned_meanings import MIN_DAYS, learned_meanings
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp
from kinfolk.web.endpoints.search.algolia_endpoint import AlgoliaEndpoint

pytestmark = pytest.mark.anyio

AUTH = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
INDEX = "tanstack"
READERS_PER_DAY = 4
LOWER_PAGE = "query:latest:framework/react/guides/caching#stale-time"


class Readers:
    """Readers who search for `swr` and open the second page. Each day has a clock, a date and a server of its own."""

    def __init__(self, site: Site, database: Database, index: TantivyIndex) -> None:
        self.day = date(2026, 11, 1)
        self.database = database
        self.index = index
        self.query_log = QueryLog(database, today=lambda: self.day)
        indexes = IndexRegistry(
            {INDEX: lambda: IndexHandle.of_site(INDEX, index, index.settings)}, site.search.algolia.indexes._pushed
        )
        algolia = AlgoliaApi(indexes, self.query_log, site.search.algolia.keys)
        self.app = SiteApp(dataclasses.replace(site, search=dataclasses.replace(site.search, algolia=algolia)))
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app), base_url="http://kinfolk.test", headers=AUTH
        )

    async def search(self, reader: str) -> dict[str, Any]:
        body = {"requests": [{"indexName": INDEX, "query": "SWR", "clickAnalytics": True, "filters": "version:latest"}]}
        answer = await self.client.post("/1/indexes/*/queries", json=body, headers={"user-agent": reader})
        found: dict[str, Any] = answer.json()["results"][0]
        return found

    async def click(self, reader: str, query_id: str, record: str, position: int) -> None:
        event = {
            "eventType": "click",
            "eventName": "Result Opened",
            "index": INDEX,
            "queryID": query_id,
            "objectIDs": [record],
            "positions": [position],
        }
        answer = await self.client.post("/1/events", json={"events": [event]}, headers={"user-agent": reader})
        assert answer.status_code == 200

    async def use_for_a_day(self) -> None:
        self.app.search = AlgoliaEndpoint(self.app.site, clock=lambda: 0.0)
        for at in range(READERS_PER_DAY):
            found = await self.search(f"reader {at}")
            ids = [hit["objectID"] for hit in found["hits"]]
            await self.click(f"reader {at}", found["queryID"], ids[1], 2)
        await self.app.search.flush()
        self.day += timedelta(days=1)

    def proposals(self) -> list[str]:
        texts = self.query_log.clicked_texts(INDEX, days=30, least=READERS_PER_DAY)
        return [proposal.toml() for proposal in learned_meanings(texts, self.index)]


@pytest.fixture
async def readers(settings: Settings, sqlite_database: Database, tmp_path: Path) -> AsyncIterator[Readers]:
    site = open_site(dataclasses.replace(settings, var=tmp_path / "var"))
    readers = Readers(site, sqlite_database, docs_index(tmp_path / "index"))
    async with readers.client:
        yield readers


async def test_clicks_of_several_days_end_in_a_proposal(readers: Readers) -> None:
    for _ in range(MIN_DAYS - 1):
        await readers.use_for_a_day()
    assert readers.proposals() == []
    await readers.use_for_a_day()
    (line,) = readers.proposals()
    assert line.splitlines()[-4:] == [
        "[[meanings]]",
        'says = ["swr"]',
        'page = "query/guides/caching#stale-time"',
        'why = "12 of 12 clicks from 2026-11-01 to 2026-11-03; place 2"',
    ]
    assert "12 searches." in line


async def test_clicks_change_no_result(readers: Readers) -> None:
    before = await readers.search("first")
    for _ in range(MIN_DAYS + 1):
        await readers.use_for_a_day()
    # A new server has no cached response.
    fresh = Readers(readers.app.site, readers.database, readers.index)
    async with fresh.client:
        after = await fresh.search("last")
    assert before["hits"][1]["objectID"] == LOWER_PAGE
    assert after["hits"] == before["hits"]
    assert readers.query_log.most_clicked(INDEX) == ((LOWER_PAGE, READERS_PER_DAY * (MIN_DAYS + 1)),)

"""A file with an unusual name does not affect other files."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import AsyncIterator

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.ranking_config import load_ranking_config
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio

ODD = ["migration\u00a0guide", "zero\u200bwidth", "two\nlines", "bell\x07", "trail ", "back\\slash"]


@pytest.fixture(scope="module")
def unusual_site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with two valid pages among files with unusual names."""
    folder = tmp_path_factory.mktemp("unusual")
    docs = folder / "repos/TanStack/query/main/docs"
    docs.mkdir(parents=True)
    shutil.copy(settings.content / "TanStack/query/main/docs/config.json", docs)
    for name in ["overview", "what?", *ODD]:
        (docs / f"{name}.md").write_text(f"---\ntitle: Title\n---\n\nText of {name!r}.\n")
    return open_site(dataclasses.replace(settings, content=folder / "repos", var=folder / "var"))


@pytest.fixture
async def unusual_client(unusual_site: Site) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(SiteApp(unusual_site))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/sitemap.xml", "/sitemap-query-latest.xml", "/llms.txt", "/llms-full.txt", "/query/latest/llms.txt"]
)
async def test_listings_contain_all_valid_pages(unusual_client: httpx.AsyncClient, path: str) -> None:
    assert (await unusual_client.get(path)).status_code == 200


async def test_page_with_a_question_mark_is_listed_and_served(unusual_client: httpx.AsyncClient) -> None:
    assert "/query/latest/docs/what%3F<" in (await unusual_client.get("/sitemap-query-latest.xml")).text
    assert "Text of 'what?'" in (await unusual_client.get("/api/md/query/latest/docs/what%3F")).text


def test_valid_pages_are_indexed_and_highlighted(unusual_site: Site) -> None:
    made = [
        record
        for group in groups(
            SearchableContent(unusual_site.content.publisher.docs, (), load_ranking_config(unusual_site.settings.site))
        )
        for record in group.make()
    ]
    urls = {str(record["url"]) for record in made}
    assert {"/query/latest/docs/overview", "/query/latest/docs/what%3F"} <= urls
    assert all(
        list(snippets) == [] for name, snippets in unusual_site.content.sections() if name.startswith("TanStack/query")
    )

"""A file whose name is odd costs itself only."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from kinfolk.search.build import Words, groups
from kinfolk.search.rules import load_rules
from kinfolk.settings import Settings
from kinfolk.site import Site, open_site
from kinfolk.web.app import Kinfolk

pytestmark = pytest.mark.anyio

ODD = ["migration\u00a0guide", "zero\u200bwidth", "two\nlines", "bell\x07", "trail ", "back\\slash"]


@pytest.fixture
def odd(settings: Settings, tmp_path: Path) -> Site:
    """A site with two good pages among files with odd names."""
    docs = tmp_path / "repos/TanStack/query/main/docs"
    docs.mkdir(parents=True)
    shutil.copy(settings.content / "TanStack/query/main/docs/config.json", docs)
    for name in ["overview", "what?", *ODD]:
        (docs / f"{name}.md").write_text(f"---\ntitle: Title\n---\n\nText of {name!r}.\n")
    return open_site(dataclasses.replace(settings, content=tmp_path / "repos", var=tmp_path / "var"))


@pytest.fixture
async def odd_client(odd: Site) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Kinfolk(odd))
    async with httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/sitemap.xml", "/sitemap-query-latest.xml", "/llms.txt", "/llms-full.txt", "/query/latest/llms.txt"]
)
async def test_listings_hold_every_other_page(odd_client: httpx.AsyncClient, path: str) -> None:
    assert (await odd_client.get(path)).status_code == 200


async def test_a_page_with_a_question_mark_in_its_name_is_listed_and_served(odd_client: httpx.AsyncClient) -> None:
    assert "/query/latest/docs/what%3F<" in (await odd_client.get("/sitemap-query-latest.xml")).text
    assert "Text of 'what?'" in (await odd_client.get("/api/md/query/latest/docs/what%3F")).text


def test_every_other_page_is_searched_and_highlighted(odd: Site) -> None:
    made = [
        record
        for group in groups(Words(odd.editions.docs, (), load_rules(odd.settings.data)))
        for record in group.make()
    ]
    urls = {str(record["url"]) for record in made}
    assert {"/query/latest/docs/overview", "/query/latest/docs/what%3F"} <= urls
    assert all(list(snippets) == [] for name, snippets in odd.sections() if name.startswith("TanStack/query"))

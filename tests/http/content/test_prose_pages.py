"""Tests of prose pages, the web manifest and icons over HTTP."""

from __future__ import annotations

import io
from datetime import date
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree as ET

import httpx
import pytest
from PIL import Image

from kinfolk.api.all_functions import registry
from kinfolk.api.functions.pages import SitePage
from kinfolk.api.registry import Call
from kinfolk.config.catalog import Catalog
from kinfolk.content.dependencies import DAY, cdn_tag, purge_tags
from kinfolk.site.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.conftest import Fetch

pytestmark = pytest.mark.anyio
PAGES = ("support", "learn", "ethos", "dedicated-support", "terms", "privacy")


@pytest.mark.parametrize("name", PAGES)
async def test_every_prose_page_has_title_description_and_text(fetch: Fetch, name: str) -> None:
    page = (await fetch("page.read", {"name": name})).json()["data"]
    assert page["title"]
    assert page["description"]
    assert len(page["html"]["$html"]) > 1000
    assert "{{" not in page["html"]["$html"]
    assert page["picture"]["$html"].startswith("<svg ")


async def test_legal_pages_state_date_and_owner(fetch: Fetch, catalog: Catalog) -> None:
    for name, updated in (("terms", "2026-11-24"), ("privacy", "2026-11-27")):
        page = (await fetch("page.read", {"name": name})).json()["data"]
        assert page["updated"] == updated
        assert catalog.owner in page["html"]["$html"]
        assert f"mailto:{catalog.contact}" in page["html"]["$html"]


async def test_prose_page_is_markdown_at_its_address_with_md(client: httpx.AsyncClient) -> None:
    answer = await client.get("/support.md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text.startswith("# Help and support\n")
    assert cdn_tag("page:support") in answer.headers["cache-tag"]


async def test_missing_prose_page_is_404(fetch: Fetch) -> None:
    answer = await fetch("page.read", {"name": "nope"})
    assert answer.status_code == 404


async def test_order_of_consultants_is_cached_until_the_end_of_the_day(site: Site) -> None:
    days = [Call.begin(site, today=date(2026, 11, day)) for day in (21, 22)]
    answers = [await registry.call("page.read", {"name": "dedicated-support"}, day) for day in days]
    first, second = ([consultant.name for consultant in cast(SitePage, answer.data).consultants] for answer in answers)
    assert first[0] == second[0]
    assert first[1] != second[1]
    assert sorted(first) == sorted(second)
    assert all(purge_tags([DAY]) <= answer.tags for answer in answers)


async def test_shop_redirects_permanently(built: Path, client: httpx.AsyncClient) -> None:
    assert built
    answer = await client.get("/merch")
    assert (answer.status_code, answer.headers["location"]) == (301, "https://cottonbureau.com/people/tanstack")


async def test_opensearch_description_is_served(built: Path, client: httpx.AsyncClient, catalog: Catalog) -> None:
    assert built
    answer = await client.get("/opensearch.xml")
    assert answer.headers["content-type"].startswith("application/opensearchdescription+xml")
    described = ET.fromstring(answer.text)  # noqa: S314 - we wrote it ourselves
    names = {"o": "http://a9.com/-/spec/opensearch/1.1/"}
    assert described.findtext("o:ShortName", namespaces=names) == catalog.family[:16].rstrip()
    url = described.find("o:Url", names)
    assert url is not None
    assert url.attrib["template"].endswith("/search?q={searchTerms}")


async def test_manifest_icons_exist_in_the_declared_sizes(
    built: Path, client: httpx.AsyncClient, catalog: Catalog
) -> None:
    assert built
    answer = await client.get("/site.webmanifest")
    manifest = answer.json()
    assert answer.headers["content-type"] == "application/manifest+json"
    assert manifest["short_name"] == catalog.family
    for icon in manifest["icons"]:
        drawn = await client.get(icon["src"])
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            assert "{}x{}".format(*Image.open(io.BytesIO(drawn.content)).size) == icon["sizes"]


@pytest.mark.parametrize(
    ("path", "size"),
    [("/apple-touch-icon.png", (180, 180)), ("/favicon.ico", (32, 32)), ("/icon-maskable.png", (512, 512))],
)
async def test_icons_are_cached_for_a_day_and_revalidated_by_digest(
    built: Path, client: httpx.AsyncClient, path: str, size: tuple[int, int]
) -> None:
    assert built
    first = await client.get(path)
    assert Image.open(io.BytesIO(first.content)).size == size
    assert first.headers["cache-control"] == "public, max-age=86400"
    again = await client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_maskable_icons_fill_their_corners(built: Path, client: httpx.AsyncClient) -> None:
    assert built
    for path in ("/apple-touch-icon.png", "/icon-maskable.png"):
        picture = Image.open(io.BytesIO((await client.get(path)).content)).convert("RGBA")
        assert picture.getpixel((0, 0))[3] == 255, path  # type: ignore[index]

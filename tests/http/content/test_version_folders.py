"""Versions in folders of one branch, as readers and crawlers get them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement
from starlette.testclient import TestClient
from tests.sites.other_sites import VERSIONED, write_site
from tests.sites.sample_site import read_settings

from kinfolk.web.app import create_app

ORIGIN = "http://testserver"


@pytest.fixture(scope="module")
def gears(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[TestClient]:
    assert built
    folder = tmp_path_factory.mktemp("gears")
    site = write_site(folder / "site", VERSIONED)
    off = ("MIRROR", "HIGHLIGHT", "SEARCH", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES", "PRERENDER")
    variables = {f"KINFOLK_{name}": "off" for name in off}
    variables |= {"KINFOLK_SITE": str(site), "KINFOLK_VAR": str(folder / "var"), "KINFOLK_ORIGIN": ORIGIN}
    with TestClient(create_app(read_settings(variables)), follow_redirects=False) as client:
        yield client


def page_of(client: TestClient, path: str) -> HtmlElement:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.document_fromstring(answer.text)


def texts(page: HtmlElement, path: str) -> list[str]:
    return [" ".join(each.text_content().split()) for each in page.xpath(path)]


@pytest.mark.parametrize(
    ("version", "menu", "notice", "edited"),
    [
        ("latest", ["Install", "Usage"], [], "versioned/version-30.0/usage.md"),
        ("next", ["Fast gears", "Install", "Usage"],
         ["next is not released yet. 30.0 (stable) is current."], "docs/usage.md"),
        ("v1", ["Install", "Levers"], ["v1 is no longer maintained. 30.0 (stable) is current."], "docs/v1/usage.md"),
    ],
)  # fmt: skip
def test_page_is_of_its_version(
    gears: TestClient, version: str, menu: list[str], notice: list[str], edited: str
) -> None:
    page = page_of(gears, f"/gears/{version}/docs/usage")
    assert texts(page, "//nav[@aria-label='Docs']//li") == ["Home", "GitHub", *menu]
    assert texts(page, "//aside[@aria-label='Version of these docs']/p[1]") == notice
    assert page.xpath("//link[@rel='canonical']/@href") == [f"{ORIGIN}/gears/latest/docs/usage"]
    assert page.xpath(f"//a[@href='https://github.com/acme/gears/edit/main/{edited}']")


def test_version_menu_has_labels_and_leads_to_the_same_page(gears: TestClient) -> None:
    page = page_of(gears, "/gears/v1/docs/usage")
    links = page.xpath("//section[@popover]//a[contains(@href, '/docs/usage')]")
    assert {(link.get("href"), link.text_content().strip()) for link in links} >= {
        ("/gears/next/docs/usage", "next"),
        ("/gears/latest/docs/usage", "30.0 (stable)"),
    }


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/gears/v1/docs", "/gears/v1/docs/install"),
        ("/gears/next/docs/v1/levers", "/gears/v1/docs/levers"),
        ("/gears/v1/docs/turning", "/gears/v1/docs/usage"),
        ("/gears/v2/docs/usage", "/gears/latest/docs/usage?from=/gears/v2/docs/usage"),
    ],
)
def test_address_leads_to_the_page_of_its_version(gears: TestClient, path: str, to: str) -> None:
    answer = gears.get(path)
    assert (answer.status_code // 100, answer.headers["location"]) == (3, to)


def test_markdown_of_a_page_is_that_of_its_version(gears: TestClient) -> None:
    calls = {name: gears.get(f"/api/md/gears/{name}/docs/usage").text for name in ("next", "v30", "v1")}
    assert [f"`spin{end}()`" in text for text, end in zip(calls.values(), ("Next", "30", "1"), strict=True)] == [
        True
    ] * 3
    link = gears.get("/api/md/gears/v1/docs/usage").headers["link"]
    assert link == f'<{ORIGIN}/gears/latest/docs/usage>; rel="canonical"'


def test_sitemap_of_a_version_has_the_pages_that_the_latest_one_lacks(gears: TestClient) -> None:
    locations = html.fromstring(gears.get("/sitemap-gears-v1.xml").content).xpath("//loc/text()")
    assert locations == [f"{ORIGIN}/gears/v1/docs/{name}" for name in ("examples", "index", "levers")]


def test_page_of_the_docs_takes_the_place_of_the_list_of_examples(gears: TestClient) -> None:
    page = page_of(gears, "/gears/v1/docs/examples")
    assert texts(page, "//h1") == ["All about examples"]
    assert page.xpath("//title/text()")[0].startswith("All about examples | Gears v1 Docs")
    assert page.xpath("//link[@rel='canonical']/@href") == [f"{ORIGIN}/gears/v1/docs/examples"]
    assert texts(page_of(gears, "/gears/latest/docs/examples"), "//h1") == ["Gears Examples"]


def test_example_without_a_framework_is_shown(gears: TestClient) -> None:
    page = page_of(gears, "/gears/latest/docs/framework/vanilla/examples/spinner")
    assert page.xpath("//a[@href='https://github.com/acme/gears/tree/main/examples/spinner']")
    assert gears.get("/_examples/gears/latest/vanilla/spinner/src/main.ts").text == "spin()\n"

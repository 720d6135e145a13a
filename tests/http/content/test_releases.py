"""Releases as versions: their docs, addresses, list, and what crawlers are told. Upstream is a real repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.http.html_pages import page_of, texts
from tests.sites.released_site import PIXEL, released_environment
from tests.sites.sample_site import read_settings

from kinfolk.web.app import create_app


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[TestClient]:
    assert built
    folder = tmp_path_factory.mktemp("releases")
    variables = {"KINFOLK_VAR": str(folder / "var"), "KINFOLK_ORIGIN": "http://testserver"}
    settings = read_settings(released_environment(folder) | variables)
    with TestClient(create_app(settings), follow_redirects=False) as client:
        yield client


def test_page_is_that_of_the_release(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/1.0.0/docs/overview")
    article = texts(page, "//main")[0]
    assert "Overview of 1.0." in article
    assert page.xpath("//main//a[@href='/tiles/1.0.0/docs/guide']")
    assert texts(page, "//aside[@aria-label='Version of these docs']/p[1]") == [
        "These are the docs of release 1.0.0 from Nov 14, 2023. v2 is current."
    ]
    assert not page.xpath("//a[contains(@href, '/edit/')]")


def test_release_is_not_for_search_engines(tiles: TestClient) -> None:
    for path, canonical in (("overview", "latest/docs/overview"), ("old", "1.0.0/docs/old")):
        page = page_of(tiles, f"/tiles/1.0.0/docs/{path}")
        assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]
        assert page.xpath("//link[@rel='canonical']/@href") == [f"http://testserver/tiles/{canonical}"]
    robots = tiles.get("/robots.txt").text.splitlines()
    assert [line for line in robots if "/tiles/" in line] == [
        "Disallow: /tiles/1.", "Disallow: /tiles/2.", "Disallow: /tiles/changes/", "Disallow: /tiles/solid@"
    ]  # fmt: skip
    assert "/tiles/1.0.0" not in tiles.get("/sitemap-site.xml").text + tiles.get("/sitemap-tiles-latest.xml").text


def test_former_and_wrong_menus_of_a_release_are_shown(tiles: TestClient) -> None:
    assert "Old page" in texts(page_of(tiles, "/tiles/1.0.0/docs/old"), "//nav[@aria-label='Docs']//li")
    menu = texts(page_of(tiles, "/tiles/2.0.0/docs/guide"), "//nav[@aria-label='Docs']//li")
    assert {"Guide", "Overview", "Start"} <= set(menu)


def test_picture_of_a_release_is_served(tiles: TestClient) -> None:
    (source,) = page_of(tiles, "/tiles/1.0.0/docs/old").xpath("//main//img/@src")
    assert source.startswith("/_files/acme/tiles/v1.0.0/docs/pixel.gif?v=")
    assert tiles.get(source).content == PIXEL
    markdown = tiles.get("/tiles/solid@3.2.0/docs/overview.md")
    assert "Overview of" not in markdown.text
    page_of(tiles, "/tiles/solid@3.2.0/docs/overview")
    assert "Overview of 3.2" in tiles.get("/tiles/solid@3.2.0/docs/overview.md").text


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/tiles/1.0.0", "/tiles/1.0.0/docs"),
        ("/tiles/1.0.0/docs", "/tiles/1.0.0/docs/old"),
        ("/tiles/2.0.0/docs", "/tiles/2.0.0/docs/start"),
        ("/tiles/v1.0.0/docs/overview?a=b", "/tiles/1.0.0/docs/overview?a=b"),
        ("/tiles/1.0/docs/overview", "/tiles/1.0.0/docs/overview"),
        ("/tiles/solid@3.1.0/docs/overview", "/tiles/2.0.0/docs/overview"),
        ("/tiles/9.0.0/docs/overview", "/tiles/latest/docs/overview?from=/tiles/9.0.0/docs/overview"),
        ("/tiles/releases?release=v2.0", "/tiles/2.0.0/docs"),
        ("/tiles/releases?release=+1.0.0&page=old", "/tiles/1.0.0/docs/old"),
        ("/tiles/releases?release=1.0.0&page=//evil.example", "/tiles/1.0.0/docs///evil.example"),
    ],
)
def test_address_leads_to_the_release(tiles: TestClient, path: str, to: str) -> None:
    answer = tiles.get(path)
    assert (answer.status_code, answer.headers["location"]) == (307, to)


def test_list_has_all_releases_and_opens_them_by_number(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases")
    assert texts(page, "//main//details//h2") == ["Version 2", "Version 1", "Solid only, version 3"]
    assert page.xpath("//main//details//a/@href") == [
        "/tiles/2.0.0/docs", "/tiles/1.0.0/docs", "/tiles/solid@3.2.0/docs"
    ]  # fmt: skip
    assert page.xpath("//main//details//a/@rel") == ["nofollow"] * 3
    forms = page.xpath("//main//form")
    assert [(form.action, [field.name for field in form.inputs]) for form in forms] == [
        ("/tiles/releases", ["release"]), ("/tiles/releases", ["older", "newer"])
    ]  # fmt: skip
    wrong = page_of(tiles, "/tiles/releases?release=5.10")
    assert texts(wrong, "//*[@role='alert']") == ["Tiles has no such release with docs. A release is written as 2.0.0."]


def test_version_menu_leads_to_releases(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/latest/docs/guide")
    (form,) = page.xpath("//details[contains(@class, 'link-menu')]//form")
    assert dict(form.form_values())["page"] == "guide"
    assert page.xpath("//details[contains(@class, 'link-menu')]//a[@href='/tiles/releases']")


def test_changes_between_two_releases_are_listed_without_fetching_them(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/changes/1.0.0...2.0.0")
    assert texts(page, "//main//h2") == ["New pages 1", "Changed pages 1", "Removed pages 1"]
    links = page.xpath("//main//section//a")
    assert [(link.get("href"), link.text_content()) for link in links] == [
        ("/tiles/changes/1.0.0...2.0.0/start", "Start"),
        ("/tiles/changes/1.0.0...2.0.0/overview", "Overview"),
        ("/tiles/changes/1.0.0...2.0.0/old", "Old"),
    ]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]
    latest = page_of(tiles, "/tiles/changes/2.0.0...latest")
    assert texts(latest, "//main//h2") == ["Changed pages 1"]
    assert latest.xpath("//main//section//a/@href") == ["/tiles/changes/2.0.0...latest/overview"]
    assert "No page differs." in texts(page_of(tiles, "/tiles/changes/2.0.0...2.0.0"), "//main")[0]


@pytest.mark.parametrize(
    ("query", "to"),
    [
        ("older=v1.0&newer=2.0.0", "/tiles/changes/1.0.0...2.0.0"),
        ("older=2.0.0&newer=1.0.0", "/tiles/changes/1.0.0...2.0.0"),
        ("older=solid@3.1.0&newer=", "/tiles/changes/2.0.0...latest"),
    ],
)
def test_form_leads_to_the_changes(tiles: TestClient, query: str, to: str) -> None:
    answer = tiles.get(f"/tiles/releases?{query}")
    assert (answer.status_code, answer.headers["location"]) == (307, to)


@pytest.mark.parametrize(
    "names", ["1.0.0", "1.0.0...", "...2.0.0", "1.0.0...9.9.9", "9.9.9...latest", "1.0.0...2.0.0...1"]
)
def test_changes_between_unknown_releases_do_not_exist(tiles: TestClient, names: str) -> None:
    assert tiles.get(f"/tiles/changes/{names}").status_code == 404

"""Marks of pages that are new or were updated, on docs pages and in the menu. Upstream is a real repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.http.html_pages import page_of
from tests.sites.released_site import make_edited_upstream, released_environment
from tests.sites.sample_site import read_settings

from kinfolk.web.app import create_app


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[TestClient]:
    assert built
    folder = tmp_path_factory.mktemp("marks")
    variables = {"KINFOLK_VAR": str(folder / "var"), "KINFOLK_ORIGIN": "http://testserver"}
    app = create_app(read_settings(released_environment(folder, make_edited_upstream) | variables))
    with TestClient(app, follow_redirects=False) as client:
        app.site.content.publisher.fetch_histories(())
        yield client


@pytest.mark.parametrize(
    ("path", "label", "to"),
    [
        ("new", "New in 2.1", "2.0.0...2.1.0/new"),
        ("guide", "Updated in 2.1", "2.0.0...2.1.0/guide"),
        ("framework/solid/guide", "Updated in 2.1", "2.0.0...2.1.0/framework/solid/guide"),
        ("start", "Updated in 2.1", "2.1.0...2.1.1/start"),
        ("after", "Updated after 2.1.1", "2.1.1...latest/after"),
        ("fresh", "New after 2.1.1", "2.1.1...latest/fresh"),
    ],
)
def test_page_leads_to_what_changed(tiles: TestClient, path: str, label: str, to: str) -> None:
    (link,) = page_of(tiles, f"/tiles/latest/docs/{path}").xpath("//p[@class='page-mark']/a")
    assert (link.text, link.get("href"), link.get("rel")) == (label, f"/tiles/changes/{to}", "nofollow")
    assert tiles.get(link.get("href")).status_code == 200


def test_menu_has_badges_of_released_changes(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/latest/docs/after")
    links = page.xpath("//nav[@aria-label='Docs']//li/a[small]")
    assert [(link[0].text_content(), link[1].text) for link in links] == [
        ("Start", "Updated"),
        ("Guide", "Updated"),
        ("New", "New"),
    ]


def test_pages_of_releases_have_no_marks(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/2.1.0/docs/new")
    assert not page.xpath("//p[@class='page-mark'] | //nav[@aria-label='Docs']//small")
    assert "page-marks" not in tiles.get("/tiles/2.1.0/docs/new").text


@pytest.mark.parametrize("path", ["reference/Tiles", "framework/solid/reference/Tiles"])
def test_sections_of_the_reference_have_the_release_since_which_they_exist(tiles: TestClient, path: str) -> None:
    page = page_of(tiles, f"/tiles/latest/docs/{path}")
    headings = page.xpath("//main//*[contains(@class, 'prose')]/h2")
    assert [" ".join(each.text_content().split()) for each in headings] == ["Size", "Color since 2.1"]
    assert any("/page-marks-" in name for name in page.xpath("//style/@data-href"))
    assert not page_of(tiles, f"/tiles/2.1.0/docs/{path}").xpath("//small[@class='since']")

"""The difference of a page between two releases, as readers without scripts get it. Upstream is a real repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import feedparser
import html5lib
import pytest
from lxml import etree, html
from starlette.testclient import TestClient
from tests.http.html_pages import page_of, texts
from tests.http.web.test_docs_feeds import SCHEMA
from tests.inputs.script_vectors import dangers_of
from tests.sites.released_site import make_edited_upstream, released_environment
from tests.sites.sample_site import read_settings

from kinfolk.web.app import create_app

CHANGES = "/tiles/changes/2.0.0...2.1.0"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("differences")


@pytest.fixture(scope="module")
def tiles(mirror: Path, built: Path) -> Iterator[TestClient]:
    assert built
    variables = {"KINFOLK_VAR": str(mirror / "var"), "KINFOLK_ORIGIN": "http://testserver"}
    settings = read_settings(released_environment(mirror, make_edited_upstream) | variables)
    with TestClient(create_app(settings), follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    "path", [f"{CHANGES}/nowhere", "/tiles/changes/2.0.0...9.9.9/guide", "/tiles/changes/9.9.9...latest/guide"]
)
def test_unknown_page_or_release_has_no_difference(tiles: TestClient, path: str) -> None:
    assert tiles.get(path).status_code == 404


def test_unknown_release_fetches_nothing(tiles: TestClient, mirror: Path) -> None:
    tiles.get("/tiles/changes/2.1.1...9.9.9/guide")
    tiles.get("/tiles/changes/2.1.1...latest...2.1.1/guide")
    assert "edited start" not in tiles.get("/tiles/2.1.1/docs/start.md").text
    assert texts(page_of(tiles, "/tiles/changes/2.1.1...latest/new"), "//main//h1") == ["New"]
    assert "edited start" in tiles.get("/tiles/2.1.1/docs/start.md").text


def test_changed_page_shows_words_and_code_of_both_releases(tiles: TestClient) -> None:
    page = page_of(tiles, f"{CHANGES}/guide")
    assert texts(page, "//main//h1") == ["Guide"]
    assert texts(page, "//main//header/p") == ["Changes from 2.0.0 to 2.1.0. 3 blocks changed."]
    assert texts(page, "//main//*[contains(@class, 'prose')]//ins") == [
        "Added: now End of added text.",
        "Added: const size = 2 End of added text.",
        "Added: 2 End of added text.",
    ]
    assert texts(page, "//main//*[contains(@class, 'prose')]//del") == [
        "Removed: const size = 1 End of removed text.",
        "Removed: 1 End of removed text.",
    ]
    assert page.xpath("//main//header/ul//a/@href") == ["/tiles/2.0.0/docs/guide", "/tiles/2.1.0/docs/guide"]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]


def test_page_of_a_framework_is_composed_before_it_is_compared(tiles: TestClient) -> None:
    page = page_of(tiles, f"{CHANGES}/framework/solid/guide")
    assert "Install solid-tiles Added: now" in texts(page, "//main")[0]


@pytest.mark.parametrize(
    ("path", "summary", "kind"),
    [
        ("new", "The page is new: 2.0.0 does not have it.", "added"),
        ("gone", "The page was removed: 2.1.0 does not have it.", "removed"),
    ],
)
def test_page_of_one_release_is_shown_whole(tiles: TestClient, path: str, summary: str, kind: str) -> None:
    page = page_of(tiles, f"{CHANGES}/{path}")
    assert texts(page, "//main//header/p") == [f"Changes from 2.0.0 to 2.1.0. {summary}"]
    (block,) = page.xpath("//main//*[contains(@class, 'prose')]/*")
    assert block.get("class") == f"difference-{kind}"


def test_moved_page_is_compared_with_its_former_path(tiles: TestClient) -> None:
    page = page_of(tiles, f"{CHANGES}/after")
    assert texts(page, "//main//header/p") == [
        "Changes from 2.0.0 to 2.1.0. The text of the page did not change. The page was at former before."
    ]


def test_active_content_of_both_versions_is_removed(tiles: TestClient) -> None:
    page = page_of(tiles, f"{CHANGES}/hostile")
    (body,) = page.xpath("//main//*[contains(@class, 'prose')]")
    markup = html.tostring(body, encoding="unicode")
    assert dangers_of(markup) == []
    assert "Removed: old" in texts(page, "//main")[0]
    steps = page.xpath("//main//p[@class='difference-step']/a")
    assert [step.get("href") for step in steps][-1] == "#change-1"
    assert {step.get("href") for step in steps} == {f"#{step.get('id')}" for step in steps}
    assert len(html5lib.parseFragment(markup, namespaceHTMLElements=False)) == 1


def test_list_of_changes_leads_to_the_differences(tiles: TestClient) -> None:
    links = page_of(tiles, CHANGES).xpath("//main//section//a")
    assert {link.get("rel") for link in links} == {"nofollow"}
    for link in links:
        assert tiles.get(link.get("href")).status_code == 200, link.get("href")


def test_difference_is_cached_until_a_version_changes(tiles: TestClient) -> None:
    first, second = (tiles.get(f"{CHANGES}/guide") for _ in range(2))
    assert first.headers["cache-tag"] == second.headers["cache-tag"]
    assert first.text == second.text


def test_feed_has_the_releases_that_changed_pages(tiles: TestClient) -> None:
    answer = tiles.get("/tiles/release-changes.atom")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/atom+xml; charset=utf-8")
    etree.RelaxNG(etree.parse(SCHEMA)).assertValid(etree.fromstring(answer.content))
    first, second = feedparser.parse(answer.content).entries
    assert (first.title, first.link) == ("Tiles 2.1.1: 1 changed page", "http://testserver/tiles/changes/2.1.0...2.1.1")
    assert second.title == "Tiles 2.1.0: 1 new page, 3 changed pages, 1 moved page, 1 removed page"
    content = second.content[0].value
    assert f'<li><a href="http://testserver{CHANGES}/hostile">Hostile &amp; old</a></li>' in content
    links = html.fragment_fromstring(content, create_parent=True).xpath("//a/@href")
    assert [tiles.get(link.removeprefix("http://testserver")).status_code for link in links] == [200] * 6
    feeds = page_of(tiles, CHANGES).xpath("//link[@rel='alternate'][@type='application/atom+xml']/@href")
    assert (
        feeds
        == page_of(tiles, "/tiles/releases").xpath("//link[@rel='alternate']/@href")
        == ["/tiles/release-changes.atom"]
    )

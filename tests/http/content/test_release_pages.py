"""Pages of releases: notes that a service reads from a code host while the site runs, and those of changelogs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from lxml import html
from starlette.testclient import TestClient
from tests.http.html_pages import page_of, texts
from tests.servers.figure_servers import serve_figures
from tests.servers.release_hosts import release, release_pages
from tests.sites.released_site import make_upstream, released_environment
from tests.sites.sample_site import read_settings

from kinfolk.search.docs_index.generations import index_folder, own_copy
from kinfolk.search.docs_index.index_build import build, is_current, only_builder
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.open_search import open_searchable_content
from kinfolk.search.query import SearchQuery
from kinfolk.web.app import SiteApp, create_app

DEADLINE_S = 20
NOTES = """Thanks to @ann!

### Breaking Changes

- `lay` takes an object (#12)

### Features

- Read [the guide](http://testserver/tiles/latest/docs/guide)

```ts
lay({ rows: 2 })
```
"""

CHANGELOG = """# Changelog

## 2.0.0

- Replaced by the notes on the code host

## 1.0.0

### Fixed

- Tiles no longer overlap
"""


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[TestClient]:
    """The site after it has read the releases of GitHub, whose page of 2.0.0 was rendered before."""
    assert built
    folder = tmp_path_factory.mktemp("release-pages")
    with serve_figures() as host:
        host.replies["/repos/acme/tiles/releases"] = release_pages([release("@acme/solid-tiles@3.1.0", NOTES)])
        variables = {
            "KINFOLK_VAR": str(folder / "var"),
            "KINFOLK_ORIGIN": "http://testserver",
            "KINFOLK_RELEASE_NOTES": "on",
            "KINFOLK_GITHUB_API": host.url,
        }
        settings = read_settings(released_environment(folder, partial(make_upstream, changelog=CHANGELOG)) | variables)
        with TestClient(create_app(settings), follow_redirects=False) as client:
            assert "Docs since 1.0.0" in client.get("/tiles/releases/2.0.0").text
            deadline_s = time.monotonic() + DEADLINE_S
            while "the release on GitHub" not in client.get("/tiles/releases/2.0.0").text:
                assert time.monotonic() < deadline_s, [request.path for request in host.requests]
                time.sleep(0.1)
            yield client


def test_page_has_the_notes_of_the_code_host_in_groups(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases/2.0.0")
    assert texts(page, "//h1") == ["Tiles 2.0.0"]
    assert texts(page, "//main//h2")[:3] == ["Breaking changes", "Added", "Docs since 1.0.0"]
    links = page.xpath("//main//div[contains(@class, 'prose')]//a[not(@class)]/@href")
    assert links == ["https://github.com/ann", "https://github.com/acme/tiles/issues/12", "/tiles/latest/docs/guide"]
    assert texts(page, "//p[@class='release-source']") == ["From the release on GitHub"]
    assert page.xpath("//p[@class='release-source']/a/@href") == [
        "https://github.com/acme/tiles/releases/tag/%40acme/solid-tiles%403.1.0"
    ]
    assert texts(page, "//details[@class='release-packages']//li") == ["@acme/tiles 2.0.0", "@acme/solid-tiles 3.1.0"]


def test_page_leads_to_docs_changes_and_other_releases(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases/2.0.0")
    assert page.xpath("//main//a[@href='/tiles/2.0.0/docs']/@rel") == ["nofollow"]
    assert page.xpath("//main//a[@href='/tiles/changes/1.0.0...2.0.0']")
    assert texts(page, "//section[@class='changes']//li/a") == ["Start", "Overview", "Old"]
    assert page.xpath("//nav[@class='prev-next']/a/@href") == ["/tiles/releases/1.0.0"]
    assert page.xpath("//meta[@name='robots']") == []


def test_page_has_the_notes_of_the_changelog_of_the_latest_branch(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases/1.0.0")
    assert texts(page, "//main//div[contains(@class, 'prose')]//li") == ["Tiles no longer overlap"]
    assert texts(page, "//p[@class='release-source']") == ["From CHANGELOG.md"]
    assert "Docs since" not in tiles.get("/tiles/releases/1.0.0").text


def test_page_without_notes_says_so_and_is_not_for_search_engines(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases/solid@3.2.0")
    assert texts(page, "//h1") == ["Tiles for Solid 3.2.0"]
    assert "This release has no notes." in texts(page, "//main")[0]
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/tiles/releases/v1.0.0", "/tiles/releases/1.0.0"),
        ("/tiles/releases/2.0?a=b", "/tiles/releases/2.0.0?a=b"),
        ("/tiles/releases/solid@3.1.0", "/tiles/releases/2.0.0"),
    ],
)
def test_other_names_lead_to_the_page(tiles: TestClient, path: str, to: str) -> None:
    answer = tiles.get(path)
    assert (answer.status_code, answer.headers["location"]) == (307, to)


def test_unknown_release_is_missing_and_leads_to_the_list(tiles: TestClient) -> None:
    answer = tiles.get("/tiles/releases/9.9.9")
    assert answer.status_code == 404
    assert html.document_fromstring(answer.text).xpath("//main//a[@href='/tiles/releases']")


def test_list_has_a_line_about_the_notes(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/releases")
    assert texts(page, "//main//details//ul/li/ul/li") == ["2.0.0 1 breaking, 1 added", "1.0.0 1 fixed", "solid@3.2.0"]
    assert page.xpath("//main//details//a/@href") == [
        "/tiles/releases/2.0.0", "/tiles/releases/1.0.0", "/tiles/solid@3.2.0/docs"
    ]  # fmt: skip
    assert page.xpath("//link[@type='application/atom+xml']/@href") == [
        "/tiles/releases.atom",
        "/tiles/release-changes.atom",
    ]


def test_feed_has_the_notes_as_simple_html(tiles: TestClient) -> None:
    answer = tiles.get("/tiles/releases.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.text)  # noqa: S314 - written by this site
    atom = "{http://www.w3.org/2005/Atom}"
    entries = feed.findall(f"{atom}entry")
    assert [entry.findtext(f"{atom}title") for entry in entries] == ["Tiles 2.0.0", "Tiles 1.0.0"]
    assert entries[0].findtext(f"{atom}updated") == "2026-01-01T00:00:00Z"
    content = entries[0].findtext(f"{atom}content") or ""
    assert '<a href="http://testserver/tiles/latest/docs/guide">' in content
    assert "class=" not in content
    assert tiles.get("/nothing/releases.atom").status_code == 404


def test_sitemap_has_the_releases_with_notes_and_robots_allows_them(tiles: TestClient) -> None:
    assert "http://testserver/sitemap-tiles-releases.xml" in tiles.get("/sitemap.xml").text
    sitemap = tiles.get("/sitemap-tiles-releases.xml").text
    assert sitemap.count("<url>") == 2
    assert "<loc>http://testserver/tiles/releases/2.0.0</loc>" in sitemap
    assert "Disallow: /tiles/r" not in tiles.get("/robots.txt").text


def test_search_finds_releases_by_number_and_by_questions_about_their_notes(tiles: TestClient) -> None:
    assert isinstance(tiles.app, SiteApp)
    settings = tiles.app.site.settings
    folder = index_folder(settings.var)
    with only_builder(folder):
        content = open_searchable_content(settings)
        build(folder, content)
    assert is_current(folder, content)
    with own_copy(folder) as (_, copy):
        index = TantivyIndex(copy, content.rules.settings)
        for query, first in (
            ("2.0.0", "release:tiles:2.0.0#"),
            ("v2.0.0", "release:tiles:2.0.0#"),
            ("when did lay change", "release:tiles:2.0.0#"),
            ("when did tiles overlap", "release:tiles:1.0.0#"),
            ("release notes", "release:tiles:2.0.0#"),
            ("guide", "tiles:latest:guide#"),
        ):
            assert [hit.id for hit in index.search(SearchQuery(query)).hits][:1] == [first], query


def test_list_of_changes_begins_with_what_is_breaking(tiles: TestClient) -> None:
    page = page_of(tiles, "/tiles/changes/1.0.0...2.0.0")
    (section,) = page.xpath("//main//section[h2 = 'Breaking changes']")
    assert [(link.text, link.get("href")) for link in section.xpath("h3/a")] == [("2.0.0", "/tiles/releases/2.0.0")]
    assert section.xpath("normalize-space(div)") == "lay takes an object (#12)"
    assert not page_of(tiles, "/tiles/changes/2.0.0...latest").xpath("//h2[. = 'Breaking changes']")

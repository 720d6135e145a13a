"""Folders of Nuxt Content whose address leads to a page that their `.navigation.yml` names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.inputs.dialect_docs import LIB, DialectDocs, hrefs, menu

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.docs.file_layouts.folder_redirects import written_redirects
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.redirects import Redirects

PAGES = {
    "docs/1.guide/1.start.md": "# Start\n\n[all](/guide) [here](../1.guide)\n",
    "docs/1.guide/2.use.md": "# Use\n",
    "docs/2.api/index.md": "# API\n",
}


@pytest.fixture
def docs(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> DialectDocs:
    return DialectDocs(tmp_path, catalog, redirects)


def target(publisher: DocsPublisher, path: str) -> str | None:
    found = publisher.reader().redirect(DocsAddress("lib", "latest", path))
    return found.to if found else None


@pytest.mark.parametrize("written", ["/guide/start", "./start", "start", "/guide/start?a=b#c"])
def test_address_of_a_folder_redirects_to_its_page(docs: DialectDocs, written: str) -> None:
    publisher = docs.open("nuxt-content", {**PAGES, "docs/1.guide/.navigation.yml": f"title: G\nredirect: {written}\n"})
    assert target(publisher, "guide") == "/lib/latest/docs/guide/start"
    assert hrefs(publisher, "docs/guide/start.md") == [("/lib/latest/docs/guide/start", False)] * 2
    assert menu(publisher)["G"] == [("Start", "guide/start"), ("Use", "guide/use")]


@pytest.mark.parametrize("written", ["https://a.example/x", "//a.example/x", "javascript:alert(1)", "/gone", "[a, b]"])
def test_redirect_leads_to_a_page_of_the_docs_only(docs: DialectDocs, written: str) -> None:
    publisher = docs.open("nuxt-content", {**PAGES, "docs/1.guide/.navigation.yml": f"redirect: {written}\n"})
    assert target(publisher, "guide") is None


def test_page_of_a_folder_takes_precedence(docs: DialectDocs) -> None:
    files = {**PAGES, "docs/2.api/.navigation.yml": "redirect: /guide/use\n", "docs/3.x.md": "# X\n\n[api](/api)\n"}
    assert hrefs(docs.open("nuxt-content", files), "docs/x.md") == [("/lib/latest/docs/api", False)]


def test_changed_redirect_makes_links_stale(docs: DialectDocs) -> None:
    before = docs.open("nuxt-content", {**PAGES, "docs/1.guide/.navigation.yml": "redirect: /guide/start\n"})
    old = before.docs.branches[LIB].listing_digest
    after = docs.open("nuxt-content", {"docs/1.guide/.navigation.yml": "redirect: /guide/use\n"})
    assert after.docs.branches[LIB].listing_digest != old
    assert target(after, "guide") == "/lib/latest/docs/guide/use"


def test_files_of_other_names_and_folders_are_not_read() -> None:
    files = ["docs/a/.navigation.yml", "other/.navigation.yml", "docs/b/_dir.yml", "docs/b/x.yml"]
    names = (".navigation.yml", "_dir.yml")
    found = dict(written_redirects("docs", files, names, lambda path: f"redirect: /{path.split('/')[1]}/c#d\n"))
    assert found == {"docs/a": "/a/c", "docs/b": "/b/c"}

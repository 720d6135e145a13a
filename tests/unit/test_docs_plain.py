"""Pages as plain Markdown, and the lists of them for programs: llms.txt, sitemaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from tests.trees import Likewise
from tests.unit.sources_upstream import Upstreams

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.docs.listing import family_index, library_index, library_texts, volume, volumes
from kinfolk.docs.plain import plain_page
from kinfolk.docs.sitemap import site_sitemap, sitemap_index, volume_sitemap
from kinfolk.errors import NotFound, Unavailable
from kinfolk.sources.snapshot import FileHistory, Ref, Snapshot
from kinfolk.sources.tree import GitTree, Objects

QUERY = Ref("TanStack/query", "main")
ORIGIN = "https://kin.example"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
Shelved = Callable[[dict[str, str]], Docs]


def text_of(docs: Docs, path: str, version: str | None = None) -> str:
    return plain_page(docs, QUERY, path, version, origin=ORIGIN).text


def test_a_page_begins_with_its_title(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/x.md": "---\ntitle: A Page\n---\nHello *you*.\n"})
    assert text_of(docs, "docs/x.md") == "# A Page\n\nHello *you*.\n"


def test_a_page_without_a_title_is_called_as_its_file(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/docs/quick-start.md": "Text\n"})
    assert text_of(docs, "docs/quick-start.md").startswith("# Quick Start\n")


def test_links_and_images_lead_to_this_site_from_anywhere(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/x.md": "[y](./y.md#a) ![p](./p.png) [z](https://tanstack.com/query/v5/docs/y)",
            "TanStack/query/main/docs/y.md": "y",
            "TanStack/query/main/docs/p.png": "p",
        }
    )
    text = text_of(docs, "docs/x.md", "latest")
    assert f"[y]({ORIGIN}/query/latest/docs/y#a)" in text
    assert f"![p]({ORIGIN}/_files/TanStack/query/main/docs/p.png?v=" in text
    assert f"[z]({ORIGIN}/query/v5/docs/y)" in text


def test_a_borrowed_text_names_everything_it_was_made_of(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/docs/x.md": "---\ntitle: X\n---\nReact text",
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\nreplace: {React: Vue}\n---\n",
        }
    )
    seen: set[str] = set()
    page = plain_page(docs, QUERY, "docs/y.md", None, origin=ORIGIN, seen=seen)
    assert page.text == "# X\n\nVue text\n"
    assert seen == {"TanStack/query@main:docs/x.md", "TanStack/query@main:docs/y.md", "TanStack/query@main#files"}


def test_the_words_of_a_page_are_kept_while_its_files_stay_and_its_links_follow_all_others(shelved: Shelved) -> None:
    files = {"TanStack/query/main/docs/x.md": "See [y](./guides/y) and ![p](./p.png)."}
    before = shelved(files)
    after = before.succeed(
        shelved(files | {"TanStack/query/main/docs/guides/y.md": "y", "TanStack/query/main/docs/p.png": "p"}).snapshot
    )
    shelves = [docs.shelf(QUERY) for docs in (before, after)]
    assert "![p](./p.png)" in text_of(before, "docs/x.md")
    assert after.wordings.has(shelves[1], "docs/x.md")
    assert f"![p]({ORIGIN}/_files/TanStack/query/main/docs/p.png?v=" in text_of(after, "docs/x.md")
    assert after.wordings.of(shelves[1], "docs/x.md", None) is before.wordings.of(shelves[0], "docs/x.md", None)


def test_the_words_of_a_page_change_with_each_file_it_is_made_of(shelved: Shelved) -> None:
    files = {
        "TanStack/query/main/docs/x.md": "Old words",
        "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
    }
    before = shelved(files)
    assert "Old words" in text_of(before, "docs/y.md")
    after = before.succeed(shelved(files | {"TanStack/query/main/docs/x.md": "New words"}).snapshot)
    assert not after.wordings.has(after.shelf(QUERY), "docs/y.md")
    assert "New words" in text_of(after, "docs/y.md")
    assert "Old words" in text_of(before, "docs/y.md")


def test_a_missing_page_is_not_found(shelved: Shelved) -> None:
    with pytest.raises(NotFound):
        text_of(shelved({"TanStack/query/main/docs/x.md": "x"}), "docs/nope.md")


def test_no_bundled_page_has_a_directive_left(bundled: Docs) -> None:
    texts = [
        plain_page(bundled, ref, path, None, origin=ORIGIN).text
        for ref in bundled.shelves
        for path in bundled.pages(ref)
    ]
    assert len(texts) > 30
    assert not [text[:80] for text in texts if "<!-- ::" in text or not text.startswith("# ")]


# llms.txt


CONFIG = """{"sections": [
  {"label": "Start", "children": [{"label": "Over[view]", "to": "overview"}, {"label": "Gone", "to": "gone"}],
   "frameworks": [{"label": "vue", "children": [{"label": "Guide", "to": "framework/vue/guide"}]}]},
  {"label": "More", "children": [{"label": "Again", "to": "overview"}, {"label": "Chat", "to": "https://chat.example"}]}
]}"""
LISTED = {
    "TanStack/query/main/docs/config.json": CONFIG,
    "TanStack/query/main/docs/overview.md": "---\ntitle: Overview\n---\nWhat it is about.",
    "TanStack/query/main/docs/framework/vue/guide.md": "---\ntitle: The Guide\n---\nHow it goes.",
    "TanStack/query/main/docs/reference/index.md": "---\ntitle: Reference\n---\nEverything.",
    "TanStack/query/v4/docs/overview.md": "---\ntitle: Overview\n---\nOld.",
    "TanStack/query/v4/docs/dropped.md": "---\ntitle: Dropped\n---\nGone since.",
}


def test_the_index_of_a_library_follows_its_navigation(shelved: Shelved, catalog: Catalog) -> None:
    docs = shelved(LISTED)
    lines = library_index(volume(docs, catalog.library("query"), "latest"), ORIGIN).splitlines()
    base = f"{ORIGIN}/api/md/query/latest/docs"
    assert lines[0] == "# TanStack Query"
    assert lines[2].startswith("> ")
    assert [line for line in lines[5:] if line] == [
        "## Start",
        f"- [Over\\[view\\]]({base}/overview): What it is about.",
        "## Start (Vue)",
        f"- [Guide]({base}/framework/vue/guide): How it goes.",
        "## More",
        "- [Chat](https://chat.example)",
        "## Optional",
        f"- [Reference]({base}/reference): Everything.",
    ]


def test_an_older_version_says_which_it_is_and_needs_no_navigation(shelved: Shelved, catalog: Catalog) -> None:
    index = library_index(volume(shelved(LISTED), catalog.library("query"), "v4"), ORIGIN)
    assert index.startswith("# TanStack Query v4\n")
    assert f"- [Dropped]({ORIGIN}/api/md/query/v4/docs/dropped): Gone since." in index


def test_the_whole_text_has_every_page_once_with_its_source(shelved: Shelved, catalog: Catalog) -> None:
    whole = "".join(library_texts(volume(shelved(LISTED), catalog.library("query"), "v5"), ORIGIN))
    assert re.findall(r"^# (.+)\n\nSource: (.+)$", whole, re.MULTILINE) == [
        ("Overview", f"{ORIGIN}/query/latest/docs/overview"),
        ("The Guide", f"{ORIGIN}/query/latest/docs/framework/vue/guide"),
        ("Reference", f"{ORIGIN}/query/latest/docs/reference"),
    ]


def test_a_page_that_borrows_from_a_missing_one_is_left_out(shelved: Shelved, catalog: Catalog) -> None:
    docs = shelved(LISTED | {"TanStack/query/main/docs/broken.md": "---\nref: docs/nope.md\n---\n"})
    one = volume(docs, catalog.library("query"), "latest")
    assert "broken" not in library_index(one, ORIGIN)
    assert "broken" not in "".join(library_texts(one, ORIGIN))


def test_the_index_of_the_family_leads_to_every_copy_there_is(shelved: Shelved) -> None:
    index = family_index(shelved(LISTED), ORIGIN)
    assert re.findall(r"\]\((\S+)\)", index) == [f"{ORIGIN}/query/latest/llms.txt", f"{ORIGIN}/query/v4/llms.txt"]


def test_an_unknown_version_is_not_found_and_a_missing_copy_is_unavailable(shelved: Shelved, catalog: Catalog) -> None:
    docs = shelved(LISTED)
    with pytest.raises(NotFound):
        volume(docs, catalog.library("query"), "v9")
    with pytest.raises(Unavailable):
        volume(docs, catalog.library("query"), "v3")


# Sitemaps


def entries(xml: str, root: str, element: str) -> list[tuple[str, str | None]]:
    """Each entry's address and date, after checking the file against the protocol."""
    assert xml.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    assert len(xml.encode()) <= 50 * 1024 * 1024
    tree = ET.fromstring(xml)  # noqa: S314 our own file
    assert tree.tag == NAMESPACE + root
    assert 0 < len(tree) <= 50_000
    found = []
    for entry in tree:
        assert [child.tag for child in entry] in ([NAMESPACE + "loc"], [NAMESPACE + "loc", NAMESPACE + "lastmod"])
        assert entry.tag == NAMESPACE + element
        address = entry[0].text or ""
        assert len(address) < 2048
        assert urlsplit(address)[:2] == ("https", "kin.example")
        found.append((address.removeprefix(ORIGIN), entry[1].text if len(entry) > 1 else None))
    return found


W3C_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d))?")


def test_the_index_of_sitemaps_says_when_each_branch_changed(bundled: Docs) -> None:
    found = entries(sitemap_index(bundled, ORIGIN, site_changed="2026-11-21"), "sitemapindex", "sitemap")
    assert found[0] == ("/sitemap-site.xml", "2026-11-21")
    assert len(found) > 9
    assert all(date and W3C_DATE.fullmatch(date) for _, date in found)


def test_every_address_of_a_sitemap_shows_something(bundled: Docs) -> None:
    for one in volumes(bundled):
        for address, _ in entries(volume_sitemap(one, ORIGIN), "urlset", "url"):
            inside = unquote(address.removeprefix(one.base + "/"))
            example = re.fullmatch(r"framework/([^/]+)/examples/([^/]+)", inside)
            if inside == "examples":
                assert bundled.shelf(one.ref).examples, address
            elif example:
                assert bundled.shelf(one.ref).has_example(example[1], example[2]), address
            else:
                assert bundled.page(one.ref, f"{one.library.docs_root}/{inside}.md", one.segment, set()).title


def test_an_older_version_lists_only_what_the_latest_one_lacks(shelved: Shelved, catalog: Catalog) -> None:
    one = volume(shelved(LISTED), catalog.library("query"), "v4")
    assert entries(volume_sitemap(one, ORIGIN), "urlset", "url") == [("/query/v4/docs/dropped", None)]


def test_addresses_are_escaped(shelved: Shelved) -> None:
    xml = site_sitemap([("/a&b", None), ("/c d<e", "2026-01-02")], ORIGIN)
    assert entries(xml, "urlset", "url") == [("/a%26b", None), ("/c%20d%3Ce", "2026-01-02")]


@dataclass(frozen=True)
class Dated(Likewise):
    """Its files changed on these days of January."""

    days: Mapping[str, int]

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(datetime(2026, 1, self.days[path], tzinfo=UTC), ()) if path in self.days else None


def test_a_page_says_when_its_text_changed(shelved: Shelved, catalog: Catalog) -> None:
    docs = shelved(LISTED | {"TanStack/query/main/docs/borrowed.md": "---\nref: docs/overview.md\n---\n"})
    days = {"docs/overview.md": 9, "docs/borrowed.md": 3, "docs/reference/index.md": 5}
    docs = docs.succeed(Snapshot({QUERY: Dated(docs.snapshot.trees[QUERY], days)}))
    xml = volume_sitemap(volume(docs, catalog.library("query"), "latest"), ORIGIN)
    assert {path.rpartition("/")[2]: date and date[8:10] for path, date in entries(xml, "urlset", "url")} == {
        "overview": "09",
        "borrowed": "09",
        "reference": "05",
        "guide": None,
    }


def test_a_commit_knows_when_it_was_made(tmp_path: Path) -> None:
    upstreams = Upstreams(tmp_path)
    commit = upstreams.commit(QUERY, {"docs/x.md": "x"})
    changed_at = GitTree(QUERY, commit, Objects(upstreams.path(QUERY))).changed_at
    assert changed_at is not None
    assert changed_at.isoformat() == "2023-11-14T22:13:21+00:00"


def test_a_commit_that_is_lost_has_no_date(tmp_path: Path) -> None:
    assert GitTree(QUERY, "0" * 40, Objects(tmp_path)).changed_at is None

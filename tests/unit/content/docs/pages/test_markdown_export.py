"""Pages as Markdown, llms.txt and sitemaps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from tests.inputs.docs_pages import export_page, render_page
from tests.suite.delegating_tree import DelegatingTree
from tests.unit.content.sources.git.sources_upstream import Upstreams

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.machine_readable.llms_txt import family_llms_txt, version_full_text, version_llms_txt
from kinfolk.content.docs.machine_readable.sitemap import site_sitemap, sitemap_index, version_sitemap
from kinfolk.content.docs.snapshots.version_docs import find_version_docs, list_version_docs
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.snapshot import FileHistory, Snapshot
from kinfolk.runtime.errors import NotFound, Unavailable

QUERY = Ref("TanStack/query", "main")
ORIGIN = "https://kin.example"
INDEX = f"Index of all pages: {ORIGIN}/query/latest/llms.txt"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
DocsFromFiles = Callable[[dict[str, str]], DocsSnapshot]


def text_of(docs: DocsSnapshot, path: str, version: str | None = None) -> str:
    return export_page(docs, QUERY, path, version, origin=ORIGIN).text


def test_export_begins_with_the_title_and_the_index(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/x.md": "---\ntitle: A Page\n---\nHello *you*.\n"})
    assert text_of(docs, "docs/x.md") == f"# A Page\n\n{INDEX}\n\nHello *you*.\n"


def test_page_without_a_title_has_the_name_of_its_file(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/docs/quick-start.md": "Text\n"})
    assert text_of(docs, "docs/quick-start.md").startswith("# Quick Start\n")


def test_links_and_images_are_absolute(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
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


def test_page_with_ref_has_tags_of_all_files_that_it_reads(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/x.md": "---\ntitle: X\n---\nReact text",
            "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\nreplace: {React: Vue}\n---\n",
        }
    )
    seen: set[str] = set()
    page = export_page(docs, QUERY, "docs/y.md", None, origin=ORIGIN, tags=seen)
    assert page.text == f"# X\n\n{INDEX}\n\nVue text\n"
    assert seen == {"TanStack/query@main:docs/x.md", "TanStack/query@main:docs/y.md", "TanStack/query@main#files"}


def test_unchanged_page_is_cached_and_its_links_are_resolved_again(
    docs_from_files: DocsFromFiles,
) -> None:
    files = {"TanStack/query/main/docs/x.md": "See [y](./guides/y) and ![p](./p.png)."}
    before = docs_from_files(files)
    after = before.with_snapshot(
        docs_from_files(
            files | {"TanStack/query/main/docs/guides/y.md": "y", "TanStack/query/main/docs/p.png": "p"}
        ).snapshot
    )
    branches = [ContentReader(docs).branch(QUERY) for docs in (before, after)]
    assert "![p](./p.png)" in text_of(before, "docs/x.md")
    assert after.exports.cache.find(branches[1], "docs/x.md")
    assert f"![p]({ORIGIN}/_files/TanStack/query/main/docs/p.png?v=" in text_of(after, "docs/x.md")
    found = [
        docs.exports.cache.get(branch, "docs/x.md", None)
        for docs, branch in zip((before, after), branches, strict=True)
    ]
    assert found[0] is found[1]


def test_page_is_exported_again_after_a_change_of_its_source(docs_from_files: DocsFromFiles) -> None:
    files = {
        "TanStack/query/main/docs/x.md": "Old words",
        "TanStack/query/main/docs/y.md": "---\nref: docs/x.md\n---\n",
    }
    before = docs_from_files(files)
    assert "Old words" in text_of(before, "docs/y.md")
    after = before.with_snapshot(docs_from_files(files | {"TanStack/query/main/docs/x.md": "New words"}).snapshot)
    assert not after.exports.cache.find(ContentReader(after).branch(QUERY), "docs/y.md")
    assert "New words" in text_of(after, "docs/y.md")
    assert "Old words" in text_of(before, "docs/y.md")


def test_missing_page_is_not_found(docs_from_files: DocsFromFiles) -> None:
    with pytest.raises(NotFound):
        text_of(docs_from_files({"TanStack/query/main/docs/x.md": "x"}), "docs/nope.md")


@pytest.mark.no_cover
def test_no_bundled_page_contains_a_directive(bundled: DocsSnapshot) -> None:
    texts = [
        export_page(bundled, ref, path, None, origin=ORIGIN).text
        for ref in bundled.branches
        for path in ContentReader(bundled).pages(ref)
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


def test_llms_txt_of_a_library_follows_its_navigation(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    library = catalog.library("query")
    lines = version_llms_txt(
        find_version_docs(ContentReader(docs_from_files(LISTED)), library, "latest"), ORIGIN
    ).splitlines()
    base = f"{ORIGIN}/query/latest/docs"
    assert lines[0] == "# TanStack Query"
    assert lines[2].startswith("> ")
    assert [line for line in lines[5:] if line] == [
        "## Start",
        f"- [Over\\[view\\]]({base}/overview.md): What it is about.",
        "## Start (Vue)",
        f"- [Guide]({base}/framework/vue/guide.md): How it goes.",
        "## More",
        "- [Chat](https://chat.example)",
        "## Optional",
        f"- [Reference]({base}/reference.md): Everything.",
        f"- [About TanStack Query]({ORIGIN}/query/latest): {library.tagline}",
        "## Other versions",
        f"- [TanStack Query v4]({ORIGIN}/query/v4/llms.txt): {library.tagline}",
    ]


def test_llms_txt_of_an_older_version_needs_no_navigation(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    index = version_llms_txt(
        find_version_docs(ContentReader(docs_from_files(LISTED)), catalog.library("query"), "v4"), ORIGIN
    )
    assert index.startswith("# TanStack Query v4\n")
    assert "## Other versions" not in index
    assert f"- [Dropped]({ORIGIN}/query/v4/docs/dropped.md): Gone since." in index


def test_full_text_has_each_page_once_with_its_source(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    text = "".join(
        version_full_text(
            find_version_docs(ContentReader(docs_from_files(LISTED)), catalog.library("query"), "v5"), ORIGIN
        )
    )
    assert re.findall(r"^# (.+)\n\nSource: (.+)$", text, re.MULTILINE) == [
        ("Overview", f"{ORIGIN}/query/latest/docs/overview"),
        ("The Guide", f"{ORIGIN}/query/latest/docs/framework/vue/guide"),
        ("Reference", f"{ORIGIN}/query/latest/docs/reference"),
    ]


def test_page_with_ref_to_a_missing_file_is_left_out(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    docs = docs_from_files(LISTED | {"TanStack/query/main/docs/broken.md": "---\nref: docs/nope.md\n---\n"})
    one = find_version_docs(ContentReader(docs), catalog.library("query"), "latest")
    assert "broken" not in version_llms_txt(one, ORIGIN)
    assert "broken" not in "".join(version_full_text(one, ORIGIN))


@pytest.mark.parametrize(
    ("branches", "listed"),
    [(("main", "v4"), ["latest"]), (("v4", "v3"), ["v4", "v3"])],
)
def test_llms_txt_of_the_family_links_to_older_versions_only_without_the_latest(
    docs_from_files: DocsFromFiles, branches: tuple[str, ...], listed: list[str]
) -> None:
    docs = docs_from_files({f"TanStack/query/{branch}/docs/a.md": "Text." for branch in branches})
    index = family_llms_txt(ContentReader(docs), ORIGIN)
    assert re.findall(r"\]\((\S+)\)", index) == [f"{ORIGIN}/query/{version}/llms.txt" for version in listed]


def test_unknown_version_is_not_found_and_missing_copy_is_unavailable(
    docs_from_files: DocsFromFiles, catalog: Catalog
) -> None:
    docs = docs_from_files(LISTED)
    with pytest.raises(NotFound):
        find_version_docs(ContentReader(docs), catalog.library("query"), "v9")
    with pytest.raises(Unavailable):
        find_version_docs(ContentReader(docs), catalog.library("query"), "v3")


# Sitemaps


def entries(xml: str, root: str, element: str) -> list[tuple[str, str | None]]:
    """The URL and date of each entry, after assertions of the sitemap protocol."""
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


def test_sitemap_index_has_the_dates_of_branches(bundled: DocsSnapshot) -> None:
    found = entries(sitemap_index(ContentReader(bundled), ORIGIN, site_changed="2026-11-21"), "sitemapindex", "sitemap")
    assert found[0] == ("/sitemap-site.xml", "2026-11-21")
    assert len(found) > 9
    assert all(date and W3C_DATE.fullmatch(date) for _, date in found)


@pytest.mark.no_cover
def test_each_url_of_a_sitemap_has_a_page(bundled: DocsSnapshot) -> None:
    for one in list_version_docs(ContentReader(bundled)):
        for address, _ in entries(version_sitemap(one, ORIGIN), "urlset", "url"):
            inside = unquote(address.removeprefix(one.base + "/"))
            example = re.fullmatch(r"framework/([^/]+)/examples/([^/]+)", inside)
            if inside == "examples":
                assert ContentReader(bundled).branch(one.ref).examples, address
            elif example:
                assert ContentReader(bundled).branch(one.ref).has_example(example[1], example[2]), address
            else:
                assert render_page(bundled, one.ref, f"{one.library.docs_root}/{inside}.md", one.segment).title


def test_sitemap_of_an_older_version_lists_pages_missing_in_the_latest(
    docs_from_files: DocsFromFiles, catalog: Catalog
) -> None:
    one = find_version_docs(ContentReader(docs_from_files(LISTED)), catalog.library("query"), "v4")
    assert entries(version_sitemap(one, ORIGIN), "urlset", "url") == [("/query/v4/docs/dropped", None)]


def test_sitemap_lists_only_pages_and_examples_that_exist(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    example = {"label": "Basic", "to": "framework/react/examples/basic"}
    navigation = {"sections": [{"label": "All", "children": [example]}]}
    docs = docs_from_files(
        {
            "TanStack/query/main/docs/config.json": json.dumps(navigation),
            "TanStack/query/main/docs/overview.md": "# Overview\n",
            "TanStack/query/main/docs/gone.md": "---\nref: docs/deleted.md\n---\n",
        }
    )
    one = find_version_docs(ContentReader(docs), catalog.library("query"), "latest")
    found = entries(version_sitemap(one, ORIGIN), "urlset", "url")
    assert [address for address, _ in found] == ["/query/latest/docs/overview"]


def test_urls_of_a_sitemap_are_escaped(docs_from_files: DocsFromFiles) -> None:
    xml = site_sitemap([("/a&b", None), ("/c d<e", "2026-01-02")], ORIGIN)
    assert entries(xml, "urlset", "url") == [("/a%26b", None), ("/c%20d%3Ce", "2026-01-02")]


@dataclass(frozen=True)
class DatedTree(DelegatingTree):
    """A tree whose files changed on these days of January."""

    days: Mapping[str, int]

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(datetime(2026, 1, self.days[path], tzinfo=UTC), ()) if path in self.days else None


def test_sitemap_has_the_dates_of_pages(docs_from_files: DocsFromFiles, catalog: Catalog) -> None:
    docs = docs_from_files(LISTED | {"TanStack/query/main/docs/borrowed.md": "---\nref: docs/overview.md\n---\n"})
    days = {"docs/overview.md": 9, "docs/borrowed.md": 3, "docs/reference/index.md": 5}
    docs = docs.with_snapshot(Snapshot({QUERY: DatedTree(docs.snapshot.trees[QUERY], days)}))
    xml = version_sitemap(find_version_docs(ContentReader(docs), catalog.library("query"), "latest"), ORIGIN)
    assert {path.rpartition("/")[2]: date and date[8:10] for path, date in entries(xml, "urlset", "url")} == {
        "overview": "09",
        "borrowed": "09",
        "reference": "05",
        "guide": None,
    }


def test_tree_has_the_date_of_its_commit(tmp_path: Path) -> None:
    upstreams = Upstreams(tmp_path)
    commit = upstreams.commit(QUERY, {"docs/x.md": "x"})
    changed_at = GitTree(QUERY, commit, ObjectStore(upstreams.path(QUERY))).changed_at
    assert changed_at is not None
    assert changed_at.isoformat() == "2023-11-14T22:13:21+00:00"


def test_tree_of_a_missing_commit_has_no_date(tmp_path: Path) -> None:
    assert GitTree(QUERY, "0" * 40, ObjectStore(tmp_path)).changed_at is None

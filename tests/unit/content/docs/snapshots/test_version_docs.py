"""Versions in folders of one branch: each has its own pages, menu, links, redirects, notices and records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sites.other_sites import VERSIONED, write_site
from tests.sites.sample_site import read_settings

from kinfolk.cli.check.content_check import check_content
from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.dependencies import BranchFrontMatter, DependencyRecorder, FileContent
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import missing_copies
from kinfolk.content.docs.machine_readable.llms_txt import version_llms_txt
from kinfolk.content.docs.machine_readable.sitemap import canonical_pages, sitemap_index
from kinfolk.content.docs.other_pages.arrival_notice import arrival_notice
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.other_pages.nearest_page import nearest_pages, version_alternatives
from kinfolk.content.docs.snapshots.content_counts import count_content
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs, list_version_docs
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.snapshot import changes
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.ranking_config import load_ranking_config

REF = Ref("acme/gears", "main")
ORIGIN = "https://acme.example"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("versioned"), VERSIONED)


def open_docs(folder: Path, before: DocsSnapshot | None = None) -> DocsSnapshot:
    catalog = load_catalog(folder)
    snapshot = DirectorySource(folder / "repos", catalog.refs, "folders").open()
    return before.with_snapshot(snapshot) if before else DocsSnapshot(catalog, load_redirects(folder), snapshot)


@pytest.fixture(scope="module")
def docs_snapshot(folder: Path) -> DocsSnapshot:
    return open_docs(folder)


@pytest.fixture
def docs(docs_snapshot: DocsSnapshot) -> ContentReader:
    return ContentReader(docs_snapshot)


@pytest.fixture
def version(docs: ContentReader) -> Callable[[str], VersionDocs]:
    return lambda name: find_version_docs(docs, docs.catalog.library("gears"), name)


PAGES = {
    "next": ["fast-gears", "install", "usage"],
    "latest": ["install", "usage"],
    "v1": ["examples", "index", "install", "levers", "usage"],
}


@pytest.mark.parametrize("name", PAGES)
def test_version_has_the_pages_of_its_folder(version: Callable[[str], VersionDocs], name: str) -> None:
    assert list(version(name).pages()) == PAGES[name]


def test_menus_are_of_one_folder_each(docs: ContentReader, version: Callable[[str], VersionDocs]) -> None:
    def menu(name: str) -> list[tuple[str, list[str]]]:
        sections = docs.navigation(REF, version(name).docs_root).sections
        return [(section.label, [link.to for link in section.children]) for section in sections]

    assert menu("next") == [("Start", ["fast-gears", "install", "usage"])]
    assert menu("latest") == [("Start", ["install", "usage"])]
    assert menu("v1") == [("Old", ["install", "levers"])]


def test_docs_of_a_version_begin_at_its_default_page(version: Callable[[str], VersionDocs]) -> None:
    assert [docs_home(version(name)) for name in ("latest", "v1")] == ["install", "install"]


@pytest.mark.parametrize(
    ("address", "links"),
    [
        (("latest", "install"), ["/gears/latest/docs/usage", "/gears/next/docs/install"]),
        (("v30", "install"), ["/gears/v30/docs/usage", "/gears/next/docs/install"]),
        (("latest", "usage"), ["/gears/v1/docs/usage"]),
        (("next", "install"), ["/gears/v1/docs/levers"]),
        (("v1", "index"), ["/gears/v1/docs/install", "/gears/next/docs/usage"]),
    ],
)
def test_links_lead_to_the_version_of_their_file(
    docs: ContentReader, address: tuple[str, str], links: list[str]
) -> None:
    page = docs.page(docs.locate_address(DocsAddress("gears", *address)))
    assert [link.href for link in page.page.links] == links


def test_dialect_is_that_of_the_version(docs: ContentReader) -> None:
    assert 'data-callout="tip"' in docs.page(docs.locate_address(DocsAddress("gears", "latest", "install"))).html


def test_file_within_the_folder_of_another_version_is_of_that_version(docs: ContentReader) -> None:
    nested = docs.locate(REF, "docs/v1/levers.md", "next")
    assert (str(nested.address), nested.is_of_other_version("next")) == ("/gears/v1/docs/levers", True)
    own = docs.locate(REF, "docs/v1/levers.md", "v1")
    assert (str(own.address), own.is_of_other_version("v1")) == ("/gears/v1/docs/levers", False)


def test_example_without_a_framework_has_an_address(docs: ContentReader) -> None:
    page = docs.page(docs.locate_address(DocsAddress("gears", "v1", "levers")))
    assert [link.href for link in page.page.links] == ["/gears/v1/docs/framework/vanilla/examples/spinner"]
    assert docs.branch(REF).examples == {("vanilla", "spinner"): ("package.json", "src/main.ts")}


def test_version_menu_leads_to_the_same_or_the_nearest_page(docs: ContentReader) -> None:
    same = version_alternatives(docs, DocsAddress("gears", "v1", "usage"))
    assert [each.to for each in same if each.title is None] == [
        f"/gears/{name}/docs/usage" for name in ("latest", "next", "v30", "v1")
    ]
    other = {each.name: each for each in version_alternatives(docs, DocsAddress("gears", "next", "fast-gears"))}
    assert (other["v1"].title, other["v1"].to.partition("?")[0]) != (None, "/gears/v1/docs/fast-gears")


def test_missing_page_suggests_pages_of_its_version(docs: ContentReader) -> None:
    assert [near.to for near in nearest_pages(docs, DocsAddress("gears", "v1", "lever"))] == ["/gears/v1/docs/levers"]
    assert nearest_pages(docs, DocsAddress("gears", "next", "lever")) == ()


def test_redirects_of_front_matter_are_of_one_version(docs: ContentReader) -> None:
    moved = docs.redirect(DocsAddress("gears", "v1", "turning"))
    assert moved is not None
    assert moved.to == "/gears/v1/docs/usage"
    assert [docs.redirect(DocsAddress("gears", name, "turning")) for name in ("next", "latest")] == [None, None]


def test_notice_names_versions_by_their_labels(docs: ContentReader) -> None:
    notice = arrival_notice(docs, DocsAddress("gears", "latest", "usage"), "/gears/v1/docs/levers")
    assert notice is not None
    assert notice.text == "30.0 (stable) has no “Levers” page. This is the nearest one."


def test_only_the_latest_version_and_what_it_lacks_is_canonical(version: Callable[[str], VersionDocs]) -> None:
    assert {name: list(canonical_pages(version(name))) for name in PAGES} == {
        "next": ["fast-gears"],
        "latest": ["install", "usage"],
        "v1": ["examples", "index", "levers"],
    }


def test_texts_and_sitemaps_list_each_version(docs: ContentReader, version: Callable[[str], VersionDocs]) -> None:
    names = ("next", "latest", "v1")
    assert [f"/sitemap-gears-{name}.xml" in sitemap_index(docs, ORIGIN) for name in names] == [True] * 3
    text = version_llms_txt(version("latest"), ORIGIN)
    assert [f"{ORIGIN}/gears/{name}/llms.txt" in text for name in ("next", "v1")] == [True, True]
    assert (f"{ORIGIN}/gears/latest/docs/usage.md" in text, "levers" in text) == (True, False)


def test_counts_are_of_versions_and_not_of_branches(docs: ContentReader) -> None:
    counts = count_content(docs)
    assert (counts.versions, counts.pages) == (3, sum(map(len, PAGES.values())))


def test_search_has_a_record_of_each_page_in_its_version(docs_snapshot: DocsSnapshot, folder: Path) -> None:
    content = SearchableContent(docs_snapshot, (), load_ranking_config(folder))
    found = [record for group in groups(content) for record in group.make()]
    versions = {str(one["url"]): one["version"] for one in found if one["kind"] == "guide"}
    assert versions["/gears/latest/docs/usage#call-it"] == ["latest", "v30"]
    assert versions["/gears/v1/docs/usage#call-it"] == ["v1"]
    assert not [url for url in versions if url.startswith("/gears/next/docs/v1")]


def test_check_reports_no_fault(folder: Path, tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_SITE": str(folder), "KINFOLK_VAR": str(tmp_path), "KINFOLK_MIRROR": "off"})
    report = check_content(settings, folder / "repos")
    assert ([fault.message for fault in report.faults], report.pages) == ([], 10)


def test_missing_branch_of_several_versions_is_named_once(folder: Path, tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_SITE": str(folder), "KINFOLK_MIRROR": str(tmp_path)})
    assert missing_copies(settings, load_catalog(folder), ()) == {"gears": (REF,)}


def test_edit_of_a_page_purges_pages_of_its_version_only(tmp_path: Path) -> None:
    folder = write_site(tmp_path, VERSIONED)
    before = open_docs(folder)
    recorder = DependencyRecorder()
    reader = ContentReader(before, recorder)
    reader.page(reader.locate_address(DocsAddress("gears", "latest", "usage")))
    write_site(folder, {"repos/acme/gears/main/docs/v1/usage.md": "---\ntitle: Usage\n---\n\nOther words.\n"})
    after = open_docs(folder, before)
    stale = stale_dependencies(changes(before.snapshot, after.snapshot), before, after)
    assert FileContent(REF, "docs/v1/usage.md") in stale
    assert FileContent(REF, "versioned/version-30.0/usage.md") in recorder.dependencies - stale
    assert len(list(list_version_docs(ContentReader(after)))) == 3
    assert BranchFrontMatter(REF) in stale  # its redirect is gone

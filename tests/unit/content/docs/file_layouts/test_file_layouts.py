"""Docs folders of other dialects: addresses, menus, links, static files and stale pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.inputs.dialect_docs import LIB, DialectDocs, hrefs, menu
from tests.inputs.docs_pages import export_page, render_page

from kinfolk.config.catalog import Catalog, DialectName, DocsMenuLink, DocsMenuSection
from kinfolk.content.dependencies import DependencyRecorder, purge_tags
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.file_layouts import unread_files
from kinfolk.content.docs.file_layouts.layout_table import layout_rules
from kinfolk.content.docs.menus.folder_menu import title_of_name
from kinfolk.content.docs.menus.mkdocs_nav import read_nav
from kinfolk.content.docs.menus.nav_entry import NavEntry
from kinfolk.content.redirects import Redirects
from kinfolk.runtime.errors import NotFound, Refused


@pytest.fixture
def docs(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> DialectDocs:
    return DialectDocs(tmp_path, catalog, redirects)


# Menus


def test_folders_are_the_menu_of_docs_without_config(docs: DialectDocs) -> None:
    publisher = docs.open(
        "github",
        {
            "docs/index.md": "# Welcome\n",
            "docs/part-10.md": "# Ten\n",
            "docs/part-2.md": "---\ntitle: Two\n---\n",
            "docs/cli/index.md": "# CLI\n",
            "docs/cli/first.md": "---\nnav_order: 1\n---\n# First <Badge>new</Badge>\n",
            "docs/cli/deep/page.md": "text\n",
            "docs/hidden.md": "---\nsidebar: false\n---\n# Hidden\n",
            "docs/draft.md": "---\ndraft: true\n---\n# Draft\n",
        },
    )
    assert menu(publisher) == {
        "Start": [("Welcome", "index"), ("Two", "part-2"), ("Ten", "part-10")],
        "CLI": [("CLI", "cli"), ("First", "cli/first")],
        "CLI: Deep": [("Page", "cli/deep/page")],
    }
    assert "Hidden" in render_page(publisher.docs, LIB, "docs/hidden.md").title


def test_config_json_takes_precedence_over_folders(docs: DialectDocs) -> None:
    config = json.dumps({"sections": [{"label": "Mine", "children": [{"label": "A", "to": "a"}]}]})
    publisher = docs.open("vitepress", {"docs/config.json": config, "docs/a.md": "# A\n", "docs/b.md": "# B\n"})
    assert menu(publisher) == {"Mine": [("A", "a")]}


def test_menu_of_the_library_file_takes_titles_from_pages(docs: DialectDocs) -> None:
    section = DocsMenuSection("Start", ("guide/b", "/guide/", "gone"))
    files = {"docs/guide/index.md": "# Guide\n", "docs/guide/b.md": "# Second\n"}
    publisher = docs.open("vitepress", files, menu=(section,))
    assert menu(publisher) == {"Start": [("Second", "guide/b"), ("Guide", "guide")]}
    assert [link.to for link in publisher.reader().config(LIB, "docs").links()][-1] == "gone"


def test_menu_of_the_library_file_has_labels_and_links_of_its_own(docs: DialectDocs) -> None:
    out = DocsMenuLink("Chat", "https://chat.acme.dev")
    section = DocsMenuSection("Start", ("a", DocsMenuLink("The second", "b"), out, DocsMenuLink("Gone", "c")))
    publisher = docs.open("vitepress", {"docs/a.md": "# A\n", "docs/b.md": "# B\n"}, menu=(section,))
    assert menu(publisher) == {"Start": [("A", "a"), ("The second", "b"), ("Chat", "https://chat.acme.dev")]}
    assert ("Gone", "c") in [(link.label, link.to) for link in publisher.reader().config(LIB, "docs").links()]


@pytest.mark.parametrize("dialect", ["github", "vitepress"])
def test_excluded_folders_have_no_pages(docs: DialectDocs, dialect: DialectName) -> None:
    files = {"docs/a.md": "# A\n", "docs/zh/a.md": "# Z\n", "docs/zhuyin.md": "# B\n", "docs/c.md": "# C\n"}
    publisher = docs.open(dialect, files, exclude=("zh", "c.md"))
    assert menu(publisher) == {"Start": [("A", "a"), ("B", "zhuyin")]}
    assert list(publisher.reader().pages(LIB)) == ["docs/a.md", "docs/zhuyin.md"]


def test_summary_of_mdbook_is_the_menu_and_no_page(docs: DialectDocs) -> None:
    summary = "# Summary\n\n[Intro](README.md)\n\n- [A `b`](a.md)\n  - [Gone](gone.md)\n  - [C](part/README.md)\n"
    files = {
        "docs/SUMMARY.md": summary,
        "docs/README.md": "# Intro\n\n[c](part/index.html) [a](./a.html#x)\n",
        "docs/a.md": "# A\n\n## X\n",
        "docs/part/README.md": "# C\n",
    }
    publisher = docs.open("mdbook", files)
    assert menu(publisher) == {"Start": [("Intro", "index")], "1. A b": [("1. A b", "a"), ("1.2. C", "part")]}
    assert hrefs(publisher, "docs/index.md") == [
        ("/lib/latest/docs/part", False),
        ("/lib/latest/docs/a#x", False),
    ]
    docs.write({"docs/SUMMARY.md": "- [Other](a.md)\n"})
    publisher.refresh()
    assert menu(publisher) == {"Chapters": [("1. Other", "a")]}
    with pytest.raises(NotFound):
        render_page(publisher.docs, LIB, "docs/SUMMARY.md")


def test_toctrees_of_sphinx_are_the_menu(docs: DialectDocs) -> None:
    tree = "```{toctree}\n:caption: Guide\n:hidden:\n\nintro\nOwn <part/index>\nhttps://example.com\ngone\n```\n"
    files = {
        "docs/index.md": f"# Home\n\n{tree}\n```{{toctree}}\n:glob:\n\nmore/*\n```\n",
        "docs/intro.md": "# Intro\n",
        "docs/part/index.md": "# Part\n\n```{toctree}\na\n../index\n```\n",
        "docs/part/a.md": "# A\n",
        "docs/more/b.md": "# B\n",
        "docs/alone.md": "# Alone\n",
    }
    publisher = docs.open("myst", files)
    assert menu(publisher) == {
        "Start": [("Home", "index"), ("B", "more/b")],
        "Guide": [("Intro", "intro"), ("https://example.com", "https://example.com")],
        "Guide: Part": [("Part", "part"), ("A", "part/a")],
    }
    docs.write({"docs/index.md": "# Home\n\n```{toctree}\nalone\n```\n"})
    publisher.refresh()
    assert menu(publisher) == {"Start": [("Home", "index"), ("Alone", "alone")]}


def test_labels_of_myst_lead_to_other_pages(docs: DialectDocs) -> None:
    files = {
        "docs/index.md": "# Home\n\n[](#far/label) {ref}`far/label` {doc}`part/a` [](part/a.md) {term}`API`\n",
        "docs/part/a.md": "# A\n\n(far/label)=\n## Far\n\n```{glossary}\nAPI\n  Words\n```\n",
    }
    publisher = docs.open("myst", files)
    page = "/lib/latest/docs/part/a"
    assert hrefs(publisher, "docs/index.md") == [
        (f"{page}#far-label", False),
        (f"{page}#far-label", False),
        (page, False),
        (page, False),
        (f"{page}#term-api", False),
    ]
    before = render_page(publisher.docs, LIB, "docs/index.md").page
    assert ">Far</a>" in before.html()
    docs.write({"docs/part/a.md": "# A\n\n(far/label)=\n## Farther\n"})
    publisher.refresh()
    assert ">Farther</a>" in render_page(publisher.docs, LIB, "docs/index.md").page.html()


def test_category_files_label_and_order_folders(docs: DialectDocs) -> None:
    publisher = docs.open(
        "docusaurus",
        {
            "docs/02-intro.md": "# Intro\n",
            "docs/10-basics/_category_.json": '{"label": "The basics", "position": 2}',
            "docs/10-basics/02-second.mdx": "# Second\n",
            "docs/10-basics/01-first.md": "---\nsidebar_label: One\n---\n# First\n",
            "docs/advanced/_category_.yml": "label: Deep end\nposition: 1\n",
            "docs/advanced/x.md": "# X\n",
            "docs/_partial.md": "# Partial\n",
        },
    )
    assert menu(publisher) == {
        "Start": [("Intro", "intro")],
        "Deep end": [("X", "advanced/x")],
        "The basics": [("One", "basics/first"), ("Second", "basics/second")],
    }


def test_nav_of_mkdocs_is_the_menu(docs: DialectDocs) -> None:
    nav = """
site_name: X
markdown_extensions:
  - x: {y: !!python/name:os.system , z: &a 1}
nav:
  - index.md
  - Guide:
      - guide/a.md
      - More:
          - B!: guide/b.md
      - Site: https://example.com
      - Gone: gone.md
"""
    files = {"mkdocs.yml": nav, "docs/index.md": "# Home\n", "docs/guide/a.md": "# A\n", "docs/guide/b.md": "# B\n"}
    assert menu(docs.open("mkdocs", files)) == {
        "Start": [("Home", "index")],
        "Guide": [("A", "guide/a"), ("Site", "https://example.com")],
        "Guide: More": [("B!", "guide/b")],
    }


def test_nav_reads_no_tags_and_no_invalid_yaml() -> None:
    assert read_nav("a: !!python/object/apply:os.system ['x']\nnav:\n- !ENV [A, b]\n- x.md\n") == (
        NavEntry(None, "x.md"),
    )
    assert read_nav("nav: [\n") == ()
    assert read_nav("nav: text\n") == ()
    assert read_nav("nav:\n" + "- a:\n".join("  " * n for n in range(40))) == ()


def test_changed_category_and_nav_files_purge_the_menu(docs: DialectDocs) -> None:
    publisher = docs.open("docusaurus", {"docs/a/_category_.json": '{"label": "Old"}', "docs/a/x.md": "# X\n"})
    recorder = DependencyRecorder()
    assert ContentReader(publisher.docs, recorder).navigation(LIB, "docs").sections[0].label == "Old"
    docs.write({"docs/a/_category_.json": '{"label": "New"}'})
    assert purge_tags(publisher.refresh()) & recorder.cache_tags
    assert menu(publisher) == {"New": [("X", "a/x")]}


def test_edit_of_a_text_does_not_purge_the_menu(docs: DialectDocs) -> None:
    publisher = docs.open("docusaurus", {"docs/x.md": "---\nsidebar_label: Label\n---\n# X\n", "docs/y.md": "# Y\n"})
    recorder = DependencyRecorder()
    ContentReader(publisher.docs, recorder).navigation(LIB, "docs")
    docs.write({"docs/x.md": "---\nsidebar_label: Label\n---\n# X\n\nMore.\n"})
    assert not purge_tags(publisher.refresh()) & recorder.cache_tags
    docs.write({"docs/x.md": "---\nsidebar_label: Other\n---\n# X\n\nMore.\n"})
    assert purge_tags(publisher.refresh()) & recorder.cache_tags
    assert menu(publisher) == {"Start": [("Other", "x"), ("Y", "y")]}


@pytest.mark.parametrize(
    ("name", "title"), [("getting-started", "Getting started"), ("api", "API"), ("my_page", "My page"), ("FAQ", "FAQ")]
)
def test_title_of_a_file_name(name: str, title: str) -> None:
    assert title_of_name(name) == title


def test_numbers_and_navigation_files_of_nuxt_order_and_label_folders(docs: DialectDocs) -> None:
    publisher = docs.open(
        "nuxt-content",
        {
            "docs/1.index.md": "---\nseo:\n  title: Home\n---\n::hero\n---\n# comment\n---\n::\n",
            "docs/2.deploy/.navigation.yml": "title: Deploy it\nicon: i-x\n",
            "docs/2.deploy/20.providers/10.aws.md": "# AWS\n",
            "docs/2.deploy/20.providers/9.bun.md": "---\nnavigation:\n  title: Bun!\n---\n# Bun\n",
            "docs/2.deploy/3d-models.md": "# Models\n",
            "docs/2.deploy/1.index.md": "# Deploy\n",
            "docs/3.own.draft.md": "# Draft\n",
            "docs/4.x.md": "---\nnavigation: false\n---\n# X\n",
            "docs/5.internal/.navigation.yml": "navigation: false\n",
            "docs/5.internal/a.md": "# A\n",
        },
    )
    assert menu(publisher) == {
        "Start": [("Home", "index")],
        "Deploy it": [("Deploy", "deploy"), ("Models", "deploy/3d-models")],
        "Deploy it: Providers": [("Bun!", "deploy/providers/bun"), ("AWS", "deploy/providers/aws")],
    }
    assert "own" not in " ".join(publisher.reader().branch(LIB).page_paths("docs"))


# Addresses


def test_addresses_of_docusaurus_have_no_numbers(docs: DialectDocs) -> None:
    publisher = docs.open(
        "docusaurus",
        {
            "docs/01-start/README.mdx": "# Start\n",
            "docs/01-start/02-install.md": "---\nid: setup\n---\n# Install\n",
            "docs/01-start/7.0-changes.md": "# Changes\n",
            "docs/guide/guide.md": "# Guide\n",
            "docs/free.md": "---\nslug: /other/place\n---\n# Free\n",
            "docs/root.md": "---\nslug: /\n---\n# Root\n",
        },
    )
    branch = publisher.reader().branch(LIB)
    paths = ["guide/index", "index", "other/place", "start/7.0-changes", "start/index", "start/setup"]
    assert list(branch.page_paths("docs")) == paths
    page = render_page(publisher.docs, LIB, "docs/start/setup.md")
    assert (page.title, page.edit_url) == (
        "Install",
        "https://github.com/acme/lib/edit/main/docs/01-start/02-install.md",
    )


def test_whole_repository_can_be_the_docs(docs: DialectDocs) -> None:
    files = {
        "README.md": "# Lib\n\n[x](guide/x.md)\n",
        "guide/x.md": "# X\n\n![i](../i.png)\n",
        "i.png": "x",
        "node_modules/y.md": "# Y",
    }
    publisher = docs.open("github", files, docs_root="~")
    assert menu(publisher, "~") == {"Start": [("Lib", "index")], "Guide": [("X", "guide/x")]}
    assert publisher.reader().pages(LIB) == publisher.reader().pages(LIB, "~") == ("~/guide/x.md", "~/index.md")
    assert hrefs(publisher, "~/index.md") == [("/lib/latest/docs/guide/x", False)]
    assert 'src="/_files/acme/lib/main/i.png' in render_page(publisher.docs, LIB, "~/guide/x.md").html
    with pytest.raises(NotFound):
        render_page(publisher.docs, LIB, "~/node_modules/y.md")


def test_changed_slug_moves_the_page_and_purges_links_to_it(docs: DialectDocs) -> None:
    publisher = docs.open("docusaurus", {"docs/a.md": "[b](./b.md)\n", "docs/b.md": "---\nslug: old\n---\n# B\n"})
    tags: set[str] = set()
    assert "/docs/old" in render_page(publisher.docs, LIB, "docs/a.md", tags=tags).html
    docs.write({"docs/b.md": "---\nslug: new\n---\n# B\n"})
    assert purge_tags(publisher.refresh()) & tags
    assert "/docs/new" in render_page(publisher.docs, LIB, "docs/a.md").html


def test_changed_title_purges_the_titles_of_the_framework_in_its_address(docs: DialectDocs) -> None:
    publisher = docs.open("docusaurus", {"docs/01-framework/02-react/a.md": "# A\n"})
    recorder = DependencyRecorder()
    reader = ContentReader(publisher.docs, recorder).branch(LIB)
    assert reader.framework_titles("docs", "react", is_reference=False) == {"framework/react/a": "A"}
    docs.write({"docs/01-framework/02-react/a.md": "# B\n"})
    assert f"{LIB}#titles:react" in purge_tags(publisher.refresh()) & recorder.cache_tags


def test_changed_include_purges_the_page(docs: DialectDocs) -> None:
    publisher = docs.open("vitepress", {"docs/a.md": "<!--@include: ./parts/_b.md-->\n", "docs/parts/_b.md": "Old\n"})
    tags: set[str] = set()
    assert "Old" in render_page(publisher.docs, LIB, "docs/a.md", tags=tags).html
    assert "Old" in export_page(publisher.docs, LIB, "docs/a.md").text
    docs.write({"docs/parts/_b.md": "New\n"})
    assert purge_tags(publisher.refresh()) & tags
    assert "New" in render_page(publisher.docs, LIB, "docs/a.md").html
    assert "New" in export_page(publisher.docs, LIB, "docs/a.md").text


def test_file_outside_of_the_repository_is_never_included(docs: DialectDocs, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("Secret")
    publisher = docs.open(
        "vitepress", {"docs/a.md": "<!--@include: ./link.md-->\n\n<!--@include: ../../../../../secret.md-->\n"}
    )
    (tmp_path / "acme/lib/main/docs/link.md").symlink_to(secret)
    publisher.refresh()
    page = render_page(publisher.docs, LIB, "docs/a.md")
    assert "Secret" not in page.html
    assert len(page.page.problems) == 2


# Links


@pytest.mark.parametrize(
    "written", ["/guide/x", "/guide/x.html", "/guide/x.md", "./x", "x.md", "../guide/x.html", "/guide/x#part"]
)
def test_links_of_vitepress(docs: DialectDocs, written: str) -> None:
    publisher = docs.open("vitepress", {"docs/guide/y.md": f"[x]({written})\n", "docs/guide/x.md": "## Part\n"})
    anchor = "#part" if "#" in written else ""
    assert hrefs(publisher, "docs/guide/y.md") == [(f"/lib/latest/docs/guide/x{anchor}", False)]


@pytest.mark.parametrize(("written", "to"), [("/guide/", "/guide"), ("/", "/index"), ("/guide/index.html", "/guide")])
def test_links_to_indexes_of_vitepress(docs: DialectDocs, written: str, to: str) -> None:
    files = {"docs/y.md": f"[x]({written})\n", "docs/guide/index.md": "# G\n", "docs/index.md": "# I\n"}
    assert hrefs(docs.open("vitepress", files), "docs/y.md") == [(f"/lib/latest/docs{to}", False)]


@pytest.mark.parametrize("written", ["../x/", "../../guide/x/", "x.md", "/guide/x/"])
def test_links_of_mkdocs(docs: DialectDocs, written: str) -> None:
    publisher = docs.open("mkdocs", {"docs/guide/y.md": f"[x]({written})\n", "docs/guide/x.md": "# X\n"})
    assert hrefs(publisher, "docs/guide/y.md") == [("/lib/latest/docs/guide/x", False)]


@pytest.mark.parametrize(
    "written", ["./02-x.mdx", "x", "/docs/guide/x", "/guide/x", "@site/docs/01-guide/02-x.mdx", "01-guide/02-x.mdx"]
)
def test_links_of_docusaurus(docs: DialectDocs, written: str) -> None:
    publisher = docs.open("docusaurus", {"docs/01-guide/y.md": f"[x]({written})\n", "docs/01-guide/02-x.mdx": "# X\n"})
    assert hrefs(publisher, "docs/guide/y.md") == [("/lib/latest/docs/guide/x", False)]


@pytest.mark.parametrize("written", ["/docs/next/guide/x", "/docs/guide/x", "/docs/guide/x/"])
def test_links_of_docusaurus_to_its_only_version(docs: DialectDocs, written: str) -> None:
    files = {"docs/y.md": f"[x]({written})\n", "docs/guide/x.md": "# X\n"}
    assert hrefs(docs.open("docusaurus", files), "docs/y.md") == [("/lib/latest/docs/guide/x", False)]


def test_page_of_docusaurus_in_a_folder_called_next_takes_precedence(docs: DialectDocs) -> None:
    files = {"docs/y.md": "[x](/docs/next/x)\n", "docs/next/x.md": "# X\n", "docs/x.md": "# X\n"}
    assert hrefs(docs.open("docusaurus", files), "docs/y.md") == [("/lib/latest/docs/next/x", False)]


@pytest.mark.parametrize(
    ("root", "written", "file"),
    [
        ("website/versioned_docs/version-2.0", "/docs/next/x", "docs/x.md"),
        ("website/versioned_docs/version-2.0", "/docs/next/x", "website/docs/x.md"),
        ("website/versioned_docs/version-2.0", "/docs/1.0/x", "website/versioned_docs/version-1.0/x.md"),
        ("docs", "/docs/1.0/x", "website/versioned_docs/version-1.0/x.md"),
        ("docs", "/docs/1.0/x", "versioned_docs/version-1.0/x.md"),
    ],
)
def test_paths_of_other_versions_of_docusaurus(root: str, written: str, file: str) -> None:
    assert file.removesuffix(".md") in layout_rules("docusaurus").absolute_paths(written, root)


@pytest.mark.parametrize("written", ["@site/static/files/a.pdf", "/files/a.pdf"])
def test_files_that_docusaurus_serves_are_found(docs: DialectDocs, written: str) -> None:
    files = {"docs/y.md": f"# Y\n\n[a]({written})\n", "website/static/files/a.pdf": "a"}
    ((href, broken),) = hrefs(docs.open("docusaurus", files), "docs/y.md")
    assert (href.partition("?")[0], broken) == ("/_files/acme/lib/main/website/static/files/a.pdf", False)


def test_static_files_of_pages_in_the_folder_of_routes_are_served(docs: DialectDocs) -> None:
    files = {"site/app/docs/a/page.mdx": "# A\n\n![i](/i.png) [b](/docs/b)\n", "site/app/docs/b/page.mdx": "# B\n"}
    publisher = docs.open("nextra", {**files, "site/public/i.png": "x"}, docs_root="site/app/docs")
    page = render_page(publisher.docs, LIB, "site/app/docs/a/index.md")
    assert 'src="/_files/acme/lib/main/site/public/i.png?v=' in page.html
    assert 'href="/lib/latest/docs/b"' in page.html


@pytest.mark.parametrize(
    ("root", "written"),
    [
        ("docs", "/guide/x"),
        ("docs", "./x"),
        ("docs/content/docs", "/docs/guide/x"),
        ("docs/content/docs", "/guide/x#a"),
        ("docs/content", "/guide/x"),
    ],
)
def test_links_of_nuxt(docs: DialectDocs, root: str, written: str) -> None:
    files = {f"{root}/1.guide/2.y.md": f"[x]({written})\n", f"{root}/1.guide/1.x.md": "# A\n"}
    publisher = docs.open("nuxt-content", files, docs_root=root)
    fragment = "#a" if "#" in written else ""
    assert hrefs(publisher, f"{root}/guide/y.md") == [(f"/lib/latest/docs/guide/x{fragment}", False)]


def test_broken_link_is_broken(docs: DialectDocs) -> None:
    publisher = docs.open("vitepress", {"docs/a.md": "[x](/lib/latest/docs/gone)\n\n[y](./gone.md)\n"})
    assert [broken for _, broken in hrefs(publisher, "docs/a.md")] == [True, True]


def test_links_out_of_the_docs_lead_to_github(docs: DialectDocs) -> None:
    files = {"docs/a.md": "[x](../src/x.ts) [y](../src) [z](../CHANGES.md)\n", "src/x.ts": "x", "CHANGES.md": "x"}
    assert [href for href, _ in hrefs(docs.open("vitepress", files), "docs/a.md")] == [
        "https://github.com/acme/lib/blob/main/src/x.ts",
        "https://github.com/acme/lib/tree/main/src",
        "https://github.com/acme/lib/blob/main/CHANGES.md",
    ]


@pytest.mark.parametrize(
    ("dialect", "file", "src"),
    [
        ("vitepress", "docs/public/logo.png", "/logo.png"),
        ("docusaurus", "static/img/logo.png", "/img/logo.png"),
        ("docusaurus", "website/static/logo.png", "@site/static/logo.png"),
        ("mkdocs", "docs/assets/logo.png", "assets/logo.png"),
        ("nuxt-content", "docs/public/logo.png", "/logo.png"),
        ("nuxt-content", "docs/.docs/public/logo.png", "/logo.png"),
    ],
)
def test_static_files_are_served(docs: DialectDocs, dialect: DialectName, file: str, src: str) -> None:
    publisher = docs.open(dialect, {"docs/a.md": f"![i]({src})\n", file: "x"})
    assert f'src="/_files/acme/lib/main/{file}?v=' in render_page(publisher.docs, LIB, "docs/a.md").html
    assert publisher.reader().branch_with(LIB, file).read(file) == b"x"


def test_other_files_outside_of_the_docs_are_not_served(docs: DialectDocs) -> None:
    publisher = docs.open("docusaurus", {"docs/a.md": "x", "src/secret.ts": "x"})
    with pytest.raises(Refused):
        publisher.reader().branch_with(LIB, "src/secret.ts")


@pytest.mark.parametrize(
    ("files", "described"),
    [
        (["a.mdx", "b/c.mdx"], r"it has 2 \.mdx files \(read by the dialects? .*docusaurus.*\)"),
        (["a.mdx"], r"it has 1 \.mdx file \(read by .*\)"),
        (["index.rst"], r"it has 1 \.rst file \(reStructuredText, which is not supported\)"),
        (["a.rst", "b.RST", "c.adoc"], r"it has 2 \.rst files \(.*\) and 1 \.adoc file \(AsciiDoc, .*\)"),
        (["a.ipynb", "b.py"], r"it has 1 \.ipynb file \(.*\)"),
        (["a.png", "Makefile", ".hidden"], ""),
        ([], ""),
    ],
)
def test_files_of_a_folder_without_pages_are_described(files: list[str], described: str) -> None:
    assert re.fullmatch(described, unread_files(files))

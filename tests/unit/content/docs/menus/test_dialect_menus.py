"""Menus and languages of Starlight, Fumadocs, Nextra, Mintlify and Jupyter Book, read from their own files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from tests.inputs.dialect_docs import LIB, DialectDocs, menu

from kinfolk.config.catalog import Catalog
from kinfolk.content.dependencies import DependencyRecorder, purge_tags
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.file_layouts import DocsFolder, open_layouts
from kinfolk.content.docs.menus.folder_menu import menu_of
from kinfolk.content.redirects import Redirects


@pytest.fixture
def docs(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> DialectDocs:
    return DialectDocs(tmp_path, catalog, redirects)


ASTRO = """
import { sidebar } from './sidebar';
const locales = { root: { label: 'English' }, fr: { label: 'Français' } };
export default defineConfig({
  site: process.env.SITE,
  integrations: [other(), starlight({ title: 'X', locales, sidebar })],
});
"""
SIDEBAR = """
export const sidebar = [
  'intro',
  { label: 'Guides', items: [
    { slug: 'guides/one', badge: 'New' },
    { label: 'Site', link: 'https://example.com', badge: { text: 'Out', variant: 'tip' } },
    { label: 'Deep', collapsed: true, autogenerate: { directory: 'deep' } },
  ] },
  { label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] },
  { label: 'Gone', link: '/gone/' },
];
"""
STARLIGHT = "docs/src/content/docs"
STARLIGHT_FILES = {
    "docs/astro.config.mjs": ASTRO,
    "docs/sidebar.ts": SIDEBAR,
    f"{STARLIGHT}/intro.md": "---\ntitle: Intro\n---\n",
    f"{STARLIGHT}/guides/One.mdx": "---\ntitle: One\n---\n",
    f"{STARLIGHT}/deep/b.md": "---\ntitle: B\nsidebar:\n  order: 1\n  badge: Beta\n---\n",
    f"{STARLIGHT}/deep/a.md": "---\ntitle: A\nsidebar:\n  label: First\n---\n",
    f"{STARLIGHT}/deep/hidden.md": "---\ntitle: H\nsidebar:\n  hidden: true\n---\n",
    f"{STARLIGHT}/reference/x.md": "---\ntitle: X\n---\n",
    f"{STARLIGHT}/fr/intro.md": "---\ntitle: Début\n---\n",
}


def test_sidebar_of_starlight_is_the_menu(docs: DialectDocs) -> None:
    publisher = docs.open("starlight", STARLIGHT_FILES, docs_root=STARLIGHT)
    assert menu(publisher, STARLIGHT) == {
        "Start": [("Intro", "intro")],
        "Guides": [("One", "guides/one"), ("Site", "https://example.com")],
        "Guides: Deep": [("B", "deep/b"), ("First", "deep/a")],
        "Reference": [("X", "reference/x")],
    }
    sections = publisher.reader().navigation(LIB, STARLIGHT).sections
    assert [link.badge for section in sections for link in section.children] == [None, "New", "Out", "Beta", None, None]
    assert [section.default_collapsed for section in sections] == [False, False, True, False]


def test_pages_of_other_languages_are_left_out(docs: DialectDocs) -> None:
    publisher = docs.open("starlight", STARLIGHT_FILES, docs_root=STARLIGHT)
    assert not [path for path in publisher.reader().branch(LIB).page_paths(STARLIGHT) if path.startswith("fr")]
    docs.write({"docs/astro.config.mjs": ASTRO.replace("fr:", "de:")})
    assert publisher.refresh()
    assert "fr/intro" in publisher.reader().branch(LIB).page_paths(STARLIGHT)


def test_folder_of_another_language_may_differ_from_its_code_in_case(docs: DialectDocs) -> None:
    files = {
        "docs/astro.config.mjs": ASTRO.replace("fr:", "'pt-br':"),
        f"{STARLIGHT}/pt-BR/intro.md": "---\ntitle: I\n---\n",
    }
    paths = (
        docs.open("starlight", STARLIGHT_FILES | files, docs_root=STARLIGHT).reader().branch(LIB).page_paths(STARLIGHT)
    )
    assert [path for path in paths if path.startswith("pt")] == []


def test_computed_sidebar_of_starlight_falls_back_to_folders(docs: DialectDocs) -> None:
    files = STARLIGHT_FILES | {"docs/sidebar.ts": "export const sidebar = [group('a'), 'intro'];"}
    assert list(menu(docs.open("starlight", files, docs_root=STARLIGHT), STARLIGHT)) == [
        "Start",
        "Deep",
        "Guides",
        "Reference",
    ]


@pytest.mark.parametrize("file", ["docs/astro.config.mjs", "docs/sidebar.ts"])
def test_changed_configuration_purges_the_menu(docs: DialectDocs, file: str) -> None:
    publisher = docs.open("starlight", STARLIGHT_FILES, docs_root=STARLIGHT)
    recorder = DependencyRecorder()
    ContentReader(publisher.docs, recorder).navigation(LIB, STARLIGHT)
    docs.write({file: STARLIGHT_FILES[file] + "\n// changed"})
    assert purge_tags(publisher.refresh()) & recorder.cache_tags


FUMADOCS = "content/docs"


def test_meta_files_of_fumadocs_are_the_menu(docs: DialectDocs) -> None:
    pages = ["---[Star]Begin---", "index", "[Rocket][Site](https://example.com)", "---More---", "...ui", "!x", "..."]
    files = {
        f"{FUMADOCS}/meta.json": json.dumps({"pages": ["(main)", "api"]}),
        f"{FUMADOCS}/(main)/meta.json": json.dumps({"title": "Main", "root": True, "pages": pages}),
        f"{FUMADOCS}/(main)/index.mdx": "---\ntitle: Home\n---\n",
        f"{FUMADOCS}/(main)/index.cn.mdx": "---\ntitle: 首页\n---\n",
        f"{FUMADOCS}/(main)/x.mdx": "---\ntitle: X\n---\n",
        f"{FUMADOCS}/(main)/y.mdx": "---\ntitle: Y\n---\n",
        f"{FUMADOCS}/(main)/ui/meta.json": json.dumps({"pages": ["b", "z...a"]}),
        f"{FUMADOCS}/(main)/ui/a.mdx": "---\ntitle: A\n---\n",
        f"{FUMADOCS}/(main)/ui/b.mdx": "---\ntitle: B\n---\n",
        f"{FUMADOCS}/(main)/ui/c.mdx": "---\ntitle: C\n---\n",
        f"{FUMADOCS}/api/index.mdx": "---\ntitle: The API\n---\n",
        f"{FUMADOCS}/api/one.mdx": "---\ntitle: One\n---\n",
        f"{FUMADOCS}/unlisted.mdx": "---\ntitle: U\n---\n",
    }
    assert menu(docs.open("fumadocs", files, docs_root=FUMADOCS), FUMADOCS) == {
        "Main: Begin": [("Home", "index"), ("Site", "https://example.com")],
        "Main: More": [("B", "ui/b"), ("C", "ui/c"), ("A", "ui/a"), ("Y", "y")],
        "The API": [("The API", "api"), ("One", "api/one")],
    }


NEXTRA = "content"


def test_meta_files_of_nextra_are_the_menu(docs: DialectDocs) -> None:
    meta = """
import type { MetaRecord } from 'nextra'
export default {
  index: 'Welcome',
  '*': { theme: { toc: false } },
  hidden: { display: 'hidden' },
  _: { type: 'separator', title: 'More' },
  guide: { title: 'The guide', theme: { collapsed: true } },
  out: { title: 'Site', href: 'https://example.com' },
  versions: { type: 'menu', title: 'Versions', items: { v1: { title: 'v1', href: 'https://v1.example.com' } } }
} satisfies MetaRecord
"""
    files = {
        f"{NEXTRA}/_meta.ts": meta,
        f"{NEXTRA}/guide/_meta.json": '{"b": "", "a": "Second"}',
        f"{NEXTRA}/index.mdx": "# Home\n",
        f"{NEXTRA}/hidden.mdx": "# Hidden\n",
        f"{NEXTRA}/rest.mdx": "# Rest\n",
        f"{NEXTRA}/guide/a.mdx": "# A\n",
        f"{NEXTRA}/guide/b.mdx": "# B\n",
    }
    assert menu(docs.open("nextra", files, docs_root=NEXTRA), NEXTRA) == {
        "Start": [("Welcome", "index")],
        "More": [("Site", "https://example.com"), ("Rest", "rest")],
        "More: The guide": [("B", "guide/b"), ("Second", "guide/a")],
        "More: Versions": [("v1", "https://v1.example.com")],
    }


def test_routed_pages_of_nextra_have_the_address_of_their_folder(docs: DialectDocs) -> None:
    meta = "const A = { one: '' }\nexport default { docs: { items: { a: { items: A }, index: 'Home' } } }"
    files = {
        "app/_meta.global.tsx": meta,
        "app/docs/page.mdx": "# Docs\n",
        "app/docs/old.mdx": "# Old\n",
        "app/docs/a/page.mdx": "# A\n\n[One](./one)\n",
        "app/docs/a/one/page.mdx": "# One\n\n[A](../a)\n",
    }
    publisher = docs.open("nextra", files, docs_root="app/docs")
    assert menu(publisher, "app/docs") == {"Start": [("Home", "index")], "A": [("A", "a"), ("One", "a/one")]}
    assert list(publisher.reader().branch(LIB).page_paths("app/docs")) == ["a/index", "a/one/index", "index"]


def test_navigation_of_mintlify_is_the_menu_of_its_main_language(docs: DialectDocs) -> None:
    english = {
        "language": "en",
        "tabs": [
            {
                "tab": "Guides",
                "groups": [
                    {"group": "Start", "tag": "New", "pages": ["index", "GET /users", {"group": "In", "pages": ["a"]}]},
                    {"group": "Secret", "hidden": True, "pages": ["b"]},
                ],
            },
            {"tab": "API", "openapi": "openapi.json"},
            {"tab": "Guides", "groups": [{"group": "Guides", "root": "b", "pages": ["gone"]}]},
        ],
    }
    files = {
        "docs/docs.json": json.dumps({"navigation": {"languages": [english, {"$ref": "./fr.json"}]}}),
        "docs/fr.json": json.dumps({"tabs": [{"tab": "Guides", "pages": ["fr/index"]}]}),
        "docs/.mintignore": "# ours\n/drafts/\n*.draft.mdx\n",
        "docs/index.mdx": "---\ntitle: Home\n---\n",
        "docs/a.mdx": "---\ntitle: A\nsidebarTitle: Short\n---\n",
        "docs/b.mdx": "---\ntitle: B\n---\n",
        "docs/c.draft.mdx": "---\ntitle: C\n---\n",
        "docs/drafts/d.mdx": "---\ntitle: D\n---\n",
        "docs/snippets/part.mdx": "Part\n",
        "docs/README.md": "# Ours\n",
        "docs/fr/index.mdx": "---\ntitle: Accueil\n---\n",
    }
    publisher = docs.open("mintlify", files)
    assert menu(publisher) == {
        "Guides: Start": [("Home", "index")],
        "Start: In": [("Short", "a")],
        "Guides": [("B", "b")],
    }
    assert list(publisher.reader().branch(LIB).page_paths("docs")) == ["a", "b", "index"]


def test_older_navigation_of_mintlify_and_a_wrong_one(docs: DialectDocs) -> None:
    old = {"navigation": [{"group": "One", "pages": ["a", {"group": "Two", "pages": ["b"]}]}]}
    files = {"docs/mint.json": json.dumps(old), "docs/a.mdx": "# A\n", "docs/b.mdx": "# B\n"}
    publisher = docs.open("mintlify", files)
    assert menu(publisher) == {"One": [("A", "a")], "One: Two": [("B", "b")]}
    docs.write({"docs/mint.json": "{"})
    publisher.refresh()
    assert menu(publisher) == {"Start": [("A", "a"), ("B", "b")]}


JUPYTER_FILES = {
    "docs/intro.md": "# Intro\n",
    "docs/one.md": "# One\n",
    "docs/deep/two.md": "# Two\n",
    "docs/deep/three.md": "# Three\n",
    "docs/left.md": "# Left\n",
}
JUPYTER_MENU = {
    "Start": [("Intro", "intro")],
    "Part": [("First", "one"), ("Site", "https://example.com")],
    "Part: Two": [("Two", "deep/two"), ("Three", "deep/three")],
}


@pytest.mark.parametrize(
    ("file", "toc"),
    [
        (
            "_toc.yml",
            """
format: jb-book
root: intro
parts:
  - caption: Part
    chapters:
      - {file: one, title: First}
      - {url: "https://example.com", title: Site}
      - {url: "javascript:alert(1)", title: Bad}
      - file: gone
      - file: deep/two
        sections:
          - glob: deep/th*
""",
        ),
        (
            "myst.yml",
            """
version: 1
project:
  title: Book
  toc:
    - file: intro.md
    - title: Part
      children:
        - {file: one.md, title: First}
        - {url: "https://example.com", title: Site}
        - file: deep/two.md
          children:
            - pattern: deep/th*.md
""",
        ),
    ],
)
def test_toc_of_jupyter_book_is_the_menu(docs: DialectDocs, file: str, toc: str) -> None:
    publisher = docs.open("myst", {**JUPYTER_FILES, f"docs/{file}": toc})
    assert menu(publisher) == JUPYTER_MENU
    docs.write({f"docs/{file}": toc.replace("title: First", "title: New")})
    assert publisher.refresh()
    assert menu(publisher)["Part"][0] == ("New", "one")


@pytest.mark.parametrize("toc", ["- [", "format: jb-book\n", "root: [a]\n", "- file: one\n"])
def test_toc_that_cannot_be_read_falls_back_to_folders(docs: DialectDocs, toc: str) -> None:
    sections = menu(docs.open("myst", {**JUPYTER_FILES, "docs/_toc.yml": toc}))
    assert sections == {
        "Start": [("Intro", "intro"), ("Left", "left"), ("One", "one")],
        "Deep": [("Three", "deep/three"), ("Two", "deep/two")],
    }


def test_sections_of_one_label_are_one(docs: DialectDocs) -> None:
    summary = "# P\n- [A](a.md)\n  - [B](b.md)\n- [C](c.md)\n# Q\n- [X](x.md)\n# Q\n- [Y](y.md)\n"
    files = {f"docs/{name}.md": f"# {name}\n" for name in "abcxy"}
    assert menu(docs.open("mdbook", {"docs/SUMMARY.md": summary, **files})) == {
        "1. A": [("1. A", "a"), ("1.1. B", "b")],
        "2. C": [("2. C", "c")],
        "Q": [("3. X", "x"), ("4. Y", "y")],
    }


def test_caption_of_a_toctree_is_part_of_the_labels_of_its_lists(docs: DialectDocs) -> None:
    files = {
        "docs/index.md": "# Home\n```{toctree}\na\n```\n```{toctree}\n:caption: Guides\nb\nc\na\n```\n",
        "docs/a.md": "# A\n",
        "docs/b.md": "# B\n```{toctree}\nSite <https://example.com>\nd\n```\n",
        "docs/c.md": "# C\n",
        "docs/d.md": "# D\n",
    }
    assert menu(docs.open("myst", files)) == {
        "Start": [("Home", "index"), ("A", "a")],
        "Guides": [("C", "c")],
        "Guides: B": [("B", "b"), ("Site", "https://example.com"), ("D", "d")],
    }


def test_entry_of_a_readme_leads_to_its_folder(docs: DialectDocs) -> None:
    config = {"sections": [{"label": "How to", "children": [{"label": "All", "to": "how-to/README"}]}]}
    files = {"docs/config.json": json.dumps(config), "docs/how-to/README.md": "# All\n", "docs/x.md": "# X\n"}
    publisher = docs.open("github", files)
    branch = publisher.reader().branch(LIB)
    assert menu(publisher) == {"How to": [("All", "how-to")]}
    assert branch.redirect_target("docs", "how-to/README") == "how-to"
    assert branch.redirect_target("docs", "how-to") is None


def test_constant_of_a_page_is_in_its_title_in_menus(docs: DialectDocs) -> None:
    text = 'export const version = "1.2"\n\n# Version {version} of {other()}\n'
    publisher = docs.open("nextra", {"docs/index.mdx": text, "docs/_meta.js": "export default { index: {} }\n"})
    assert menu(publisher)["Start"] == [("Version 1.2 of", "index")]
    assert publisher.reader().branch(LIB).titles("docs") == {"index": "Version 1.2 of"}


def test_page_of_myst_is_read_once_for_menu_and_labels() -> None:
    texts = {
        "docs/index.md": "# Home\n\n```{toctree}\npart/index\n```\n",
        "docs/part/index.md": "# Part\n\n```{toctree}\na\n```\n",
        "docs/part/a.md": "# A\n\n(far)=\n## Far\n",
    }
    reads: Counter[str] = Counter()

    def read(path: str) -> str:
        reads[path] += 1
        return texts[path]

    _, layouts = open_layouts((DocsFolder("docs", "myst"),), dict.fromkeys(texts, ""), read)
    layout = layouts["docs"]
    menu = menu_of(layout, texts.__contains__, read)
    assert [link.to for section in menu.sections for link in section.children] == ["index", "part", "part/a"]
    assert ("far", "/part/a.md#far", "Far") in layout.labels
    assert reads == dict.fromkeys(texts, 1)

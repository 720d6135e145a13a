"""Imports of mdBook, Sphinx and Nuxt Content."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.import_site.imported_project import faults_of, import_files, left_out, rules_of, toml_of

from kinfolk.cli.import_site.site_import import Import

BOOK = """
[book]
title = "The Book"
multilingual = false

[preprocessor.mermaid]

[output.html]
git-repository-url = "https://github.com/acme/book"

[output.html.redirect]
"/old.html" = "one.html"
"/gone.html" = "nowhere.html"
"""
MDBOOK = {
    "book.toml": BOOK,
    "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n",
    "src/one.md": "# One\n\nText\n",
}
SPHINX = {
    "docs/conf.py": "project = 'Snake'\nextensions = ['myst_parser']\nx = open('/etc/passwd').read()\n",
    "docs/index.md": "# Snake\n\nText\n",
    "docs/api.rst": "API\n===\n",
}
NUXT = {
    "docs/nuxt.config.ts": "export default defineNuxtConfig({ modules: ['@nuxt/content'] })\n",
    "docs/content/1.guide/1.start.md": "---\ntitle: Start\n---\n\nText\n",
}

UNDOCS = {
    "docs/.config/docs.yaml": (
        "name: h9\ndescription: A server\ngithub: acme/h9\nthemeColor: amber\nautomd: true\n"
        "socials:\n  discord: https://discord.gg/x\nredirects:\n  /old: /guide/start\n"
    ),
    "docs/1.guide/1.start.md": "---\ntitle: Start\n---\n\nText\n",
}


def library(found: Import) -> dict[str, object]:
    return toml_of(found, f"libraries/{found.site.library.id}.toml")


@pytest.mark.parametrize(
    ("files", "dialect", "root", "name"),
    [
        (MDBOOK, "mdbook", "src", "The Book"),
        (SPHINX, "myst", "docs", "Snake"),
        (NUXT, "nuxt-content", "docs/content", "Project"),
        (UNDOCS, "nuxt-content", "docs", "h9"),
    ],
)
def test_project_is_found_and_imported(
    tmp_path: Path, files: dict[str, str], dialect: str, root: str, name: str
) -> None:
    found = import_files(tmp_path, files)
    facts = library(found)
    assert (facts["dialect"], facts["docs_root"], facts["name"]) == (dialect, root, name)
    assert found.pages == 1
    assert faults_of(tmp_path, found) == []


@pytest.mark.parametrize(
    "files",
    [
        {"docs/myst.yml": "project:\n  title: Book\n  github: acme/book\n  toc:\n    - file: a.md\n"},
        {
            "docs/_toc.yml": "format: jb-book\nroot: a\n",
            "docs/_config.yml": "title: Book\nrepository:\n  url: https://github.com/acme/book\n",
        },
    ],
)
def test_jupyter_book_keeps_title_and_repository(tmp_path: Path, files: dict[str, str]) -> None:
    found = import_files(tmp_path, {**files, "docs/a.md": "# A\n"})
    facts = library(found)
    assert (facts["dialect"], facts["docs_root"], facts["name"]) == ("myst", "docs", "Book")
    assert found.site.repo == "acme/book"
    assert faults_of(tmp_path, found) == []


def test_undocs_keeps_names_color_links_and_redirects(tmp_path: Path) -> None:
    config = """
name: Nitro
description: Servers
github: acme/nitro
branch: main
themeColor: pink
socials: {x: "https://x.com/acme", wat: "https://wat.example"}
landing: {title: Nitro}
redirects: {"/guide": "/docs", "/adapters/**": "/docs/start", "/gone": "/nowhere"}
"""
    files = {"docs/.config/docs.yaml": config, "docs/1.docs/1.index.md": "# D\n", "docs/1.docs/2.start.md": "# S\n"}
    found = import_files(tmp_path, {**files, "example/nuxt.config.ts": NUXT["docs/nuxt.config.ts"]})
    facts, site = library(found), found.site
    assert (facts["dialect"], facts["docs_root"], facts["name"], facts["color"]) == (
        "nuxt-content",
        "docs",
        "Nitro",
        "pink",
    )
    assert (site.repo, site.branch, [one.icon for one in site.social]) == ("acme/nitro", "main", ["github", "x"])
    docs = f"/{site.library.id}/latest/docs"
    assert (site.redirects["/guide"], site.redirects["/adapters/{splat...}"]) == (f"{docs}/docs", f"{docs}/docs/start")
    assert left_out(found).keys() >= {"social link 'wat'", "landing", "redirect '/gone'"}
    assert faults_of(tmp_path, found) == []


def test_undocs_without_a_repository_has_no_link_to_one(tmp_path: Path) -> None:
    found = import_files(tmp_path, {"docs/.config/docs.yaml": "name: Nitro\n", "docs/1.a.md": "# A\n"})
    assert found.site.social == []


def test_mdbook_keeps_repository_and_redirects(tmp_path: Path) -> None:
    found = import_files(tmp_path, MDBOOK)
    assert found.site.repo == "acme/book"
    assert found.site.redirects["/old.html"] == f"/{found.site.library.id}/latest/docs/one"
    assert left_out(found) == {
        "redirect '/gone.html'": "book.toml",
        "book.multilingual": "book.toml",
        "preprocessor mermaid": "book.toml",
    }


def test_files_that_sphinx_alone_reads_are_named(tmp_path: Path) -> None:
    assert left_out(import_files(tmp_path, SPHINX))["1 files in reStructuredText"] == "docs/api.rst"


@pytest.mark.parametrize("text", ["", "[book", "book = 1\n", "\x00"])
def test_wrong_configuration_of_mdbook_is_no_error(tmp_path: Path, text: str) -> None:
    found = import_files(tmp_path, {**MDBOOK, "book.toml": text})
    assert library(found)["docs_root"] == "src"


def test_configuration_of_undocs_has_the_color_and_redirects(tmp_path: Path) -> None:
    found = import_files(tmp_path, UNDOCS)
    assert (library(found)["color"], found.site.repo, found.site.description) == ("amber", "acme/h9", "A server")
    assert rules_of(found)["/old"] == "/h9/latest/docs/guide/start"
    assert list(left_out(found)) == ["automd"]

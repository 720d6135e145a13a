"""The library of a repository, as the files of its site."""

from __future__ import annotations

import json
import tomllib

import pytest
from tests.unit.cli.new.facts.memory_tree import project

from kinfolk.cli.new.facts.repository_facts import FoundLibrary, read_library
from kinfolk.cli.new.family_files import family_files, listed
from kinfolk.cli.new.family_report import fault_lines, library_lines, missing_facts
from kinfolk.runtime.errors import Invalid

PAGE = "---\ntitle: {}\n---\n\n{}\n"
DOCS = {
    "docs/index.md": PAGE.format("Introduction", "These pages are about widgets."),
    "docs/guide/start.md": PAGE.format("First steps", "Begin with a table."),
}
README = "# WIDgets\n\nWidgets is a library for tables. It has no dependencies.\n"


def library(files: dict[str, str], repo: str = "acme/widgets") -> FoundLibrary:
    return read_library(project(dict(files), repo), "widgets")


def table(found: FoundLibrary) -> dict[str, object]:
    files = family_files("Acme", [found], color=None, version="1")
    text = files[f"libraries/{found.id}.toml"]
    assert isinstance(text, str)
    return tomllib.loads(text)


@pytest.mark.parametrize(
    ("description", "readme", "expected"),
    [
        ("", README, ("Widgets is a library for tables", "It has no dependencies.")),
        ("Tables", README, ("Widgets is a library for tables", "It has no dependencies.")),
        (
            "🐻 Tables for the web",
            README,
            ("Tables for the web", "Widgets is a library for tables. It has no dependencies."),
        ),
        ("A library for tables.", README, ("A library for tables", "It has no dependencies.")),
        ("Tables for the web", "# Widgets\n", ("Tables for the web", "")),
        ("", "", ("", "")),
        ("x " * 200, README, ("Widgets is a library for tables", "It has no dependencies.")),
    ],
)
def test_sentences_do_not_repeat_each_other(description: str, readme: str, expected: tuple[str, str]) -> None:
    files = DOCS | {"README.md": readme, "package.json": json.dumps({"name": "widgets", "description": description})}
    found = library(files)
    assert (found.tagline, found.description) == expected


@pytest.mark.parametrize(
    ("readme", "repo", "name"),
    [
        (README, "acme/widgets", "WIDgets"),
        ("# Fast tables\n\nBig Gears is a library for tables of all kinds.\n", "acme/big-gears", "Big Gears"),
        ("# Fast tables\n", "acme/big-gears", "Big Gears"),
        ("", "acme/h3", "H3"),
        ("# Hello\n", "acme/website", "Acme"),
    ],
)
def test_name_is_spelled_as_the_readme_does(readme: str, repo: str, name: str) -> None:
    assert library(DOCS | {"README.md": readme}, repo).name == name


def test_default_page_is_the_index_or_one_to_start_with() -> None:
    assert library(DOCS).default_page == "index"
    without = {"docs/apis/a.md": "# A\n", "docs/guide/getting-started.md": "# B\n", "docs/guide/z.md": "# C\n"}
    assert library(without).default_page == "guide/getting-started"
    cover = DOCS | {"docs/index.md": "---\nlayout: home\n---\n", "docs/.vitepress/config.ts": "export default {}"}
    assert library(cover).default_page == "guide/start"


def test_landing_page_ends_with_the_first_page() -> None:
    described = DOCS | {"docs/index.md": PAGE.format("Introduction", "Tables have rows, columns and cells.")}
    start = {"title": "Introduction", "label": "Read the docs", "to": "index"}
    assert table(library(described))["call_to_action"] == start | {"text": "Tables have rows, columns and cells."}
    repeated = DOCS | {"docs/index.md": README, "README.md": README}
    assert "call_to_action" not in table(library(repeated))
    repeated |= {f"docs/{name}.md": f"# {name}\n" for name in ("Cells", "License", "Rows", "What")}
    assert table(library(repeated))["call_to_action"] == start | {
        "title": "Documentation",
        "text": "Followed by First steps, Cells and Rows.",
    }


def test_code_of_a_page_names_the_library() -> None:
    code = "```js\nimport { table } from 'widgets'\n\ntable()\n```\n"
    other = "```js\nconst a = 1\nconst b = 2\nconst c = 3\n```\n"
    assert library(DOCS | {"docs/index.md": other}).code is None
    found = library(DOCS | {"docs/index.md": other + code})
    assert found.code is not None
    assert found.code.code.startswith("import { table }")


def test_found_facts_are_escaped_in_toml() -> None:
    evil = 'A library "x" for tables\n[[versions]] name = "evil"'
    files = DOCS | {"README.md": f"# a\n\n{evil} and more words.\n", "package.json": json.dumps({"name": "widgets"})}
    facts = table(library(files))
    assert "versions" not in facts
    assert facts["tagline"] == 'A library "x" for tables [[versions]] name = "evil" and more words'


def test_folders_with_projects_are_examples() -> None:
    assert library(DOCS).examples == ""
    assert library(DOCS | {"demos/basic/package.json": "{}"}).examples == "demos/{name}"
    assert library(DOCS | {"demos/basic/readme.txt": ""}).examples == ""


def test_components_of_known_services_are_embeds() -> None:
    page = "# A\n\n<Stackblitz id=\"x-y\" file='a' />\n\n<Sandbox id='1' />\n\n<YouTube other='1' />\n"
    found = library({"docs/a.mdx": page, "docs/b.mdx": "# B\n"})
    assert table(found)["components"] == {"Stackblitz": {"as": "embed", "address": "https://stackblitz.com/edit/{id}"}}


def test_repository_without_readable_docs_is_refused() -> None:
    with pytest.raises(Invalid, match="reStructuredText"):
        library({"docs/index.rst": "Title\n=====\n"})
    with pytest.raises(Invalid, match="no Markdown"):
        library({"src/a.py": ""})


def test_readme_in_another_encoding_is_read() -> None:
    text = "# Widgets\n\nWidgets is a library for tables in cafés.\n"
    for encoding in ("utf-16", "latin-1", "utf-8-sig"):
        files: dict[str, str | bytes] = {**DOCS, "README.md": text.encode(encoding)}
        assert read_library(project(files), "widgets").tagline == "Widgets is a library for tables in cafés"


def test_missing_facts_are_named_with_their_file() -> None:
    found = library(DOCS)
    assert missing_facts(found) == ["tagline", "packages", "samples", "color", "logo.svg"]
    lines = list(library_lines(found, "teal"))
    assert lines[0] == "Widgets: 2 pages of Markdown files in docs"
    assert lines[-1].endswith("Add to libraries/widgets.toml")
    assert "tagline" not in table(found)


def test_faults_are_counted_by_kind() -> None:
    faults = ["a.md: line 2: no title", "b.md: line 3: no title", "libraries/a.toml: x"]
    assert list(fault_lines(faults)) == ["2 times: no title (a.md, line 2)", "libraries/a.toml: x"]


def test_names_are_listed_as_a_sentence() -> None:
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert listed(list("ABCDEFG")) == "A, B, C, D and 3 others"

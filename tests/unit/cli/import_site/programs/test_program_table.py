"""How `kinfolk import` finds the program that docs are written for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.import_site.imported_project import import_files, left_out, toml_of, write_project

from kinfolk.cli.import_site.program_names import PROGRAM_NAMES
from kinfolk.cli.import_site.programs.program_table import PROGRAMS, detect
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.runtime.errors import Invalid


def detected(tmp_path: Path, files: dict[str, str], start: str = "") -> tuple[str, str]:
    found = detect(ProjectFiles(write_project(tmp_path, files)), start)
    return found.program.name, found.file


@pytest.mark.parametrize(
    ("files", "dialect", "title"),
    [
        ({"README.md": "# Jar\n", "docs/a.mdx": "# A\n", "docs/b.mdx": "# B\n", "docs/c.md": "# C\n"}, "mdx", "Jar"),
        ({"README.md": "Hi\n\n# Jar: a jar\n", "docs/a.md": "# A\n", "docs/b.mdx": "# B\n"}, "github", "Jar"),
        (
            {"README.md": "## First store\n\n# Recipes\n", "docs/a.md": "# A\n", "docs/b.md": "# B\n"},
            "github",
            "Project",
        ),
    ],
)
def test_folder_of_no_program_has_the_dialect_of_most_files_and_the_name_of_the_readme(
    tmp_path: Path, files: dict[str, str], dialect: str, title: str
) -> None:
    found = import_files(tmp_path, files)
    facts = toml_of(found, f"libraries/{found.site.library.id}.toml")
    assert (facts["dialect"], facts["docs_root"], facts["name"]) == (dialect, "docs", title)


def test_command_knows_all_programs() -> None:
    assert tuple(program.name for program in PROGRAMS) == PROGRAM_NAMES


@pytest.mark.parametrize(
    ("file", "text", "program"),
    [
        ("mkdocs.yml", "", "mkdocs"),
        ("website/docusaurus.config.mts", "", "docusaurus"),
        ("packages/docs/.vitepress/config/index.ts", "", "vitepress"),
        ("docs/astro.config.mjs", "starlight({})", "starlight"),
        ("docs/nuxt.config.ts", "modules: ['@nuxt/content']", "docus"),
        ("docs/myst.yml", "project:\n  toc: []\n", "sphinx"),
        ("book/_toc.yml", "format: jb-book\nroot: intro\n", "sphinx"),
        ("docs/.config/docs.yaml", "name: Nitro", "undocs"),
        ("apps/docs/source.config.ts", "from 'fumadocs-mdx/config'", "fumadocs"),
        ("website/next.config.mjs", "import nextra from 'nextra'", "nextra"),
        ("docs.json", '{"navigation": {}}', "mintlify"),
        ("docs/book.toml", "", "mdbook"),
        ("docs/conf.py", "extensions = ['myst_parser']", "sphinx"),
    ],
)
def test_program_is_found_by_its_configuration(tmp_path: Path, file: str, text: str, program: str) -> None:
    assert detected(tmp_path, {"docs/a.md": "# A\n", file: text}) == (program, file)


@pytest.mark.parametrize(
    "file", ["astro.config.mjs", "docs.json", "conf.py", "examples/mkdocs.yml", "a/b/c/d/mkdocs.yml"]
)
def test_file_of_another_purpose_is_no_configuration(tmp_path: Path, file: str) -> None:
    files = {"docs/a.md": "# A\n", "docs/b.md": "# B\n", file: "x = 1\n"}
    assert detected(tmp_path, files) == ("markdown", "docs")


def test_one_of_two_programs_is_chosen_and_the_other_is_named(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "", "website/docusaurus.config.js": "", "docs/book.toml": ""}
    found = detect(ProjectFiles(write_project(tmp_path, files)), "")
    assert (found.program.name, found.reason) == ("mkdocs", "its file is nearest to the top")
    assert found.others == ("Docusaurus (website/docusaurus.config.js)", "mdBook (docs/book.toml)")


def test_texts_of_other_formats_are_named(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"reStructuredText \(docs/index.rst\) is not supported"):
        import_files(tmp_path, {"docs/index.rst": "Title\n=====\n"})


def test_folder_of_markdown_is_docs_as_github_shows_them(tmp_path: Path) -> None:
    files = {
        "README.md": "# Widgets: the small ones\n",
        "package.json": '{"description": "Widgets for all"}',
        "website/docs/intro.md": "# Intro\n",
        "website/docs/guides/first.md": "# First\n",
        "website/docs/x.mdx": "# X\n",
    }
    found = import_files(tmp_path, files)
    library = toml_of(found, "libraries/project.toml")
    assert (library["dialect"], library["docs_root"], library["name"]) == ("github", "website/docs", "Widgets")
    assert library["description"] == "Widgets for all"
    assert left_out(found)["1 files in MDX"] == "website/docs/x.mdx"


TEXT = "# Title\n\n" + "Some words of a text. " * 20


@pytest.mark.parametrize(
    ("files", "root"),
    [
        ({"docs/guide.md": TEXT}, "docs"),
        ({"docs/guide.md": TEXT, "src/a/README.md": TEXT, "src/b/README.md": TEXT}, "docs"),
        ({"docs/guide.md": TEXT, "CONTRIBUTING.md": TEXT, "examples/a/README.md": TEXT}, "docs"),
        ({"docs/guide.md": TEXT, **{f"packages/{name}/README.md": TEXT for name in "abc"}}, "."),
        ({"docs/guide.md": TEXT, **{f"packages/{name}/README.md": "# Short\n" for name in "abc"}}, "docs"),
        ({"docs/guide.md": TEXT, **{f"examples/{name}/README.md": TEXT for name in "abc"}}, "docs"),
        ({"docs/guide.md": "See [the site](https://example.com).\n", "a.md": TEXT}, "."),
        ({"docs/guide.md": TEXT, "website/docs/a.md": TEXT, "website/docs/b.md": TEXT}, "website/docs"),
    ],
)
def test_folder_docs_with_one_page_is_the_docs_unless_readmes_are(
    tmp_path: Path, files: dict[str, str], root: str
) -> None:
    found = import_files(tmp_path, {"README.md": TEXT, **files})
    assert toml_of(found, "libraries/project.toml")["docs_root"] == root


def test_folder_of_mdx_files_is_docs_in_mdx(tmp_path: Path) -> None:
    files = {"docs/a.mdx": "# A\n", "docs/b.mdx": "# B\n", "docs/c.md": "# C\n", "README.md": "# Widgets\n"}
    found = import_files(tmp_path, files)
    assert (toml_of(found, "libraries/project.toml")["dialect"], found.pages, left_out(found)) == ("mdx", 3, {})


def test_search_for_configurations_is_limited(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"a{number}" / "b" / "c").mkdir(parents=True)
    files = {"docs/a.md": "# A\n", "docs/b.md": "# B\n", "a39/b/c/mkdocs.yml": "site_name: X\n"}
    assert detected(tmp_path, files) == ("mkdocs", "a39/b/c/mkdocs.yml")

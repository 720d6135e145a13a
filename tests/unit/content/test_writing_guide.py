"""docs/writing.md: each example renders as it claims, and each key that the code reads is documented."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from tests.inputs.docs_pages import render_page

from kinfolk.config.catalog import Catalog, DialectName
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import ROOT
from kinfolk.content.blog.post import PostFrontMatter, read_post
from kinfolk.content.docs import DocsSnapshot, parse_config
from kinfolk.content.docs.menus.menu_config import DocsConfig, DocsLink, DocsSection, FrameworkLinks
from kinfolk.content.examples import entry_file
from kinfolk.content.markdown import callouts, directives, front_matter
from kinfolk.content.markdown.code import code_blocks
from kinfolk.content.markdown.html import elements, raw_html
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.pages import prose_pages
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import InvalidFile

PAGE = (ROOT / "docs/writing.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}

REPOSITORY = "TanStack/query/main"
FILES = {
    "docs/devtools.md": "# Devtools\n",
    "docs/overview.md": "# Overview\n",
    "docs/guides/caching.md": "# Caching\n\n## Keys\n",
    "docs/assets/cache.svg": "<svg/>\n",
    "docs/light.svg": "<svg/>\n",
    "docs/dark.svg": "<svg/>\n",
    "examples/react/basic/src/index.tsx": "export {}\n",
    "package.json": "{}\n",
}
"""Files that the examples link to."""


class Example(NamedTuple):
    """A code block of the page: the file it would be, what its HTML contains, and its text."""

    path: str
    shows: str
    text: str
    dialect: DialectName = "github"


def examples() -> list[Example]:
    found = re.findall(
        r'^<!-- example(?: path="([^"]*)")?(?: dialect="([\w-]+)")? shows="([^"]*)" -->\n(`{3,})\w+\n(.*?)^\4$',
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
    return [
        Example(path or "docs/example.md", shows.replace("'", '"'), text, dialect or "github")
        for path, dialect, shows, _, text in found
    ]


EXAMPLES = examples()
PAGES = [one for one in EXAMPLES if one.path.startswith("docs/") and one.path.endswith(".md")]
DOCS = [one for one in PAGES if one.dialect == "github"]


def example_at(path: str) -> Example:
    return next(one for one in EXAMPLES if one.path == path)


def test_each_markdown_and_json_block_is_an_example() -> None:
    assert len(re.findall(r"^`{3,}(?:markdown|json)$", PAGE, re.MULTILINE)) == len(EXAMPLES)


@pytest.mark.parametrize("example", DOCS, ids=lambda example: example.shows)
def test_example_of_docs_renders(example: Example, docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> None:
    files = FILES | {one.path: one.text for one in DOCS} | {example.path: example.text}
    files["docs/guides/caching.md"] += "\n## Keys\n"
    docs = docs_from_files({f"{REPOSITORY}/{path}": text for path, text in files.items()})
    page = render_page(docs, Ref("TanStack/query", "main"), example.path, "latest")
    assert example.shows in page.html
    assert [link.written for link in page.page.links if link.broken] == []
    assert page.missing_images == ()


@pytest.mark.parametrize(
    "example", [one for one in PAGES if one.dialect != "github"], ids=lambda example: example.dialect
)
def test_example_of_a_dialect_renders(example: Example, catalog: Catalog, redirects: Redirects, tmp_path: Path) -> None:
    libraries = tuple(
        dataclasses.replace(library, dialect=example.dialect) if library.repo == "TanStack/query" else library
        for library in catalog.libraries
    )
    for path, text in (FILES | {example.path: example.text}).items():
        file = tmp_path / REPOSITORY / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    snapshot = DirectorySource(tmp_path, catalog.refs, "test docs").open()
    docs = DocsSnapshot(dataclasses.replace(catalog, libraries=libraries), redirects, snapshot)
    page = render_page(docs, Ref("TanStack/query", "main"), example.path, "latest")
    assert example.shows in page.html
    assert [link.written for link in page.page.links if link.broken] == []
    assert page.page.problems == ()


def test_example_of_the_navigation_is_valid() -> None:
    config = parse_config("config.json", example_at("docs/config.json").text.encode())
    assert [section.label for section in config.sections] == ["Getting started", "API reference"]


def test_example_of_a_post_is_valid(catalog: Catalog) -> None:
    example = example_at("blog/what-comes-first.md")
    faults: list[InvalidFile] = []
    post = read_post(
        "what-comes-first.md", example.text, [each.id for each in catalog.libraries], faults, MarkdownRenderer()
    )
    assert (faults, post and example.shows in post.page.html()) == ([], True)


def test_example_of_a_page_of_the_site_is_valid(tmp_path: Path) -> None:
    example = example_at("pages/terms.md")
    (tmp_path / "terms.md").write_text(example.text, encoding="utf-8")
    facts = {"owner": "TanStack LLC", "contact": "support@example.com", "family": "TanStack"}
    page = prose_pages.ProsePages(tmp_path, facts).page("terms")
    assert example.shows in page.page.html()


def names_of(*models: type[Any]) -> set[str]:
    camel = {DocsConfig, DocsSection, FrameworkLinks, DocsLink}
    names = {(model, field.name) for model in models for field in dataclasses.fields(model)}
    return {re.sub(r"_(.)", lambda m: m[1].upper(), name) if model in camel else name for model, name in names}


def front_matter_keys() -> set[str]:
    read = re.findall(r'keys\.get\("(\w+)"\)', inspect.getsource(front_matter.parse_front_matter))
    return {*read, *front_matter.RESOURCE_KEYS, *names_of(front_matter.ListedResource)}


def directive_names() -> set[str]:
    return set(re.findall(r'child\.name == "(\w+)"', inspect.getsource(directives._nodes)))


DOCUMENTED = [
    ("Navigation: `config.json`", names_of(DocsConfig, DocsSection, FrameworkLinks, DocsLink)),
    ("Front matter", front_matter_keys()),
    ("Code", set(code_blocks._NAMED.pattern.split("(")[1].split(")")[0].split("|"))),
    ("Tabs", {*get_args(directives.TabGroupKind), *directives.COMMANDS, *directives.MANAGERS, *directives.BUNDLERS}),
    ("Raw HTML", {*elements.TAGS, *raw_html.FRAME_HOSTS, *(a for each in elements.ATTRIBUTES.values() for a in each)}),
    ("Examples", {*entry_file.NAMES, *entry_file.EXTENSIONS, *entry_file.NEWER_NAMES, *entry_file.SOURCES}),
    ("Examples", set(entry_file.IGNORED)),
    ("Blog posts", names_of(PostFrontMatter)),
    ("Pages of the site", set(prose_pages._KEYS)),
]


@pytest.mark.parametrize(("section", "names"), DOCUMENTED, ids=lambda value: value if isinstance(value, str) else "")
def test_each_name_that_the_code_reads_is_documented(section: str, names: set[str]) -> None:
    assert names
    written = set(re.findall(r"`([^`\n]+)`", SECTIONS[section])) | set(re.findall(r'(\w+)="', SECTIONS[section]))
    assert names - written == set()


def test_each_directive_is_documented() -> None:
    assert directive_names() == {"framework", "tabs"} == set(re.findall(r"::start:(\w+)", PAGE))


def test_each_kind_of_callout_is_documented() -> None:
    kinds = re.search(r"\(([a-z|]+)\)", callouts._MARK.pattern)
    assert kinds is not None
    assert {kind.upper() for kind in kinds[1].split("|")} == set(re.findall(r"`\[!(\w+)\]`", SECTIONS["Callouts"]))


def test_commands_of_package_tabs_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)`[^|]*\| `(npm?x?[^`]*)` \|$", SECTIONS["Tabs"], re.MULTILINE))
    assert rows == {mode: commands[0] for mode, commands in directives.COMMANDS.items()}


def test_values_that_pages_can_name_are_documented() -> None:
    source = (ROOT / "src/kinfolk/content/open_content.py").read_text(encoding="utf-8")
    facts = re.search(r'\{"family": [^}]+\}', source)
    assert facts is not None
    assert set(re.findall(r'"(\w+)":', facts[0])) == set(re.findall(r"`\{\{(\w+)\}\}`", PAGE))

"""The table of a dialect: what its components, directives and code options mean. One file of `tables/` each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from kinfolk.config.component import Component, ComponentShape

TABLES = Path(__file__).parent / "tables"

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


MenuFormat = Literal["starlight", "fumadocs", "nextra", "mintlify", "mkdocs", "mdbook", "toctree", "jupyter-book"]


@dataclass(frozen=True)
class CodeRules:
    """What the info string of a fence means in a dialect, beyond what all of them share."""

    title: tuple[str, ...] = ("title",)
    """Options that hold the title."""
    has_label: bool = False
    """Whether a text in brackets is the title."""
    has_bare_title: bool = False
    """Whether the words after the language are the title."""
    has_inline_language: bool = False
    """Whether `{:js}` at the end of a code span names its language."""
    tab: str = ""
    """The option that makes adjacent fences tabs."""
    commands: tuple[str, ...] = ()
    """Flags and languages of npm commands, which become tabs of package managers."""


@dataclass(frozen=True)
class FileRules:
    """Which files are pages, and what addresses mean. Folders may name `{root}`, the docs root, and `{site}`.

    `{site}` is the folder of the original site: the part of the docs root before `content`. `{content}` is both.
    `{above}` is the folder that the docs root is in.
    """

    extensions: tuple[str, ...] = (".md",)
    content: str = ""
    """The usual path from the folder of the site to the docs."""
    indexes: tuple[str, ...] = ("index", "readme")
    """Names of files, in lower case, that are the page of their folder."""
    title_level: Literal[1, 2] = 1
    """The lowest level of a heading at the start of a page that is its title."""
    has_labels: bool = False
    """Whether links can name labels of other pages, as those of MyST: `(label)=`."""
    has_numbers: bool = False
    """Whether numbers at the start of names order pages, and are no part of addresses."""
    number_ends: str = "-_."
    """Characters that such a number can end with."""
    drafts: tuple[str, ...] = ()
    """Ends of the names of files that are drafts, and no pages."""
    slug: tuple[str, ...] = ()
    """Keys of the front matter that replace the path of the page."""
    without_groups: bool = False
    """Whether folders in parentheses are no part of addresses."""
    static: tuple[str, ...] = ()
    """Folders whose files are served at the root of the original site."""
    absolute: tuple[str, ...] = ("{root}",)
    """Folders that a link with a slash at its start can begin at."""
    mount: str = ""
    """First folder of addresses on the original site that stands for the docs root."""
    prefixes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """First characters of other links -> folders that they stand for."""
    menu: tuple[str, ...] = ()
    """Names of the files that have the menu: in the folders of pages, or in the folders above the docs root."""
    menu_formats: tuple[MenuFormat, ...] = ()
    """How menus are read: the first with an entry is taken. `toctree` is in pages, others in the files of `menu`."""
    languages: Literal["", "astro", "mintlify", "suffix"] = ""
    """Where the languages of the site are named, whose pages are left out except for those of the main one: in the
    configuration of Astro or Mintlify, or before the extension of a file (`page.fr.mdx`)."""
    no_pages: tuple[str, ...] = ()
    """Folders and files at the top of the docs root that are no pages."""
    folder_redirects: tuple[str, ...] = ()
    """Names of files whose key `redirect` is the page that the address of their folder leads to."""
    ignore_file: str = ""
    """A file at the docs root with patterns of paths that are no pages, as in a `.gitignore`."""
    routed_folder: str = ""
    """A folder within which only files with one name are pages, each that of its folder."""
    routed_page: str = ""
    """That name."""
    has_slugs: bool = False
    """Whether the address has the slug of each name of a path, as of a heading."""


@dataclass(frozen=True)
class DialectRules:
    """The table of one dialect."""

    name: str
    syntax: Literal["mdx", "mdc", "vue", "python-markdown", "mdbook", "myst"]
    front_matter: frozenset[str]
    """Known keys of front matter."""
    callouts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Name of a callout -> its kind on this site, and its title if the author wrote none."""
    components: Mapping[str, Component] = field(default_factory=dict)
    unknown: ComponentShape = "content"
    """How a component that neither the table nor the site knows is shown."""
    has_title_ids: bool = False
    """Whether folds and tabs have ids of their titles. Attributes `id` are read in all dialects."""
    name_prefixes: tuple[str, ...] = ()
    """What can precede the name of a component without changing its meaning."""
    has_definition_lists: bool = False
    has_math: bool = False
    """Whether dollar signs can enclose formulas."""
    code: CodeRules = CodeRules()
    files: FileRules = FileRules()

    def key(self, name: str) -> str:
        """The key of a component in the tables: without a prefix, if that is known."""
        key = component_key(name)
        if key in self.components or key in self.callouts:
            return key
        bare = (key.removeprefix(prefix) for prefix in self.name_prefixes if key.startswith(prefix))
        return next((one for one in bare if one in self.components or one in self.callouts), key)


@cache
def dialect_rules(name: str) -> DialectRules:
    """The table of a dialect. Raises FileNotFoundError for an unknown one."""
    return _parsed(name, tomllib.loads((TABLES / f"{name}.toml").read_text()))


def _parsed(name: str, table: Mapping[str, Any]) -> DialectRules:
    callouts = {
        key: (value, "") if isinstance(value, str) else (value["kind"], value["title"])
        for key, value in table.get("callouts", {}).items()
    }
    return DialectRules(
        name=name,
        syntax=table["syntax"],
        front_matter=frozenset(table["front_matter"].split()),
        callouts=callouts,
        has_definition_lists=table.get("has_definition_lists", False),
        has_math=table.get("has_math", False),
        unknown=table.get("unknown", "content"),
        has_title_ids=table.get("has_title_ids", False),
        name_prefixes=tuple(table.get("name_prefixes", ())),
        components={component_key(key): _component(row) for key, row in table.get("components", {}).items()},
        code=CodeRules(**_with_tuples(table.get("code", {}))),
        files=FileRules(**_with_tuples(table.get("files", {}))),
    )


def _with_tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return {key: _with_tuples(value) if isinstance(value, dict) else value for key, value in found.items()}


def _component(row: str | Mapping[str, Any]) -> Component:
    if isinstance(row, str):
        return Component(row)  # type: ignore[arg-type]  # a test reads all tables
    keys = _with_tuples(row)
    return Component(shape=keys.pop("as"), **keys)


def with_title(body: str, rules: FileRules) -> str:
    """The text of a page, with a heading at its start that is its title as one of the first level."""
    start = len(body) - len(body.lstrip("\n"))
    has_mark = rules.title_level > 1 and body.startswith("## ", start)
    return f"{body[:start]}{body[start + 1 :]}" if has_mark else body


@cache
def component_key(name: str) -> str:
    """One form of the names that dialects use for the same component: `CardGroup`, `card-group` -> `card-group`."""
    return _WORD_START.sub("-", name).lower()

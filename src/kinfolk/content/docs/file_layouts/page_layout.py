"""The pages of one docs folder: their files, addresses, titles and positions.

Pages have addresses of the form `{docs_root}/{path}.md`, whatever their files are called, so that the rest of the site
treats all docs alike.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import yaml

from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.config.component import Component
from kinfolk.content.docs.file_layouts.folder_redirects import written_redirects
from kinfolk.content.docs.file_layouts.generated_pages import PLUGIN, only_components
from kinfolk.content.docs.file_layouts.label_table import LabeledPage, label_table
from kinfolk.content.docs.file_layouts.numbered_names import split_number
from kinfolk.content.markdown.dialects import GITHUB
from kinfolk.content.markdown.dialects.dialect_rules import FileRules, component_key, dialect_rules, with_title
from kinfolk.content.markdown.dialects.readers.mdx_statements import declared_texts
from kinfolk.content.markdown.dialects.readers.myst.page_labels import (
    PageLabel,
    PageToc,
    page_labels,
    page_tocs,
)
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block, split_front_matter
from kinfolk.content.markdown.source.title import html_title
from kinfolk.content.sources.paths import page_fault

NO_PAGES = frozenset(("node_modules", "public", "images"))
"""Folders without pages, besides those whose names begin with `_` or `.`."""
INDEX = "index"

_HEADING = re.compile(r"#[ \t]++(.*)")
_SETEXT = re.compile(r"=+[ \t]*")
_LABEL_TAG = re.compile(r"<([A-Z]\w*+)[^<>\n]*+>[^<>\n]*+</\1>")
_CONSTANT = re.compile(r"\{[ \t]*+([A-Za-z_$][\w$]*+)[ \t]*+\}")
_MARKUP = re.compile(r"\\?\{#?[^{}\n]*\}|<[^<>\n]*>|[`*]|!?\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_WITHOUT_CONTENT = ("content", "generated", "nothing")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_ORDER_KEYS = ("sidebar_position", "order", "nav_order", "sidebar.order", "nav")
_LABEL_KEYS = ("sidebar_label", "sidebar.label", "sidebarTitle", "navigation.title")
_BADGE_KEYS = ("sidebar.badge", "sidebar.badge.text")
_HIDDEN = {
    "draft": "true",
    "hidden": "true",
    "navigation": "false",
    "sidebar": "false",
    "sidebar.hidden": "true",
    "unlisted": "true",
}
"""Keys of front matter of pages that are not in the menu, with their values."""


@dataclass(frozen=True)
class DocsFolder:
    """A docs folder as its library describes it.

    `menu` are labels of sections with their entries: the path of a page or a URL, and a label. Paths in `excluded`
    begin at the docs root.
    """

    root: str
    dialect: str
    menu: tuple[tuple[str, tuple[tuple[str, str | None], ...]], ...] = ()
    excluded: tuple[str, ...] = ()
    components: tuple[tuple[str, Component], ...] = ()
    """How components of the site are shown, by name."""


@dataclass(frozen=True)
class PageFacts:
    """What the menu shows of a page. `position` is None for a page without one."""

    title: str | None
    label: str | None
    position: float | None
    is_in_menu: bool
    badge: str | None
    front: Mapping[str, YamlValue]
    components: frozenset[str] = frozenset()
    """Names of the components that are all of the page; empty for a page with other content."""
    labels: tuple[PageLabel, ...] = ()
    tocs: tuple[PageToc, ...] = ()
    """Labels and tables of contents, in a dialect that has them."""


ReadText = Callable[[str], str]


def inner_roots(root: str, roots: Iterable[str]) -> tuple[str, ...]:
    """Those of the docs roots of a branch that are folders within one of them."""
    return tuple(one for one in roots if one != root and (root == WHOLE_REPOSITORY or one.startswith(f"{root}/")))


class LayoutRules(Protocol):
    """What differs between dialects."""

    @property
    def dialect(self) -> str: ...

    @property
    def extensions(self) -> tuple[str, ...]:
        """Of the files that are pages."""

    @property
    def reads_front_matter(self) -> bool:
        """Whether addresses depend on the front matter."""

    @property
    def number_ends(self) -> str:
        """Characters that end a number at the start of a name. Empty where such numbers are part of addresses."""

    def page_path(self, inside: str, front: Mapping[str, YamlValue]) -> str:
        """The path below the docs root of the page in a file; `inside` is that of the file, without extension.

        Empty for a file that is no page.
        """

    def page_filter(self, root: str, files: Mapping[str, str], read: ReadText) -> Callable[[str], bool]:
        """Whether a file with such an extension, as a path below the docs root, is a page."""

    def static_folders(self, root: str) -> tuple[str, ...]:
        """Folders of the repository whose files are served at the root of the original site."""

    def absolute_paths(self, path: str, root: str) -> Iterator[str]:
        """Files and pages that a link to a path of the original site can mean, from the repository's root."""

    def special_paths(self, path: str, root: str) -> Iterator[str] | None:
        """The same for an address with a prefix of the dialect, such as `@/`; None for other addresses."""


class PageLayout:
    """The pages of one docs folder of one tree. Reads front matter only where it is needed."""

    def __init__(
        self,
        folder: DocsFolder,
        rules: LayoutRules,
        files: Mapping[str, str],
        read: ReadText,
        inner: tuple[str, ...] = (),
    ) -> None:
        """`inner` are docs roots within this one. Their files are no pages of this one."""
        self.root = folder.root
        self._inner = tuple(f"{root}/" for root in inner)
        self.dialect = rules.dialect
        self.menu = folder.menu
        self.components = folder.components
        self.excluded = folder.excluded
        self._rules = rules
        self._files = files
        self._read = read
        self._facts: dict[str, PageFacts] = {}

    @property
    def file_rules(self) -> FileRules | None:
        """What the table of the dialect says about files. None for a dialect without a table."""
        return None if self.dialect == GITHUB else dialect_rules(self.dialect).files

    @property
    def folder(self) -> str:
        """The docs root as a folder of the repository; empty for the whole repository."""
        return "" if self.root == WHOLE_REPOSITORY else self.root

    @property
    def depends_on_contents(self) -> bool:
        """Whether addresses depend on more than the names of files."""
        return self._rules.reads_front_matter or self._rules.page_filter is not every_file

    @cached_property
    def pages(self) -> Mapping[str, str]:
        """The address of each page, `{docs_root}/{path}.md` -> its file in the repository."""
        found: dict[str, str] = {}
        later: list[tuple[str, str]] = []
        for file in self._page_files():
            inside = self.inside(file).rsplit(".", 1)[0]
            front = self.facts(file).front if self._rules.reads_front_matter else {}
            path = self._rules.page_path(inside, front).strip("/")
            address = f"{self.root}/{path}.md"
            if not path or page_fault(address) is not None:
                continue
            # A file of that very name takes precedence over one that is renamed to it.
            if path == inside and address not in found:
                found[address] = file
            else:
                later.append((address, file))
        for address, file in later:
            own = f"{self.root}/{self.inside(file).rsplit('.', 1)[0]}.md"
            found.setdefault(address if address not in found else own, file)
        return dict(sorted(found.items()))

    @cached_property
    def _addresses(self) -> Mapping[str, str]:
        """Paths from the repository's root that name a page -> its address."""
        found: dict[str, str] = {}
        for address, file in self.pages.items():
            for name in (file, file.rsplit(".", 1)[0]):
                found[name] = address
        for address in self.pages:
            inside = address.removeprefix(f"{self.root}/").removesuffix(".md")
            path = posixpath.join(self.folder, inside)
            found.setdefault(path, address)
            if posixpath.basename(inside) == INDEX:
                found.setdefault(posixpath.dirname(path), address)
        for address, file in self.pages.items():
            inside, name = posixpath.split(file.rsplit(".", 1)[0])
            if name.lower() in (INDEX, "readme"):
                found.setdefault(inside, address)
        return found

    def _page_files(self) -> Iterator[str]:
        start = f"{self.folder}/" if self.folder else ""
        is_page = self._rules.page_filter(self.folder, self._files, self._read)
        for file in self._files:
            if self._inner and file.startswith(self._inner):
                continue
            if file.startswith(start) and file.endswith(self._rules.extensions):
                *folders, name = file[len(start) :].split("/")
                is_hidden = name.startswith(("_", ".")) or any(map(is_no_page_folder, folders))
                inside = file[len(start) :]
                is_left_out = is_hidden or self._is_excluded(inside)
                if not is_left_out and is_page(inside):
                    yield file

    def _is_excluded(self, inside: str) -> bool:
        return any(inside == path or inside.startswith(f"{path}/") for path in self.excluded)

    def inside(self, file: str) -> str:
        """The path of a file below the docs root."""
        return file.removeprefix(f"{self.folder}/") if self.folder else file

    def split_number(self, name: str) -> tuple[float | None, str]:
        """The number that the name of a file or folder begins with, and the name as it is in addresses."""
        ends = self._rules.number_ends
        number, rest = split_number(name, ends) if ends else split_number(name)
        return number, rest if ends else name

    def page_file(self, path: str) -> str | None:
        """The address of the page at a path without extension: `x.md`, else `x/index.md`."""
        for candidate in (f"{path}.md", f"{path}/{INDEX}.md"):
            if candidate in self.pages:
                return candidate
        return None

    @cached_property
    def folder_redirects(self) -> Mapping[str, str]:
        """Folders, as paths from the repository's root, whose address leads to a page -> the address of that page."""
        if self.file_rules is None or not self.file_rules.folder_redirects:
            return {}
        found = {}
        names = self.file_rules.folder_redirects
        for folder, written in written_redirects(self.folder, self._files, names, self._read):
            index = self._rules.page_path(f"{self.inside(folder)}/{INDEX}", {})
            targets = self.targets(written, f"{self.root}/{index}.md")
            address = next(filter(None, (self._page_at(path) for path in targets)), None)
            if address is not None:
                found[folder] = address
        return found

    @cached_property
    def redirected_paths(self) -> Mapping[str, str]:
        """The same by path on the site, both below the docs root and without extension."""
        return {
            self._rules.page_path(f"{self.inside(folder)}/{INDEX}", {}).removesuffix(INDEX).strip("/"): (
                address.removeprefix(f"{self.root}/").removesuffix(".md")
            )
            for folder, address in self.folder_redirects.items()
            if folder != self.folder
        }

    def find(self, path: str) -> str | None:
        """The address of the page that a link names with a path from the repository's root, in any form."""
        found = self._page_at(path)
        if found is None and self.folder_redirects:
            bare = path.strip("/")
            inside = self.redirected_paths.get(bare.removeprefix(f"{self.folder}/") if self.folder else bare)
            return self.folder_redirects.get(bare) or (f"{self.root}/{inside}.md" if inside else None)
        return found

    def _page_at(self, path: str) -> str | None:
        bare = path.strip("/")
        for end in ("", ".html", ".md", ".mdx"):
            if bare.endswith(end) and (found := self._addresses.get(bare[: len(bare) - len(end)])):
                return found
        return self._addresses.get(posixpath.dirname(bare)) if posixpath.basename(bare) == "index.html" else None

    def targets(self, written: str, address: str) -> Iterator[str]:
        """Paths from the repository's root that a link in a page can mean, the likeliest first."""
        special = self._rules.special_paths(written, self.folder)
        if special is not None:
            yield from special
            return
        if written.startswith("/"):
            yield from self._rules.absolute_paths(written, self.folder)
            yield from (posixpath.join(folder, written.lstrip("/")) for folder in self.static_folders)
            return
        file = self.pages.get(address, address)
        page = posixpath.join(self.folder, address.removeprefix(f"{self.root}/").removesuffix(".md"))
        starts = [posixpath.dirname(file), file.rsplit(".", 1)[0], posixpath.dirname(page), page]
        if posixpath.basename(page) == INDEX:  # whose address on the original site may have no slash at its end
            starts.append(posixpath.dirname(posixpath.dirname(page)))
        for start in dict.fromkeys(starts):
            path = posixpath.normpath(posixpath.join(start, written))
            if not path.startswith(".."):
                yield "" if path == "." else path
        if not written.startswith("."):
            yield posixpath.normpath(posixpath.join(self.folder, written))

    def is_generated(self, file: str) -> bool:
        """Whether a program of the original site makes all content of the page in a file."""
        names = self.facts(file).components
        rules = self._component_rules if names else None
        return rules is not None and all(
            name == PLUGIN or rules.get(component_key(name), "generated") in _WITHOUT_CONTENT for name in names
        )

    @cached_property
    def _component_rules(self) -> Mapping[str, str] | None:
        """The shape of each component by its key. None for a dialect without components."""
        if self.dialect == GITHUB:
            return None
        own = {component_key(name): one.shape for name, one in self.components}
        return {key: one.shape for key, one in dialect_rules(self.dialect).components.items()} | own

    def folder_label(self, folder: str) -> str | None:
        """The label of a folder, as a path below the docs root: that of its index."""
        address = self._page_at(posixpath.join(self.folder, folder))
        facts = self.facts(self.pages[address]) if address else None
        return facts.label or facts.title if facts else None

    @cached_property
    def labels(self) -> tuple[tuple[str, str, str], ...]:
        """Of a dialect with labels: name, path from the docs root with anchor, and text of a link."""
        if self.file_rules is None or not self.file_rules.has_labels:
            return ()
        return label_table(
            LabeledPage(inside := self.inside(file), facts.title or facts.label or inside, facts.labels)
            for file in self.pages.values()
            if (facts := self.facts(file))
        )

    @property
    def static_folders(self) -> tuple[str, ...]:
        return self._rules.static_folders(self.folder)

    def facts(self, file: str) -> PageFacts:
        """What the menu shows of the page in a file."""
        if file not in self._facts:
            text, rules = self._read(file), self.file_rules
            facts = page_facts(with_title(text, rules) if rules else text)
            if rules and rules.has_labels:
                body = split_page(text)[1]
                facts = replace(facts, labels=page_labels(body), tocs=page_tocs(body))
            self._facts[file] = facts
        return self._facts[file]


def every_file(root: str, files: Mapping[str, str], read: ReadText) -> Callable[[str], bool]:
    """The filter of dialects of which each file with the extension is a page."""
    del root, files, read
    return lambda _: True


def is_no_page_folder(name: str) -> bool:
    """Whether files in a folder of this name are no pages."""
    return name.startswith(("_", ".")) or name in NO_PAGES


def split_page(text: str) -> tuple[str, str]:
    """The front matter and the body of a page."""
    return split_front_matter(text.removeprefix("\ufeff").replace("\r\n", "\n"))


def page_facts(text: str) -> PageFacts:
    block, body = split_page(text)
    try:
        keys = parse_yaml_block(block)
    except (yaml.YAMLError, UnsupportedYaml):
        keys = {}
    front = keys if isinstance(keys, dict) else {}
    numbers = (_at(front, key) for key in _ORDER_KEYS)
    position = next((float(one) for one in numbers if isinstance(one, str) and _NUMBER.fullmatch(one)), None)
    hidden = any(_at(front, key) == value for key, value in _HIDDEN.items())
    label = next(filter(None, (_text(_at(front, key)) for key in _LABEL_KEYS)), None)
    title = _text(front.get("title"))
    hero = front.get("hero")
    if title is None and isinstance(hero, dict):
        title = _text(hero.get("name"))
    if title is None:
        title = _text(_at(front, "seo.title"))
    if title is not None:
        title = _plain(title.split(" | ")[0])  # the name of the site, or of a part of it, may follow
    badge = next(filter(None, (_text(_at(front, key)) for key in _BADGE_KEYS)), None)
    facts = title or first_heading(body), label, position, not hidden, badge, front
    return PageFacts(*facts, only_components(body))


def _at(front: Mapping[str, YamlValue], path: str) -> YamlValue | None:
    """The value at keys with dots between them."""
    first, _, rest = path.partition(".")
    value = front.get(first)
    if not rest:
        return value
    return _at(value, rest) if isinstance(value, dict) else None


def first_heading(body: str) -> str | None:
    """The text of the first heading of level 1 outside of code."""
    if title := html_title(body):
        return _plain(title)
    fence = ""
    before = ""
    for line in body.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = "" if fence == mark else fence or mark
        elif not fence:
            found = _HEADING.fullmatch(line)
            if found or (before and line[:1] == "=" and _SETEXT.fullmatch(line)):
                return _plain(_with_constants(found[1] if found else before, body))
            before = line.strip()
    return None


def _with_constants(title: str, body: str) -> str:
    """A heading of MDX with the texts of the constants that it names: `# Version {VERSION}`."""
    if "{" not in title or "export" not in body:
        return title
    texts = declared_texts(body)
    return _CONSTANT.sub(lambda name: texts.get(name[1], name[0]), title)


def _plain(title: str) -> str | None:
    """A title without Markdown, and without components such as labels of versions."""
    words = _MARKUP.sub(lambda one: one[1] or "", _LABEL_TAG.sub("", title)).rstrip("# ")
    return " ".join(with_emoji(words).split()) or None


def _text(value: YamlValue | None) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None

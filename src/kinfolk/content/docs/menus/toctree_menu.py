"""The menu of Sphinx: the `toctree` directives of the first page, and of the pages that they list.

That of Jupyter Book is `toc` of `myst.yml`, or `_toc.yml`: https://mystmd.org/guide/table-of-contents and
https://jupyterbook.org/v1/structure/toc.html
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from kinfolk.content.docs.file_layouts.page_layout import PageLayout
from kinfolk.content.docs.file_layouts.site_config import LARGEST_CONFIG, config_above
from kinfolk.content.docs.menus.listed_menu import MenuPage, MenuSection, with_unique_labels
from kinfolk.content.docs.menus.menu_config import URL_SCHEMES
from kinfolk.content.docs.menus.nav_entry import MOST_ENTRIES, MenuSource, NavEntry
from kinfolk.content.markdown.dialects.readers.myst.page_labels import PageToc, TocEntry
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigValue
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

START = "Start"
DEEPEST = 8
MOST_PAGES = 5_000
_LISTS = ("parts", "chapters", "sections", "children")
"""Keys that hold a list of entries."""


def toctree_sections(layout: PageLayout, title_of: Callable[[str], str]) -> list[MenuSection]:
    """The sections. `title_of` is the label of the page at an address."""
    first = layout.page_file(f"{layout.root}/index") or layout.page_file(layout.root)
    if first is None:
        return []
    walk = _Walk(layout, title_of)
    sections = list(walk.sections(first, (), 0))
    if not sections:
        return []
    return with_unique_labels([MenuSection(START, (MenuPage(layout.pages[first]),)), *sections])


class _Walk:
    def __init__(self, layout: PageLayout, title_of: Callable[[str], str]) -> None:
        self._layout = layout
        self._title_of = title_of
        self._seen: set[str] = set()

    def sections(self, address: str, above: tuple[str, ...], depth: int) -> Iterator[MenuSection]:
        """The pages of each list as a section, then each page with a list of its own."""
        self._seen.add(address)
        file = self._layout.pages[address]
        for toc in self._layout.facts(file).tocs:
            label = (*above, toc.caption) if toc.caption else above
            leaves: list[MenuPage] = []
            branches: list[str] = []
            for page, listed in self._entries(toc, file):
                if listed.target.startswith(URL_SCHEMES):
                    leaves.append(MenuPage(listed.target, listed.label))
                elif page and page not in self._seen and len(self._seen) < MOST_PAGES:
                    has_more = depth < DEEPEST and self._layout.facts(self._layout.pages[page]).tocs
                    if has_more:
                        branches.append(page)
                    else:
                        self._seen.add(page)
                        leaves.append(MenuPage(self._layout.pages[page], listed.label))
            name = ": ".join(label[-2:]) or START
            if leaves:
                yield MenuSection(name, tuple(leaves), is_collapsible=bool(label))
            for page in branches:
                if page not in self._seen:
                    inner = (*label, self._title_of(page))
                    yield MenuSection(": ".join(inner[-2:]), (MenuPage(self._layout.pages[page]),), is_collapsible=True)
                    yield from self.sections(page, inner, depth + 1)

    def _entries(self, toc: PageToc, file: str) -> Iterator[tuple[str | None, TocEntry]]:
        for listed in toc.entries:
            base = self._layout.folder if listed.target.startswith("/") else posixpath.dirname(file)
            path = posixpath.normpath(posixpath.join(base, listed.target.lstrip("/")))
            if toc.has_patterns and any(mark in listed.target for mark in "*?["):
                for address, its in self._layout.pages.items():
                    if fnmatchcase(its.rsplit(".", 1)[0], path.removesuffix(".md")):
                        yield address, TocEntry(its)
            else:
                yield self._layout.find(path), listed


def read_jupyter_toc(source: MenuSource) -> tuple[NavEntry, ...]:
    """The entries; none if there is no menu."""
    file = config_above(source.layout.folder, source.names, source.has_file)
    text = source.read(file) if file else ""
    config = read_yaml_config(text) if text and len(text) <= LARGEST_CONFIG else None
    if file is None or config is None:
        return ()
    toc = _JupyterToc(source.layout, posixpath.dirname(file))
    if posixpath.basename(file) == "myst.yml":
        return tuple(toc.entries(items_of(entry(config, "project", "toc")), 0))
    root = text_of(entry(config, "root"))
    return tuple(toc.entries([config], 0)) if root else ()


class _JupyterToc:
    """Entries name files beside the file of the menu."""

    def __init__(self, layout: PageLayout, folder: str) -> None:
        self._layout = layout
        self._folder = folder
        self._left = MOST_ENTRIES

    def entries(self, values: Iterable[ConfigValue], depth: int) -> Iterator[NavEntry]:
        for value in values if depth <= DEEPEST else ():
            table = table_of(value)
            self._left -= 1
            if self._left < 0:
                return
            label = text_of(entry(table, "title")) or text_of(entry(table, "caption")) or None
            own = self._targets(table)
            inner = [item for key in _LISTS for item in self.entries(items_of(entry(table, key)), depth + 1)]
            if depth == 0 and "root" in table.entries:
                yield NavEntry(None, own[0] if own else "")
                yield from inner
            elif inner:
                first = (NavEntry(None, own[0]),) if own else ()
                yield NavEntry(label, entries=(*first, *inner))
            else:
                yield from (NavEntry(label if len(own) == 1 else None, target) for target in own)

    def _targets(self, table: ConfigTable) -> list[str]:
        """Paths below the docs root of the pages of an entry, or its URL."""
        if url := text_of(entry(table, "url")):
            return [url] if url.startswith(URL_SCHEMES) else []
        if pattern := text_of(entry(table, "glob")) or text_of(entry(table, "pattern")):
            path = posixpath.join(self._folder, pattern)
            bare = path if path.endswith(".md") else f"{path}.md"
            return [self._inside(file) for file in self._layout.pages.values() if fnmatchcase(file, bare)]
        name = text_of(entry(table, "file")) or text_of(entry(table, "root"))
        return [self._inside(posixpath.normpath(posixpath.join(self._folder, name)))] if name else []

    def _inside(self, path: str) -> str:
        folder = self._layout.folder
        return posixpath.relpath(path, folder) if folder else path

"""The menu of Sphinx: the `toctree` directives of the first page, and of the pages that they list.

That of Jupyter Book is `toc` of `myst.yml`, or `_toc.yml`: https://mystmd.org/guide/table-of-contents and
https://jupyterbook.org/v1/structure/toc.html
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from kinfolk.content.docs.file_layouts.page_layout import PageLayout
from kinfolk.content.docs.file_layouts.site_config import LARGEST_CONFIG, config_above
from kinfolk.content.docs.menus.menu_config import URL_SCHEMES
from kinfolk.content.docs.menus.nav_entry import MOST_ENTRIES, MenuSource, NavEntry
from kinfolk.content.markdown.dialects.readers.myst.page_labels import PageToc, TocEntry
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigValue
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

DEEPEST = 8
MOST_PAGES = 5_000
_LISTS = ("parts", "chapters", "sections", "children")
"""Keys that hold a list of entries."""


def read_toctrees(source: MenuSource) -> tuple[NavEntry, ...]:
    """The first page and the entries of its directives; none if it has no directive."""
    layout = source.layout
    first = layout.page_file(f"{layout.root}/index") or layout.page_file(layout.root)
    if first is None:
        return ()
    entries = tuple(_Walk(layout).entries(first, 0))
    return (NavEntry(None, layout.inside(layout.pages[first])), *entries) if entries else ()


class _Walk:
    """Each page is listed once, where it is found first."""

    def __init__(self, layout: PageLayout) -> None:
        self._layout = layout
        self._seen: set[str] = set()

    def entries(self, address: str, depth: int) -> Iterator[NavEntry]:
        """The entries of the directives of a page. A page with directives of its own is a list, and its first page."""
        self._seen.add(address)
        for toc in self._tocs(address):
            listed = tuple(self._listed(toc, self._layout.pages[address], depth))
            if toc.caption and listed:
                yield NavEntry(toc.caption, entries=listed)
            else:
                yield from listed

    def _listed(self, toc: PageToc, file: str, depth: int) -> Iterator[NavEntry]:
        branches: list[str] = []
        for page, listed in self._targets(toc, file):
            if listed.target.startswith(URL_SCHEMES):
                yield NavEntry(listed.label or None, listed.target)
            elif page and page not in self._seen and len(self._seen) < MOST_PAGES:
                if depth < DEEPEST and self._tocs(page):
                    branches.append(page)
                else:
                    self._seen.add(page)
                    yield self._page(page, listed.label)
        for page in branches:
            if page not in self._seen:
                facts = self._layout.facts(self._layout.pages[page])
                inner = (self._page(page), *self.entries(page, depth + 1))
                yield NavEntry(facts.label or facts.title, entries=inner)

    def _page(self, address: str, label: str = "") -> NavEntry:
        return NavEntry(label or None, self._layout.inside(self._layout.pages[address]))

    def _tocs(self, address: str) -> tuple[PageToc, ...]:
        return self._layout.facts(self._layout.pages[address]).tocs

    def _targets(self, toc: PageToc, file: str) -> Iterator[tuple[str | None, TocEntry]]:
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

"""The `_meta` files of Nextra: one in each folder, or `_meta.global` for all of them.

https://nextra.site/docs/file-conventions/meta-file
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kinfolk.content.docs.file_layouts.site_config import LARGEST_CONFIG, config_above, module_reader
from kinfolk.content.docs.menus.nav_entry import DEEPEST, MenuSource, NavEntry, grouped
from kinfolk.content.docs.menus.page_folders import PageFolder, page_folders
from kinfolk.content.markdown.literals.config_access import entry, table_of, text_of
from kinfolk.content.markdown.literals.config_values import NO_TABLE, ConfigTable
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

INDEXES = ("index", "page")
"""Names of files that are the page of their folder."""


def read_nextra_meta(source: MenuSource) -> tuple[NavEntry, ...]:
    """The entries; none if there is no menu."""
    top = page_folders(source.layout)
    names = tuple(name.replace("_meta.", "_meta.global.") for name in source.names)
    file = config_above(source.layout.folder, names, source.has_file)
    reader = _NextraMenu(source)
    if file is None:
        entries = tuple(reader.entries(top, None, 0))
        return entries if reader.has_menu else ()
    table = reader.table(file)
    below = posixpath.relpath(source.layout.folder, posixpath.dirname(file) or ".")
    for name in below.split("/") if below != "." else ():
        inner = table_of(entry(table, name))
        table = table_of(entry(inner, "items"))
    return tuple(reader.entries(top, table, 0)) if table.entries else ()


class _NextraMenu:
    def __init__(self, source: MenuSource) -> None:
        self._source = source
        self.has_menu = False

    def table(self, file: str) -> ConfigTable:
        text = self._source.read(file)
        if len(text) > LARGEST_CONFIG:
            return NO_TABLE
        if file.endswith(".json"):
            return read_yaml_config(text.replace("\t", " ")) or NO_TABLE
        return read_javascript_config(text, module_reader(file, self._source.has_file, self._source.read)) or NO_TABLE

    def _meta(self, folder: PageFolder) -> ConfigTable:
        names = (posixpath.join(self._source.layout.folder, folder.path, name) for name in self._source.names)
        file = next(filter(self._source.has_file, names), None)
        self.has_menu = self.has_menu or file is not None
        return self.table(file) if file else NO_TABLE

    def entries(self, folder: PageFolder, given: ConfigTable | None, depth: int) -> Iterator[NavEntry]:
        """The entries of a folder. `given` are its keys, where they are not in a file of the folder."""
        if depth > DEEPEST:
            return
        meta = self._meta(folder) if given is None else given
        index = next((name for name in INDEXES if name in folder.pages), "")
        if index and not {"index", index} & set(meta.entries):
            yield NavEntry(None, folder.pages[index])
        group: str | None = None
        collected: list[NavEntry] = []
        for key, value in meta.entries.items():
            if text_of(entry(table_of(value), "type")) == "separator":
                yield from grouped(group, collected)
                group, collected = text_of(entry(table_of(value), "title")) or None, []
            elif key != "*":
                name = index if key == "index" and index else key
                collected += self._named(
                    folder, name, text_of(value), table_of(value), depth=depth, is_global=given is not None
                )
        rest = (name for name in folder.names() if name not in meta.entries and name not in INDEXES)
        for name in rest:
            collected += self._named(folder, name, "", NO_TABLE, depth=depth, is_global=given is not None)
        yield from grouped(group, collected)

    def _named(
        self, folder: PageFolder, name: str, title: str, table: ConfigTable, *, depth: int, is_global: bool
    ) -> Iterator[NavEntry]:
        label = title or text_of(entry(table, "title")) or None
        href = text_of(entry(table, "href"))
        if text_of(entry(table, "display")) in ("hidden", "children"):
            return
        if href:
            # Labels in JSX are not read: the address stands for them.
            yield NavEntry(label or href.partition("://")[2].partition("?")[0] or href, href)
            return
        if text_of(entry(table, "type")) == "menu":
            links = table_of(entry(table, "items")).entries.items()
            inner = tuple(
                NavEntry(text_of(entry(table_of(one), "title")) or key, text_of(entry(table_of(one), "href")))
                for key, one in links
                if text_of(entry(table_of(one), "href"))
            )
            yield from (NavEntry(label or name, entries=inner),) if inner else ()
            return
        page = folder.pages.get(name)
        if page is not None:
            yield NavEntry(label, page)
        below = folder.folders.get(name)
        if below is not None:
            given = table_of(entry(table, "items")) if is_global else None
            inner = tuple(self.entries(below, given, depth + 1))
            own = label or self._source.layout.folder_label(below.path)
            if len(inner) == 1 and not inner[0].entries and inner[0].label is None:
                yield NavEntry(label, inner[0].target)
            elif inner:
                is_collapsed = text_of(entry(table, "theme", "collapsed")) == "true"
                yield NavEntry(own, entries=inner, is_collapsed=is_collapsed)

"""The `meta.json` files of Fumadocs: https://fumadocs.dev/docs/page-conventions"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from kinfolk.content.docs.file_layouts.site_config import LARGEST_CONFIG
from kinfolk.content.docs.menus.nav_entry import DEEPEST, MenuSource, NavEntry, grouped
from kinfolk.content.docs.menus.page_folders import PageFolder, page_folders
from kinfolk.content.markdown.literals.config_access import entry, items_of, text_of
from kinfolk.content.markdown.literals.config_values import NO_TABLE, ConfigTable
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

_LINK = re.compile(r"(?:external:)?(?:\[[^\[\]]*\])?\[([^\[\]]+)\]\(([^()\s]+)\)")
_SEPARATOR = re.compile(r"---(?:\[[^\[\]]*\])?(.*?)(?:---)?")
_GROUP = re.compile(r"\(([^()]+)\)")


def read_fumadocs_meta(source: MenuSource) -> tuple[NavEntry, ...]:
    """The entries; none if no folder has a menu."""
    top = page_folders(source.layout)
    reader = _FumadocsMenu(source)
    entries = tuple(reader.entries(top, 0))
    return entries if reader.has_menu else ()


class _FumadocsMenu:
    def __init__(self, source: MenuSource) -> None:
        self._source = source
        self.has_menu = False

    def _meta(self, folder: PageFolder) -> ConfigTable:
        names = (posixpath.join(self._source.layout.folder, folder.path, name) for name in self._source.names)
        file = next(filter(self._source.has_file, names), None)
        text = self._source.read(file).replace("\t", " ") if file else ""
        table = read_yaml_config(text) if text and len(text) <= LARGEST_CONFIG else None
        self.has_menu = self.has_menu or table is not None
        return table or NO_TABLE

    def entries(self, folder: PageFolder, depth: int) -> Iterator[NavEntry]:
        meta = self._meta(folder)
        if "pages" not in meta.entries:
            index = ["index"] if "index" in folder.pages else []
            yield from self._named(folder, [*index, *(name for name in folder.names() if name != "index")], depth)
            return
        written = [text_of(item) for item in items_of(entry(meta, "pages"))]
        listed = {one.removeprefix("!").removeprefix("./").partition("/")[0] for one in written}
        listed |= {one[3:].partition("/")[0] for one in written if one.startswith("...") and len(one) > 3}  # noqa: PLR2004
        rest = [name for name in folder.names() if name not in listed and name != "index"]
        if "index" in folder.pages and "index" not in listed:
            yield from self._named(folder, ["index"], depth)
        group: str | None = None
        collected: list[NavEntry] = []
        for one in written:
            if one.startswith("---") and (separator := _SEPARATOR.fullmatch(one)):
                yield from grouped(group, collected)
                group, collected = separator[1].strip() or None, []
            else:
                collected += self._written(folder, one, rest, depth)
        yield from grouped(group, collected)

    def _written(self, folder: PageFolder, one: str, rest: list[str], depth: int) -> Iterator[NavEntry]:
        if one == "...":
            yield from self._named(folder, rest, depth)
        elif one == "z...a":
            yield from self._named(folder, rest[::-1], depth)
        elif one.startswith("..."):
            inner = folder.inside(one[3:].removeprefix("./").strip("/"))
            yield from self.entries(inner, depth + 1) if inner and depth < DEEPEST else ()
        elif link := _LINK.fullmatch(one):
            yield NavEntry(link[1].strip(), link[2])
        elif not one.startswith("!"):
            yield from self._named(folder, [one.removeprefix("./").strip("/")], depth)

    def _named(self, folder: PageFolder, names: list[str], depth: int) -> Iterator[NavEntry]:
        """The pages and folders with these paths; for a name that both have, the page first."""
        for name in names:
            above = folder.inside(posixpath.dirname(name))
            page = above.pages.get(posixpath.basename(name).rsplit(".md", 1)[0]) if above else None
            if page is not None:
                yield NavEntry(None, page)
            inner = folder.inside(name) if name else None
            if inner is not None and depth < DEEPEST:
                entries = tuple(self.entries(inner, depth + 1))
                group = _GROUP.fullmatch(posixpath.basename(name))
                title = text_of(entry(self._meta(inner), "title"))
                if entries and group and not title:
                    yield from entries
                elif entries:
                    label = title or self._source.layout.folder_label(inner.path)
                    yield NavEntry(label, entries=entries)

"""The `sidebar` of Starlight, in the configuration of Astro."""

from __future__ import annotations

from collections.abc import Iterator

from kinfolk.content.docs.file_layouts.site_config import config_above, starlight_options
from kinfolk.content.docs.menus.nav_entry import DEEPEST, MenuSource, NavEntry
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigCode, ConfigTable, ConfigText, ConfigValue


def read_starlight_sidebar(source: MenuSource) -> tuple[NavEntry, ...]:
    file = config_above(source.layout.folder, source.names, source.has_file)
    options = starlight_options(file, source.has_file, source.read) if file else None
    return sidebar_entries(options) if options else ()


def sidebar_entries(options: ConfigTable) -> tuple[NavEntry, ...]:
    """The entries; none if a part of the list is computed, so that folders are a better menu."""
    items = items_of(entry(options, "sidebar"))
    return () if any(isinstance(item, ConfigCode) for item in items) else tuple(_entries(items, 0))


def _entries(items: tuple[ConfigValue, ...], depth: int) -> Iterator[NavEntry]:
    for item in items if depth < DEEPEST else ():
        if isinstance(item, ConfigText):
            yield NavEntry(None, item.text)
            continue
        table = table_of(item)
        label = text_of(entry(table, "label")) or None
        badge = entry(table, "badge")
        text = text_of(badge) or text_of(entry(table_of(badge), "text")) or None
        collapsed = text_of(entry(table, "collapsed")) == "true"
        folder = text_of(entry(table, "autogenerate", "directory"))
        target = text_of(entry(table, "slug")) or text_of(entry(table, "link"))
        if folder:
            yield NavEntry(label, badge=text, is_collapsed=collapsed, folder=folder.strip("/"))
        elif "items" in table.entries:
            inner = tuple(_entries(items_of(entry(table, "items")), depth + 1))
            yield NavEntry(label, entries=inner, badge=text, is_collapsed=collapsed)
        elif target:
            yield NavEntry(label, target, badge=text)

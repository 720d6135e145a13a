"""The `navigation` of Mintlify, in `docs.json` or the older `mint.json`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kinfolk.content.docs.file_layouts.site_config import config_above, languages_of_mintlify, mintlify_config
from kinfolk.content.docs.menus.nav_entry import DEEPEST, MenuSource, NavEntry
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable, ConfigText, ConfigValue

_NAMES = ("tab", "anchor", "dropdown", "product", "version", "item", "group")
"""Keys whose value is the label of a part."""
_PARTS = ("languages", "products", "versions", "tabs", "anchors", "dropdowns", "menu", "groups", "pages")
_OF_ONE = ("versions",)
"""Parts of which a reader sees one, so the menu has the main one."""


def read_mintlify_navigation(source: MenuSource) -> tuple[NavEntry, ...]:
    file = config_above(source.layout.folder, source.names, source.has_file)
    config = mintlify_config(file, source.has_file, source.read) if file else None
    if file is None or config is None:
        return ()
    languages = languages_of_mintlify(config, posixpath.dirname(file), source.has_file, source.read)
    first = next(languages, None)
    return tuple(_inside(first[1], 0)) if first else navigation_entries(entry(config, "navigation"))


def navigation_entries(navigation: ConfigValue | None) -> tuple[NavEntry, ...]:
    if isinstance(navigation, ConfigTable):
        return tuple(_inside(navigation, 0))
    return tuple(found for item in items_of(navigation) for found in _entry(item, 0))


def _inside(table: ConfigTable, depth: int) -> Iterator[NavEntry]:
    """The entries of all parts of a table."""
    if depth > DEEPEST:
        return
    if root := text_of(entry(table, "root")):
        yield NavEntry(None, root)
    for part in _PARTS:
        items = items_of(entry(table, part))
        for item in _main(items) if part in _OF_ONE else items:
            yield from _entry(item, depth + 1)


def _main(items: tuple[ConfigValue, ...]) -> tuple[ConfigValue, ...]:
    chosen = [item for item in items if text_of(entry(table_of(item), "default")) == "true"]
    return tuple(chosen[:1] or items[:1])


def _entry(item: ConfigValue, depth: int) -> Iterator[NavEntry]:
    if isinstance(item, ConfigText):
        if " " not in item.text.strip():  # with one it is an operation of an API: `GET /users`
            yield NavEntry(None, item.text.strip())
        return
    table = table_of(item)
    if text_of(entry(table, "hidden")) == "true":
        return
    label = next((text for key in _NAMES if (text := text_of(entry(table, key)))), None)
    inner = tuple(_inside(table, depth))
    if inner and "version" in table.entries and "group" not in table.entries:
        yield from inner
    elif inner:
        badge = text_of(entry(table, "tag")) or None
        yield NavEntry(label, entries=inner, badge=badge, is_collapsed=text_of(entry(table, "expanded")) == "false")

"""The `nav` of a `mkdocs.yml`. Only events of YAML are read: no tag makes an object, whatever it is."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import yaml

from kinfolk.content.docs.menus.nav_entry import MenuSource, NavEntry

LARGEST_FILE = 512_000
"""Characters."""
DEEPEST = 12
MOST_ENTRIES = 5_000


class _Unsupported(ValueError):
    """A menu that is too deep or too long, or no list."""


def read_mkdocs_nav(source: MenuSource) -> tuple[NavEntry, ...]:
    """The entries of the file beside the docs root, in the repository's root or in the docs root."""
    folder = source.layout.folder
    folders = dict.fromkeys((posixpath.dirname(folder), "", folder))
    files = (posixpath.join(folder, name) for folder in folders for name in source.names)
    file = next(filter(source.has_file, files), None)
    return read_nav(source.read(file)) if file else ()


def read_nav(text: str) -> tuple[NavEntry, ...]:
    """The entries; empty where there are none, or where the file is no YAML."""
    if len(text) > LARGEST_FILE:
        return ()
    try:
        return _top(yaml.parse(text, Loader=yaml.CBaseLoader))
    except (yaml.YAMLError, _Unsupported, StopIteration):
        return ()


def _top(events: Iterator[yaml.Event]) -> tuple[NavEntry, ...]:
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            break
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            return ()
        if isinstance(key, yaml.ScalarEvent) and key.value == "nav":
            return _entries(next(events), events, _Count())
        _skip(key, events)
        _skip(next(events), events)
    return ()


class _Count:
    def __init__(self) -> None:
        self.left = MOST_ENTRIES

    def take(self, depth: int) -> None:
        self.left -= 1
        if self.left < 0 or depth > DEEPEST:
            raise _Unsupported


def _skip(event: yaml.Event, events: Iterator[yaml.Event]) -> None:
    depth = 0
    while True:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth <= 0:
            return
        event = next(events)


def _entries(event: yaml.Event, events: Iterator[yaml.Event], count: _Count, depth: int = 0) -> tuple[NavEntry, ...]:
    count.take(depth)
    if not isinstance(event, yaml.SequenceStartEvent):
        _skip(event, events)
        return ()
    found: list[NavEntry] = []
    for item in events:
        if isinstance(item, yaml.SequenceEndEvent):
            break
        if isinstance(item, yaml.ScalarEvent):
            count.take(depth)
            found.append(NavEntry(None, str(item.value)))
        elif isinstance(item, yaml.MappingStartEvent):
            found += _mapping(events, count, depth)
        else:
            _skip(item, events)
    return tuple(found)


def _mapping(events: Iterator[yaml.Event], count: _Count, depth: int) -> Iterator[NavEntry]:
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            return
        count.take(depth)
        label = str(key.value) if isinstance(key, yaml.ScalarEvent) else None
        value = next(events)
        if isinstance(value, yaml.ScalarEvent):
            yield NavEntry(label, str(value.value))
        else:
            yield NavEntry(label, entries=_entries(value, events, count, depth + 1))

"""A configuration in YAML. Only events are read: no tag makes an object, and no alias is followed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from kinfolk.content.markdown.literals.config_values import (
    DEEPEST,
    MOST_VALUES,
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.javascript_tokens import SURROGATE_PAIR, unescaped

_PAIR = re.compile(SURROGATE_PAIR)


class _TooLargeError(ValueError):
    """More values, or deeper ones, than a configuration has."""


def read_yaml_config(text: str) -> ConfigTable | None:
    """The keys of the file, or None if it is no YAML with keys, or too large. JSON is YAML but for surrogate pairs."""
    try:
        value = _YamlReader(yaml.parse(_PAIR.sub(lambda pair: unescaped(pair[0]), text), Loader=yaml.CBaseLoader)).top()
    except (yaml.YAMLError, _TooLargeError, StopIteration):
        return None
    return value if isinstance(value, ConfigTable) else None


class _YamlReader:
    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._left = MOST_VALUES

    def top(self) -> ConfigValue:
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                return self._value(event, 0)
        raise StopIteration

    def _value(self, event: yaml.Event, depth: int) -> ConfigValue:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise _TooLargeError
        line = event.start_mark.line + 1 if event.start_mark else 0
        # A tag such as `!ENV` stands for a value that a program computes.
        has_tag = getattr(event, "tag", None) is not None
        if isinstance(event, yaml.ScalarEvent):
            return ConfigCode(line) if has_tag else ConfigText(line, str(event.value))
        if isinstance(event, yaml.SequenceStartEvent):
            items = tuple(self._items(depth))
            return ConfigCode(line) if has_tag else ConfigList(line, items)
        if isinstance(event, yaml.MappingStartEvent):
            entries = dict(self._entries(depth))
            return ConfigCode(line) if has_tag else ConfigTable(line, entries)
        return ConfigCode(line)

    def _items(self, depth: int) -> Iterator[ConfigValue]:
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                return
            yield self._value(event, depth + 1)

    def _entries(self, depth: int) -> Iterator[tuple[str, ConfigValue]]:
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                return
            key = self._value(event, depth + 1)
            value = self._value(next(self._events), depth + 1)
            if isinstance(key, ConfigText):
                yield key.text, value

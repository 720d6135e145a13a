"""Values of a configuration file that is read without running it, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

MOST_VALUES = 20_000
"""Values in one configuration, with the files that it imports."""
DEEPEST = 24
LONGEST_TEXT = 10_000
"""Characters of a text that is joined from others."""


@dataclass(frozen=True)
class ConfigText:
    """A text; also a number, `true`, `false` or `null`, as written."""

    line: int
    text: str


@dataclass(frozen=True)
class ConfigList:
    line: int
    items: tuple[ConfigValue, ...]


@dataclass(frozen=True)
class ConfigTable:
    line: int
    entries: Mapping[str, ConfigValue] = field(default_factory=dict)


@dataclass(frozen=True)
class ConfigCode:
    """What is not data: a function, a call, an expression, or a value beyond the limits."""

    line: int


ConfigValue = ConfigText | ConfigList | ConfigTable | ConfigCode
NO_TABLE = ConfigTable(0)


def text_of(value: ConfigValue | None) -> str:
    """The text on one line; empty for other values."""
    if not isinstance(value, ConfigText) or value.text in ("null", "undefined"):
        return ""
    return " ".join("".join(c if c.isprintable() else " " for c in value.text).split())


def table_of(value: ConfigValue | None) -> ConfigTable:
    return value if isinstance(value, ConfigTable) else NO_TABLE


def items_of(value: ConfigValue | None) -> tuple[ConfigValue, ...]:
    """The items of a list; a single value is a list of it."""
    if isinstance(value, ConfigList):
        return value.items
    return () if value is None else (value,)


def entry(table: ConfigTable, *path: str) -> ConfigValue | None:
    """The value at a path of keys."""
    value: ConfigValue | None = table
    for key in path:
        value = table_of(value).entries.get(key)
    return value


def texts_in(value: ConfigValue | None) -> Iterator[ConfigText]:
    """All texts within a value."""
    if isinstance(value, ConfigText):
        yield value
    elif isinstance(value, ConfigList):
        for item in value.items:
            yield from texts_in(item)
    elif isinstance(value, ConfigTable):
        for item in value.entries.values():
            yield from texts_in(item)

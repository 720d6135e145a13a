"""Parts of the values of a configuration file. A part that is missing or of another kind is empty."""

from __future__ import annotations

from collections.abc import Iterator

from kinfolk.content.markdown.literals.config_values import (
    NO_TABLE,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)


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

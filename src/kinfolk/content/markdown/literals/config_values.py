"""Values of a configuration file that is read without running it, each with its line."""

from __future__ import annotations

from collections.abc import Mapping
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

"""docs/configuration.md is generated from the models, and has each key of a site's files and each setting."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.sites.sample_site import SITE

from kinfolk.cli.generate.configuration_reference import FILES, configuration_reference, field_docstrings, rows
from kinfolk.config.settings import ROOT, SETTINGS, Setting

DATA = sorted((SITE).rglob("*.toml"))


@functools.cache
def page() -> str:
    """Made by the first test: it takes a second."""
    return configuration_reference()


def section(name: str) -> str:
    """The part of the page about one file."""
    return page().split(f"## `{name}`\n")[1].split("\n## ")[0]


def keys_of(table: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield key
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict) and key not in ("colors", "moves", "params", "kinds", "one_way"):
                yield from keys_of(inner)


IN_FOLDERS = {"libraries": "libraries/<id>.toml", "meanings": "meanings/<name>.toml"}
"""Folder -> the title of its files."""


def test_committed_page_is_the_generated_one() -> None:
    assert (ROOT / "docs/configuration.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("file", DATA, ids=lambda file: file.name)
def test_each_key_of_a_data_file_is_documented(file: Any) -> None:
    name = file.relative_to(SITE).as_posix()
    text = section(IN_FOLDERS.get(name.partition("/")[0], name))
    documented = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert set(keys_of(tomllib.loads(file.read_text(encoding="utf-8")))) <= documented


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_each_setting_is_documented_with_default_and_meaning(setting: Setting) -> None:
    default = f"`{setting.default}` " if setting.default else ""
    assert re.search(
        rf"^\| `{setting.name}` \| [^|]+ \| {re.escape(f'{default}| {setting.help}')} \|$", page(), re.MULTILINE
    )


def test_settings_have_their_type_and_limit() -> None:
    assert "| `KINFOLK_MEMORY_MB` | integer, at least 16 | `80` |" in page()
    assert '| `KINFOLK_LOG` | `"console"`, `"json"` | `console` |' in page()


def test_each_model_has_a_description_of_each_field() -> None:
    for model in FILES.values():
        assert all(row.meaning.endswith((".", "`", '"')) for row in rows(model))


def test_nested_tables_have_sections_with_their_toml_header() -> None:
    assert "### `[promo.provider]`\n" in section("kinfolk.toml")
    assert "### `[[newsletter.fields]]`\n" in section("kinfolk.toml")


def test_types_name_the_rule_of_a_text() -> None:
    assert "| `logo` | identifier | |" in section("kinfolk.toml")
    assert "| identifier | like `right-rail` |" in page()


def test_pipe_in_a_description_does_not_end_the_cell() -> None:
    assert r"`{name:a\|b}`" in section("redirects.toml")


@dataclass(frozen=True)
class Undescribed:
    """A model for the next test."""

    described: int
    """Has a description."""
    undescribed: int = 0


def test_field_without_a_docstring_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Undescribed\.undescribed has no docstring"):
        rows(Undescribed)


@dataclass(frozen=True)
class Unreadable:
    """A model for the next test."""

    key: complex
    """A type without words."""


def test_type_without_words_is_refused() -> None:
    with pytest.raises(TypeError, match="has no name in the reference"):
        rows(Unreadable)


def test_docstrings_of_a_base_class_are_found() -> None:
    assert field_docstrings(FILES["kinfolk.toml"])["family"].startswith("Name of the family")

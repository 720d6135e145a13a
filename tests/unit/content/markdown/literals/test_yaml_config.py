"""Literals of configurations in YAML and JSON."""

from __future__ import annotations

import pytest

from kinfolk.content.markdown.literals.config_access import entry, text_of
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: Acme", "Acme"),
        (r'{"name": "Acme \ud83d\uDE80"}', "Acme 🚀"),
        (r'{"name": "Acme \u00e9"}', "Acme é"),
    ],
)
def test_text_is_read(text: str, expected: str) -> None:
    config = read_yaml_config(text)
    assert config is not None
    assert text_of(entry(config, "name")) == expected


@pytest.mark.parametrize("text", ["- a", "name: [", r'{"name": "\ud83d"}', ""])
def test_text_without_keys_and_lone_surrogates_are_no_configuration(text: str) -> None:
    assert read_yaml_config(text) is None

"""Invalid and too large navigations are errors."""

from __future__ import annotations

import json

import pytest

from kinfolk.content.docs import parse_config
from kinfolk.runtime.errors import InvalidFile


@pytest.mark.parametrize("config", ["[" * 100_000, '{"sections": [{"label": "A\\ud800B"}]}', '{"sections": 5}', "\xff"])
def test_invalid_config_is_reported_with_its_file(config: str) -> None:
    with pytest.raises(InvalidFile, match=r"docs/config\.json"):
        parse_config("docs/config.json", config.encode("latin-1"))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"sections": [{"label": "x"}] * 201}, "sections: has 201 sections, 200 are allowed"),
        (
            {"sections": [{"label": "x", "children": [{"label": "x", "to": "x"}] * 5001}]},
            "sections: has 5001 links in all, 5000 are allowed",
        ),
        (
            {"sections": [{"label": "x", "frameworks": [{"label": "x"}] * 51}]},
            "sections.0.frameworks: has 51 frameworks, 50 are allowed",
        ),
        ({"sections": [{"label": "x" * 301}]}, "sections.0.label: has 301 characters, 300 are allowed"),
        (
            {"sections": [{"label": "x", "children": [{"label": "x", "to": "x" * 1001}]}]},
            "sections.0.children.0.to: has 1001 characters, 1000 are allowed",
        ),
        (
            {
                "sections": [
                    {"label": "x", "frameworks": [{"label": "x", "children": [{"label": "x" * 301, "to": "x"}]}]}
                ]
            },
            "sections.0.frameworks.0.children.0.label: has 301 characters, 300 are allowed",
        ),
        ({"sections": [], "users": ["x"] * 1001}, "users: has 1001 users, 1000 are allowed"),
        ({"sections": [], "other": "x" * (2 << 20)}, "is larger than 2097152 bytes"),
    ],
)
def test_navigation_above_a_limit_is_refused(config: object, message: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        parse_config("docs/config.json", json.dumps(config).encode())
    assert refused.value.message == f"docs/config.json: {message}"

"""Tests of heading ids: GitHub's slugs, and the simpler slugs that older links use."""

from __future__ import annotations

import pytest

from kinfolk.markdown.slugs import Slugs, github_slug, plain_slug


@pytest.mark.parametrize(
    ("text", "github", "plain"),
    [
        ("Query Basics", "query-basics", "query-basics"),
        ("useQuery()", "usequery", "usequery"),
        ("Why two different states?", "why-two-different-states", "why-two-different-states"),
        ("A & B", "a--b", "a-b"),
        ("snake_case.key", "snake_casekey", "snake-case-key"),
        ("Über uns", "über-uns", "ber-uns"),
        ("⚡️ Fast", "️-fast", "fast"),
        ("@tanstack/query", "tanstackquery", "tanstack-query"),
    ],
)
def test_heading_has_a_github_slug_and_a_plain_slug(text: str, github: str, plain: str) -> None:
    assert (github_slug(text), plain_slug(text)) == (github, plain)


def test_repeated_headings_are_numbered() -> None:
    slugs = Slugs()
    assert [slugs.take(text) for text in ("Setup", "Setup", "Setup 1", "Setup")] == [
        "setup",
        "setup-1",
        "setup-1-1",
        "setup-2",
    ]


def test_heading_without_letters_has_an_id() -> None:
    assert Slugs().take("???") == "section"


def test_heading_cannot_use_the_id_of_a_radio_button() -> None:
    assert Slugs().take("Tabs 0 1") == "tabs-0-1-1"

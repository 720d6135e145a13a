"""Tests of heading ids: GitHub's slugs, and the simpler slugs that older links use."""

from __future__ import annotations

from collections.abc import Callable, Container

import pytest

from kinfolk.content.markdown.dialects.dialect_table import DIALECTS
from kinfolk.content.markdown.links.slugs import LAYOUT_ID_PREFIX, Anchors, Slugs, github_slug, is_reserved, plain_slug

SlugMaker = Callable[[str, Container[str]], str]


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


@pytest.mark.parametrize(
    ("fragment", "spelled"),
    [
        ("#Setup", "#setup"),
        ("#what%E2%80%99s-new?", "#whats-new"),
        ("#split-with-%24ref", "#split-with-ref"),
        ("#a--b", "#a-b"),
        ("#ab2", None),
        ("#???", None),
    ],
)
def test_fragment_of_other_punctuation_has_the_spelling_of_the_anchor(fragment: str, spelled: str | None) -> None:
    assert Anchors(["setup", "whats-new", "split-with-ref", "a-b", "-"]).spelled(fragment) == spelled


def test_exact_fragment_takes_precedence_over_another_spelling() -> None:
    assert Anchors(["a-b", "a--b"]).spelled("#a--b") == "#a--b"


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


@pytest.mark.parametrize("make", [None, *(dialect.slug for dialect in DIALECTS.values())])
def test_heading_cannot_have_an_id_of_the_layout(make: SlugMaker | None) -> None:
    layout = f"{LAYOUT_ID_PREFIX}content"
    slugs = Slugs(make)
    ids = [slugs.take(layout), slugs.take("Content", own=layout), slugs.take("Setup", own=f"_{layout}")]
    assert ids == ["site-content", "content", "setup"]
    assert is_reserved(layout)


@pytest.mark.parametrize("make", [None, *(dialect.slug for dialect in DIALECTS.values())])
def test_repeated_headings_like_radio_buttons_have_ids_of_their_own(make: SlugMaker | None) -> None:
    slugs = Slugs(make)
    ids = {slugs.take("Tabs 0 1") for _ in range(3)}
    assert len(ids) == 3
    assert not any(map(is_reserved, ids))

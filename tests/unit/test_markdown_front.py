"""Front matter: the keys that mean something, and nothing that an author writes there breaks a page."""

from __future__ import annotations

import pytest

from kinfolk.markdown.front import parse_front, split_front
from kinfolk.markdown.page import FrontMatter, ListedResource


def test_front_matter_is_the_yaml_between_two_rules_at_the_very_top() -> None:
    assert split_front("---\ntitle: Queries\n---\n\n# Body\n") == ("title: Queries", "\n# Body\n")
    assert split_front("# Body\n---\ntitle: no\n---\n") == ("", "# Body\n---\ntitle: no\n---\n")


def test_an_empty_block_is_front_matter_without_keys() -> None:
    assert split_front("---\n---\nBody") == ("", "Body")


def test_all_known_keys_are_read() -> None:
    front = parse_front(
        "id: ignored\ntitle: Queries\ndescription: About queries\nkeywords: [cache, fetch]\nref: docs/a.md\n"
        "replace: { React: Vue, useQuery: injectQuery }\ntoc: false\nredirect_from:\n  - /old\n"
        "articles:\n  - { title: One, url: 'https://example.org/1', description: First }\n"
    )
    assert front == FrontMatter(
        title="Queries",
        description="About queries",
        keywords="cache, fetch",
        ref="docs/a.md",
        replace=(("React", "Vue"), ("useQuery", "injectQuery")),
        toc=False,
        redirect_from=("/old",),
        resources=(("articles", (ListedResource("One", "https://example.org/1", "First"),)),),
    )


def test_the_older_key_name_stands_in_for_a_title() -> None:
    assert parse_front("name: useRanger\nmenu: API").title == "useRanger"
    assert parse_front("name: useRanger\ntitle: The hook").title == "The hook"


@pytest.mark.parametrize(
    ("written", "title"), [("2024", "2024"), ("on", "on"), ("1.10", "1.10"), ("2024-13-45", "2024-13-45")]
)
def test_a_title_is_the_text_the_author_wrote(written: str, title: str) -> None:
    assert parse_front(f"title: {written}").title == title


@pytest.mark.parametrize(
    "block",
    [
        "title: [a",
        "just text",
        "- a\n- list",
        "title: {a: b}\nreplace: text\nredirect_from: /one\narticles: 3",
        "a: " + "[" * 60_000,
        "a: " + "{b: " * 15_000,
        "? " * 30_000,
        "a: &loop [*loop]",
        "title: !!python/object/apply:os.system ['true']",
        "x" * 100_000,
        "",
    ],
)
def test_what_does_not_fit_is_left_out(block: str) -> None:
    assert parse_front(block) == FrontMatter()


def test_a_listed_resource_needs_an_https_address() -> None:
    front = parse_front(
        "media:\n  - { title: Bad, url: 'javascript:alert(1)' }\n  - { url: 'https://example.org/v' }\n"
    )
    assert front.resources == (("media", (ListedResource("https://example.org/v", "https://example.org/v"),)),)

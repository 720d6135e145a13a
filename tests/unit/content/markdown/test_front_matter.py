"""Tests of front matter: supported keys, and invalid values that must not break a page."""

from __future__ import annotations

import pytest

from kinfolk.content.markdown.front_matter import FrontMatter, ListedResource, parse_front_matter, split_front_matter


def test_front_matter_is_yaml_between_two_rules_at_the_start() -> None:
    assert split_front_matter("---\ntitle: Queries\n---\n\n# Body\n") == ("title: Queries", "\n# Body\n")
    assert split_front_matter("# Body\n---\ntitle: no\n---\n") == ("", "# Body\n---\ntitle: no\n---\n")


def test_empty_block_has_no_keys() -> None:
    assert split_front_matter("---\n---\nBody") == ("", "Body")


def test_all_supported_keys_are_read() -> None:
    front = parse_front_matter(
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


def test_older_key_name_is_used_as_title() -> None:
    assert parse_front_matter("name: useRanger\nmenu: API").title == "useRanger"
    assert parse_front_matter("name: useRanger\ntitle: The hook").title == "The hook"


@pytest.mark.parametrize(
    ("written", "title"), [("2024", "2024"), ("on", "on"), ("1.10", "1.10"), ("2024-13-45", "2024-13-45")]
)
def test_scalars_stay_as_written(written: str, title: str) -> None:
    assert parse_front_matter(f"title: {written}").title == title


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
def test_invalid_values_are_ignored(block: str) -> None:
    assert parse_front_matter(block) == FrontMatter()


def test_listed_resource_requires_an_https_url() -> None:
    front = parse_front_matter(
        "media:\n  - { title: Bad, url: 'javascript:alert(1)' }\n  - { url: 'https://example.org/v' }\n"
    )
    assert front.resources == (("media", (ListedResource("https://example.org/v", "https://example.org/v"),)),)

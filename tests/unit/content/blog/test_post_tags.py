"""Tags of posts: which names are tags, which of them are one tag, and their form in addresses."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.config.routes import match_route
from kinfolk.content.blog.post_tags import (
    LONGEST_ADDRESS,
    LONGEST_TAG,
    distinct_tags,
    tag_name,
    tag_parameter,
    tag_slug,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</script><!--",
    "&lt;b&gt; &amp; {{constructor}}",
)


@pytest.mark.parametrize(
    ("written", "name", "slug"),
    [
        ("Release", "Release", "release"),
        ("  Open \t Source ", "Open Source", "open-source"),
        ("C++", "C++", "c++"),
        ("C#", "C#", "c#"),
        (".NET / F#", ".NET / F#", ".net-/-f#"),
        ("STRASSE", "STRASSE", "strasse"),
        ("Straße", "Straße", "strasse"),
        ("Cafe\u0301", "Café", "café"),
        ("日本語", "日本語", "日本語"),
        ("हिन्दी", "हिन्दी", "हिन्दी"),
        ("می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻", "👩\u200d💻"),
        *((text, text, text.replace(" ", "-")) for text in HOSTILE),
    ],
)
def test_tag_is_text_of_any_script_with_single_spaces(written: str, name: str, slug: str) -> None:
    assert (tag_name(written), tag_slug(name)) == (name, slug)


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        "\u200d",
        "\u200b",
        "a\x00b",
        "a\x1bb",
        "a\u202eb",
        "\ufeff",
        "\ud800",
        "x" * (LONGEST_TAG + 1),
        "x" * 1_000_000,
    ],
)
def test_text_that_is_empty_long_or_not_printable_is_no_tag(written: str) -> None:
    with pytest.raises(ValueError, match=r"^should be a tag of 1 to 40 characters$"):
        tag_name(written)


def test_long_runs_of_combining_marks_take_linear_time() -> None:
    def read(count: int) -> None:
        with pytest.raises(ValueError, match="should be a tag"):
            tag_name("a" + "\u0301\u0323\u0327" * count)

    assert cpu_time_growth(read, 5_000) <= MAX_LINEAR_GROWTH


def test_names_that_differ_in_case_or_spaces_are_one_tag() -> None:
    assert distinct_tags(["Open Source", "open  source", "OPEN-SOURCE", "sea", "Sea"]) == ("Open Source", "sea")


@pytest.mark.parametrize("character", ["x", "ﷺ", "ΐ", "日", "𝕏", "👩"])
def test_address_of_a_tag_is_not_longer_than_the_server_reads(character: str) -> None:
    assert match_route("/blog").route.max_value == LONGEST_ADDRESS
    try:
        name = tag_name(character * LONGEST_TAG)
    except ValueError:
        name = tag_name(character * (LONGEST_TAG // 2))
    assert len(quote(tag_slug(name), safe="")) <= LONGEST_ADDRESS


@pytest.mark.parametrize(
    ("slug", "value"), [("sea", "sea"), ("2024", '"2024"'), ("1.0", '"1.0"'), ("true", '"true"'), ('"a"', r'"\"a\""')]
)
def test_tag_that_the_router_would_parse_as_another_value_is_quoted(slug: str, value: str) -> None:
    assert tag_parameter(slug) == value

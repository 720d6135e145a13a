"""Ranges as npm reads them. The rows are a selection of the cases of npm's package `semver`."""

from __future__ import annotations

import time

import pytest

from kinfolk.content.code_checks.packages.registry.version_ranges import (
    VersionNumber,
    VersionRange,
    parse_version,
    sort_versions,
)

RELEASES = """6.0.0-rc.1 6.0.0-beta.2 5.30.1 5.30.0 5.29.0 5.28.9 5.28.4 5.28.4-beta.1 5.28.0 5.0.0 5.0.0-beta.3 4.36.1
4.0.0 3.2.0 0.2.0 0.1.1 0.1.0""".split()


def numbers() -> list[VersionNumber]:
    return [number for number in map(parse_version, RELEASES) if number is not None]


@pytest.mark.parametrize(
    ("text", "highest"),
    [
        ("^5.28.0", "5.30.1"),
        ("~5.28.0", "5.28.9"),
        ("~> 5.28", "5.28.9"),
        ("5.28.4", "5.28.4"),
        ("=v5.28.4", "5.28.4"),
        ("5.28.x", "5.28.9"),
        ("5.28", "5.28.9"),
        ("5.X", "5.30.1"),
        ("^5 || ^4", "5.30.1"),
        ("^3 || ^4", "4.36.1"),
        (">= 4 <5.29", "5.28.9"),
        ("4.0.0 - 5.28", "5.28.9"),
        ("<5.28.4", "5.28.0"),
        ("<=5.28.4", "5.28.4"),
        (">5.28.0 <5.28.9", "5.28.4"),
        ("*", "5.30.1"),
        ("", "5.30.1"),
        ("^0.1.0", "0.1.1"),
        ("^0", "0.2.0"),
        # Prereleases count only for a bound with the same numbers that is one, too.
        ("^5.28.4-beta.0", "5.30.1"),
        ("5.28.4-beta.1", "5.28.4-beta.1"),
        ("^6.0.0-beta.1", "6.0.0-rc.1"),
        ("~5.0.0-beta", "5.0.0"),
        (">=6", None),
        ("5.28.5", None),
        (">5.28.4 <5.28.4", None),
    ],
)
def test_highest_release_that_satisfies(text: str, highest: str | None) -> None:
    allowed = VersionRange.parse(text)
    assert allowed is not None
    found = allowed.highest(numbers())
    assert (None if found is None else RELEASES[found]) == highest


@pytest.mark.parametrize(
    ("text", "major"),
    [
        ("^5.28.0", 5),
        ("~4.1", 4),
        ("4.36.1", 4),
        (">=3", 5),
        ("^3 || ^4", 4),
        ("<5", 4),
        ("<5.0.1", 5),
        (">4.1.0 <4.1.2", 4),
        ("5.0.0-beta.3", 5),
        ("^2", None),
        (">=6", None),
    ],
)
def test_highest_major_without_known_releases(text: str, major: int | None) -> None:
    allowed = VersionRange.parse(text)
    assert allowed is not None
    assert allowed.highest_major([3, 4, 5]) == major


@pytest.mark.parametrize("text", ["latest", "next", "1.2.3.4", "=", "^5 || foo", "<script>", "5.28.4-"])
def test_what_is_no_range(text: str) -> None:
    assert VersionRange.parse(text) is None


def test_numbers_are_sorted_from_the_highest() -> None:
    pairs = [(number, text) for number, text in zip(numbers(), RELEASES, strict=True)]
    assert [text for _, text in sort_versions(reversed(pairs))] == RELEASES


@pytest.mark.parametrize(
    "text", ["1" * 100, "^" * 100, "1 " * 50, "||" * 50, "1.2.3-" + "a." * 47, "1.2.3 - " * 12, "<1" * 50, " " * 100]
)
def test_ranges_of_the_greatest_length_take_little_time(text: str) -> None:
    many = [number for index in range(3000) if (number := parse_version(f"5.{3000 - index}.0")) is not None]
    start = time.perf_counter()
    allowed = VersionRange.parse(text)
    if allowed is not None:
        allowed.highest(many)
        allowed.highest_major(range(20))
    assert time.perf_counter() - start < 0.2

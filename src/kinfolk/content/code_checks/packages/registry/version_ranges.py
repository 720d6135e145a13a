"""What the ranges of npm packages mean: which release is the highest that satisfies one, and which majors it allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from typing import Protocol, TypeVar, cast

T = TypeVar("T")
LARGEST = 999_999_999
"""Stands for the last minor and patch of a major."""


class VersionNumber(Protocol):
    """A version of `nodesemver`, which has no type hints."""

    major: int
    minor: int
    patch: int
    prerelease: list[object]

    def compare(self, other: object) -> int: ...


class _Bound(Protocol):
    """A comparator of `nodesemver`: `>=5.0.0`. Its number is a text in a range that allows all."""

    operator: str
    semver: VersionNumber | object


class _Parsed(Protocol):
    set: list[list[_Bound]]

    def test(self, number: VersionNumber) -> bool: ...


def parse_version(text: str) -> VersionNumber | None:
    """A complete version number, such as `5.28.4-beta.1`; None for any other text."""
    # The import compiles regular expressions for 50 ms, which only the page about upgrades needs.
    import nodesemver

    try:
        return cast(VersionNumber, nodesemver.make_semver(text, loose=False))
    except ValueError:
        return None


def sort_versions(numbers: Iterable[tuple[VersionNumber, T]]) -> list[tuple[VersionNumber, T]]:
    """Sort pairs by their numbers, the highest first."""

    def compare(one: tuple[VersionNumber, T], other: tuple[VersionNumber, T]) -> int:
        return other[0].compare(one[0])

    return sorted(numbers, key=cmp_to_key(compare))


@dataclass(frozen=True)
class VersionRange:
    """A range as npm reads it. `VersionRange.parse` makes one."""

    text: str
    _parsed: _Parsed

    @classmethod
    def parse(cls, text: str) -> VersionRange | None:
        """None for a text that is no range, such as a tag."""
        import nodesemver

        try:
            return cls(text, cast(_Parsed, nodesemver.make_range(text, loose=False)))
        except ValueError:
            return None

    def highest(self, numbers: Sequence[VersionNumber]) -> int | None:
        """The index of the first of these numbers, which are sorted from the highest down, that satisfies the range.

        Numbers above and below all bounds are skipped without a comparison of each.
        """
        found = [self._highest_within(bounds, numbers) for bounds in self._parsed.set]
        return min((index for index in found if index is not None), default=None)

    def highest_major(self, majors: Iterable[int]) -> int | None:
        """The highest of these majors that has a number which satisfies the range, whatever was released."""
        return next((major for major in sorted(majors, reverse=True) if self._allows_major(major)), None)

    def _highest_within(self, bounds: Sequence[_Bound], numbers: Sequence[VersionNumber]) -> int | None:
        known = [
            (bound.operator, cast(VersionNumber, bound.semver)) for bound in bounds if hasattr(bound.semver, "major")
        ]
        upper = [number for operator, number in known if not operator.startswith(">")]
        lower = [number for operator, number in known if not operator.startswith("<")]
        index = max((_first_not_above(numbers, number) for number in upper), default=0)
        for at in range(index, len(numbers)):
            if any(numbers[at].compare(number) < 0 for number in lower):
                return None
            if self._parsed.test(numbers[at]):
                return at
        return None

    def _allows_major(self, major: int) -> bool:
        first, last = f"{major}.0.0", f"{major}.{LARGEST}.{LARGEST}"
        near = (number for number in self._bounds if number.major == major)
        edges = [text for number in near for text in (_text(number), _text(number, patches=1))]
        tried = map(parse_version, (first, last, *edges))
        return any(self._parsed.test(number) for number in tried if number is not None)

    @cached_property
    def _bounds(self) -> Sequence[VersionNumber]:
        return [
            cast(VersionNumber, bound.semver)
            for bounds in self._parsed.set
            for bound in bounds
            if hasattr(bound.semver, "major")
        ]


def _text(number: VersionNumber, *, patches: int = 0) -> str:
    release = f"{number.major}.{number.minor}.{number.patch + patches}"
    return release if patches or not number.prerelease else f"{release}-{'.'.join(map(str, number.prerelease))}"


def _first_not_above(numbers: Sequence[VersionNumber], limit: VersionNumber) -> int:
    """The index of the first number, sorted from the highest down, that is not above the limit."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle].compare(limit) > 0:
            low = middle + 1
        else:
            high = middle
    return low

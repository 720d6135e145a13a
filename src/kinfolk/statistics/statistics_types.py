"""What the functions of npm statistics answer, besides charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kinfolk.statistics.comparisons.comparison import PackageGroup

ImportState = Literal["waiting", "importing", "complete", "not-found"]


@dataclass(frozen=True)
class ComparisonCategory:
    """A popular comparison. `query` is its canonical query, without `?`."""

    title: str
    groups: tuple[PackageGroup, ...]
    query: str


@dataclass(frozen=True)
class ComparisonChoices:
    """What the controls of the page offer. `indexes` are baselines of several packages.

    `has_stars` and `has_registry`: the measures `stars` and `share` have data.
    """

    categories: tuple[ComparisonCategory, ...]
    indexes: tuple[ComparisonCategory, ...]
    has_stars: bool
    has_registry: bool


@dataclass(frozen=True)
class PackageSuggestion:
    """A package that matches a typed text. `stored`: its history is here."""

    name: str
    description: str
    stored: bool


@dataclass(frozen=True)
class PackageSuggestions:
    """`complete` is False while the search service is queried: a later call has more."""

    packages: tuple[PackageSuggestion, ...]
    complete: bool


@dataclass(frozen=True)
class ImportStatus:
    """The import of one package. `ahead` is the number of packages that are imported before it."""

    name: str
    state: ImportState
    message: str
    ahead: int


@dataclass(frozen=True)
class MajorVersion:
    """`shares` has the percentage of a package's downloads in each recorded week, None for a week without a record."""

    major: str
    shares: tuple[float | None, ...]


@dataclass(frozen=True)
class VersionAdoption:
    """Downloads by major version. `weeks` are the last days of the recorded weeks, the oldest first.

    `mirror_floor` estimates the downloads in the last week that mirrors and robots made; None without an estimate.
    """

    package: str
    weeks: tuple[str, ...]
    majors: tuple[MajorVersion, ...]
    mirror_floor: int | None
    week_total: int


@dataclass(frozen=True)
class LibraryDownloads:
    """Downloads of the packages that a library declares. `last_week` ends on `last_day`; `total` begins on `since`."""

    packages: int
    last_week: int
    total: int
    since: str
    last_day: str
    query: str
    """The canonical query of the comparison of these packages, the largest first."""

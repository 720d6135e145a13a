"""What the reader compares: the query of `/stats/npm`, parsed. Invalid values fall back to their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RangeName = Literal["7-days", "30-days", "90-days", "180-days", "365-days", "730-days", "1825-days", "all-time"]
BinUnit = Literal["daily", "weekly", "monthly", "yearly"]
Transform = Literal["none", "normalize-y"]
Facet = Literal["pkg"]
Measure = Literal["downloads", "cumulative", "share", "year-over-year", "stars"]
"""`share`: of all downloads from npm. `year-over-year`: change against the bin one year before. `stars`: on GitHub."""
Alignment = Literal["calendar", "first-release"]
Scale = Literal["linear", "log"]
Fix = Literal["none", "zero"]
"""`zero`: bins with days on which npm counted nothing are scaled by their other days."""
BinChoice = Literal["all", "complete"]

MAX_GROUPS = 32
MAX_PACKAGES = 32
"""Packages of all groups together."""
MIN_HEIGHT, MAX_HEIGHT = 300, 2000
"""Heights of the chart, in CSS pixels."""


@dataclass(frozen=True)
class GroupPackage:
    """A package of a group. A hidden one is not counted; a group whose first package is hidden is not drawn."""

    name: str
    hidden: bool = False


@dataclass(frozen=True)
class PackageGroup:
    """Packages whose downloads are added up to one series. `color` is `#rrggbb`."""

    packages: tuple[GroupPackage, ...]
    color: str | None = None


@dataclass(frozen=True)
class Comparison:
    """All parameters. `baseline` has names of first packages of groups: one, or several as an index."""

    groups: tuple[PackageGroup, ...]
    range: RangeName = "365-days"
    bin: BinUnit = "weekly"
    transform: Transform = "none"
    baseline: tuple[str, ...] = ()
    show_baseline: bool = False
    normalize_baseline: bool = True
    facet_x: Facet | None = None
    facet_y: Facet | None = None
    height: int = 400
    bins: BinChoice = "all"
    measure: Measure = "downloads"
    align: Alignment = "calendar"
    scale: Scale = "linear"
    fix: Fix = "none"
    without_mirrors: bool = False
    """Whether the downloads that mirrors make are subtracted."""

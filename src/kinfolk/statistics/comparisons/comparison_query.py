"""The query of `/stats/npm`: read into a Comparison, and written in its canonical form.

    comparison = parse_comparison("range=30-days&transform=normalize-y", default_groups=groups)
    comparison_query(comparison, default_groups=groups)  # "range=30-days&binningOption=daily&transform=normalize-y"

Values are written as the router of the frontend does: JSON, except strings that are no JSON. Invalid values fall back
to their defaults. Parameters, with later names of the public site in parentheses:

    packageGroups      [{"packages": [{"name", "hidden"}], "color"}]    (in a group: "baseline", "hidden")
    range              7-days … 1825-days, all-time
    binningOption      daily, weekly, monthly, yearly (binType)
    transform          none, normalize-y
    baseline           the first package of a group, or a list of them
    showBaseline, normalizeBaseline                           whether it is drawn, and whether others are divided by it
    facetX, facetY     pkg (name)
    height             pixels
    showDataMode       all, complete                                    bins
    measure            downloads, cumulative, share, year-over-year, stars
    align              calendar, first-release
    scale              linear, log
    fix                none, zero
    mirrors            without
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, get_args
from urllib.parse import quote, unquote_plus

import orjson

from kinfolk.statistics.comparisons.comparison import (
    MAX_GROUPS,
    MAX_HEIGHT,
    MAX_PACKAGES,
    MIN_HEIGHT,
    Alignment,
    BinChoice,
    BinUnit,
    Comparison,
    Facet,
    Fix,
    GroupPackage,
    Measure,
    PackageGroup,
    RangeName,
    Scale,
    Transform,
)
from kinfolk.statistics.package_name import is_package_name, names_in_path

LONGEST = 20_000
"""Characters of a query that are read: more than any canonical query has."""
MAX_PARAMETERS = 64
DEFAULT_HEIGHT = 400
BINS: Mapping[RangeName, tuple[BinUnit, ...]] = {
    "7-days": ("daily",),
    "30-days": ("daily",),
    "90-days": ("weekly", "daily", "monthly"),
    "180-days": ("weekly", "daily", "monthly"),
    "365-days": ("weekly", "daily", "monthly"),
    "730-days": ("weekly", "daily", "monthly", "yearly"),
    "1825-days": ("weekly", "daily", "monthly", "yearly"),
    "all-time": ("weekly", "daily", "monthly", "yearly"),
}
"""The bins that each range allows. The first replaces one that it does not allow."""

_COLOR = re.compile("#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")
Choice = TypeVar("Choice", bound=str)
Parameters = Mapping[str, object]


@dataclass(frozen=True)
class _ReadGroups:
    """The groups of a query, and the names of those that are marked as baselines in them."""

    groups: tuple[PackageGroup, ...]
    marked: tuple[str, ...]


def parse_comparison(search: str, *, default_groups: Sequence[PackageGroup], packages: str = "") -> Comparison:
    """The comparison of a query without `?`. Never raises.

    `packages` is the end of an address such as `react-vs-vue`, for a query without groups.
    """
    params = _parameters(search[:LONGEST])
    read = _read_groups(params.get("packageGroups"))
    groups = read.groups or _groups_of_names(names_in_path(packages)) or tuple(default_groups)
    range_name = _choice(params, "range", get_args(RangeName), "365-days")
    comparison = Comparison(
        groups=groups,
        range=range_name,
        bin=_bin(params, range_name),
        transform=_choice(params, "transform", get_args(Transform), "none"),
        baseline=_baseline(params.get("baseline"), read.marked, groups),
        show_baseline=params.get("showBaseline") is True,
        normalize_baseline=params.get("normalizeBaseline") is not False,
        facet_x=_facet(params.get("facetX")),
        facet_y=_facet(params.get("facetY")),
        height=_height(params.get("height")),
        bins=_choice(params, "showDataMode", get_args(BinChoice), "all"),
        measure=_choice(params, "measure", get_args(Measure), "downloads"),
        align=_choice(params, "align", get_args(Alignment), "calendar"),
        scale=_choice(params, "scale", get_args(Scale), "linear"),
        fix=_choice(params, "fix", get_args(Fix), "none"),
        without_mirrors=params.get("mirrors") == "without",
    )
    return _hide_marked(comparison, read.marked)


def comparison_query(comparison: Comparison, *, default_groups: Sequence[PackageGroup]) -> str:
    """The canonical query, without `?`: `parse_comparison` reads it as the same comparison."""
    is_default = comparison.groups == tuple(default_groups)
    by_default = comparison.range == "365-days" and comparison.bin == "weekly"
    baseline = comparison.baseline
    values = {
        "packageGroups": None if is_default else [_group_json(group) for group in comparison.groups],
        "range": None if comparison.range == "365-days" else comparison.range,
        "binningOption": None if by_default else comparison.bin,
        "transform": None if comparison.transform == "none" else comparison.transform,
        "baseline": (list(baseline) if len(baseline) > 1 else baseline[0]) if baseline else None,
        "showBaseline": comparison.show_baseline or None,
        "normalizeBaseline": None if comparison.normalize_baseline else False,
        "facetX": comparison.facet_x,
        "facetY": comparison.facet_y,
        "height": None if comparison.height == DEFAULT_HEIGHT else comparison.height,
        "showDataMode": None if comparison.bins == "all" else comparison.bins,
        "measure": None if comparison.measure == "downloads" else comparison.measure,
        "align": None if comparison.align == "calendar" else comparison.align,
        "scale": None if comparison.scale == "linear" else comparison.scale,
        "fix": None if comparison.fix == "none" else comparison.fix,
        "mirrors": "without" if comparison.without_mirrors else None,
    }
    return "&".join(f"{name}={quote(_written(value), safe='')}" for name, value in values.items() if value is not None)


def package_names(comparison: Comparison) -> tuple[str, ...]:
    """All packages of a comparison, hidden ones included."""
    return tuple(dict.fromkeys(package.name for group in comparison.groups for package in group.packages))


def comparison_title(comparison: Comparison) -> str:
    """The names of the groups, such as "react vs vue"."""
    return " vs ".join(group_label(group) for group in comparison.groups)


def group_label(group: PackageGroup) -> str:
    """The name of a group: its first package."""
    return group.packages[0].name


# Reading


def _parameters(search: str) -> dict[str, object]:
    """Values by name; of duplicates the first counts."""
    found: dict[str, object] = {}
    for pair in search.split("&", MAX_PARAMETERS)[:MAX_PARAMETERS]:
        name, _, value = pair.partition("=")
        if name not in found:
            found[name] = _value(unquote_plus(value))
    return found


def _value(text: str) -> object:
    """JSON, or the text itself."""
    try:
        # orjson refuses NaN and Infinity, and limits the depth.
        return orjson.loads(text)
    except ValueError:
        return text


def _choice(params: Parameters, name: str, choices: Sequence[Choice], default: Choice) -> Choice:
    given = params.get(name)
    return next((choice for choice in choices if choice == given), default)


def _bin(params: Parameters, range_name: RangeName) -> BinUnit:
    given = params.get("binningOption", params.get("binType"))
    allowed = BINS[range_name]
    return next((unit for unit in allowed if unit == given), allowed[0])


def _facet(given: object) -> Facet | None:
    return "pkg" if given in ("pkg", "name") else None


def _height(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not math.isfinite(given):
        return DEFAULT_HEIGHT
    return round(min(max(given, MIN_HEIGHT), MAX_HEIGHT))


def _read_groups(given: object) -> _ReadGroups:
    groups: list[PackageGroup] = []
    marked: list[str] = []
    left = MAX_PACKAGES
    firsts: set[str] = set()
    for each in given[: 4 * MAX_GROUPS] if isinstance(given, list) else ():
        packages = tuple(_packages(each))[:left]
        if not packages or packages[0].name in firsts or len(groups) == MAX_GROUPS:
            continue
        left -= len(packages)
        firsts.add(packages[0].name)
        facts = each if isinstance(each, dict) else {}
        group = PackageGroup(packages, _color(facts.get("color")))
        groups.append(_hidden(group) if facts.get("hidden") is True else group)
        if facts.get("baseline") is True:
            marked.append(packages[0].name)
    return _ReadGroups(tuple(groups), tuple(marked))


def _packages(group: object) -> Iterator[GroupPackage]:
    """The valid packages of a group: of an object, a list, or a single name."""
    given = group.get("packages") if isinstance(group, dict) else group
    seen: set[str] = set()
    for each in given[: 4 * MAX_PACKAGES] if isinstance(given, list) else (given,):
        name = each.get("name") if isinstance(each, dict) else each
        if isinstance(name, str) and name not in seen and is_package_name(name):
            seen.add(name)
            yield GroupPackage(name, isinstance(each, dict) and each.get("hidden") is True)


def _color(given: object) -> str | None:
    """`#rrggbb` in lower case."""
    if not isinstance(given, str) or not _COLOR.fullmatch(given):
        return None
    digits = given[1:].lower()
    return f"#{digits}" if len(digits) == 6 else "#" + "".join(digit * 2 for digit in digits)  # noqa: PLR2004


def _groups_of_names(names: Sequence[str]) -> tuple[PackageGroup, ...]:
    return tuple(PackageGroup((GroupPackage(name),)) for name in names[:MAX_GROUPS])


def _baseline(given: object, marked: Sequence[str], groups: Sequence[PackageGroup]) -> tuple[str, ...]:
    firsts = [group_label(group) for group in groups]
    named = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return tuple(name for name in firsts if name in named or name in marked)


def _hide_marked(comparison: Comparison, marked: Sequence[str]) -> Comparison:
    """Hides groups that are marked as baselines: later links do not draw them unless `showBaseline` is set."""
    if not marked:
        return comparison
    groups = tuple(_hidden(group) if group_label(group) in marked else group for group in comparison.groups)
    return replace(comparison, groups=groups)


def _hidden(group: PackageGroup) -> PackageGroup:
    first, *others = group.packages
    return replace(group, packages=(replace(first, hidden=True), *others))


# Writing


def _group_json(group: PackageGroup) -> dict[str, object]:
    packages = [{"name": one.name, **({"hidden": True} if one.hidden else {})} for one in group.packages]
    return {"packages": packages, **({"color": group.color} if group.color else {})}


def _written(value: object) -> str:
    """As the frontend's router writes a value: a string that would be read as JSON in quotes, others as they are."""
    if isinstance(value, str):
        return json.dumps(value) if _value(value) != value else value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

"""Reads `npm.toml`: popular comparisons, baselines of several packages, and days with wrong counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Annotated

from kinfolk.config.catalog.library import NpmName
from kinfolk.config.data_files import STRICT_CONFIG, TextLine, matches, read_data_file, satisfies
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.runtime.errors import InvalidFile, InvalidSite
from kinfolk.statistics.comparisons.comparison import MAX_GROUPS, MAX_PACKAGES, GroupPackage, PackageGroup

FILE = "npm.toml"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


Color = Annotated[str, matches("#1f77b4", "#[0-9a-f]{6}", "color")]
Day = Annotated[str, satisfies(_is_day, "day", "a day such as 2025-01-31")]


@dataclass(frozen=True)
class GroupEntry:
    """Packages whose downloads are added up."""

    packages: tuple[NpmName, ...]
    """Packages of the group: a package and its former names, for example. The first names the group."""
    color: Color | None = None
    """Color of the group. Without one, that of its place in `palette`."""

    @property
    def group(self) -> PackageGroup:
        return PackageGroup(tuple(map(GroupPackage, self.packages)), self.color)


@dataclass(frozen=True)
class CategoryEntry:
    """A comparison."""

    title: TextLine
    """Title."""
    groups: tuple[GroupEntry, ...]
    """Groups, in the order of the chart."""

    @property
    def package_groups(self) -> tuple[PackageGroup, ...]:
        return tuple(entry.group for entry in self.groups)


@dataclass(frozen=True)
class OutageEntry:
    """Days on which npm's counts are wrong or missing."""

    first: Day
    """First day, in UTC."""
    last: Day
    """Last day."""
    text: TextLine
    """What happened."""
    package: NpmName | None = None
    """The only package that is affected. Omit it if all are; days without any count then have no value."""

    @cached_property
    def days(self) -> tuple[date, date]:
        return date.fromisoformat(self.first), date.fromisoformat(self.last)


@dataclass(frozen=True)
class NpmConfig:
    """Popular comparisons, baselines of several packages, and days with wrong counts."""

    __pydantic_config__ = STRICT_CONFIG

    palette: tuple[Color, ...]
    """Colors of series without a color of their own, by their place."""
    categories: tuple[CategoryEntry, ...]
    """Popular comparisons. The first is the default."""
    indexes: tuple[CategoryEntry, ...] = ()
    """Baselines of several packages."""
    outages: tuple[OutageEntry, ...] = ()
    """Days with wrong counts."""

    @property
    def default_groups(self) -> tuple[PackageGroup, ...]:
        return self.categories[0].package_groups if self.categories else ()

    @cached_property
    def colors(self) -> Mapping[str, str]:
        """The color of each package that names a group of a category: that of the first such group."""
        entries = [group for category in reversed(self.categories) for group in category.groups if group.color]
        return {entry.packages[0]: entry.color for entry in entries if entry.color}

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """All packages of the categories and indexes, once."""
        entries = (*self.categories, *self.indexes)
        return tuple(dict.fromkeys(name for one in entries for group in one.groups for name in group.packages))

    def outages_of(self, package: str) -> tuple[tuple[date, date], ...]:
        """First and last days of the outages that affect a package."""
        return tuple(outage.days for outage in self.outages if outage.package in (None, package))


def with_library_category(config: NpmConfig, title: str, libraries: Iterable[tuple[str, ...]]) -> NpmConfig:
    """The configuration, with a comparison of the libraries by their packages if it has no categories."""
    named = [packages for packages in libraries if packages][:MAX_GROUPS]
    if config.categories or not named:
        return config
    groups: list[GroupEntry] = []
    count = 0
    for packages in named:
        count += len(packages)
        if count <= MAX_PACKAGES:
            groups.append(GroupEntry(packages))
    return replace(config, categories=(CategoryEntry(title, tuple(groups)),))


def load_npm_config(site: Path) -> NpmConfig:
    """The configuration, or the default while that of the site is invalid: `npm_config_errors` says why."""
    faults: list[InvalidFile] = []
    config = _read(site, faults)
    if config is None or faults:
        config = _read(DEFAULTS, faults)
    if config is None:
        raise InvalidSite(faults)
    return config


def npm_config_errors(site: Path) -> list[InvalidFile]:
    """All errors of the file."""
    faults: list[InvalidFile] = []
    _read(site, faults)
    return faults


def _read(site: Path, faults: list[InvalidFile]) -> NpmConfig | None:
    config = read_data_file(site, FILE, NpmConfig, faults)
    if config is None:
        return None
    if not config.palette:
        faults.append(InvalidFile(FILE, "palette", "must have at least one entry"))
    faults.extend(_category_errors("categories", config.categories))
    faults.extend(_category_errors("indexes", config.indexes))
    faults.extend(
        InvalidFile(FILE, f"outages[{number}].last", "is before the first day")
        for number, outage in enumerate(config.outages)
        if outage.days[0] > outage.days[1]
    )
    return config


def _category_errors(key: str, categories: Sequence[CategoryEntry]) -> Iterator[InvalidFile]:
    """Errors of categories that no query of a comparison could name."""
    for number, category in enumerate(categories):
        groups = category.groups
        where = f"{key}[{number}].groups"
        if not 0 < len(groups) <= MAX_GROUPS or not all(group.packages for group in groups):
            yield InvalidFile(FILE, where, f"must be 1 to {MAX_GROUPS} groups with packages")
            continue
        if sum(len(group.packages) for group in groups) > MAX_PACKAGES:
            yield InvalidFile(FILE, where, f"must have at most {MAX_PACKAGES} packages")
        firsts = [group.packages[0] for group in groups]
        if len(set(firsts)) < len(firsts):
            yield InvalidFile(FILE, where, "must not begin with the same package")
        if any(len(set(group.packages)) < len(group.packages) for group in groups):
            yield InvalidFile(FILE, where, "must not have a package twice in a group")

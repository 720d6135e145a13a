"""Which release of each package the docs of a version describe."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kinfolk.config.catalog import Library, Version
from kinfolk.config.package_registries import NPM, split_version
from kinfolk.content.code_checks.packages.registry.package_names import name_words
from kinfolk.content.code_checks.packages.registry.packument import Packument, parse_range, satisfies

ChoiceRule = Literal["tag", "branch", "name", "latest", "prerelease"]
"""How a version was chosen: by the newest tag of the version, by `package.json` of its branch, as the newest release of
the major that the version's name has, as what the registry calls the latest, or as the newest pre-release of a major
that has no other."""
VANILLA = "vanilla"
_NUMBERS = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,2})")


@dataclass(frozen=True)
class OwnPackage:
    """A package of a library. `wanted` is the range that an install command has: `8` of `@acme/tiles@8`."""

    name: str
    framework: str | None = None
    wanted: str = ""


@dataclass(frozen=True)
class ChosenRelease:
    name: str
    version: str
    rule: ChoiceRule


def own_packages(
    library: Library,
    version: Version,
    framework: str | None,
    names: Mapping[str, str | None],
    imported: Collection[str] = (),
) -> tuple[OwnPackage, ...]:
    """The packages that docs of a framework import: those of the install commands, else those with its name.

    `names` are all npm packages of the library with their frameworks, `imported` those of its scope that the docs
    import: for a library `tiles`, `@acme/lit-tiles` is its package for Lit without being declared. For pages without a
    framework these are the packages for all frameworks, or without any those of the first framework.
    """
    listed = [package for package in library.packages_of(version) if package.registry == NPM]
    if framework is None:
        general = [one for one in listed if one.framework in (None, VANILLA)]
        chosen = general or [one for one in listed if one.framework in library.frameworks[:1]]
    else:
        chosen = [one for one in listed if one.framework in (None, framework)]
    if not any(one.framework == framework for one in chosen) and framework is not None:
        known = {one.name_without_version for one in listed}
        guessed = [name for name in names if name not in known and framework in name_words(name)]
        wanted = {framework, library.id}
        guessed = guessed or [name for name in imported if name_words(name.rpartition("/")[2]) == wanted]
        return tuple(
            [OwnPackage(name, framework) for name in guessed]
            + [OwnPackage(one.name_without_version, one.framework, split_version(one.name)[1]) for one in chosen]
        )
    return tuple(OwnPackage(one.name_without_version, one.framework, split_version(one.name)[1]) for one in chosen)


def choose_release(
    packument: Packument,
    package: OwnPackage,
    library: Library,
    version: Version,
    *,
    names: Iterable[str],
    on_branch: str | None = None,
) -> ChosenRelease | None:
    """The release of a package that the docs of a version describe, by the first rule that names one in the registry.

    `names` are all packages of the library, `on_branch` is the version in the `package.json` of its branch.
    """
    for rule, number in _candidates(packument, package, library, version, names=names, on_branch=on_branch):
        if number is None or packument.version(number) is None:
            continue
        if not package.wanted or satisfies(number, package.wanted) or rule == "prerelease":
            return ChosenRelease(package.name, number, rule)
    return None


def _candidates(
    packument: Packument,
    package: OwnPackage,
    library: Library,
    version: Version,
    *,
    names: Iterable[str],
    on_branch: str | None,
) -> Iterator[tuple[ChoiceRule, str | None]]:
    yield "tag", _tagged(library, version, package)
    yield "branch", on_branch
    numbers = _NUMBERS.fullmatch(version.name)
    wanted = package.wanted or (numbers[1] if numbers else "")
    is_latest = version.name == library.latest_version
    if is_latest and (not wanted or (not package.wanted and _latest_belongs(packument, wanted, names))):
        yield "latest", packument.latest
    if wanted:
        yield "name", packument.newest_in(wanted, stable_only=True)
        major = wanted.partition(".")[0]
        if major.isdigit():
            yield "prerelease", packument.newest_of_major(int(major))


def _tagged(library: Library, version: Version, package: OwnPackage) -> str | None:
    """The number of a package in the newest release of a version: a stable one, else the newest pre-release."""
    numbers = _NUMBERS.fullmatch(version.name)
    for is_stable in (True, False):
        for release in library.releases.table.all:
            belongs = version.name in release.version_names or (not numbers and library.version_of(release) == version)
            if belongs and release.is_stable == is_stable and release.framework in (None, package.framework):
                start = f"{package.name}@"
                own = next((tag.removeprefix(start) for tag in release.tags if tag.startswith(start)), None)
                default = release.number.rpartition("@")[2]
                return own or release.numbers.get(package.framework or "", default)
    return None


def _latest_belongs(packument: Packument, wanted: str, names: Iterable[str]) -> bool:
    """Whether the latest version is one of these numbers, or depends on packages of the library that are.

    The package for a framework may have another major than the library: `@acme/svelte-tiles` 6 with `@acme/tiles` 5.
    """
    latest = packument.version(packument.latest or "")
    if latest is None:
        return False
    if satisfies(latest.version, wanted):
        return True
    majors = [int(wanted.partition(".")[0])] if wanted[:1].isdigit() else []
    ranges = [parse_range(text) for name, text in latest.ranges.items() if name in set(names)]
    return any(found is not None and found.highest_major(majors) is not None for found in ranges)

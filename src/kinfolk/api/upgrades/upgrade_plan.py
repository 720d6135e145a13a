"""What a project that uses packages of the family has of each library, and what leads to the current version."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kinfolk.api.upgrades.package_files import MOST_PACKAGES, PROTOCOLS
from kinfolk.config.catalog import LATEST, Catalog, Library, Version
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.code_checks.packages.registry.version_ranges import (
    VersionNumber,
    VersionRange,
    parse_version,
    sort_versions,
)
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.other_pages.framework_targets import FrameworkTarget, framework_targets
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.runtime.errors import Unavailable

SpecKind = Literal["range", "tag", "workspace", "catalog", "npm", "file", "url", "other"]
"""What a project has in place of a range: `npm` is another package under this name."""
_KINDS: Mapping[str, SpecKind] = {
    "workspace:": "workspace", "catalog:": "catalog", "npm:": "npm", "file:": "file", "url:": "url", "other:": "other"
}  # fmt: skip
_MAJOR = re.compile(r"v?(\d{1,9})(?:\.\d+)*")
_TAG = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)


@dataclass(frozen=True)
class FamilyPackages:
    """The names of a library's packages, former ones included."""

    library: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class InstalledPackage:
    """A package of a project. `spec` is its range or tag, empty for the other kinds.

    `number` is the highest known release that satisfies the range; None without known releases.
    """

    name: str
    spec: str
    kind: SpecKind
    number: str | None


@dataclass(frozen=True)
class DocsVersion:
    """A version or a release with docs: its name in URLs, and what pages call it."""

    name: str
    title: str


@dataclass(frozen=True)
class UpgradeGuide:
    """The page about the upgrade to a version."""

    version: str
    to: str


@dataclass(frozen=True)
class LibraryUpgrade:
    """What a project has of a library. `installed` is the lowest version that it uses; None if no docs are known of it.

    `guides` are those of the versions above it, the lowest first. `missing` are these versions without a guide.
    """

    library: str
    packages: tuple[InstalledPackage, ...]
    installed: DocsVersion | None
    current: DocsVersion
    is_current: bool
    guides: tuple[UpgradeGuide, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Use:
    """A package with the version whose docs are about it, and the release, if it is known."""

    package: InstalledPackage
    framework: str | None
    version: Version | None
    release: Release | None


def family_packages(catalog: Catalog) -> tuple[FamilyPackages, ...]:
    """The packages of each library that has any in npm."""
    return tuple(FamilyPackages(library, tuple(names)) for library, names in catalog.npm_names.items())


def upgrade_plan(docs: ContentReader, packages: str) -> tuple[LibraryUpgrade, ...]:
    """The libraries of which a project has packages, in the order of the catalog.

    `packages` are `name@spec`, separated by commas, as `read_packages` writes them. Unknown names are ignored.
    """
    specs: dict[str, dict[str, None]] = {}
    for entry in packages.split(",")[:MOST_PACKAGES]:
        # A scope begins with the same character.
        rest, at, spec = entry[1:].partition("@")
        if at:
            specs.setdefault(entry[:1] + rest, {})[spec.strip()] = None
    plans = (_library_upgrade(docs, library, specs) for library in docs.catalog.libraries)
    return tuple(plan for plan in plans if plan is not None)


def _library_upgrade(
    docs: ContentReader, library: Library, specs: Mapping[str, Mapping[str, None]]
) -> LibraryUpgrade | None:
    table = docs.releases(library)
    uses = [
        _use(library, table, name, framework, spec)
        for name, framework in docs.catalog.npm_names.get(library.id, {}).items()
        for spec in specs.get(name, ())
    ]
    if not uses:
        return None
    versions = library.versions
    latest = library.version(LATEST)
    current = _newest(library, table, latest)
    known = [use for use in uses if use.version is not None]
    # The versions of a library are sorted from the newest.
    oldest = max(known, key=lambda use: (versions.index(use.version or latest), _age(table, use)), default=None)
    installed = _docs_version(library, oldest) if oldest is not None else None
    above = _versions_above(library, oldest.version, latest) if oldest is not None and oldest.version else ()
    guides = {version.name: _guide(docs, library, version, oldest.framework if oldest else None) for version in above}
    return LibraryUpgrade(
        library=library.id,
        packages=tuple(use.package for use in uses),
        installed=installed,
        current=DocsVersion(LATEST, current.number if current else latest.title),
        is_current=installed is not None and not above and _has_current(oldest, current),
        guides=tuple(guide for guide in guides.values() if guide is not None),
        missing=tuple(version.title for version in above if guides[version.name] is None),
    )


def _use(library: Library, table: ReleaseTable, name: str, framework: str | None, spec: str) -> _Use:
    if spec in PROTOCOLS:
        return _Use(InstalledPackage(name, "", _KINDS[spec], None), framework, None, None)
    if spec == LATEST:
        latest = library.version(LATEST)
        release = _newest(library, table, latest)
        number = _number_of(release, framework) if release else None
        return _Use(InstalledPackage(name, spec, "tag", number), framework, latest, release)
    allowed = VersionRange.parse(spec)
    if allowed is None:
        kind: SpecKind = "tag" if _TAG.fullmatch(spec) else "other"
        return _Use(InstalledPackage(name, spec if kind == "tag" else "", kind, None), framework, None, None)
    released = _released(table, _own_numbers(table, framework))
    found = allowed.highest(released.numbers)
    if found is not None:
        installed = InstalledPackage(name, spec, "range", released.texts[found])
        return _Use(installed, framework, library.version_of(released.releases[found]), released.releases[found])
    majors = {int(major[1]): each for each in library.versions if (major := _MAJOR.fullmatch(each.name))}
    highest = allowed.highest_major(majors)
    version = majors[highest] if highest is not None else None
    return _Use(InstalledPackage(name, spec, "range", None), framework, version, None)


@dataclass(frozen=True)
class _Released:
    """The releases of a package from the highest number down, with the numbers that it has in them."""

    numbers: Sequence[VersionNumber]
    texts: Sequence[str]
    releases: Sequence[Release]


@lru_cache(maxsize=64)
def _released(table: ReleaseTable, framework: str | None) -> _Released:
    """Cached: a library has thousands of releases. A table never changes."""
    texts = ((_number_of(release, framework), release) for release in table.all)
    parsed = ((parse_version(text), (text, release)) for text, release in texts if text is not None)
    found = sort_versions((number, rest) for number, rest in parsed if number is not None)
    return _Released([each for each, _ in found], [text for _, (text, _) in found], [each for _, (_, each) in found])


def _own_numbers(table: ReleaseTable, framework: str | None) -> str | None:
    """The framework, if its package has numbers of its own in some releases; else None, so that all share one list."""
    has_own = any(framework in each.numbers or each.number.startswith(f"{framework}@") for each in table.all)
    return framework if has_own else None


def _number_of(release: Release, framework: str | None) -> str | None:
    """The number of a package in a release; None if the release has only packages of other frameworks."""
    named, _, number = release.number.rpartition("@")
    return release.numbers.get(framework or "") or (number if named in ("", framework) else None)


def _newest(library: Library, table: ReleaseTable, version: Version) -> Release | None:
    """The newest release of a version that is no pre-release and no framework's alone.

    A newer major without docs of its own is not a release of the latest version, although its docs are shown as that.
    """
    named = _MAJOR.fullmatch(version.name)
    stable = (each for each in table.all if each.is_stable)
    own = (each for each in stable if library.version_of(each) == version)
    return next((each for each in own if named is None or each.major == int(named[1])), None)


def _age(table: ReleaseTable, use: _Use) -> int:
    return table.all.index(use.release) if use.release is not None else 0


def _docs_version(library: Library, use: _Use) -> DocsVersion | None:
    if use.release is not None:
        return DocsVersion(use.release.number, use.package.number or use.release.number)
    if use.version is None:
        return None
    name = LATEST if use.version.name == library.latest_version else use.version.name
    return DocsVersion(name, use.version.title)


def _has_current(use: _Use | None, current: Release | None) -> bool:
    return use is not None and (use.release is None or current is None or use.release.order >= current.order)


def _versions_above(library: Library, installed: Version, latest: Version) -> tuple[Version, ...]:
    """The versions above the installed one, up to the latest, the lowest first."""
    versions = library.versions
    first, last = versions.index(latest), versions.index(installed)
    return tuple(reversed(versions[first:last]))


def _guide(docs: ContentReader, library: Library, version: Version, framework: str | None) -> UpgradeGuide | None:
    """The guide to a version in the reader's framework, else the one that there is."""
    if version.migration is None:
        return None
    try:
        targets = framework_targets(find_version_docs(docs, library, version.name), version.migration)
    except Unavailable:  # no copy of the docs yet
        return None
    # For other frameworks than those of the guide there is no other page that is about the upgrade.
    guides = [target for target in targets if not target.to.endswith(f"/framework/{target.framework}")]
    own: Sequence[FrameworkTarget] = [target for target in guides if target.framework == framework]
    return UpgradeGuide(version.title, (own or guides)[0].to) if guides else None

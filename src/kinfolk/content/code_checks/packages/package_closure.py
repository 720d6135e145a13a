"""All packages that the types of some packages import, each in the folder where an installation would have it.

A package is needed if declarations import it, and the package that has them names it as a dependency or a peer. So no
package is fetched of which only code is used. The compiler takes what is missing as `any`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kinfolk.content.code_checks.packages.common_packages import is_tool
from kinfolk.content.code_checks.packages.package_provider import PackageProvider
from kinfolk.content.code_checks.packages.package_store import PlacedPackage, StoredPackage
from kinfolk.content.code_checks.packages.registry.package_names import types_package
from kinfolk.content.code_checks.packages.registry.packument import (
    Packument,
    PublishedVersion,
    UnusablePackage,
    allows_major,
    satisfies,
)
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused

ROOT_FOLDER = "/node_modules"
DEEPEST = 20
"""Dependencies of dependencies that are followed."""


@dataclass(frozen=True)
class SetLimits:
    """Limits of one set. Those whose names have `extra` are for packages that are not of the library or the framework.

    The compiler keeps what it has parsed, with ten times as many bytes. valibot has 630,000 bytes, @mui/material 1.7
    million.
    """

    packages: int = 120
    text_bytes: int = 16 << 20
    extra_bytes: int = 4 << 20
    bytes_of_extra: int = 700_000


SET_LIMITS = SetLimits()


class _Requirement(NamedTuple):
    """`folder` is that of the package which imports `name`. A peer may have another version than the range allows."""

    folder: str
    name: str
    wanted: str
    is_peer: bool
    depth: int
    is_extra: bool
    types_of: str = ""
    """The version of a package without types, whose types this package has."""


@dataclass
class _Placed:
    published: PublishedVersion
    folder: str
    depth: int
    is_extra: bool
    stored: StoredPackage | None = None


@dataclass
class ClosureProblems:
    """Sentences about packages that could not be had. `is_unreachable` says whether another attempt may have more."""

    texts: list[str] = field(default_factory=list)
    is_unreachable: bool = False

    def add(self, text: str) -> None:
        if text not in self.texts:
            self.texts.append(text)


class PackageClosure:
    """Places packages. Call `place` for the first ones, then `complete`."""

    def __init__(
        self,
        provider: PackageProvider,
        *,
        preferred: Mapping[str, str],
        optional: Collection[str],
        is_own: Callable[[str], bool] = lambda _: False,
        limits: SetLimits = SET_LIMITS,
    ) -> None:
        """`preferred` are versions that are used where they satisfy a range. `optional` are the optional peers that are
        placed if they are imported. `is_own` says whether a package is released together with the library: there is one
        version of it, as in projects that update all of them at once.
        """
        self.problems = ClosureProblems()
        self._provider = provider
        self._preferred = preferred
        self._optional = frozenset(optional)
        self._is_own = is_own
        self._limits = limits
        self._placed: dict[str, _Placed] = {}
        self._text_bytes = 0
        self._extra_bytes = 0
        self.left_out: list[str] = []
        """Names of packages for which the set has no room."""

    @property
    def is_full(self) -> bool:
        """Whether the set has no room for another package."""
        return len(self._placed) >= self._limits.packages or self._text_bytes >= self._limits.text_bytes

    @property
    def versions(self) -> Mapping[str, str]:
        """Name -> version of the packages that code imports, without those that only other packages see."""
        return {
            one.published.name: one.published.version
            for folder, one in self._placed.items()
            if folder == f"{ROOT_FOLDER}/{one.published.name}"
        }

    def packages(self) -> tuple[PlacedPackage, ...]:
        """The placed packages that have types, in the order of their folders."""
        return tuple(
            PlacedPackage(one.published.name, one.published.version, folder, one.stored.file)
            for folder, one in sorted(self._placed.items())
            if one.stored is not None and one.stored.has_types
        )

    async def packument(self, name: str, *, is_silent: bool = False) -> Packument | None:
        """What is known about a package; None with a problem, unless it `is_silent` and there is no such package."""
        try:
            return await self._provider.packument(name)
        except (NotFound, UnusablePackage) as refused:
            if not is_silent:
                self.problems.add(f"{refused.message}.")
        except RequestsRefused as refused:
            self._add_unreachable(f"{refused.message}: it accepts requests again in {refused.retry_after_s:.0f} s.")
        except Unavailable as failed:
            self._add_unreachable(f"{failed.message}. Check KINFOLK_NPM_REGISTRY.")
        return None

    def place(
        self, published: PublishedVersion, folder: str | None = None, *, depth: int = DEEPEST, is_extra: bool = False
    ) -> None:
        """Place a package, unless the set is full. What it imports is placed down to a depth.

        An `is_extra` one and what it imports have limits of their own.
        """
        where = folder or f"{ROOT_FOLDER}/{published.name}"
        if where in self._placed:
            return
        if self.is_full:
            self.left_out.append(published.name)
            return
        self._placed[where] = _Placed(published, where, DEEPEST if self._is_own(published.name) else depth, is_extra)

    async def complete(self) -> None:
        """Fetch the placed packages, and place and fetch what they import until nothing is missing."""
        while waiting := [one for one in self._placed.values() if one.stored is None]:
            await asyncio.gather(*map(self._fetch, waiting))
            for one in waiting:
                if one.stored is None or not self._has_room(one, one.stored.text_bytes):
                    one.stored = None
                    del self._placed[one.folder]
            needed = [each for one in waiting if one.stored for each in self._requirements(one, one.stored)]
            unmet = [each for each in dict.fromkeys(needed) if not self._is_met(each)]
            found = await asyncio.gather(*(self.packument(each.name, is_silent=bool(each.types_of)) for each in unmet))
            for requirement, packument in zip(unmet, found, strict=True):
                if packument is not None and not self._is_met(requirement):
                    self._place_required(requirement, packument)

    def _has_room(self, one: _Placed, size: int) -> bool:
        """Whether the declarations of a package are within the limits, to which they count from now on."""
        if one.is_extra and not self._is_own(one.published.name):
            if size > self._limits.bytes_of_extra or self._extra_bytes + size > self._limits.extra_bytes:
                self.left_out.append(one.published.name)
                return False
            self._extra_bytes += size
        self._text_bytes += size
        return True

    async def _fetch(self, one: _Placed) -> None:
        called = f"{one.published.name}@{one.published.version}"
        try:
            one.stored = await self._provider.package(one.published)
        except (NotFound, UnusablePackage) as refused:
            self.problems.add(f"{refused.message}.")
        except Unavailable as failed:
            self._add_unreachable(f"The types of {called} are missing: {failed.message}. Check KINFOLK_NPM_REGISTRY.")
        if one.stored is not None and one.stored.left_out:
            self.problems.add(f"{called} has {one.stored.left_out} files with names or bytes that are not read.")

    def _add_unreachable(self, text: str) -> None:
        self.problems.add(text)
        self.problems.is_unreachable = True

    def _requirements(self, one: _Placed, stored: StoredPackage) -> Iterator[_Requirement]:
        """What the declarations of a package import, as far as it names where that comes from."""
        published = one.published
        if not stored.has_types:
            name = types_package(published.name)
            if not published.name.startswith("@types/"):
                above = one.folder.removesuffix(f"/node_modules/{published.name}")
                yield _Requirement(
                    above, name, "", is_peer=True, depth=one.depth, is_extra=one.is_extra, types_of=published.version
                )
            return
        if one.depth <= 0:
            return
        for imported in stored.imports:
            for name in (imported, types_package(imported)):
                wanted = published.ranges.get(name)
                if (
                    wanted is None
                    or is_tool(name)
                    or (name in published.optional_peers and not self._has_optional(name))
                ):
                    continue
                is_peer = name not in published.dependencies
                yield _Requirement(
                    one.folder, name, wanted, is_peer=is_peer, depth=one.depth - 1, is_extra=one.is_extra
                )

    def _has_optional(self, name: str) -> bool:
        return name in self._optional or f"{ROOT_FOLDER}/{name}" in self._placed

    def _is_met(self, requirement: _Requirement) -> bool:
        found = self._find(requirement.folder, requirement.name)
        if found is None:
            return False
        version, wanted = found.published.version, requirement.wanted
        if self._is_own(requirement.name) and allows_major(version, wanted):
            return True
        return requirement.is_peer or satisfies(version, wanted)

    def _find(self, folder: str, name: str) -> _Placed | None:
        """The package that an import from a folder leads to."""
        while True:
            found = self._placed.get(f"{folder}/node_modules/{name}")
            if found is not None or not folder:
                return found
            folder = folder.rpartition("/node_modules/")[0]

    def _place_required(self, requirement: _Requirement, packument: Packument) -> None:
        version = self._version_of(requirement, packument)
        published = packument.version(version) if version is not None else None
        if published is None:
            if self._is_own(requirement.name):
                self.problems.add(f"{requirement.name} has no version that satisfies {requirement.wanted}.")
            return
        is_nested = f"{ROOT_FOLDER}/{requirement.name}" in self._placed
        above = requirement.folder if is_nested else ""
        folder = f"{above}/node_modules/{requirement.name}"
        self.place(published, folder, depth=requirement.depth, is_extra=requirement.is_extra)

    def _version_of(self, requirement: _Requirement, packument: Packument) -> str | None:
        if requirement.types_of:
            return types_version(packument, requirement.types_of)
        preferred = self._preferred.get(requirement.name)
        if preferred and packument.version(preferred) and satisfies(preferred, requirement.wanted):
            return preferred
        # What is no range is one of the repository's own: `workspace:*`, `catalog:react`.
        return packument.newest_in(requirement.wanted) or (packument.latest if ":" in requirement.wanted else None)


def types_version(packument: Packument, version: str) -> str | None:
    """The version of `@types/…` for a version of the package: their majors and minors are those of the package."""
    major, minor = version.split(".")[:2]
    for wanted in (f"<={major}.{minor}.999999 >={major}.0.0", f">={major}.0.0 <{int(major) + 1}.0.0"):
        found = packument.newest_in(wanted)
        if found is not None:
            return found
    return packument.latest

"""The types with which the docs of a version are checked: a set of packages for each framework.

    sets = open_type_sets(settings, catalog)
    for types in sets.type_sets(library, version, frameworks=("react", "vue"), imported=imported, tree=tree):
        ...
    sets.close()

What a set is made of is requested every six hours; an unchanged set needs no request until then. If packages cannot be
fetched, the last complete set stays, also after a restart.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import structlog

from kinfolk.config.catalog import Catalog, Library, Version
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.packages.common_packages import common_packages, is_tool, optional_peers
from kinfolk.content.code_checks.packages.package_closure import SET_LIMITS, PackageClosure, SetLimits
from kinfolk.content.code_checks.packages.package_provider import PackageProvider
from kinfolk.content.code_checks.packages.package_store import PackageStore, StoredSet
from kinfolk.content.code_checks.packages.registry.declaration_files import LIMITS, PackageLimits
from kinfolk.content.code_checks.packages.registry.npm_registry_client import NpmRegistryClient
from kinfolk.content.code_checks.packages.registry.package_names import is_npm_name, is_of_other_framework
from kinfolk.content.code_checks.packages.registry.packument import Packument, PublishedVersion
from kinfolk.content.code_checks.packages.release_choice import ChosenRelease, choose_release, own_packages
from kinfolk.content.code_checks.packages.tree_packages import TreePackages
from kinfolk.content.code_checks.type_set import TypePackage, TypeSet
from kinfolk.content.sources.snapshot import Tree
from kinfolk.db.database import utc_now
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FRESH_FOR = timedelta(hours=6)
CHOSEN_FOR = timedelta(days=7)
"""For so long the versions of other packages than the library's stay: each change makes all code be checked again."""
MOST_IMPORTED = 60
"""Packages that docs import and that are fetched for one set."""
IMPORTED_DEPTH = 1
"""Dependencies of dependencies of these packages that are followed. With all of them, the set of Query for React has 84
packages with 19 MB: eslint and vite, which docs configure, import each other tool."""
PLACED_AT_ONCE = 8
"""Of these packages. The limits of a set are compared after each time."""
MOST_NAMED = 20
"""Packages that a problem names."""
MOST_LOGGED = 5
MOST_PROBLEMS = 40


@dataclass(frozen=True)
class _Wanted:
    """What a set is made for. `imported` are the packages that docs import, without those of other frameworks."""

    library: Library
    version: Version
    framework: str | None
    imported: tuple[str, ...]
    tree: TreePackages

    @property
    def shown_framework(self) -> str | None:
        return _shown_framework(self.library, self.framework)

    @property
    def name(self) -> str:
        return f"{self.library.id}/{self.version.name}/{self.framework or ''}"

    def key(self, names: Collection[str], *, has_registry: bool) -> str:
        """Changes with all that packages are chosen by, except what the registry has."""
        made_of = (
            self.library.packages_of(self.version), self.library.frameworks, self.library.latest_version,
            self.library.releases.table.digest, sorted(names), self.imported, common_packages(self.shown_framework),
            sorted(self.tree.versions.items()), has_registry,
        )  # fmt: skip
        return sha256(repr(made_of).encode("utf-8", "replace")).hexdigest()[:16]


class TypeSets:
    """Blocks while it fetches. Threads wait for each other."""

    def __init__(
        self,
        catalog: Catalog,
        registry: NpmRegistryClient | None,
        folder: Path,
        *,
        now: Callable[[], datetime],
        limits: PackageLimits = LIMITS,
        set_limits: SetLimits = SET_LIMITS,
    ) -> None:
        """Without a `registry`, only packages in trees have types. `now` is in UTC, without a time zone."""
        self._catalog = catalog
        self._registry = registry
        self._store = PackageStore(folder, now=now)
        self._store.keep_sets(lambda name: _is_known(catalog, name))
        self._now = now
        self._limits = limits
        self._set_limits = set_limits
        self._lock = threading.Lock()
        # One event loop for all calls: the client of the registry has its state there.
        self._runner = asyncio.Runner()
        self._task: asyncio.Task[object] | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End a running call and all later ones with Unavailable: the process is about to exit. Does not block."""
        self._is_stopped = True
        task = self._task
        if task is not None:
            # A loop that was closed meanwhile runs no task.
            with suppress(RuntimeError):
                task.get_loop().call_soon_threadsafe(task.cancel)

    def close(self) -> None:
        """Stop, and release the event loop."""
        self.stop()
        with self._lock:
            self._runner.close()

    def type_sets(
        self,
        library: Library,
        version: Version,
        *,
        frameworks: Sequence[str] = (),
        imported: frozenset[str] = frozenset(),
        tree: Tree | None = None,
    ) -> tuple[TypeSet, ...]:
        """One set for each framework that the library has packages for; without frameworks, one with None.

        `imported` are the names of packages that code of the docs imports. `tree` has the docs of the version, and
        perhaps its packages. The problems of the sets name what cannot be had. Empty if there are no types of the
        library at all. Raises Unavailable if that is so because of the registry, and no former set is stored.
        """
        packages = TreePackages(tree)
        wanted = [self._wanted(library, version, each, imported, packages) for each in frameworks or (None,)]
        with self._lock:
            found = self._run(wanted)
        made = [types for types, _ in found if types.own]
        others = [(types, is_complete) for types, is_complete in found if not types.own]
        problems = tuple(dict.fromkeys(text for types, _ in others for text in types.problems))
        if not made:
            log.info("no types", library=library.id, version=version.name, problems=problems[:MOST_LOGGED])
            if not all(is_complete for _, is_complete in others):
                raise Unavailable(f"The types of {library.name} {version.name} cannot be had: {problems[0]}")
            return ()
        more = tuple(text for text in problems if text not in made[0].problems)
        return (replace(made[0], problems=(*made[0].problems, *more)), *made[1:])

    def _run(self, wanted: Sequence[_Wanted]) -> list[tuple[TypeSet, bool]]:
        if self._is_stopped:
            raise Unavailable("The site is shutting down")
        try:
            return self._runner.run(self._type_sets(wanted))
        except asyncio.CancelledError:
            raise Unavailable("The site is shutting down") from None
        finally:
            self._task = None

    async def _type_sets(self, wanted: Sequence[_Wanted]) -> list[tuple[TypeSet, bool]]:
        """The sets, each with whether another attempt would find the same."""
        self._task = asyncio.current_task()
        made = [await self._type_set(each) for each in wanted]
        await asyncio.to_thread(self._store.save)
        return made

    def _wanted(
        self, library: Library, version: Version, framework: str | None, imported: Collection[str], tree: TreePackages
    ) -> _Wanted:
        shown = _shown_framework(library, framework)
        known = {*library.frameworks, *(each.value for each in self._catalog.frameworks)}
        names = (name for name in sorted(imported) if is_npm_name(name) and not is_tool(name))
        chosen = [name for name in names if not is_of_other_framework(name, shown, known)]
        is_own, first = self._is_own(library), optional_peers()
        chosen.sort(key=lambda name: (name not in first, not is_own(name), name))
        return _Wanted(library, version, framework, tuple(chosen[:MOST_IMPORTED]), tree)

    def _is_fresh(self, stored: StoredSet) -> bool:
        # A later time is that of a clock that was ahead.
        return stored.made <= self._now() < stored.made + FRESH_FOR

    async def _type_set(self, wanted: _Wanted) -> tuple[TypeSet, bool]:
        names = self._catalog.npm_names.get(wanted.library.id, {})
        key = await asyncio.to_thread(wanted.key, names, has_registry=self._registry is not None)
        last = await asyncio.to_thread(self._store.set, wanted.name)
        if last is not None and last.key == key and last.is_complete and self._is_fresh(last):
            return self._shown(wanted, last), True
        made = await self._build(wanted, key, last)
        if made.is_complete or last is None or not last.is_complete:
            self._store.put_set(wanted.name, made)
            return self._shown(wanted, made), not made.is_unreachable
        reason = next(iter(made.problems), "")
        return self._shown(wanted, last, f"The types are those of {last.made:%Y-%m-%d %H:%M} UTC: {reason}"), True

    async def _build(self, wanted: _Wanted, key: str, last: StoredSet | None) -> StoredSet:
        now = self._now()
        is_recent = last is not None and now - last.chosen < CHOSEN_FOR
        preferred = {one.name: one.version for one in last.packages} if last is not None and is_recent else {}
        provider = PackageProvider(self._registry, self._store, wanted.tree, self._limits)
        optional = optional_peers() | set(wanted.imported)
        is_own = self._is_own(wanted.library)
        closure = PackageClosure(
            provider, preferred=preferred, optional=optional, is_own=is_own, limits=self._set_limits
        )
        chosen = [one async for one in self._place_own(closure, wanted, provider)]
        await closure.complete()
        names = {*self._catalog.npm_names.get(wanted.library.id, {}), *(one.name for one in chosen)}
        own = tuple(sorted({one.name for one in closure.packages()} & names & closure.versions.keys()))
        await self._place_others(closure, wanted, preferred)
        is_unreachable = closure.problems.is_unreachable
        return StoredSet(
            key=key,
            made=now,
            chosen=last.chosen if last is not None and is_recent else now,
            packages=closure.packages(),
            own=own,
            rules=tuple((one.name, one.rule) for one in chosen),
            problems=tuple(closure.problems.texts[:MOST_PROBLEMS]),
            is_complete=not is_unreachable and (bool(own) or self._registry is not None),
            is_unreachable=is_unreachable,
        )

    async def _place_own(
        self, closure: PackageClosure, wanted: _Wanted, provider: PackageProvider
    ) -> AsyncIterator[ChosenRelease]:
        """Place the library's own packages for the framework, each at the release that the docs describe."""
        library, version = wanted.library, wanted.version
        names = self._catalog.npm_names.get(library.id, {})
        of_scope = tuple(filter(self._is_own(library), wanted.imported))
        own = own_packages(library, version, wanted.framework, names, of_scope)
        if not own:
            shown = f" for {wanted.framework}" if wanted.framework else ""
            closure.problems.add(f"{library.name} {version.name} names no npm package{shown}.")
        for package in own:
            packument = await closure.packument(package.name)
            if packument is None:
                continue
            on_branch = provider.versions_on_branch.get(package.name)
            found = choose_release(packument, package, library, version, names=names, on_branch=on_branch)
            published = packument.version(found.version) if found is not None else None
            if found is None or published is None:
                closure.problems.add(f"{package.name} has no release of {version.name}.")
                continue
            closure.place(published)
            yield found

    def _is_own(self, library: Library) -> Callable[[str], bool]:
        """Whether a package is one of the library, or of the same scope."""
        names = self._catalog.npm_names.get(library.id, {})
        scopes = tuple({f"{name.partition('/')[0]}/" for name in names if name.startswith("@")})
        return lambda name: name in names or name.startswith(scopes)

    async def _place_others(self, closure: PackageClosure, wanted: _Wanted, preferred: Mapping[str, str]) -> None:
        """Place what code uses beside the library, at versions that fit the placed packages."""
        common = common_packages(wanted.shown_framework)
        names = list(dict.fromkeys((*common, *wanted.imported)))
        missing: list[str] = []
        for start in range(0, len(names), PLACED_AT_ONCE):
            batch = [name for name in names[start : start + PLACED_AT_ONCE] if name not in closure.versions]
            if closure.is_full:
                closure.left_out += batch
                continue
            found = await asyncio.gather(*(closure.packument(name, is_silent=True) for name in batch))
            for name, packument in zip(batch, found, strict=True):
                versions = closure.versions
                published = await asyncio.to_thread(_fitting, packument, versions, preferred) if packument else None
                if published is None:
                    missing.append(name)
                else:
                    closure.place(published, depth=IMPORTED_DEPTH, is_extra=name not in common)
            await closure.complete()
        if missing:
            closure.problems.add(f"The docs import packages that cannot be had: {_enumeration(missing)}.")
        if closure.left_out:
            left_out = list(dict.fromkeys(closure.left_out))
            closure.problems.add(f"The set has no room for the types of {_enumeration(left_out)}.")

    def _shown(self, wanted: _Wanted, made: StoredSet, *problems: str) -> TypeSet:
        return TypeSet(
            wanted.framework,
            tuple(TypePackage(one.name, one.version, one.folder, self._store.path(one.file)) for one in made.packages),
            made.own,
            (*problems, *made.problems),
            made.rules,
        )


def open_type_sets(settings: Settings, catalog: Catalog) -> TypeSets:
    """The sets of this site, in `var/code_checks/packages`."""
    registry = NpmRegistryClient(settings.npm_registry, now=utc_now) if settings.npm_registry else None
    return TypeSets(catalog, registry, settings.var / "code_checks" / "packages", now=utc_now)


def _shown_framework(library: Library, framework: str | None) -> str | None:
    """The framework whose packages pages without one use: the library's first."""
    return framework or next(iter(library.frameworks), None)


def _fitting(packument: Packument, placed: Mapping[str, str], preferred: Mapping[str, str]) -> PublishedVersion | None:
    """The preferred version, else the newest that fits the placed packages."""
    version = preferred.get(packument.name)
    if version is None or packument.version(version) is None:
        version = packument.newest_with(placed)
    return packument.version(version) if version is not None else None


def _enumeration(names: Sequence[str]) -> str:
    others = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {others} others" if others > 0 else "")


def _is_known(catalog: Catalog, name: str) -> bool:
    id, version, _ = name.split("/", 2)
    library = catalog.find_library(id)
    return library is not None and version in library.version_names

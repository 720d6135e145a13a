"""Dates the findings of a version: reads the packages of its releases, for each framework that has such findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from kinfolk.config.catalog import Library
from kinfolk.config.catalog.releases import Release
from kinfolk.content.code_checks.check_results import ExportedSymbol, Finding, ReleaseNames, names_of
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.first_releases import (
    MOST_FETCHES,
    FirstReleases,
    date_findings,
    earlier_names,
    releases_before,
)
from kinfolk.content.code_checks.type_set import TypeSet

TypesAt = Callable[[Release, str | None], TypeSet | None]
"""The types of a release for a framework; None where there are none. May block and raise SiteError."""
Exports = Callable[[TypeSet], Iterable[ExportedSymbol]]


def date_version(
    store: CheckStore,
    library: Library,
    version: str,
    sets: Sequence[TypeSet],
    *,
    types_at: TypesAt,
    exports: Exports,
    most_fetches: int = MOST_FETCHES,
) -> int:
    """Store since which release the findings of a version are true. Returns the number of changed pages.

    `sets` are the types that the version was checked with; its symbols are stored. At most `most_fetches` releases are
    read. What remains is found by later runs.
    """
    changed, left = 0, most_fetches
    earlier = earlier_names(store, library.id, library.version_names, version)
    for types in sets:
        releases = _releases(library, types)
        undated = (one for one in _findings(store, library.id, version) if not one.since and one.package in types.own)
        if not releases or next(undated, None) is None:
            continue
        first = FirstReleases(
            store,
            f"{library.id}/{types.framework or ''}",
            releases,
            partial(_names_at, types, types_at, exports),
            packages=types.own,
            newest=_newest(store, library.id, version, types),
            earlier=earlier,
            most_fetches=left,
        )
        changed += date_findings(store, library.id, version, first)
        left = first.fetches_left
    return changed


def _findings(store: CheckStore, library: str, version: str) -> Iterator[Finding]:
    blocks = chain.from_iterable(check.blocks for _, check in store.pages(library, version) if check.findings)
    return chain.from_iterable(block.findings for block in blocks if block is not None)


def _releases(library: Library, types: TypeSet) -> tuple[Release, ...]:
    """The releases up to that of the types: the first of their packages that has the number of a release."""
    table = library.releases.table
    known = (number for _, number in types.own_versions if table.find(number) is not None)
    return releases_before(table, next(known, ""))


def _newest(store: CheckStore, library: str, version: str, types: TypeSet) -> ReleaseNames | None:
    starts = tuple(f"{name}/" for name in types.own)
    own = [one for one in store.all_symbols(library, version) if f"{one.module}/".startswith(starts)]
    return names_of(own) if own else None


def _names_at(types: TypeSet, types_at: TypesAt, exports: Exports, release: Release) -> ReleaseNames | None:
    older = types_at(release, types.framework)
    return names_of(exports(older)) if older is not None and older.own else None

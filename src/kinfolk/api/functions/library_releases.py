"""The releases of a library: their list, and where the docs of one are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby

from kinfolk.api.functions.previews import PreviewFacts, preview_facts
from kinfolk.api.functions.shell import LibraryVersion, library_version
from kinfolk.api.registry import OMIT_EMPTY, Call, registry, request_data
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.catalog.releases import Release
from kinfolk.config.docs_address import is_preview_name
from kinfolk.content.docs.snapshots.release_changes import ComparedDocs, compare_docs
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound


@request_data
class ReleaseRequest:
    library: str
    number: str


@dataclass(frozen=True)
class FrameworkNumber:
    """The number of a release's package for a framework, where it has another one than the release."""

    framework: str
    number: str


@dataclass(frozen=True)
class ReleaseVersion:
    """A release as a version: its `version`, its day, and other numbers that it has. `preview` is that of a pull
    request, which is read as a release is.
    """

    version: LibraryVersion
    day: str
    numbers: tuple[FrameworkNumber, ...]
    preview: PreviewFacts | None = field(default=None, metadata=OMIT_EMPTY)


@registry.function("releases.find", cache=DOCS)
async def find_release(call: Call, request: ReleaseRequest) -> ReleaseVersion | None:
    """The release with a number, or the preview with a name; null without one."""
    library = call.site.catalog.library(request.library)
    if is_preview_name(request.number):
        return await asyncio.to_thread(_find_preview, call, library, request.number)
    release = call.docs.releases(library).find(request.number)
    return None if release is None else _release_version(library, release)


def _find_preview(call: Call, library: Library, name: str) -> ReleaseVersion | None:
    call.docs.record_preview(library, name)
    release, facts = library.releases.table.find(name), preview_facts(call, library, name)
    return None if release is None or facts is None else replace(_release_version(library, release), preview=facts)


def _release_version(library: Library, release: Release) -> ReleaseVersion:
    # The first page of today's docs may be missing in older ones.
    version = replace(library_version(library.docs_facts(release.number)), default_docs="")
    numbers = tuple(FrameworkNumber(framework, number) for framework, number in release.numbers.items())
    return ReleaseVersion(version, release.day.isoformat(), numbers)


@request_data
class ReleasesRequest:
    library: str


@dataclass(frozen=True)
class ListedRelease:
    number: str
    day: str


@dataclass(frozen=True)
class MinorReleases:
    """The releases of a minor version, such as 5.28: newest first."""

    name: str
    releases: tuple[ListedRelease, ...]


@dataclass(frozen=True)
class MajorReleases:
    """The releases of a major version, newest first: of the library, or those that only one framework's package had."""

    framework: str | None
    major: int
    minors: tuple[MinorReleases, ...]


@dataclass(frozen=True)
class ReleaseList:
    """`newest` is the number of the newest release; null for a library without releases."""

    newest: str | None
    majors: tuple[MajorReleases, ...]


@registry.function("releases.list", cache=DOCS)
async def list_releases(call: Call, request: ReleasesRequest) -> ReleaseList:
    """All known releases of a library with docs, newest first."""
    library = call.site.catalog.library(request.library)
    table = call.docs.releases(library)
    majors = []
    by_framework = sorted(table.all, key=lambda release: release.framework or "")
    for (framework, major), releases in groupby(by_framework, key=lambda release: (release.framework, release.major)):
        majors.append(MajorReleases(framework, major, tuple(_minors(releases))))
    return ReleaseList(table.newest.number if table.newest else None, tuple(majors))


@request_data
class ChangesRequest:
    """Two releases by their numbers. `newer` may be `latest`."""

    library: str
    older: str
    newer: str


@dataclass(frozen=True)
class ReleaseChanges:
    """What differs between two releases. `newer_day` is null for the latest docs."""

    older_day: str
    newer_day: str | None
    docs: ComparedDocs


@registry.function("releases.changes", cache=DOCS)
async def release_changes(call: Call, request: ChangesRequest) -> ReleaseChanges:
    """The pages that differ. Raises NotFound for an unknown release."""
    library = call.site.catalog.library(request.library)
    table = call.docs.releases(library)
    older = table.find(request.older)
    newer = table.find(request.newer)
    if older is None or (newer is None and request.newer != LATEST):
        raise NotFound(f"{library.name} has no release {request.newer if older else request.older}")
    # In a thread: the first comparison reads the lists of files, and the titles of all pages.
    docs = await asyncio.to_thread(compare_docs, call.docs, library, request.older, request.newer)
    return ReleaseChanges(older.day.isoformat(), newer.day.isoformat() if newer else None, docs)


def _minors(releases: Iterable[Release]) -> Iterable[MinorReleases]:
    for (major, minor), of_minor in groupby(releases, key=lambda one: (one.order[0].major, one.order[0].minor)):
        listed = tuple(ListedRelease(release.number, release.day.isoformat()) for release in of_minor)
        yield MinorReleases(f"{major}.{minor}", listed)

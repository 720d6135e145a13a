"""The releases of a library: their list, and where the docs of one are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from kinfolk.api.functions.shell import LibraryVersion, library_version
from kinfolk.api.registry import Call, Html, registry, request_data
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.catalog.releases import Release
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.release_changes import ComparedDocs, compare_docs, page_versions
from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
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
    """A release as a version: its `version`, its day, and other numbers that it has."""

    version: LibraryVersion
    day: str
    numbers: tuple[FrameworkNumber, ...]


@registry.function("releases.find", cache=DOCS)
async def find_release(call: Call, request: ReleaseRequest) -> ReleaseVersion | None:
    """The release with a number; null without one."""
    library = call.site.catalog.library(request.library)
    release = call.docs.releases(library).find(request.number)
    if release is None:
        return None
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
    older, newer = _range(call, library, request.older, request.newer)
    # In a thread: the first comparison reads the lists of files, and the titles of all pages.
    docs = await asyncio.to_thread(compare_docs, call.docs, library, request.older, request.newer)
    return ReleaseChanges(older.day.isoformat(), newer.day.isoformat() if newer else None, docs)


@request_data
class DifferenceRequest:
    """Two releases by their numbers, and the path of a page below the docs. `newer` may be `latest`."""

    library: str
    older: str
    newer: str
    path: str


@dataclass(frozen=True)
class ComparedVersion:
    """A version of a page: its address, the path below the docs, and the day of the release; null for the latest."""

    to: str
    path: str
    day: str | None


@dataclass(frozen=True)
class PageDifferenceView:
    """A page with its changes marked. `older` is null for a page that was added, `newer` for one that was removed.

    The counts are of blocks, such as paragraphs, items and code.
    """

    title: str
    html: Html
    older: ComparedVersion | None
    newer: ComparedVersion | None
    changed: int
    added: int
    removed: int
    extra_styles: bool


@registry.function("releases.difference", cache=DOCS)
async def release_difference(call: Call, request: DifferenceRequest) -> PageDifferenceView:
    """The difference of a page between two releases. Raises NotFound for an unknown release, and where both lack it.

    The docs of both must be here: a request for the page fetches them before it is rendered.
    """
    return await asyncio.to_thread(_release_difference, call, request)


def _release_difference(call: Call, request: DifferenceRequest) -> PageDifferenceView:
    library = call.site.catalog.library(request.library)
    older, newer = _range(call, library, request.older, request.newer)
    old, new = page_versions(call.docs, library, request.older, request.newer, request.path)
    difference = call.docs.difference(old, new)
    rendered = difference.rendered
    html = rendered.html(call.docs.highlighted_code(rendered.code_blocks).get)
    return PageDifferenceView(
        title=difference.title,
        html=Html(html),
        older=_compared_version(old, older),
        newer=_compared_version(new, newer),
        changed=rendered.counts.changed,
        added=rendered.counts.added,
        removed=rendered.counts.removed,
        extra_styles=needs_extra_styles(html),
    )


def _compared_version(location: DocsLocation | None, release: Release | None) -> ComparedVersion | None:
    if location is None:
        return None
    day = release.day.isoformat() if release else None
    return ComparedVersion(str(location.address), location.address.path, day)


def _range(call: Call, library: Library, older: str, newer: str) -> tuple[Release, Release | None]:
    """Two releases by their numbers, the second None for the latest docs. Raises NotFound for an unknown one."""
    table = call.docs.releases(library)
    first, last = table.find(older), table.find(newer)
    if first is None or (last is None and newer != LATEST):
        raise NotFound(f"{library.name} has no release {newer if first else older}")
    return first, last


def _minors(releases: Iterable[Release]) -> Iterable[MinorReleases]:
    for (major, minor), of_minor in groupby(releases, key=lambda one: (one.order[0].major, one.order[0].minor)):
        listed = tuple(ListedRelease(release.number, release.day.isoformat()) for release in of_minor)
        yield MinorReleases(f"{major}.{minor}", listed)

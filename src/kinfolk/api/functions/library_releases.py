"""The releases of a library: their list, and where the docs of one are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby, islice
from typing import Literal

from kinfolk.api.functions.previews import PreviewFacts, preview_facts
from kinfolk.api.functions.shell import LibraryVersion, library_version
from kinfolk.api.registry import OMIT_EMPTY, Call, Html, registry, request_data
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.catalog.releases import Release
from kinfolk.config.docs_address import is_preview_name
from kinfolk.content.changes.html_words import cleaned_chunks
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.release_changes import ComparedDocs, compare_docs, first_pages, page_versions
from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
from kinfolk.content.release_notes.library_notes import summary_of
from kinfolk.content.release_notes.release_page import FoundNotes
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound

MOST_BREAKING = 20
"""Releases whose breaking changes a list of changes has. Each is rendered alone, and has up to 128 kB."""
MOST_CHANGED = 60
"""Pages that differ which the page of a release lists. A major release may change all."""


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
    release, facts = library.releases.table.version(name), preview_facts(call, library, name)
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
    """`summary` is a line about its notes; empty for a release without notes."""

    number: str
    day: str
    summary: str = field(default="", metadata=OMIT_EMPTY)


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
    has_notes: bool


@registry.function("releases.list", cache=DOCS)
async def list_releases(call: Call, request: ReleasesRequest) -> ReleaseList:
    """All known releases of a library with docs, newest first."""
    library = call.site.catalog.library(request.library)
    table = call.docs.releases(library)
    # In a thread: the first call reads the notes of all releases.
    summaries = await asyncio.to_thread(call.content.release_summaries, library)
    majors = []
    by_framework = sorted(table.all, key=lambda release: release.framework or "")
    for (framework, major), releases in groupby(by_framework, key=lambda release: (release.framework, release.major)):
        majors.append(MajorReleases(framework, major, tuple(_minors(releases, summaries))))
    newest = table.newest.number if table.newest else None
    return ReleaseList(newest, tuple(majors), has_notes=bool(summaries))


@dataclass(frozen=True)
class PackageNumber:
    """A package of a release, with its number there."""

    name: str
    number: str


@dataclass(frozen=True)
class ShownNotes:
    """The notes of a release. `sorted` says whether they have groups, because the text says what changes are.

    `source_name` says where they come from: the name of the code host, or the path of a changelog.
    """

    title: str
    summary: str
    html: Html
    extra_styles: bool
    sorted: bool
    source: Literal["host", "changelog"]
    source_name: str
    source_url: str
    cut: bool


@dataclass(frozen=True)
class ShownRelease:
    """A release. `previous` and `next` are numbers of releases. `docs` are the first pages that differ from those of
    the previous release, `docs_count` is how many do.
    """

    number: str
    day: str
    framework: str | None
    tag: str
    tag_url: str
    commit: str
    commit_url: str
    packages: tuple[PackageNumber, ...]
    notes: ShownNotes | None
    previous: str | None
    next: str | None
    docs: ComparedDocs | None
    docs_count: int


@registry.function("releases.page", cache=DOCS)
async def release_page(call: Call, request: ReleaseRequest) -> ShownRelease:
    """A release with its notes and what changed in its docs. Raises NotFound for an unknown one."""
    library = call.site.catalog.library(request.library)
    release = call.docs.releases(library).find(request.number)
    if release is None:
        raise NotFound(f"{library.name} has no release {request.number}")
    return await asyncio.to_thread(_release_page, call, library, release)


def _release_page(call: Call, library: Library, release: Release) -> ShownRelease:
    previous, following = call.docs.releases(library).around(release)
    docs = compare_docs(call.docs, library, previous.number, release.number) if previous else None
    host, repo = library.code_host, library.content_repo
    return ShownRelease(
        number=release.number,
        day=release.day.isoformat(),
        framework=release.framework,
        tag=release.tag,
        tag_url=host.release(repo, release.tag) if host else "",
        commit=release.commit,
        commit_url=host.commit(repo, release.commit) if host else "",
        packages=tuple(_packages(release)),
        notes=_shown_notes(call, library, release),
        previous=previous.number if previous else None,
        next=following.number if following else None,
        docs=first_pages(docs, MOST_CHANGED) if docs else None,
        docs_count=len(docs.pages) if docs else 0,
    )


def _packages(release: Release) -> Iterator[PackageNumber]:
    """The packages that tags of the commit name."""
    for tag in dict.fromkeys(release.tags):
        name, _, number = tag.rpartition("@")
        if name and number:
            yield PackageNumber(name, number)


def _shown_notes(call: Call, library: Library, release: Release) -> ShownNotes | None:
    notes = call.content.release_notes(library, release)
    if notes is None:
        return None
    found = notes.found
    html = call.docs.highlighted_body(notes.page)
    return ShownNotes(
        title=found.title,
        summary=summary_of(found),
        html=Html(html),
        extra_styles=needs_extra_styles(html),
        sorted=found.grouped.is_sorted,
        source=found.source,
        source_name=found.path or found.repository.host.label,
        source_url=found.url,
        cut=found.is_cut,
    )


@request_data
class ChangesRequest:
    """Two releases by their numbers. `newer` may be `latest`."""

    library: str
    older: str
    newer: str


@dataclass(frozen=True)
class BreakingNotes:
    """What the notes of a release call breaking."""

    number: str
    html: Html


@dataclass(frozen=True)
class ReleaseChanges:
    """What differs between two releases. `newer_day` is null for the latest docs.

    `breaking` is of releases after the older one, newest first.
    """

    older_day: str
    newer_day: str | None
    docs: ComparedDocs
    breaking: tuple[BreakingNotes, ...] = field(default=(), metadata=OMIT_EMPTY)


@registry.function("releases.changes", cache=DOCS)
async def release_changes(call: Call, request: ChangesRequest) -> ReleaseChanges:
    """The pages that differ. Raises NotFound for an unknown release."""
    library = call.site.catalog.library(request.library)
    older, newer = _range(call, library, request.older, request.newer)
    # In a thread: the first comparison reads the lists of files, and the titles of all pages.
    docs = await asyncio.to_thread(compare_docs, call.docs, library, request.older, request.newer)
    breaking = await asyncio.to_thread(_breaking, call, library, older, newer)
    return ReleaseChanges(older.day.isoformat(), newer.day.isoformat() if newer else None, docs, breaking)


def _breaking(call: Call, library: Library, older: Release, newer: Release | None) -> tuple[BreakingNotes, ...]:
    """What stable releases after one, up to another, call breaking. Of many releases, the newest."""
    between = [
        each
        for each in call.docs.releases(library).all
        if each.is_stable and older.order < each.order and (newer is None or each.order <= newer.order)
    ]
    found = islice(call.content.breaking_notes(library, between), MOST_BREAKING)
    return tuple(BreakingNotes(each.release.number, _notes_html(call, library, each)) for each in found)


def _notes_html(call: Call, library: Library, found: FoundNotes) -> Html:
    """The HTML of notes that stand beside those of other releases, whose headings can have the same ids."""
    page = call.content.render_notes(found).page
    number = found.release.number
    chunks = cleaned_chunks(page, f"{number}-", escape(f"/{library.id}/releases/{number}"))
    return Html(call.docs.highlighted_body(replace(page, chunks=chunks)))


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


def _minors(releases: Iterable[Release], summaries: Mapping[str, str]) -> Iterable[MinorReleases]:
    for (major, minor), of_minor in groupby(releases, key=lambda one: (one.order[0].major, one.order[0].minor)):
        listed = tuple(
            ListedRelease(release.number, release.day.isoformat(), summaries.get(release.number, ""))
            for release in of_minor
        )
        yield MinorReleases(f"{major}.{minor}", listed)

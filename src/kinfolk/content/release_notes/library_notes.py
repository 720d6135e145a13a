"""The notes of all releases of the site's libraries, for the responses and the index that show them.

    found = notes.find(docs, library, release)
    page = notes.render(found).page

Each read records `releases:{library}`, and the changelogs that it reads, as dependencies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import islice
from typing import Protocol
from urllib.parse import urlsplit

from kinfolk.config.catalog import LATEST, Catalog, Library
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency, releases_of_library
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.release_notes.changelog_files import (
    ChangelogFiles,
    changelog_paths,
    package_file,
)
from kinfolk.content.release_notes.grouped_notes import GroupedNotes
from kinfolk.content.release_notes.hosts.host_release_store import HostReleaseStore
from kinfolk.content.release_notes.hosts.release_client import HostRelease, ListedRepository
from kinfolk.content.release_notes.release_page import (
    FoundNotes,
    ReleaseNotes,
    find_notes,
    package_numbers,
    render_notes,
)
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import Unavailable

RELEASES_A_READ = 100
"""Releases whose notes are read from the database at a time: bodies have up to 128 kB."""
CACHED_SUMMARIES = 50
"""Libraries whose summaries stay in memory. Those of 1,300 releases have 0.1 MB."""
_NO_SUMMARY = "Release notes"


class BranchFiles(Protocol):
    """Reads the files of a branch, as `BranchReader` does."""

    def file_paths(self) -> Iterable[str]: ...

    def has_file(self, path: str) -> bool: ...

    def blob(self, path: str) -> str | None: ...

    def read(self, path: str) -> bytes: ...

    def size(self, path: str) -> int: ...


class DocsReader(Protocol):
    """Reads releases and branches and records that, as `ContentReader` does."""

    def releases(self, library: Library) -> ReleaseTable: ...

    def find_branch(self, ref: Ref) -> BranchFiles | None: ...


class LibraryNotes:
    """Thread-safe. All methods block. Each raises Unavailable when the database fails."""

    def __init__(self, catalog: Catalog, store: HostReleaseStore, markdown: MarkdownRenderer) -> None:
        self._catalog = catalog
        self._store = store
        self._markdown = markdown
        self._files = ChangelogFiles()
        self._summaries: ThreadSafeLRUCache[str, tuple[object, Mapping[str, str]]] = ThreadSafeLRUCache(
            CACHED_SUMMARIES
        )

    def find(self, docs: DocsReader, library: Library, release: Release) -> FoundNotes | None:
        """The notes of a release; None without any."""
        return next(self._found(docs, library, [release]), None)

    def newest(self, docs: DocsReader, library: Library, count: int) -> Iterator[FoundNotes]:
        """The notes of the last `count` releases that have any, by the days of the releases."""
        releases = sorted(docs.releases(library).all, key=lambda each: (each.day, each.order), reverse=True)
        return islice(self._found(docs, library, releases), count)

    def breaking(self, docs: DocsReader, library: Library, releases: Sequence[Release]) -> Iterator[FoundNotes]:
        """Of the notes of these releases, what is breaking, without its heading: of those that say so."""
        for found in self._found(docs, library, releases):
            groups = [group for group in found.grouped.groups if group.kind == "breaking"]
            if groups:
                yield replace(found, grouped=GroupedNotes("", (replace(groups[0], kind="other"),), ""))

    def summaries(self, docs: DocsReader, library: Library) -> Mapping[str, str]:
        """Number of each release that has notes -> a line about them. While the database fails, the last ones."""
        if not docs.releases(library).all:
            return {}
        known = self._summaries.get(library.id)
        try:
            version = self._version(docs, library)
            if known is None or known[0] != version:
                known = version, dict(self._summarized(docs, library))
                self._summaries.put(library.id, known)
        except Unavailable:
            if known is None:
                raise
        return known[1]

    def revision(self, docs: DocsReader) -> str:
        """Changes with the known releases of all libraries and with what is stored of them, but not with changelogs."""
        tables = [docs.releases(library) for library in self._catalog.libraries]
        known = [(table.digest, library.id) for library, table in zip(self._catalog.libraries, tables, strict=True)]
        # Sites without releases need no database for this.
        newest = self._store.changed_since(0)[0] if any(table.all for table in tables) else 0
        return hashlib.blake2s(repr((known, newest)).encode(), digest_size=8).hexdigest()

    def render(self, found: FoundNotes) -> ReleaseNotes:
        """The notes as a page. Links to the hosts of this site become local."""
        return render_notes(found, markdown=self._markdown, site_link=self._site_link)

    def stale_since(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        """The number of the last change in the database, and what became stale after the given one."""
        newest, addresses = self._store.changed_since(revision)
        libraries = (each for each in self._catalog.libraries if self._address(each) in addresses)
        return newest, frozenset(releases_of_library(each.id) for each in libraries)

    def request(self, library: Library) -> None:
        """Have the releases of a library's repository read with the next look: its host has announced one."""
        repository = self._repository(library)
        if repository is not None:
            self._store.request(repository.address)

    def _version(self, docs: DocsReader, library: Library) -> object:
        """Changes with the releases of a library and with all that their notes are made of."""
        repository = self._repository(library)
        revision = self._store.revision(repository.address) if repository else 0
        return docs.releases(library).digest, revision, tuple(self._changelogs_of(docs, library).files.items())

    def _summarized(self, docs: DocsReader, library: Library) -> Iterator[tuple[str, str]]:
        for found in self._found(docs, library, docs.releases(library).all):
            yield found.release.number, summary_of(found)

    def _found(self, docs: DocsReader, library: Library, releases: Sequence[Release]) -> Iterator[FoundNotes]:
        """The notes of the releases that have any, in their order."""
        docs.releases(library)
        repository = self._repository(library)
        if repository is None:
            return
        packages = self._catalog.release_packages(library)
        changelogs = cache(lambda: self._files.read(self._changelogs_of(docs, library)))
        for start in range(0, len(releases), RELEASES_A_READ):
            some = releases[start : start + RELEASES_A_READ]
            on_host = self._store.read(repository.address, [tag for each in some for tag in each.tags])
            for release in some:
                found = find_notes(
                    release,
                    repository,
                    releases=_of_tags(on_host, release.tags),
                    changelogs=changelogs,
                    numbers=package_numbers(release, packages, release.tags),
                )
                if found is not None:
                    yield found

    def _changelogs_of(self, docs: DocsReader, library: Library) -> _BranchChangelogs:
        """The changelogs of the latest branch: they have the earlier releases, too, and their contents are local."""
        return _BranchChangelogs(docs.find_branch(library.ref(LATEST)))

    def _repository(self, library: Library) -> ListedRepository | None:
        return None if library.code_host is None else ListedRepository(library.code_host, library.content_repo)

    def _address(self, library: Library) -> str | None:
        repository = self._repository(library)
        return None if repository is None else repository.address

    def _site_link(self, address: str) -> str | None:
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        if parts.scheme not in ("http", "https") or parts.netloc.lower() not in self._catalog.site_hosts:
            return None
        # Two slashes would name a host.
        local = parts._replace(scheme="", netloc="", path=f"/{parts.path.lstrip('/')}").geturl()
        return local if not local.startswith("//") else None


class _BranchChangelogs:
    """The changelogs of a branch, and the files that name their packages."""

    def __init__(self, branch: BranchFiles | None) -> None:
        self._branch = branch
        self.files: Mapping[str, str] = {} if branch is None else dict(_listed(branch))

    def read(self, path: str) -> bytes:
        return self._required().read(path)

    def size(self, path: str) -> int:
        return self._required().size(path)

    def _required(self) -> BranchFiles:
        if self._branch is None:
            raise Unavailable("There is no copy of this branch on this site yet")
        return self._branch


def _listed(branch: BranchFiles) -> Iterator[tuple[str, str]]:
    changelogs = changelog_paths(branch.file_paths())
    for path in (*changelogs, *(package_file(changelog) for changelog in changelogs)):
        if branch.has_file(path) and (blob := branch.blob(path)) is not None:
            yield path, blob


def _of_tags(releases: Mapping[str, HostRelease], tags: Iterable[str]) -> dict[str, HostRelease]:
    return {tag: releases[tag] for tag in tags if tag in releases}


def summary_of(found: FoundNotes) -> str:
    """A line about the notes: their title, and how many changes they have of each kind."""
    counts = found.grouped.counts
    if found.grouped.is_sorted:
        counted = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    else:
        total = sum(counts.values())
        counted = f"{total} {'change' if total == 1 else 'changes'}" if total else ""
    return ": ".join(part for part in (found.title, counted) if part) or _NO_SUMMARY


def published_on(found: FoundNotes) -> date:
    """The day of a release: that of its notes, else that of its tag."""
    return found.day or found.release.day

"""What is wrong with the docs, posts, pages and menus of a site, found again after each edit."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from kinfolk.cli.check.content_check import ContentCheck, ReportedPage, faults_of_copies, read_page
from kinfolk.config.catalog import Library, Version
from kinfolk.config.docs_address import Ref
from kinfolk.content.blog import BlogPost, read_posts
from kinfolk.content.dependencies import Dependency, DependencyRecorder, FileContent
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import open_pages
from kinfolk.content.sources.directory import DirectoryTree
from kinfolk.content.sources.snapshot import Change, Snapshot, changes
from kinfolk.runtime.errors import InvalidFile
from kinfolk.runtime.services.throttle import Throttle
from kinfolk.site.site import Site
from kinfolk.statistics.open_statistics import npm_config

_Place = tuple[str, str, str]
"""A page: library, version and file."""


@dataclass(frozen=True)
class _Source:
    """What a page is read from."""

    library: Library
    version: Version
    branch: BranchDocs
    path: str

    @property
    def file(self) -> tuple[Ref, str]:
        return self.branch.ref, self.branch.real_file(self.path)


@dataclass(frozen=True)
class _Reading:
    """A page as it was last read, without its text. `targets` are the paths that its links lead to."""

    read: ReportedPage
    dependencies: frozenset[Dependency]
    targets: frozenset[str]
    link_faults: tuple[InvalidFile, ...] = ()

    @property
    def addresses(self) -> frozenset[str]:
        return frozenset((self.read.address, self.read.address.removesuffix("/index")))


class EditedDocs:
    """Checks a site as `kinfolk check` does: the edited pages and those that link to them first, then all others.

    What has not changed is not read again. The docs of mirrors are not edited here: they are only targets of links.
    The checks block, so they are called in threads; a check ends the one in progress.
    """

    def __init__(self, site: Site, pool: MarkdownProcessPool) -> None:
        """Pages are rendered in the pool, without a highlighter: not in that of pages which browsers wait for."""
        self._site = site
        self._markdown = MarkdownRenderer(pool)
        self._prose = open_pages(site.settings, site.catalog, markdown=self._markdown)
        self._has_statistics = bool(npm_config(site.settings, site.catalog).categories)
        self._docs_snapshot = DocsSnapshot(site.catalog, site.content.redirects, Snapshot({}), markdown=self._markdown)
        self._sources: Mapping[_Place, _Source] = {}
        self._readings: dict[_Place, _Reading] = {}
        self._stale: set[_Place] = set()
        self._posts: Collection[BlogPost] | None = None
        self._menu_faults: tuple[InvalidFile, ...] = ()
        self._other_faults: tuple[InvalidFile, ...] = ()
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End the check in progress after its current page. Thread-safe, does not block."""
        self._stopped.set()

    def faults(self) -> tuple[InvalidFile, ...]:
        """What is known to be wrong, with the files as `kinfolk check` names them. Of a check in progress, the rest is
        as it was before.
        """
        with self._lock:
            pages = [self._readings[place] for place in sorted(self._readings)]
            of_pages = [fault for page in pages for fault in (*page.read.faults, *page.link_faults)]
            return tuple(dict.fromkeys((*self._menu_faults, *of_pages, *self._other_faults)))

    def check_edits(self) -> None:
        """Check the pages whose files have changed since the last check, those that link to them, and the menus."""
        with self._checking():
            before, snapshot = self._docs_snapshot, self._site.content.publisher.docs.snapshot
            changed = changes(before.snapshot, snapshot)
            if changed:
                # The addresses of deleted pages, too: what links to them leads nowhere now.
                known = dict(self._readings)
                edited = self._switch(changed, snapshot)
                if not before.snapshot.trees:
                    return
                for place in edited:
                    self._read(place)
                now = (self._readings[place] for place in edited)
                addresses = frozenset[str]().union(*(one.addresses for one in now), *_gone(known, self._readings))
                linking = {place for place, one in self._readings.items() if not one.targets.isdisjoint(addresses)}
                for place in linking & self._stale:
                    self._read(place)
                self._check_links(self._content_check(), edited | linking)

    def check_rest(self) -> bool:
        """Check all other pages, the posts, the pages of the site and the menus. False if another check has begun.

        Throttled, so that pages are served meanwhile.
        """
        with self._checking():
            throttle = Throttle(self._stopped.wait)
            for place in sorted(self._stale):
                if self._stopped.is_set():
                    return False
                self._read(place)
                throttle.sleep()
            folder, libraries = self._site.settings.site / "blog", [each.id for each in self._site.catalog.libraries]
            self._posts, invalid = read_posts(folder, libraries, self._markdown)
            check = self._content_check()
            for place in sorted(self._readings):
                if self._stopped.is_set():
                    return False
                self._check_links(check, [place])
                throttle.sleep()
            own = (*check.faults_of_blog(), *check.faults_of_prose(self._prose), *check.faults_of_menus())
            copies = faults_of_copies(self._site.settings, self._site.catalog, self._docs_snapshot.snapshot)
            self._other_faults = (*invalid, *own, *copies)
            return True

    @contextlib.contextmanager
    def _checking(self) -> Iterator[None]:
        self.stop()
        with self._lock:
            self._stopped.clear()
            yield

    def _switch(self, changed: Collection[Change], snapshot: Snapshot) -> set[_Place]:
        """Check this snapshot from now on. Returns the pages that have text of a changed file."""
        before, self._docs_snapshot = self._docs_snapshot, self._docs_snapshot.with_snapshot(snapshot)
        stale = stale_dependencies(changed, before, self._docs_snapshot)
        files = {(change.ref, path) for change in changed for path in change.paths}
        contents = {FileContent(ref, path) for ref, path in files}
        check = self._content_check()
        self._sources = dict(_sources(check))
        for place in self._readings.keys() - self._sources.keys():
            del self._readings[place]
        self._stale = {place for place in self._stale if place in self._sources}
        edited: set[_Place] = set()
        for place, source in self._sources.items():
            known = self._readings.get(place)
            if known is None or not known.dependencies.isdisjoint(stale):
                self._stale.add(place)
            if source.file in files or (known is not None and not known.dependencies.isdisjoint(contents)):
                edited.add(place)
        self._menu_faults = tuple(_menu_faults(check))
        return edited

    def _read(self, place: _Place) -> None:
        source, recorder = self._sources[place], DependencyRecorder()
        reader = ContentReader(self._docs_snapshot, recorder)
        read = read_page(reader, source.library, source.version, source.branch, source.path)
        dependencies = recorder.dependencies | {FileContent(*source.file)}
        links = read.page.links if read.page is not None else ()
        targets = frozenset(unquote(urlsplit(link.href).path) for link in links)
        known = self._readings.get(place)
        page = replace(read.page, chunks=(), code_blocks=(), text="") if read.page is not None else None
        link_faults = known.link_faults if known is not None else ()
        self._readings[place] = _Reading(replace(read, page=page), dependencies, targets, link_faults)
        self._stale.discard(place)

    def _content_check(self) -> ContentCheck:
        """The check of links, with all pages that have been read."""
        check = ContentCheck(
            self._docs_snapshot, posts=self._posts, prose=self._prose, has_statistics=self._has_statistics
        )
        for reading in self._readings.values():
            check.add_page(reading.read)
        return check

    def _check_links(self, check: ContentCheck, places: Iterable[_Place]) -> None:
        for place in places:
            known = self._readings[place]
            page = known.read.page
            faults = check.faults_of_links(known.read.file, page, check.pages) if page is not None else ()
            self._readings[place] = replace(known, link_faults=tuple(faults))


def _sources(check: ContentCheck) -> Iterator[tuple[_Place, _Source]]:
    """The pages of the folders that are edited here."""
    for library, version, branch in _edited_versions(check):
        for path in check.docs.pages(branch.ref, library.docs_facts(version.name).docs_root):
            yield (library.id, version.name, path), _Source(library, version, branch, path)


def _menu_faults(check: ContentCheck) -> Iterator[InvalidFile]:
    """Names that are left out, and entries of menus that lead nowhere."""
    named: set[Ref] = set()
    for library, version, branch in _edited_versions(check):
        if branch.ref not in named:
            named.add(branch.ref)
            yield from check.faults_of_names(branch.ref, branch)
        yield from check.faults_of_navigation(library, version, branch)


def _edited_versions(check: ContentCheck) -> Iterator[tuple[Library, Version, BranchDocs]]:
    return (each for each in check.versions() if isinstance(each[2].tree, DirectoryTree))


def _gone(before: Mapping[_Place, _Reading], after: Mapping[_Place, _Reading]) -> Iterator[frozenset[str]]:
    return (one.addresses for place, one in before.items() if place not in after)

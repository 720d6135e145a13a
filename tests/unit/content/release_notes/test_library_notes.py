"""The notes of a library's releases: of all tags of their commits, else of the changelogs of the latest branch."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

import pytest

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import releases_of_library
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.release_notes.hosts.host_release_store import HostReleaseStore, ListingState
from kinfolk.content.release_notes.hosts.release_client import HostRelease
from kinfolk.content.release_notes.library_notes import LibraryNotes, published_on
from kinfolk.db.database import Database
from kinfolk.runtime.errors import Unavailable

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
CHANGELOG = "# Changelog\n\n## 5.1.0\n\n### Bug Fixes\n\n- a leak\n\n## 5.0.0\n\n- first\n"


class FakeBranch:
    def __init__(self, files: dict[str, str]) -> None:
        self._files = files

    def file_paths(self) -> Iterable[str]:
        return self._files.keys()

    def has_file(self, path: str) -> bool:
        return path in self._files

    def blob(self, path: str) -> str | None:
        return f"blob of {self._files[path]}"

    def read(self, path: str) -> bytes:
        return self._files[path].encode()

    def size(self, path: str) -> int:
        return len(self._files[path])


class FakeDocs:
    """Docs with these releases, and with a changelog."""

    def __init__(self, *releases: Release, changelog: str = CHANGELOG) -> None:
        self._table = ReleaseTable(releases)
        self.branch = FakeBranch({"CHANGELOG.md": changelog, "docs/start.md": "# Start"})

    def releases(self, library: Library) -> ReleaseTable:  # noqa: ARG002
        return self._table

    def find_branch(self, ref: Ref) -> FakeBranch | None:  # noqa: ARG002
        return self.branch


def released(number: str, *other_tags: str, day: int = 1) -> Release:
    return Release(number, f"v{number}", number, date(2026, 1, day), {}, "docs", "tree", other_tags)


@pytest.fixture
def library(catalog: Catalog) -> Library:
    return catalog.library("query")


@pytest.fixture
def store(sqlite_database: Database) -> HostReleaseStore:
    return HostReleaseStore(sqlite_database)


@pytest.fixture
def notes(catalog: Catalog, store: HostReleaseStore) -> LibraryNotes:
    return LibraryNotes(catalog, store, MarkdownRenderer())


def put(store: HostReleaseStore, library: Library, tag: str, body: str, name: str = "") -> None:
    release = HostRelease(tag, name or tag, body, NOON)
    store.put(library.repo_url or "", [release], seen_at=NOON, state=ListingState())


def test_notes_of_another_tag_of_the_commit_are_those_of_the_release(
    notes: LibraryNotes, store: HostReleaseStore, library: Library
) -> None:
    release = released("5.1.0", "release-2026-01-01")
    put(store, library, "release-2026-01-01", "- feat: a store")
    found = notes.find(FakeDocs(release), library, release)
    assert found is not None
    assert (found.source, found.grouped.counts, published_on(found)) == ("host", {"added": 1}, NOON.date())


def test_other_notes_are_those_of_the_changelog_of_the_branch(notes: LibraryNotes, library: Library) -> None:
    docs = FakeDocs(released("5.1.0"), released("4.0.0"))
    found = notes.find(docs, library, released("5.1.0"))
    assert found is not None
    assert (found.source, found.path, published_on(found)) == ("changelog", "CHANGELOG.md", date(2026, 1, 1))
    assert notes.find(docs, library, released("4.0.0")) is None


def test_newest_are_by_day_and_leave_out_releases_without_notes(notes: LibraryNotes, library: Library) -> None:
    docs = FakeDocs(released("6.0.0", day=9), released("5.1.0", day=2), released("5.0.0", day=3))
    assert [found.release.number for found in notes.newest(docs, library, 5)] == ["5.0.0", "5.1.0"]
    assert [found.release.number for found in notes.newest(docs, library, 1)] == ["5.0.0"]


def test_summaries_follow_the_database_and_the_changelog(
    notes: LibraryNotes, store: HostReleaseStore, library: Library
) -> None:
    releases = released("5.1.0"), released("5.0.0"), released("4.0.0")
    assert notes.summaries(FakeDocs(*releases), library) == {"5.1.0": "1 fixed", "5.0.0": "1 change"}
    put(store, library, "v4.0.0", "### Breaking Changes\n\n- all\n\n### Other\n\n- b", name="The new one")
    assert notes.summaries(FakeDocs(*releases), library)["4.0.0"] == "The new one: 1 breaking, 1 other"
    assert notes.summaries(FakeDocs(*releases, changelog="no releases"), library).keys() == {"4.0.0"}
    _, stale = notes.stale_since(0)
    assert stale == {releases_of_library(library.id)}


def test_last_summaries_stay_while_the_database_fails(
    notes: LibraryNotes, store: HostReleaseStore, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = FakeDocs(released("5.1.0"))
    before = notes.summaries(docs, library)

    def fail(repository: str) -> int:
        raise Unavailable(f"no database for {repository}")

    monkeypatch.setattr(store, "revision", fail)
    assert notes.summaries(docs, library) == before == {"5.1.0": "1 fixed"}


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("https://tanstack.com/query/latest/docs/a?b#c", "/query/latest/docs/a?b#c"),
        ("https://tanstack.com//evil.test/x", "/evil.test/x"),
        ("https://tanstack.com", "/"),
        ("https://tanstack.com.evil.test/x", "https://tanstack.com.evil.test/x"),
    ],
)
def test_links_to_this_site_become_local(
    notes: LibraryNotes, store: HostReleaseStore, library: Library, written: str, href: str
) -> None:
    release = released("5.1.0")
    put(store, library, "v5.1.0", f"- [a]({written})")
    found = notes.find(FakeDocs(release), library, release)
    assert found is not None
    assert f'href="{href}"' in notes.render(found).page.html()

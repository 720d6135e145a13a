"""Marks are made in the background from a real repository, and replaced when releases, docs or the day change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.sites.released_site import make_edited_upstream, released_environment
from tests.sites.sample_site import read_settings

from kinfolk.config.catalog import load_catalog
from kinfolk.content.dependencies import marks_of_library
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import mirror_source, tag_contents
from kinfolk.content.docs.marks import docs_marks
from kinfolk.content.docs.marks.docs_marks import NO_MARKS, DocsMarks
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.redirects import Redirects

STALE = frozenset([marks_of_library("tiles")])
BADGES = {
    "framework/solid/guide": "Updated",
    "guide": "Updated",
    "hostile": "Updated",
    "new": "New",
    "start": "Updated",
}


class Mirror:
    """A mirror that knows the releases, and marks on a day that can be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = read_settings(released_environment(folder, make_edited_upstream))
        self.catalog = load_catalog(settings.site)
        contents = tag_contents(settings, self.catalog)
        assert contents is not None
        self.releases = ReleaseDocs(self.catalog, contents, MarkdownRenderer(), most_open=1)
        self.releases.update()
        self.day = datetime.now(UTC).date()
        self.marks = DocsMarks(self.catalog, contents, lambda: self.day)
        source = mirror_source(settings, self.catalog)
        self.branches = DocsSnapshot(self.catalog, Redirects({}, {}, (), {}), source.open()).branches

    @property
    def badges(self) -> dict[str, str]:
        return dict(self.marks.of("tiles").menu)

    def update(self) -> frozenset[object]:
        return frozenset(self.marks.update(self.branches))


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    return Mirror(tmp_path)


def test_update_makes_the_marks_once(mirror: Mirror) -> None:
    assert mirror.marks.of("tiles") is NO_MARKS
    assert mirror.update() == STALE
    assert mirror.badges == BADGES
    assert mirror.update() == frozenset()
    assert (mirror.folder / "mirror/acme/tiles.tiles.marks.json").exists()


def test_marks_end_after_some_time(mirror: Mirror) -> None:
    mirror.update()
    mirror.day += timedelta(days=1)
    assert mirror.update() == frozenset()
    mirror.day += timedelta(days=366)
    assert mirror.update() == STALE
    assert mirror.badges == {}


def test_marks_stay_while_the_mirror_cannot_be_read(mirror: Mirror) -> None:
    mirror.update()
    (mirror.folder / "mirror/acme/tiles.tiles.marks.json").unlink()
    (mirror.folder / "mirror/acme/tiles.history.git").rename(mirror.folder / "away")
    mirror.day += timedelta(days=1)
    assert mirror.update() == frozenset()
    assert mirror.badges == BADGES


def test_branch_that_is_not_here_has_no_marks(mirror: Mirror) -> None:
    mirror.update()
    mirror.branches = {}
    assert mirror.update() == STALE
    assert mirror.marks.of("tiles") is NO_MARKS


def test_contents_for_sections_are_fetched_once(mirror: Mirror) -> None:
    assert mirror.marks.update_sections(mirror.branches) == STALE
    sections = mirror.marks.of("tiles").sections
    assert {path: list(sections.of_page(path)) for path in sections.marks} == {
        "framework/solid/reference/Tiles.md": [],
        "reference/Tiles.md": ["size", "color"],
    }
    assert mirror.badges == BADGES
    assert mirror.marks.update_sections(mirror.branches) == frozenset()
    assert (mirror.folder / "mirror/acme/tiles.tiles.sections.json").exists()


def test_library_with_too_many_contents_has_no_marks_of_sections(
    mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docs_marks, "MOST_CONTENTS", 1)
    assert mirror.marks.update_sections(mirror.branches) == STALE
    assert mirror.badges == BADGES
    assert not mirror.marks.of("tiles").sections.marks

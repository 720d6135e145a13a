"""What readers see of the marks of a library's pages: `New in 5.28`, `Updated in 5.28`, and badges in the menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kinfolk.config.catalog import LATEST
from kinfolk.content.changes.page_marks import PageMark, ReleaseDay, ReleaseMarks
from kinfolk.content.changes.section_marks import SectionMarks, page_sections
from kinfolk.content.docs.branch_docs import is_in_reference
from kinfolk.content.docs.marks.marked_releases import minor_name
from kinfolk.content.markdown.markdown_page import MarkdownPage


@dataclass(frozen=True)
class ShownMark:
    """A mark of a page. `older` and `newer` are the releases that show the change; `newer` may be `latest`."""

    is_new: bool
    older: str
    newer: str

    @property
    def badge(self) -> str:
        """What the menu shows."""
        return "New" if self.is_new else "Updated"

    @property
    def label(self) -> str:
        """What the page shows. What no release has yet is named by the last release."""
        return (
            f"{self.badge} after {self.older}" if self.newer == LATEST else f"{self.badge} in {minor_name(self.newer)}"
        )


@dataclass(frozen=True)
class LibraryMarks:
    """The marks of the pages of a library's latest docs. Paths are those of files below the docs root.

    `before` has the release before each one but the first, in their order, `recent` the numbers of those whose marks
    are shown. `menu` has the badges of pages by their paths in addresses. `sections` are those of API references.
    """

    marks: ReleaseMarks = field(default_factory=ReleaseMarks)
    before: dict[str, str] = field(default_factory=dict)
    recent: frozenset[str] = frozenset()
    menu: Mapping[str, str] = field(default_factory=dict)
    sections: SectionMarks = field(default_factory=SectionMarks)

    def of_page(self, *files: tuple[str, str], is_page: Callable[[str], bool]) -> ShownMark | None:
        """The mark of a page of the branch; None where nothing recent is to be said.

        The first file is its own, with its git id; others are those that its text comes from: the page is as new as its
        own file, and was updated with any of them. `is_page` says whether the branch has a path.
        """
        last = self.marks.last
        if last is None:
            return None
        return self._shown(files[0][0], [self.marks.page_mark(*file, is_page) for file in files], last)

    def released(self, *paths: str) -> ShownMark | None:
        """As `of_page`, of the last release: pages that it lacks, and edits after it, have no mark."""
        pages, last = self.marks.pages, self.marks.last
        if last is None or paths[0] not in pages:
            return None
        known = [self.marks.page_mark(path, pages[path], pages.__contains__) for path in paths if path in pages]
        return self._shown(paths[0], known, last)

    def section_releases(self, path: str, page: MarkdownPage) -> Mapping[str, str]:
        """The minor version since which sections of a page exist, by their ids: of those younger than the page."""
        if path not in self.sections.marks:
            return {}
        marks = self.sections.of_page(path, page_sections(page))
        return {
            section: minor_name(mark.since.number)
            for section, mark in marks.items()
            if mark.since is not None and not mark.is_original
        }

    def symbol_release(self, path: str, section: str = "") -> str | None:
        """The minor version since which a symbol is documented: its section, or its page if the section is as old.

        None for what the first known release has, and for what no release has.
        """
        marks = self.sections.marks.get(path)
        if section and (marks is None or section not in marks.entries):
            return None
        sources = [marks] if section and marks is not None else []
        for known, key in (*((each, section) for each in sources), (self.marks, path)):
            entry = known.entries.get(key)
            if entry is not None and entry.since:  # the first release has the number 0
                return minor_name(known.releases[entry.since].number)
        return None

    def _shown(self, path: str, marks: list[PageMark], last: ReleaseDay) -> ShownMark | None:
        own = marks[0]
        if own.unreleased == "new":
            return ShownMark(is_new=True, older=last.number, newer=LATEST)
        if own.since is not None and not own.is_original and own.since.number in self.recent:
            return self._since(own.since.number, is_new=True)
        if is_in_reference(path):
            # Generated again for most releases: of the 496 pages of Query 5.102, 218 would be updated.
            return None
        if any(mark.unreleased is not None for mark in marks):
            return ShownMark(is_new=False, older=last.number, newer=LATEST)
        updates = {mark.updated.number for mark in marks if mark.updated is not None} & self.recent
        newest = next((number for number in reversed(self.before) if number in updates), None)
        return self._since(newest, is_new=False) if newest is not None else None

    def _since(self, number: str, *, is_new: bool) -> ShownMark | None:
        """None for the first release of the history, which nothing was compared with."""
        older = self.before.get(number)
        return ShownMark(is_new, older, number) if older is not None else None

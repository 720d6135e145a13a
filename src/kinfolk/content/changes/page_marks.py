"""Since which release each page exists, and in which release its content last changed.

    marks = ReleaseMarks()
    for number, day, pages in releases_in_order:
        marks = marks.extended(ReleaseDay(number, day), pages)
    stored = marks.to_json()                       # one more release extends it without the older trees
    shown = ReleaseMarks.from_json(stored).page_marks(pages_of_the_branch)

The sections of a page have marks by the same rules: `page_sections` makes their trees.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, NamedTuple, Self

FORMAT = 1
"""Version of the JSON. Another one is not read."""

PageTree = Mapping[str, str]
"""Path of a page -> git id of its content, or another digest of what the page shows."""


class ReleaseDay(NamedTuple):
    """The number of a release and its day."""

    number: str
    day: date


@dataclass(frozen=True, slots=True)
class PageMark:
    """The marks of a page.

    `since` is the release from which on the page exists without a gap, `updated` the one in which its content last
    changed; both are None for a page that no release has. `is_original` says whether the first known release has the
    page, so that it may be older than `since`. `unreleased` is the difference of the branch from the last release.
    """

    since: ReleaseDay | None
    updated: ReleaseDay | None
    is_original: bool = False
    unreleased: Literal["new", "changed"] | None = None


class MarkNumbers(NamedTuple):
    """The marks of a page as numbers of releases. The least of several is that of the oldest page."""

    since: int
    updated: int


class InvalidMarks(ValueError):
    """Stored marks that cannot be read. They are made again from all releases."""


@dataclass(frozen=True)
class ReleaseMarks:
    """The marks of all pages up to one release. Immutable.

    A page that appears in the release in which a page of the same content disappears has moved and keeps its marks; of
    several that disappear, those of the oldest.
    """

    pages: PageTree = field(default_factory=dict)
    """Those of the last release."""
    entries: Mapping[str, MarkNumbers] = field(default_factory=dict)
    """The marks of these pages, as numbers of releases in their order."""
    releases: Mapping[int, ReleaseDay] = field(default_factory=dict)
    """The last release, and those that entries name. The first known release has the number 0."""

    @property
    def last(self) -> ReleaseDay | None:
        """The last release. None before the first."""
        return self.releases[max(self.releases)] if self.releases else None

    def extended(self, release: ReleaseDay, pages: PageTree, moves: Mapping[str, str] | None = None) -> Self:
        """The marks with the release that follows the last one. `pages` are all pages of the release.

        `moves` are further pages that moved, with changed content: path -> path in the last release.
        """
        number = max(self.releases, default=-1) + 1
        releases = {**self.releases, number: release}
        if pages == self.pages:
            return type(self)(self.pages, self.entries, _named(releases, self.entries.values()))
        moved = self._moved_to(pages.__contains__)
        entries: dict[str, MarkNumbers] = {}
        for path, content in pages.items():
            entry = self.entries.get(path)
            if entry is None:
                source = self.entries.get((moves or {}).get(path, ""))
                entries[path] = moved.get(content) or MarkNumbers(source.since if source else number, number)
            else:
                entries[path] = entry if self.pages[path] == content else MarkNumbers(entry.since, number)
        return type(self)(dict(pages), entries, _named(releases, entries.values()))

    def page_marks(
        self, branch: PageTree | None = None, moves: Mapping[str, str] | None = None
    ) -> Mapping[str, PageMark]:
        """The marks of all pages of a branch that follows the last release; without one, of the last release.

        `moves` are pages of the branch that moved with changed content, as those of `extended`.
        """
        if branch is None:
            return {path: self._mark(entry) for path, entry in self.entries.items()}
        moved = self._moved_to(branch.__contains__)
        marks: dict[str, PageMark] = {}
        for path, content in branch.items():
            if path not in self.entries and moves and moves.get(path) in self.entries and content not in moved:
                marks[path] = self._mark(self.entries[moves[path]], is_changed=True)
            else:
                marks[path] = self._mark_in(path, content, moved)
        return marks

    def page_mark(self, path: str, content: str, is_in_branch: Callable[[str], bool]) -> PageMark:
        """The mark of one page of a branch, as `page_marks` has it. Only a page at a new path takes linear time."""
        return self._mark_in(path, content, {} if path in self.entries else self._moved_to(is_in_branch))

    def _mark_in(self, path: str, content: str, moved: Mapping[str, MarkNumbers]) -> PageMark:
        if path in self.entries:
            return self._mark(self.entries[path], is_changed=self.pages[path] != content)
        return self._mark(moved[content]) if content in moved else PageMark(None, None, unreleased="new")

    def to_json(self) -> str:
        """Everything that `extended` needs, in ASCII."""
        return json.dumps({"format": FORMAT, **self.to_json_object()}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Raises InvalidMarks for anything but the text of `to_json`."""
        return cls.from_json_object(read_json(text))

    def to_json_object(self) -> dict[str, object]:
        """A part of a JSON document."""
        return {
            "releases": {str(n): [one.number, one.day.isoformat()] for n, one in self.releases.items()},
            "pages": {path: [content, *self.entries[path]] for path, content in self.pages.items()},
        }

    @classmethod
    def from_json_object(cls, read: Any) -> Self:
        """Raises InvalidMarks for anything but a result of `to_json_object`."""
        try:
            releases = {
                int(n): ReleaseDay(str(one), date.fromisoformat(day)) for n, (one, day) in read["releases"].items()
            }
            pages = {path: str(content) for path, (content, _, _) in read["pages"].items()}
            entries = {
                path: MarkNumbers(int(since), int(updated)) for path, (_, since, updated) in read["pages"].items()
            }
        except (ValueError, TypeError, KeyError, AttributeError) as wrong:
            raise InvalidMarks(f"the stored marks cannot be read: {wrong}") from wrong
        if not {number for entry in entries.values() for number in entry} <= releases.keys():
            raise InvalidMarks("the stored marks name a release that is missing")
        return cls(pages, entries, releases)

    def _moved_to(self, is_page: Callable[[str], bool]) -> Mapping[str, MarkNumbers]:
        """Content of pages that are gone -> the entry of the oldest of them."""
        moved: dict[str, MarkNumbers] = {}
        for path, content in self.pages.items():
            if not is_page(path):
                entry = self.entries[path]
                moved[content] = min(moved.get(content, entry), entry)
        return moved

    def _mark(self, entry: MarkNumbers, *, is_changed: bool = False) -> PageMark:
        return PageMark(
            self.releases[entry.since],
            self.releases[entry.updated],
            is_original=not entry.since,
            unreleased="changed" if is_changed else None,
        )


def read_json(text: str) -> Any:
    """The document of this format. Raises InvalidMarks for another one."""
    try:
        read = json.loads(text)
        if read["format"] == FORMAT:
            return read
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise InvalidMarks(f"the stored marks cannot be read: {wrong}") from wrong
    raise InvalidMarks(f"the format {read['format']!r} is not {FORMAT}")


def _named(releases: Mapping[int, ReleaseDay], entries: Iterable[MarkNumbers]) -> Mapping[int, ReleaseDay]:
    """The releases that entries name, and the last."""
    named = {number for entry in entries for number in entry} | {max(releases)}
    return {number: releases[number] for number in sorted(named)}

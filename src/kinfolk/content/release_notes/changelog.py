"""Splits changelog files into the notes of each release.

    changelog = parse_changelog(text)
    changelog.find("5.102.0").text

It knows headings of changesets (`## 5.102.0`), Keep a Changelog (`## [1.2.0] - 2024-01-01`), conventional-changelog,
release-please and semantic-release (`## [5.1.0](…) (2024-01-01)`), and plain ones (`# v1.2`, `## jest 29.0.0`), in
linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, numbered, parts
from kinfolk.content.markdown.source.note_blocks import LONGEST_HEADING, first_lines, heading_of
from kinfolk.content.release_notes.note_words import heading_kind

LONGEST_FILE = 2 << 20
"""Characters that are read: releases are newest first. The longest known changelog has 700,000."""
MOST_LINES = 100_000
"""Lines of a file that are read. The longest known changelog has 7,400."""
MOST_SECTIONS = 10_000
LONGEST_NOTES = 128 << 10
"""Characters of one release. GitHub allows 125,000 in a release."""
MOST_NOTE_LINES = 10_000
"""Lines of one release. The longest known notes have 290, with 50,000 characters."""

NUMBER = (
    r"\d{1,6}(?:\.\d{1,6}){1,3}"
    r"(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,60}|\.?(?:alpha|beta|preview|post|next|dev|pre|rc|a|b)[.-]?\d{0,6})?"
    r"(?:\+[0-9A-Za-z.-]{1,60})?"
)
_RELEASE = re.compile(
    rf"\[?(?:(?P<package>@?[A-Za-z][\w./-]{{0,100}})@|(?P<word>[A-Za-z][\w.-]{{0,60}})[ ])?"
    rf"\[?v?(?P<number>{NUMBER})(?![\w.])(?P<rest>.*)"
)
_AFTER_NUMBER = re.compile(r"\]|\Z|\s*(?:[(:,/<–—]|- |-\Z|\[|\d{4}-|[Yy]anked)")
_DAY = re.compile(r"(?<![\d.])(\d{4})-(\d{2})-(\d{2})(?![\d.])")
_LONG_DAY = re.compile(r"([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?, (\d{4})(?!\d)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ORNAMENTS = re.compile(r"</?small>|\*\*|__|`")
_DEFINITION = re.compile(r" {0,3}\[(?!\^)(?P<label>[^\[\]]{1,200})\]:[ \t]*\S.*")
_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\]")
_VERSION_WORDS = frozenset(("version", "release"))
_TOP_LEVEL = 2


@dataclass(frozen=True)
class ChangelogSection:
    """The notes of one release, without their heading.

    `package` is the one that the heading names. `line` is that of the heading in the file, from 1. `is_cut` says that
    the notes are longer than LONGEST_NOTES.
    """

    number: str
    package: str | None
    day: date | None
    line: int
    text: str
    is_cut: bool = False


@dataclass(frozen=True)
class Changelog:
    """`title` is the heading above all releases, which in files of changesets names the package."""

    title: str | None
    sections: tuple[ChangelogSection, ...]

    def find(self, number: str) -> ChangelogSection | None:
        """The first section with notes of a release, or one without notes."""
        return self._by_number.get(number)

    @cached_property
    def _by_number(self) -> Mapping[str, ChangelogSection]:
        found: dict[str, ChangelogSection] = {}
        for section in self.sections:
            known = found.get(section.number)
            if known is None or (section.text and not known.text):
                found[section.number] = section
        return found


@dataclass(frozen=True)
class ReleaseHeading:
    """A heading that names a release. `word` is one before the number, other than that of a package."""

    number: str
    package: str | None
    word: str | None
    day: date | None


@dataclass
class _OpenSection:
    level: int
    heading: ReleaseHeading
    line: int
    lines: list[str] = field(default_factory=list)


def release_heading(text: str) -> ReleaseHeading | None:
    """The release that the text of a heading names; None for any other heading."""
    if len(text) > LONGEST_HEADING * 2:
        return None
    found = _RELEASE.match(_ORNAMENTS.sub("", text).strip())
    if found is None or not _AFTER_NUMBER.match(found["rest"]):
        return None
    return ReleaseHeading(found["number"], found["package"], found["word"], _day(found["rest"]))


def parse_changelog(text: str) -> Changelog:
    """The releases of a changelog in its order. A text without any has none."""
    reader = _ChangelogReader()
    readable = first_lines(text[:LONGEST_FILE].replace("\r\n", "\n"), MOST_LINES)
    for part in parts(numbered(readable, 1)):
        if len(reader.sections) >= MOST_SECTIONS:
            break
        reader.add(part)
    return reader.changelog()


def cut_notes(text: str) -> tuple[str, bool]:
    """Notes without blank lines around them, cut at a line if they are too long, and whether they are."""
    body = text.strip("\n").rstrip()
    few = first_lines(body, MOST_NOTE_LINES)
    if len(few) > LONGEST_NOTES:
        few = few[: few.rfind("\n", 0, LONGEST_NOTES) + 1] or few[:LONGEST_NOTES]
    return few.rstrip(), len(few) < len(body)


class _ChangelogReader:
    """Lines belong to the innermost open section: a list of betas may be nested in the notes of their release."""

    def __init__(self) -> None:
        self.sections: list[_OpenSection] = []
        self._open: list[_OpenSection] = []
        self._title: str | None = None
        self._definitions: dict[str, str] = {}

    def add(self, part: Fence | SourceLine) -> None:
        if isinstance(part, Fence):
            self._add_text(line.text for line in part.lines)
            return
        # An indented heading is one within an item.
        heading = heading_of(part.text) if part.text.startswith("#") else None
        if heading is not None:
            self._add_heading(part, *heading)
        elif definition := _DEFINITION.fullmatch(part.text):
            self._definitions.setdefault(_label(definition["label"]), part.text.strip())
        else:
            self._add_text([part.text])

    def changelog(self) -> Changelog:
        return Changelog(self._title, tuple(map(self._closed, self.sections)))

    def _add_text(self, lines: Iterator[str] | list[str]) -> None:
        if self._open:
            self._open[-1].lines += lines

    def _add_heading(self, line: SourceLine, level: int, text: str) -> None:
        release = release_heading(text)
        if release is not None and self._is_release(level, release):
            while self._open and self._open[-1].level >= level:
                self._open.pop()
            section = _OpenSection(level, release, line.number)
            self._open.append(section)
            self.sections.append(section)
            return
        if not self.sections and level == 1 and self._title is None:
            self._title = text[:LONGEST_HEADING] or None
        while self._open and self._ends(self._open[-1], level, text):
            self._open.pop()
        self._add_text([line.text])

    def _is_release(self, level: int, release: ReleaseHeading) -> bool:
        if release.word is None or release.word.lower() in _VERSION_WORDS:
            return True
        # In notes, "### Node 20.1" is about another program.
        return level <= _TOP_LEVEL and (not self._open or level <= self._open[-1].level)

    @staticmethod
    def _ends(section: _OpenSection, level: int, text: str) -> bool:
        if level == section.level:
            # standard-version writes `### [2.0.5]` above `### Bug Fixes`.
            return heading_kind(text) is None
        return level < section.level

    def _closed(self, section: _OpenSection) -> ChangelogSection:
        notes, is_cut = cut_notes("\n".join(_without_empty_headings(section.lines)))
        heading = section.heading
        return ChangelogSection(
            heading.number,
            heading.package,
            heading.day,
            section.line,
            self._with_definitions(notes),
            is_cut=is_cut,
        )

    def _with_definitions(self, notes: str) -> str:
        """The notes, with the definitions of links that they use: files have them at their end."""
        if not self._definitions:
            return notes
        labels = dict.fromkeys(_label(found) for found in _REFERENCE.findall(notes))
        used = [self._definitions[label] for label in labels if label in self._definitions]
        return "\n".join([notes, "", *used]) if used else notes


def _without_empty_headings(lines: list[str]) -> list[str]:
    """The lines without blank ones and headings at the end: what was below them belongs to other releases."""
    end = len(lines)
    while end and (not lines[end - 1].strip() or heading_of(lines[end - 1]) is not None):
        end -= 1
    return lines[:end]


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _day(text: str) -> date | None:
    """The day of a heading; None without one, or with one that does not exist."""
    try:
        if found := _DAY.search(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if (found := _LONG_DAY.search(text)) and found[1] in _MONTHS:
            return date(int(found[3]), _MONTHS.index(found[1]) + 1, int(found[2]))
    except ValueError:
        return None
    return None

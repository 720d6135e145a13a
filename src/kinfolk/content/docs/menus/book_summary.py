"""The `SUMMARY.md` of mdBook: chapters have the numbers that mdBook gives them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from urllib.parse import unquote

from kinfolk.content.docs.menus.nav_entry import MenuSource, NavEntry

LARGEST_SUMMARY = 512_000
"""Characters."""
MOST_CHAPTERS = 5_000
LONGEST_LINE = 2_000
DEEPEST = 8
START, CHAPTERS, MORE = "Start", "Chapters", "More"
"""Labels of lists that have none: chapters before the numbered ones, these, and those behind them."""

_LINK = re.compile(
    r"([ \t]*)(?:([-*+])[ \t]+)?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((?:<([^<>]*)>|([^()<>]*))\)[ \t]*"
)
_PART = re.compile(r"#[ \t]++(.*)")
_MARKS = re.compile(r"[`*]|\\(?=[^\w\s])|(?<!\w)_|_(?!\w)")


@dataclass
class Chapter:
    """`number` is such as `2.1.`, empty for a chapter without. `target` is empty for a draft."""

    title: str
    target: str
    number: str = ""
    children: list[Chapter] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.number} {self.title}".strip()

    def with_children(self) -> Iterator[Chapter]:
        yield self
        for child in self.children:
            yield from child.with_children()


@dataclass
class SummaryPart:
    title: str
    chapters: list[Chapter] = field(default_factory=list)
    is_numbered: bool = False


def read_book_summary(source: MenuSource) -> tuple[NavEntry, ...]:
    """The entries of the summary in the docs root; none if there is no summary."""
    files = (posixpath.join(source.layout.folder, name) for name in source.names)
    file = next(filter(source.has_file, files), None)
    return summary_entries(source.read(file)) if file else ()


def summary_entries(text: str) -> tuple[NavEntry, ...]:
    """A list for each section of the menu. Drafts have no page, and are left out."""
    if len(text) > LARGEST_SUMMARY:
        return ()
    entries: list[NavEntry] = []
    parts = _parts(text)
    first_numbered = next((at for at, part in enumerate(parts) if part.is_numbered), len(parts))
    for at, part in enumerate(parts):
        label = part.title or (CHAPTERS if part.is_numbered else START if at < first_numbered else MORE)
        entries += _lists(part, label)
    return tuple(entries)


def _lists(part: SummaryPart, label: str) -> Iterator[NavEntry]:
    """One list, or one for each chapter that has others within it, and one for each run of chapters between them."""
    if not any(chapter.children for chapter in part.chapters):
        yield NavEntry(label, entries=_pages(part.chapters), is_collapsible=False)
        return
    for has_children, group in groupby(part.chapters, key=lambda chapter: bool(chapter.children)):
        chapters = list(group)
        if not has_children:
            yield NavEntry(part.title or chapters[0].label, entries=_pages(chapters), is_collapsible=False)
            continue
        for chapter in chapters:
            title = f"{part.title}: {chapter.label}" if part.title else chapter.label
            yield NavEntry(title, entries=_pages(chapter.with_children()))


def _pages(chapters: Iterable[Chapter]) -> tuple[NavEntry, ...]:
    return tuple(
        NavEntry(chapter.label, posixpath.normpath(unquote(chapter.target))) for chapter in chapters if chapter.target
    )


def _parts(text: str) -> list[SummaryPart]:
    parts = [SummaryPart("")]
    open_chapters: list[tuple[int, Chapter]] = []
    count = left = 0
    is_first = True
    for line in text.split("\n"):
        if not line.strip() or len(line) > LONGEST_LINE:
            continue
        heading = _PART.fullmatch(line)
        link = _LINK.fullmatch(line)
        if heading and not is_first:
            parts.append(SummaryPart(_plain(heading[1])))
            open_chapters = []
        is_first = False
        if link is None or left >= MOST_CHAPTERS:
            continue
        left += 1
        chapter = Chapter(_plain(link[3]), (link[4] or link[5] or "").strip())
        is_numbered = bool(link[2])
        if parts[-1].chapters and parts[-1].is_numbered != is_numbered:
            parts.append(SummaryPart("" if not is_numbered else parts[-1].title))
            open_chapters = []
        parts[-1].is_numbered = is_numbered
        if not is_numbered:
            parts[-1].chapters.append(chapter)
            continue
        indent = len(link[1].expandtabs(4))
        while open_chapters and open_chapters[-1][0] >= indent:
            open_chapters.pop()
        if open_chapters and len(open_chapters) < DEEPEST:
            above = open_chapters[-1][1]
            above.children.append(chapter)
            chapter.number = f"{above.number}{len(above.children)}."
        else:
            count += 1
            parts[-1].chapters.append(chapter)
            chapter.number = f"{count}."
        open_chapters.append((indent, chapter))
    return parts


def _plain(title: str) -> str:
    return " ".join(_MARKS.sub("", title).split())

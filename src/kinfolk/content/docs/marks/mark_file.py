"""The stored marks of a library: files beside the list of tags, extended by one release at a time."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from kinfolk.config.catalog.releases import Release
from kinfolk.content.changes.page_marks import InvalidMarks, PageTree, ReleaseDay, ReleaseMarks, read_json
from kinfolk.content.changes.section_marks import SectionMarks

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGEST_FILE = 32 << 20
"""Bytes. Query 5.102 has 53 kB for 496 pages."""

PagesOf = Callable[[Release], PageTree]
"""The pages of a release: path below the docs -> git id. Raises Unavailable."""
Prepare = Callable[[Sequence[PageTree]], None]
SectionsOf = Callable[[str, str], PageTree]
"""Path and git id of a page -> its sections. Raises Unavailable."""
Marks = TypeVar("Marks", ReleaseMarks, SectionMarks)


def release_marks(file: Path, history: Sequence[Release], pages_of: PagesOf) -> ReleaseMarks:
    """The marks of the pages of a history. Reads only the releases that the file lacks, and stores them with these.

    A history that does not begin with that of the file, because a tag was moved or an earlier version released, is
    read from its first release. Raises what `pages_of` raises; the file then stays.
    """
    count, marks = _stored(file, history, ReleaseMarks())
    for release, pages in _further(history, count, marks.pages, pages_of):
        marks = marks.extended(ReleaseDay(release.number, release.day), pages)
    if count < len(history):
        _store(file, history, marks)
    return marks


def section_marks(
    file: Path, history: Sequence[Release], pages_of: PagesOf, prepare: Prepare, sections_of: SectionsOf
) -> SectionMarks:
    """The marks of the sections of these pages, as `release_marks`.

    `prepare` gets the trees of the releases that the file lacks before `sections_of` reads a page of one. Raises what
    the functions raise; the file then stays.
    """
    count, marks = _stored(file, history, SectionMarks())
    further = list(_further(history, count, marks.pages, pages_of))
    prepare([pages for _, pages in further])
    for release, pages in further:
        sections = partial(_sections_in, pages, sections_of)
        marks = marks.extended(ReleaseDay(release.number, release.day), pages, sections)
    if count < len(history):
        _store(file, history, marks)
    return marks


def _sections_in(pages: PageTree, sections_of: SectionsOf, path: str) -> PageTree:
    return sections_of(path, pages[path])


def _further(
    history: Sequence[Release], count: int, pages: PageTree, pages_of: PagesOf
) -> Iterator[tuple[Release, PageTree]]:
    """The releases after the first `count`, with their pages. `pages` are those of the last of these."""
    before = history[count - 1].docs_tree if count else None
    for release in history[count:]:
        if release.docs_tree != before:
            pages, before = pages_of(release), release.docs_tree
        yield release, pages


def _stored(file: Path, history: Sequence[Release], none: Marks) -> tuple[int, Marks]:
    """How many releases of the history the file has the marks of, and these; `none` for another history."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InvalidMarks(f"they have more than {LARGEST_FILE} bytes")
        text = file.read_text(encoding="utf-8")
        read = read_json(text)
        count = int(read["count"])
        if 0 < count <= len(history) and read["history"] == _digest(history[:count]):
            return count, type(none).from_json(text)
    except OSError:
        pass
    except (InvalidMarks, ValueError, TypeError, KeyError) as wrong:
        log.warning("stored marks are made again", file=file.name, reason=str(wrong))
    return 0, none


def _store(file: Path, history: Sequence[Release], marks: ReleaseMarks | SectionMarks) -> None:
    """Replace the file atomically. A failure is logged: the next process makes the marks again."""
    document = {**read_json(marks.to_json()), "count": len(history), "history": _digest(history)}
    fresh = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        fresh.write_text(json.dumps(document, separators=(",", ":")), encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        log.warning("marks not stored", file=file.name, reason=str(error))


def _digest(history: Sequence[Release]) -> str:
    """Changes with the numbers, days and docs of the releases."""
    lines = (f"{each.number} {each.day.isoformat()} {each.docs_root} {each.docs_tree}" for each in history)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()

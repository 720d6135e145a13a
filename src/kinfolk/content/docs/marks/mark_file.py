"""The stored marks of a library: a file beside the list of tags, extended by one release at a time."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from kinfolk.config.catalog.releases import Release
from kinfolk.content.changes.page_marks import InvalidMarks, PageTree, ReleaseDay, ReleaseMarks, read_json

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGEST_FILE = 32 << 20
"""Bytes. Query 5.102 has 53 kB for 496 pages."""

PagesOf = Callable[[Release], PageTree]
"""The pages of a release: path below the docs -> git id. Raises Unavailable."""


def release_marks(file: Path, history: Sequence[Release], pages_of: PagesOf) -> ReleaseMarks:
    """The marks of a history. Reads only the releases that the file lacks, and stores them with these.

    A history that does not begin with that of the file, because a tag was moved or an earlier version released, is
    read from its first release. Raises what `pages_of` raises; the file then stays.
    """
    count, marks = _stored(file, history)
    if count == len(history):
        return marks
    tree: PageTree = marks.pages
    before = history[count - 1].docs_tree if count else None
    for release in history[count:]:
        if release.docs_tree != before:
            tree, before = pages_of(release), release.docs_tree
        marks = marks.extended(ReleaseDay(release.number, release.day), tree)
    _store(file, history, marks)
    return marks


def _stored(file: Path, history: Sequence[Release]) -> tuple[int, ReleaseMarks]:
    """How many releases of the history the file has the marks of, and these; none for another history."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InvalidMarks(f"they have more than {LARGEST_FILE} bytes")
        read = read_json(file.read_text(encoding="utf-8"))
        count = int(read["count"])
        if 0 < count <= len(history) and read["history"] == _digest(history[:count]):
            return count, ReleaseMarks.from_json_object(read)
    except OSError:
        pass
    except (InvalidMarks, ValueError, TypeError, KeyError) as wrong:
        log.warning("stored marks are made again", file=file.name, reason=str(wrong))
    return 0, ReleaseMarks()


def _store(file: Path, history: Sequence[Release], marks: ReleaseMarks) -> None:
    """Replace the file atomically. A failure is logged: the next process makes the marks again."""
    document = {
        **read_json(marks.to_json()),
        "count": len(history),
        "history": _digest(history),
    }
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

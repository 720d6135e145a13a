"""The dates and authors of the files of a branch, stored in one small JSON file per branch.

A mirror contains one commit per branch and no history. `history_fetcher` fetches the history; this module parses git's
log and stores the result. An entry contains the id of its blob, so a file that changed after the last fetch has no
history instead of that of an older version.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import structlog
from pydantic import StringConstraints, TypeAdapter

from kinfolk.content.sources.git.commit_authors import author_name, name_key
from kinfolk.content.sources.git.published_commits import fsync_folder
from kinfolk.content.sources.snapshot import FileHistory

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

# The command whose output `read_log` parses. Git finds exact renames by ids, without file contents.
LOG = ("log", "-z", "--reverse", "--date-order", "--no-merges", "--name-status", "-M100%")
LOG_FORMAT = "--format=%H%x00%ct%x00%an%x00%ae"

MOST_AUTHORS = 10
BULK_CHANGE_FILES = 200
"""Files of one top folder. A commit that changes more of them counts as formatting, a version bump or a move."""
_BLOB_LETTERS = 12
_LAST_SECOND = 253_402_300_799  # the end of the year 9999


@dataclass(frozen=True)
class LogCommit:
    """One commit of the log. `changes` are git's status letter, the path, and the path before a rename."""

    id: str
    made: datetime
    author: str | None
    """None for a bot."""
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class HistoryRecord:
    """The histories of all files below `roots` at one commit, each with the start of its blob id."""

    commit: str
    roots: tuple[str, ...]
    files: Mapping[str, tuple[str, FileHistory]]

    @staticmethod
    def of(
        commit: str, roots: tuple[str, ...], files: Mapping[str, str], pasts: Mapping[str, FileHistory]
    ) -> HistoryRecord:
        """`files` are the paths and blob ids of the commit."""
        return HistoryRecord(
            commit, roots, {path: (files[path][:_BLOB_LETTERS], pasts[path]) for path in files if path in pasts}
        )

    def pasts(self) -> dict[str, FileHistory]:
        return {path: past for path, (_, past) in self.files.items()}


@dataclass(frozen=True)
class _RecordFile:
    """The JSON of a record: each name once, times in seconds, files as (blob, updated, indexes of names)."""

    version: Literal[1]
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40,64}$")]
    roots: tuple[str, ...]
    authors: tuple[str, ...]
    files: dict[str, tuple[str, int, tuple[int, ...]]]


_RECORD_FILE = TypeAdapter(_RecordFile)


class BranchHistory:
    """The histories of one branch in a file, which is read at the first use."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = _stamp(path)

    def is_current(self) -> bool:
        """Whether the file is unchanged since this object was created."""
        return self.stamp == _stamp(self.path)

    @cached_property
    def record(self) -> HistoryRecord | None:
        return read_record(self.path)

    def of(self, path: str, blob: str) -> FileHistory | None:
        found = self.record.files.get(path) if self.record else None
        return found[1] if found and blob.startswith(found[0]) else None


def read_record(path: Path) -> HistoryRecord | None:
    """None for a missing or unreadable file, which the next sync writes again."""
    try:
        written = _RECORD_FILE.validate_json(path.read_bytes())
        names = written.authors
        return HistoryRecord(
            written.commit,
            written.roots,
            {
                name: (blob, FileHistory(_moment(updated), tuple(names[index] for index in authors)))
                for name, (blob, updated, authors) in written.files.items()
            },
        )
    except FileNotFoundError:
        return None
    except (ValueError, IndexError, OSError) as error:
        log.warning("history unreadable", file=str(path), reason=str(error).partition("\n")[0])
        return None


def write_record(path: Path, record: HistoryRecord) -> None:
    """Replace the file atomically. Readers see the old or the new file, also after a crash."""
    indexes: dict[str, int] = {}
    files = {
        name: (
            blob,
            int(past.updated.timestamp()),
            [indexes.setdefault(author, len(indexes)) for author in past.authors],
        )
        for name, (blob, past) in sorted(record.files.items())
    }
    written = {
        "version": 1,
        "commit": record.commit,
        "roots": record.roots,
        "authors": list(indexes),
        "files": files,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    fsync_folder(path.parent)


def read_log(output: bytes) -> Iterator[LogCommit]:
    """The commits in git's output of LOG and LOG_FORMAT, oldest first."""
    parts = iter(output.split(b"\0"))
    # A line break precedes the first status letter of each commit. The part after the last NUL is empty.
    part = next(parts, b"")
    while part:
        id, made, name, mail = (field.decode(errors="replace") for field in (part, *(next(parts) for _ in range(3))))
        changes = []
        while (part := next(parts, b"")) and not _is_commit(part):
            letter = part.strip().decode()[:1]
            before = next(parts).decode(errors="replace")
            after = next(parts).decode(errors="replace") if letter == "R" else before
            changes.append((letter, after, before))
        yield LogCommit(id, _moment(int(made) if made.isdigit() else 0), author_name(name, mail), tuple(changes))


def apply_commits(
    commits: Iterable[LogCommit], before: Mapping[str, FileHistory], *, without: Collection[str] = ()
) -> dict[str, FileHistory]:
    """The history of each file after these commits, which are in order from the oldest on.

    A renamed file keeps its history. `without` are commits to skip: git lists all files of the first commits of a
    shallow history as added.
    """
    pasts = dict(before)
    for commit in commits:
        if commit.id in without:
            continue
        changed = Counter(_top(path) for letter, path, _ in commit.changes if letter in "AMT")
        for letter, path, was in commit.changes:
            if letter == "R":
                if was in pasts:
                    pasts[path] = pasts[was]
            elif letter == "A" or (letter != "D" and changed[_top(path)] <= BULK_CHANGE_FILES):
                pasts[path] = _with_change(pasts.get(path), commit)
    return pasts


def _with_change(past: FileHistory | None, commit: LogCommit) -> FileHistory:
    if past is None:
        return FileHistory(commit.made, (commit.author,) if commit.author else ())
    author = commit.author
    updated = max(past.updated, commit.made)
    if author is None or past.authors[:1] == (author,):
        return replace(past, updated=updated)
    # Some authors use two spellings of their name, such as `Ada Lovelace` and `adalovelace`.
    others = (other for other in past.authors if name_key(other) != name_key(author))
    return FileHistory(updated, (author, *others)[:MOST_AUTHORS])


def _is_commit(part: bytes) -> bool:
    return len(part) in (40, 64) and not part.startswith(b"\n")


def _top(path: str) -> str:
    return path.partition("/")[0]


def _moment(seconds: int) -> datetime:
    """Commits may have any number as their time, so it is limited to the range of datetime."""
    return datetime.fromtimestamp(min(max(seconds, 0), _LAST_SECOND), UTC)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size

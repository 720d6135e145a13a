"""When each file of a branch was last changed and by whom, kept in one small JSON file a branch.

A mirror holds one commit a branch, so none of this is in it: `historian` asks git, this module knows what the
answer means and how it is kept. An entry names the blob that it is about, so a file whose history is not known yet
has none rather than that of its older self.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal

import structlog
from pydantic import StringConstraints, TypeAdapter

from kinfolk.sources.publication import sync_folder
from kinfolk.sources.snapshot import FileHistory

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

# What `read_log` reads. Exact renames are found by their ids alone, so no file's content is needed.
LOG = ("log", "-z", "--reverse", "--date-order", "--no-merges", "--name-status", "-M100%")
LOG_FORMAT = "--format=%H%x00%ct%x00%an%x00%ae"

MOST_AUTHORS = 10
MASS = 200
"""More files of one top folder than anybody rewrites in one commit: formatting, a bump, a new layout."""
_BLOB_LETTERS = 12
_LAST_SECOND = 253_402_300_799  # of the year 9999
_NAME_LETTERS = 60

_MACHINE = re.compile(
    r"\[bot\]|[ _-]bot$|^(renovate|dependabot|greenkeeper|autofix-ci|github[ -]actions?)\b", re.IGNORECASE
)
_MACHINE_MAIL = re.compile(
    r"\[bot\]@|\+copilot@users\.noreply\.github\.com$|^(noreply@(anthropic|openai)\.com|cursoragent@cursor\.com)$",
    re.IGNORECASE,
)
_MAIL = re.compile(r"\S@\S+\.\S")


@dataclass(frozen=True)
class Commit:
    """What the log says of one commit. `changes` are git's letters with the path, and the path before a rename."""

    id: str
    made: datetime
    author: str | None
    """None for a machine."""
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Record:
    """The histories of all files below `roots` at one commit; each with the first letters of its blob's id."""

    commit: str
    roots: tuple[str, ...]
    files: Mapping[str, tuple[str, FileHistory]]

    @staticmethod
    def of(commit: str, roots: tuple[str, ...], files: Mapping[str, str], pasts: Mapping[str, FileHistory]) -> Record:
        """`files` are the paths and blob ids of the commit."""
        return Record(
            commit, roots, {path: (files[path][:_BLOB_LETTERS], pasts[path]) for path in files if path in pasts}
        )

    def pasts(self) -> dict[str, FileHistory]:
        return {path: past for path, (_, past) in self.files.items()}


@dataclass(frozen=True)
class _Written:
    """A record in its file: names once, times in seconds, files as (blob, updated, indexes of names)."""

    version: Literal[1]
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40,64}$")]
    roots: tuple[str, ...]
    authors: tuple[str, ...]
    files: dict[str, tuple[str, int, tuple[int, ...]]]


_WRITTEN = TypeAdapter(_Written)


class Histories:
    """The histories of one branch as they lie on disk, read when somebody first asks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = _stamp(path)

    def is_current(self) -> bool:
        """Whether the file is still the one that was there when this was made."""
        return self.stamp == _stamp(self.path)

    @cached_property
    def record(self) -> Record | None:
        return read_record(self.path)

    def of(self, path: str, blob: str) -> FileHistory | None:
        found = self.record.files.get(path) if self.record else None
        return found[1] if found and blob.startswith(found[0]) else None


def read_record(path: Path) -> Record | None:
    """None where there is none, or none that can be read: the next sync makes it anew."""
    try:
        written = _WRITTEN.validate_json(path.read_bytes())
        names = written.authors
        return Record(
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


def write_record(path: Path, record: Record) -> None:
    """In one step: whoever reads the file, now or after a crash, gets the old one or the new."""
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
    sync_folder(path.parent)


def read_log(said: bytes) -> Iterator[Commit]:
    """The commits in what git answers to LOG and LOG_FORMAT, oldest first."""
    parts = iter(said.split(b"\0"))
    # Each commit's first letter of change has a line break before it; after the last NUL there is nothing.
    part = next(parts, b"")
    while part:
        id, made, name, mail = (field.decode(errors="replace") for field in (part, *(next(parts) for _ in range(3))))
        changes = []
        while (part := next(parts, b"")) and not _is_commit(part):
            letter = part.strip().decode()[:1]
            before = next(parts).decode(errors="replace")
            after = next(parts).decode(errors="replace") if letter == "R" else before
            changes.append((letter, after, before))
        yield Commit(id, _moment(int(made) if made.isdigit() else 0), person(name, mail), tuple(changes))


def tell(
    commits: Iterable[Commit], before: Mapping[str, FileHistory], *, without: Collection[str] = ()
) -> dict[str, FileHistory]:
    """What became of each file's history after these commits, oldest first.

    A file that was only moved takes its history along. `without` are commits that only look as if they had made
    what they hold, as those do at which a shallow history begins.
    """
    pasts = dict(before)
    for commit in commits:
        if commit.id in without:
            continue
        crowd = Counter(_top(path) for letter, path, _ in commit.changes if letter in "AMT")
        for letter, path, was in commit.changes:
            if letter == "R":
                if was in pasts:
                    pasts[path] = pasts[was]
            elif letter == "A" or (letter != "D" and crowd[_top(path)] <= MASS):
                pasts[path] = _touched(pasts.get(path), commit)
    return pasts


def person(name: str, mail: str) -> str | None:
    """The name to show for a commit's author; None for a machine and for somebody who gave an address as name."""
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:_NAME_LETTERS]
    if not shown or _MACHINE.search(shown) or _MACHINE_MAIL.search(mail) or _MAIL.search(shown):
        return None
    return shown


def _touched(past: FileHistory | None, commit: Commit) -> FileHistory:
    if past is None:
        return FileHistory(commit.made, (commit.author,) if commit.author else ())
    author = commit.author
    updated = max(past.updated, commit.made)
    if author is None or past.authors[:1] == (author,):
        return replace(past, updated=updated)
    # The same person often signs as `Ada Lovelace` here and as `adalovelace` there.
    others = (other for other in past.authors if _same(other) != _same(author))
    return FileHistory(updated, (author, *others)[:MOST_AUTHORS])


@lru_cache(maxsize=4096)
def _same(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name


def _is_commit(part: bytes) -> bool:
    return len(part) in (40, 64) and not part.startswith(b"\n")


def _top(path: str) -> str:
    return path.partition("/")[0]


def _moment(seconds: int) -> datetime:
    """A committer may claim any time at all, also one that no calendar has."""
    return datetime.fromtimestamp(min(max(seconds, 0), _LAST_SECOND), UTC)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size

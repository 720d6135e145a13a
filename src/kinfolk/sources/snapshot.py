"""What was in the repositories at one moment: a snapshot of trees, one tree a branch.

A snapshot never changes. A refresh makes a new one and the site switches to it in one assignment, so a page that was
begun with one snapshot ends with the same one and can never show two commits at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from kinfolk.errors import Unavailable


@dataclass(frozen=True, order=True)
class Ref:
    """A branch of a repository: `TanStack/query@main`."""

    repo: str
    branch: str

    def __str__(self) -> str:
        return f"{self.repo}@{self.branch}"


@dataclass(frozen=True)
class FileHistory:
    """What git tells of one file: when its content last changed, and whose work it is, the latest first."""

    updated: datetime
    authors: tuple[str, ...]


class Tree(Protocol):
    """One branch at one commit. Safe to read from any thread."""

    @property
    def ref(self) -> Ref: ...

    @property
    def revision(self) -> str:
        """The commit id, or a digest of the files where there is no git."""

    @property
    def files(self) -> Mapping[str, str]:
        """Path from the repository's root -> git blob id. Files only; directories exist by their files."""

    @property
    def left_out(self) -> Mapping[str, str]:
        """Files and folders that `files` does not list -> why: path with escapes, sentence. At most 1000 of them."""

    @property
    def changed_at(self) -> datetime | None:
        """When this commit was made, or the newest file where there is no git. None when nobody can tell."""

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises NotFound when this tree has no such file."""

    def size(self, path: str) -> int:
        """Bytes of the file, known without reading it. Raises what `read` raises."""

    def history(self, path: str) -> FileHistory | None:
        """The history of the file as it is in this tree. None when it is not known, or not yet."""


@dataclass(frozen=True)
class Snapshot:
    """All trees of the family, pinned at once."""

    trees: Mapping[Ref, Tree]
    id: str = field(init=False)

    def __post_init__(self) -> None:
        pinned = "\n".join(f"{ref} {self.trees[ref].revision}" for ref in sorted(self.trees))
        object.__setattr__(self, "id", hashlib.sha256(pinned.encode()).hexdigest()[:16])

    def tree(self, ref: Ref) -> Tree:
        """The tree of a branch that the registry names. Raises Unavailable when there is no copy of it here."""
        if ref not in self.trees:
            raise Unavailable(f"There is no copy of {ref} on this site yet")
        return self.trees[ref]


class Source(Protocol):
    """Where snapshots come from."""

    @property
    def description(self) -> str:
        """For the operator, in a few words: `the bundled docs in content/repos`."""

    def open(self) -> Snapshot:
        """The last good snapshot, without any network. Raises Unavailable when there is none."""

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        """Look for something newer (in these refs only, where given) and return the snapshot that is good now.

        Blocking; never raises for an upstream's failure: that is logged and the last good trees are kept.
        """

    def look_back(self, refs: Collection[Ref] | None = None) -> Snapshot:
        """Learn the histories of what `refresh` brought, and return the same trees with all that is known now.

        Takes longer than content should wait for, so it comes after the site has switched. Blocking; never raises
        for an upstream's failure.
        """

    def tidy(self) -> object:
        """Give back the room of what nobody reads any more. Blocking; for once a day. Raises Unavailable."""

    def stop(self) -> None:
        """End at once whatever is under way, for good: the process is about to end."""


@dataclass(frozen=True)
class Change:
    """What differs between two snapshots in one ref.

    `paths` are the files added, removed or altered, and those whose history is told differently.
    """

    ref: Ref
    paths: frozenset[str]
    structure: bool
    """True when a file came or went, so that links may resolve differently."""


def changes(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """What changed from `old` to `new`, a Change for each ref that did, in the refs' order."""
    found = []
    for ref in sorted({*old.trees, *new.trees}):
        before = old.trees.get(ref)
        after = new.trees.get(ref)
        if before is after:
            continue
        was = before.files if before else {}
        now = after.files if after else {}
        paths = frozenset(p for p in {*was, *now} if was.get(p) != now.get(p))
        if before and after:
            paths |= {p for p in now if p not in paths and before.history(p) != after.history(p)}
        if paths:
            found.append(Change(ref, paths, structure=was.keys() != now.keys()))
    return tuple(found)

"""A snapshot of the repositories: one tree per branch.

A snapshot is immutable. A refresh makes a new snapshot and the site switches to it with one assignment. A response uses
one snapshot from beginning to end, so it never mixes two commits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from kinfolk.config.docs_address import Ref
from kinfolk.runtime.errors import Unavailable


@dataclass(frozen=True)
class FileHistory:
    """The date of the last change to a file's content, and its authors, the latest first."""

    updated: datetime
    authors: tuple[str, ...]


class Tree(Protocol):
    """One branch at one commit. Safe to read from any thread."""

    @property
    def ref(self) -> Ref: ...

    @property
    def revision(self) -> str:
        """The commit id; without git, a digest of the files."""

    @property
    def files(self) -> Mapping[str, str]:
        """Path from the repository's root -> git blob id. Contains no directories."""

    @property
    def left_out(self) -> Mapping[str, str]:
        """Path in quotes and with escapes -> the reason why `files` does not list it. At most 1000 entries."""

    @property
    def broken_links(self) -> Mapping[str, str]:
        """Path of a symbolic link that is not followed -> the reason. `files` lists what the others lead to."""

    @property
    def linked_paths(self) -> frozenset[str]:
        """The paths of `files` that exist by a symbolic link only."""

    @property
    def changed_at(self) -> datetime | None:
        """The date of the commit; without git, that of the newest file. None if it is unknown."""

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises NotFound when this tree has no such file."""

    def size(self, path: str) -> int:
        """Bytes of the file, without reading its content. Raises what `read` raises."""

    def history(self, path: str) -> FileHistory | None:
        """The history of the file's content in this tree. None if it is unknown or not fetched yet."""


@dataclass(frozen=True)
class Snapshot:
    """All trees of the family at one time."""

    trees: Mapping[Ref, Tree]
    id: str = field(init=False)

    def __post_init__(self) -> None:
        revisions = "\n".join(f"{ref} {self.trees[ref].revision}" for ref in sorted(self.trees))
        object.__setattr__(self, "id", hashlib.sha256(revisions.encode()).hexdigest()[:16])

    def tree(self, ref: Ref) -> Tree:
        """The tree of a branch. Raises Unavailable where there is no copy of it."""
        if ref not in self.trees:
            raise Unavailable(f"There is no copy of {ref} on this site yet")
        return self.trees[ref]


class ContentSource(Protocol):
    """Provides snapshots."""

    @property
    def description(self) -> str:
        """A short description for logs: `the bundled docs in content/repos`."""

    def open(self) -> Snapshot:
        """The last valid snapshot, without network access. Raises Unavailable if there is none."""

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        """Fetch newer commits, of these refs or of all, and return the current snapshot.

        Without any refs, nothing is fetched: the snapshot has what other processes have published.

        Blocks. Failures of upstream are logged, not raised, and the last valid trees stay in the snapshot.
        """

    def synced_at_s(self, ref: Ref | None = None) -> float | None:
        """The time of the last successful refresh of a branch, by `time.monotonic`; without one the oldest of all.

        None until it, or each of all, was refreshed with success.
        """

    def fetch_history(self, refs: Collection[Ref] | None = None) -> Snapshot:
        """Fetch the histories of the current trees, and return these trees with their histories.

        Callers publish new content first, because fetching histories can take minutes. Blocks. Failures of upstream are
        logged, not raised.
        """

    def tidy(self) -> object:
        """Delete old content that no snapshot uses. Blocks. Call it once a day. Raises Unavailable."""

    def stop(self) -> None:
        """Stop all running and later operations: the process is about to exit."""


@dataclass(frozen=True)
class Change:
    """The difference between two snapshots in one branch.

    `paths` are the files that were added, removed or changed, and those whose history changed. `listing` says whether
    a file was added or removed, `dates` whether the history of a file changed.
    """

    ref: Ref
    paths: frozenset[str]
    listing: bool
    dates: bool


def changes(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """One Change for each ref with changed files or histories, in the order of the refs."""
    changed = []
    for ref in sorted({*old.trees, *new.trees}):
        before = old.trees.get(ref)
        after = new.trees.get(ref)
        if before is after:
            continue
        was = before.files if before else {}
        now = after.files if after else {}
        paths = frozenset(p for p in {*was, *now} if was.get(p) != now.get(p))
        dated = frozenset(p for p in now if before.history(p) != after.history(p)) if before and after else paths
        if paths or dated:
            listing = was.keys() != now.keys()
            changed.append(Change(ref, paths | dated, listing, dates=listing or bool(dated)))
    return tuple(changed)

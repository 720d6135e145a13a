"""Reading one commit of a bare repository with pygit2."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import pygit2
from pygit2.enums import FileMode, ObjectType, RepositoryOpenFlag

from kinfolk.errors import NotFound, Unavailable
from kinfolk.sources.history import Histories
from kinfolk.sources.paths import is_plain
from kinfolk.sources.snapshot import FileHistory, Ref

# What pygit2 raises for an object or a repository that is missing, unreadable or not what its id says.
GIT_ERRORS = (pygit2.GitError, KeyError, ValueError, OSError)

_FILE_MODES = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)


@contextmanager
def opened(path: Path) -> Iterator[pygit2.Repository]:
    """A handle of its own for a longer piece of work. Raises one of GIT_ERRORS."""
    handle = _open(path)
    try:
        yield handle
    finally:
        handle.free()


def _open(path: Path) -> pygit2.Repository:
    return pygit2.Repository(path, RepositoryOpenFlag.BARE | RepositoryOpenFlag.NO_SEARCH)


class Objects:
    """The objects of one repository, for many threads.

    Each reader borrows a handle for one read. One handle behind a lock was tried: with four threads its slowest
    reads take 8 ms instead of 1, because who holds the lock may lose the interpreter meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: deque[pygit2.Repository] = deque()

    def blob(self, blob_id: str) -> bytes:
        """Raises one of GIT_ERRORS."""
        idle = self._idle
        try:
            handle = idle.pop()
        except IndexError:
            return self._read(_open(self.path), blob_id, idle)
        # The packs may have been rewritten since the handle was opened: try a new one.
        with suppress(*GIT_ERRORS):
            return self._read(handle, blob_id, idle)
        return self._read(_open(self.path), blob_id, idle)

    def forget(self) -> None:
        """Close what is open, for the files on disk were replaced.

        libgit2 shares an open pack with everybody who opens one of the same name, so an old handle would keep a
        damaged pack alive even after its repair.
        """
        idle, self._idle = self._idle, deque()
        while idle:
            idle.pop().free()

    @staticmethod
    def _read(handle: pygit2.Repository, blob_id: str, idle: deque[pygit2.Repository]) -> bytes:
        try:
            kind, content = handle.read(blob_id)
            if kind != ObjectType.BLOB:
                raise ValueError(f"{blob_id} is not a file")
        except GIT_ERRORS:
            handle.free()
            raise
        idle.append(handle)
        return content


class GitTree:
    """One branch at one commit. `on_damage` hears of objects that should be there and are not."""

    def __init__(
        self,
        ref: Ref,
        commit: str,
        objects: Objects,
        *,
        histories: Histories | None = None,
        on_damage: Callable[[GitTree], None] | None = None,
    ) -> None:
        self.ref = ref
        self.revision = commit
        self.histories = histories
        self._objects = objects
        self._on_damage = on_damage

    @cached_property
    def files(self) -> Mapping[str, str]:
        try:
            with opened(self._objects.path) as repository:
                found = dict(_walk(repository, self.revision))
        except GIT_ERRORS as error:
            raise self._damaged(f"commit {self.revision[:10]}", error) from error
        return MappingProxyType({path: found[path] for path in sorted(found)})

    @cached_property
    def changed_at(self) -> datetime | None:
        try:
            with opened(self._objects.path) as repository:
                made = repository[self.revision]
                return datetime.fromtimestamp(made.commit_time, UTC) if isinstance(made, pygit2.Commit) else None
        except GIT_ERRORS:
            return None  # a date is not worth an alarm: whoever reads a file will find the damage

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        try:
            return self._objects.blob(self.files[path])
        except GIT_ERRORS as error:
            raise self._damaged(path, error) from error

    def history(self, path: str) -> FileHistory | None:
        if self.histories is None or path not in self.files:
            return None
        return self.histories.of(path, self.files[path])

    def with_histories(self, histories: Histories) -> GitTree:
        """The same commit, and what is known of its files by now."""
        twin = copy(self)
        twin.histories = histories
        return twin

    def check(self) -> None:
        """Raises Unavailable when the commit, a folder or a file of it is missing from the repository."""
        try:
            _check_packs(self._objects.path)
            with opened(self._objects.path) as repository:
                objects = repository.odb
                missing = [path for path, blob in self.files.items() if pygit2.Oid(hex=blob) not in objects]
        except GIT_ERRORS as error:
            raise self._damaged(f"commit {self.revision[:10]}", error) from error
        if missing:
            raise self._damaged(missing[0], KeyError(self.files[missing[0]]))

    def _damaged(self, what: str, error: Exception) -> Unavailable:
        if self._on_damage is not None:
            self._on_damage(self)
        return Unavailable(f"The mirror of {self.ref} lost {what} ({type(error).__name__}: {error})")


def _walk(repository: pygit2.Repository, commit: str) -> Iterator[tuple[str, str]]:
    """Each plain file's path and blob id. Symbolic links, submodules and odd names are left out."""
    found = repository[commit]
    if not isinstance(found, pygit2.Commit):
        raise ValueError(f"{commit} is not a commit")  # noqa: TRY004 - a wrong id, not a wrong type
    folders = [("", found.tree)]
    while folders:
        prefix, folder = folders.pop()
        for entry in folder:
            raw = entry.raw_name
            if raw is None or not is_plain(raw):
                continue
            path = prefix + raw.decode()
            if isinstance(entry, pygit2.Tree):
                folders.append((f"{path}/", entry))
            elif entry.filemode in _FILE_MODES:
                yield path, str(entry.id)


def _check_packs(repository: Path) -> None:
    """Raises OSError when a pack was cut short: an index ends with its pack's checksum and then its own."""
    for index in repository.glob("objects/pack/pack-*.idx"):
        pack = index.with_suffix(".pack")
        if _tail(pack, 20) != _tail(index, 40)[:20]:
            raise OSError(errno.EIO, "the pack is not whole", str(pack))


def _tail(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(-size, os.SEEK_END)
        return file.read()

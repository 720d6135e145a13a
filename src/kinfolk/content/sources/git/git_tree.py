"""Reads one commit of a bare repository with pygit2."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import pygit2
import structlog
from pygit2.enums import FileMode, ObjectType, RepositoryOpenFlag

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.history_record import BranchHistory
from kinfolk.content.sources.paths import MOST_LEFT_OUT, is_too_long, name_fault, quoted_path
from kinfolk.content.sources.snapshot import FileHistory
from kinfolk.content.sources.symbolic_links import LONGEST_TARGET, MOST_LINKS, linked_files
from kinfolk.runtime.errors import NotFound, Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_FILES = 300_000
"""Files of one commit. The largest repository of the family has 20,000; a few kB of git objects can list billions."""
MAX_DEPTH = 64
"""Nesting of folders."""
MOST_LOGGED = 10
"""Paths in one log line."""

# Errors of pygit2 for an object or a repository that is missing, unreadable or of another type. libgit2 allocates the
# size that the header of a damaged object has, which may be petabytes.
GIT_ERRORS = (pygit2.GitError, KeyError, ValueError, OSError, MemoryError)

T = TypeVar("T")

_FILE_MODES = (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)


@contextmanager
def open_repository(path: Path) -> Iterator[pygit2.Repository]:
    """A handle for several reads, closed at the end. Raises one of GIT_ERRORS."""
    handle = _open(path)
    try:
        yield handle
    finally:
        handle.free()


def _open(path: Path) -> pygit2.Repository:
    return pygit2.Repository(path, RepositoryOpenFlag.BARE | RepositoryOpenFlag.NO_SEARCH)


class ObjectStore:
    """The objects of one repository. Thread-safe.

    Each read takes an idle handle and returns it. With one handle and a lock, the slowest reads of four threads take
    8 ms instead of 1 ms, because the thread with the lock may wait for the interpreter's lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: deque[pygit2.Repository] = deque()

    def blob(self, blob_id: str) -> bytes:
        """Raises one of GIT_ERRORS."""
        return self._with_handle(lambda handle: _content(handle, blob_id))

    def missing(self, blob_ids: Iterable[str]) -> tuple[str, ...]:
        """Those of the blobs that the repository does not have, each once. Raises one of GIT_ERRORS."""
        return self._with_handle(lambda handle: _missing(handle, blob_ids))

    def size(self, blob_id: str) -> int:
        """Bytes of a blob, from its header alone. Raises one of GIT_ERRORS."""
        return self._with_handle(lambda handle: _size(handle, blob_id))

    def sizes(self, blob_ids: Iterable[str]) -> Mapping[str, int]:
        """Bytes of each of these blobs. Raises one of GIT_ERRORS."""
        return self._with_handle(lambda handle: {blob: _size(handle, blob) for blob in dict.fromkeys(blob_ids)})

    def _with_handle(self, read: Callable[[pygit2.Repository], T]) -> T:
        idle = self._idle
        try:
            handle = idle.pop()
        except IndexError:
            return self._with(_open(self.path), read, idle)
        # The packs may have been rewritten since the handle was opened: try a new one.
        with suppress(*GIT_ERRORS):
            return self._with(handle, read, idle)
        return self._with(_open(self.path), read, idle)

    def close_handles(self) -> None:
        """Close all idle handles, after the files on disk were replaced.

        libgit2 shares open packs by name between handles, so an old handle would keep a damaged pack in use after its
        repair.
        """
        idle, self._idle = self._idle, deque()
        while idle:
            idle.pop().free()

    @staticmethod
    def _with(handle: pygit2.Repository, read: Callable[[pygit2.Repository], T], idle: deque[pygit2.Repository]) -> T:
        try:
            content = read(handle)
        except GIT_ERRORS:
            handle.free()
            raise
        idle.append(handle)
        return content


def _content(handle: pygit2.Repository, blob_id: str) -> bytes:
    kind, content = handle.read(blob_id)
    if kind != ObjectType.BLOB:
        raise ValueError(f"{blob_id} is not a file")
    return content


def _missing(handle: pygit2.Repository, blob_ids: Iterable[str]) -> tuple[str, ...]:
    objects = handle.odb
    return tuple(blob for blob in dict.fromkeys(blob_ids) if pygit2.Oid(hex=blob) not in objects)


def _size(handle: pygit2.Repository, blob_id: str) -> int:
    kind, size = handle.odb.read_header(pygit2.Oid(hex=blob_id))
    if kind != ObjectType.BLOB:
        raise ValueError(f"{blob_id} is not a file")
    return size


@dataclass(frozen=True)
class _TreeListing:
    """The files of a commit. `is_complete` is False for more than MOST_FILES files, of which only some are listed."""

    files: Mapping[str, str]
    left_out: Mapping[str, str]
    broken_links: Mapping[str, str]
    linked_paths: frozenset[str]
    unread_links: frozenset[str]
    """Blobs with the texts of symbolic links that the repository does not have."""
    is_complete: bool


class GitTree:
    """One branch at one commit. `on_damage` is called when an object is missing or unreadable.

    `folders` are the paths of the folders whose files the tree has; by default all. Paths start from the folder `top`.
    """

    def __init__(
        self,
        ref: Ref,
        commit: str,
        objects: ObjectStore,
        *,
        histories: BranchHistory | None = None,
        on_damage: Callable[[GitTree], None] | None = None,
        folders: tuple[str, ...] = ("",),
        top: str = "",
    ) -> None:
        self.ref = ref
        self.revision = commit
        self.histories = histories
        self.top = top
        self._objects = objects
        self._on_damage = on_damage
        self._folders = folders

    @property
    def objects(self) -> ObjectStore:
        return self._objects

    @property
    def files(self) -> Mapping[str, str]:
        return self._listing.files

    @property
    def left_out(self) -> Mapping[str, str]:
        return self._listing.left_out

    @property
    def broken_links(self) -> Mapping[str, str]:
        return self._listing.broken_links

    @property
    def linked_paths(self) -> frozenset[str]:
        return self._listing.linked_paths

    @property
    def blobs(self) -> frozenset[str]:
        """The git ids of all files, and of symbolic links whose text is not in the repository."""
        return self._listing.unread_links.union(self.files.values())

    @property
    def is_complete(self) -> bool:
        """Whether `files` lists all files with valid paths: False for a commit of more than MOST_FILES."""
        return self._listing.is_complete

    @cached_property
    def _listing(self) -> _TreeListing:
        try:
            with open_repository(self._objects.path) as repository:
                listing = _list(repository, self.revision, self._folders, self.top)
        except GIT_ERRORS as error:
            raise self._damaged(f"commit {self.revision[:10]}", error) from error
        log_left_out(self.ref, listing.left_out)
        return listing

    @cached_property
    def changed_at(self) -> datetime | None:
        try:
            with open_repository(self._objects.path) as repository:
                commit = repository[self.revision]
                return datetime.fromtimestamp(commit.commit_time, UTC) if isinstance(commit, pygit2.Commit) else None
        except GIT_ERRORS:
            return None  # the date is optional, and reading a file reports the damage

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        try:
            return self._objects.blob(self.files[path])
        except GIT_ERRORS as error:
            raise self._damaged(path, error) from error

    def size(self, path: str) -> int:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        try:
            return self._objects.size(self.files[path])
        except GIT_ERRORS as error:
            raise self._damaged(path, error) from error

    def history(self, path: str) -> FileHistory | None:
        if self.histories is None or path not in self.files:
            return None
        return self.histories.of(path, self.files[path])

    def with_histories(self, histories: BranchHistory) -> GitTree:
        """The tree of the same commit with other histories."""
        tree = copy(self)
        tree.histories = histories
        return tree

    def sizes(self) -> Mapping[str, int]:
        """Path -> bytes of each file. Reads the header of each."""
        try:
            found = self._objects.sizes(self.files.values())
        except GIT_ERRORS as error:
            raise self._damaged(f"commit {self.revision[:10]}", error) from error
        return {path: found[blob] for path, blob in self.files.items()}

    def without_large_files(self, most_bytes: int) -> GitTree:
        """The same commit, where files of more bytes are left out."""
        sizes, listing = self.sizes(), self._listing
        small = {path: blob for path, blob in listing.files.items() if sizes[path] <= most_bytes}
        large = {path: f"it has {size} bytes" for path, size in sizes.items() if size > most_bytes}
        tree = copy(self)
        own = MappingProxyType(small)
        tree._listing = replace(listing, files=own, left_out={**listing.left_out, **large})  # noqa: SLF001 - its own class
        return tree

    def check(self) -> None:
        """Raises Unavailable when the commit, or one of its folders or files, is missing from the repository."""
        try:
            _check_packs(self._objects.path)
            with open_repository(self._objects.path) as repository:
                absent = frozenset(_missing(repository, self.blobs))
                missing = [path for path, blob in self.files.items() if blob in absent]
                missing += sorted(self._listing.unread_links)
        except GIT_ERRORS as error:
            raise self._damaged(f"commit {self.revision[:10]}", error) from error
        if missing:
            raise self._damaged(missing[0], KeyError(self.files.get(missing[0], missing[0])))

    def _damaged(self, missing: str, error: Exception) -> Unavailable:
        if self._on_damage is not None:
            self._on_damage(self)
        return Unavailable(f"The mirror of {self.ref} lost {missing} ({type(error).__name__}: {error})")


def log_left_out(ref: Ref, left_out: Mapping[str, str]) -> None:
    """Log the number of files that a tree leaves out, and the first of them."""
    if left_out:
        first = [f"{path}: {reason}" for path, reason in list(left_out.items())[:MOST_LOGGED]]
        log.warning("files left out", ref=str(ref), files=len(left_out), first=first)


def _list(repository: pygit2.Repository, commit: str, inside: Iterable[str] = ("",), top: str = "") -> _TreeListing:
    """The paths from the folder `top` and the blob ids of a commit, of files in some of its folders.

    Symbolic links are followed within these; submodules are ignored.
    """
    found = repository[commit]
    if not isinstance(found, pygit2.Commit):
        raise ValueError(f"{commit} is not a commit")  # noqa: TRY004 - a wrong id, not a wrong type
    files: dict[str, str] = {}
    left_out: dict[str, str] = {}
    link_blobs: dict[str, pygit2.Oid] = {}
    # Folders are counted too: a few objects can list billions of empty folders.
    entries = 0
    root = _folder(found.tree, top)
    trees = ((path, _folder(root, path)) for path in inside) if root is not None else ()
    folders = [(f"{path}/" if path else "", tree) for path, tree in trees if tree is not None]
    while folders and entries <= MOST_FILES:
        prefix, folder = folders.pop()
        for entry in folder:
            entries += 1
            raw = entry.raw_name or b""
            path, fault = _path_in(prefix, raw)
            if fault is not None:
                if len(left_out) < MOST_LEFT_OUT and raw.lower() != b".git":
                    left_out[quoted_path(prefix.encode() + raw)] = fault
            elif isinstance(entry, pygit2.Tree):
                folders.append((f"{path}/", entry))
            elif entry.filemode in _FILE_MODES:
                files[path] = str(entry.id)
            elif entry.filemode == FileMode.LINK and len(link_blobs) < MOST_LINKS:
                link_blobs[path] = entry.id
    links, unread_links = _read_links(repository, link_blobs)
    added, broken_links = linked_files(files, links)
    files |= {path: files[file] for path, file in added.items()}
    is_complete = entries <= MOST_FILES
    return _TreeListing(
        MappingProxyType({path: files[path] for path in sorted(files)}),
        MappingProxyType(left_out),
        MappingProxyType(broken_links),
        frozenset(added),
        unread_links,
        is_complete,
    )


def _folder(top: pygit2.Tree, path: str) -> pygit2.Tree | None:
    entry = top[path] if path and path in top else None if path else top
    return entry if isinstance(entry, pygit2.Tree) else None


def _path_in(prefix: str, name: bytes) -> tuple[str, str | None]:
    """The path of a name in a folder, and why it is left out; None for a valid one."""
    fault = name_fault(name)
    if fault is not None:
        return prefix, fault
    path = prefix + name.decode()
    return path, "its path is too long" if is_too_long(path) or path.count("/") > MAX_DEPTH else None


def _read_links(
    repository: pygit2.Repository, blobs: Mapping[str, pygit2.Oid]
) -> tuple[dict[str, str], frozenset[str]]:
    """Where symbolic links lead, without those whose text no path has, and the blobs that are missing."""
    links: dict[str, str] = {}
    unread: set[str] = set()
    for path, blob in blobs.items():
        try:
            kind, size = repository.odb.read_header(blob)
            content = repository.odb.read(blob)[1] if kind == ObjectType.BLOB and size <= LONGEST_TARGET else b""
        except GIT_ERRORS:
            unread.add(str(blob))
            continue
        with suppress(UnicodeDecodeError):
            if content:
                links[path] = content.decode()
    return links, frozenset(unread)


def _check_packs(repository: Path) -> None:
    """Raises OSError for a truncated pack. An index ends with the checksum of its pack, then its own."""
    for index in repository.glob("objects/pack/pack-*.idx"):
        pack = index.with_suffix(".pack")
        if _tail(pack, 20) != _tail(index, 40)[:20]:
            raise OSError(errno.EIO, "the pack is truncated", str(pack))


def _tail(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(-size, os.SEEK_END)
        return file.read()

"""Repositories that lie in a directory as `{owner}/{repo}/{branch}/...`, without git.

A tree keeps its files in memory as they were when it was scanned, so files may be edited under a running
site: a reader sees the old text or, after the next refresh, the new one, never half of each. Only files too
large to keep are read again from disk, and only when they are still what was listed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import structlog

from kinfolk.errors import NotFound, Unavailable
from kinfolk.sources.paths import MOST_LEFT_OUT, check_ref, is_too_long, name_fault, shown
from kinfolk.sources.snapshot import FileHistory, Ref, Snapshot, Tree
from kinfolk.sources.tree import log_left_out

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGE_BYTES = 1024 * 1024
# Examples nest 8 folders deep at most; the limit keeps a runaway directory from exhausting file descriptors.
MAX_DEPTH = 64
# File systems stamp times as coarsely as 2 s, so a file younger than that may change again and look the same.
SETTLED_NS = 2_000_000_000

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK so that a pipe put where a file was cannot hang the scan.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class _Stamp:
    """What tells one state of a file from another without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @staticmethod
    def of(status: os.stat_result) -> _Stamp:
        return _Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@dataclass(frozen=True)
class _File:
    stamp: _Stamp
    blob: str
    content: bytes | None
    """None when it is too large to keep."""
    settled: bool


class DirectoryTree:
    """The files of one branch's folder, as they were when it was scanned."""

    def __init__(self, ref: Ref, root: Path, files: Mapping[str, _File], left_out: Mapping[str, str]) -> None:
        self.ref = ref
        self.left_out: Mapping[str, str] = MappingProxyType(dict(sorted(left_out.items())))
        self.files: Mapping[str, str] = MappingProxyType({path: files[path].blob for path in sorted(files)})
        listing = "".join(f"{blob} {path}\0" for path, blob in self.files.items())
        self.revision = hashlib.sha1(listing.encode(), usedforsecurity=False).hexdigest()
        newest_ns = max((file.stamp.mtime_ns for file in files.values()), default=None)
        self.changed_at = None if newest_ns is None else datetime.fromtimestamp(newest_ns // 10**9, UTC)
        self._content = {path: file.content for path, file in files.items()}
        self._sizes = {path: file.stamp.size for path, file in files.items()}
        self._root = root

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        kept = self._content[path]
        return self._reread(path) if kept is None else kept

    def size(self, path: str) -> int:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        return self._sizes[path]

    def history(self, path: str) -> FileHistory | None:
        """Nobody wrote down who changed a plain file."""
        del path
        return None

    def _reread(self, path: str) -> bytes:
        try:
            with os.fdopen(_open_below(self._root, f"{_folder(self.ref)}/{path}", _FILE), "rb") as file:
                content = file.read()
        except OSError as error:
            raise Unavailable(f"{path} of {self.ref} can no longer be read: {error.strerror}") from error
        if _blob_id([content], len(content)) != self.files[path]:
            raise Unavailable(f"{path} of {self.ref} changed on disk and waits for the next refresh")
        return content


class DirectorySource:
    """Serves the named branches of a directory. A branch that has no folder there is simply absent."""

    def __init__(
        self,
        root: Path,
        refs: Collection[Ref],
        description: str,
        *,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.description = description
        self._root = root
        self._refs = tuple(sorted(check_ref(ref) for ref in set(refs)))
        self._clock_ns = clock_ns
        self._scanned: dict[Ref, tuple[DirectoryTree, Mapping[str, _File]]] = {}
        self._lock = threading.Lock()

    def open(self) -> Snapshot:
        snapshot = self.refresh()
        if not snapshot.trees:
            raise Unavailable(f"{self._root} holds none of the {len(self._refs)} branches this site shows")
        return snapshot

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        with self._lock:
            for ref in self._refs:
                if refs is None or ref in refs:
                    self._rescan(ref)
            trees: dict[Ref, Tree] = {ref: tree for ref, (tree, _) in self._scanned.items()}
            return Snapshot(MappingProxyType(trees))

    def look_back(self, refs: Collection[Ref] | None = None) -> Snapshot:
        del refs  # there is nothing to look back at
        return self.refresh(())

    def tidy(self) -> None:
        """Nothing is kept that is not shown."""

    def stop(self) -> None:
        """Nothing takes long enough."""

    def _rescan(self, ref: Ref) -> None:
        tree, known = self._scanned.get(ref, (None, {}))
        left_out: dict[str, str] = {}
        try:
            files = self._scan(ref, known, left_out)
        except OSError as error:
            log.warning("directory unreadable", ref=str(ref), root=str(self._root), reason=str(error))
            return
        if files:
            fresh = DirectoryTree(ref, self._root, files, left_out)
            if tree is None or tree.left_out != fresh.left_out:
                log_left_out(ref, fresh.left_out)
            keep = tree is not None and (tree.revision, tree.left_out) == (fresh.revision, fresh.left_out)
            self._scanned[ref] = (tree if tree is not None and keep else fresh, files)
        elif tree is not None:
            log.warning("directory gone", ref=str(ref), root=str(self._root))
            del self._scanned[ref]

    def _scan(self, ref: Ref, known: Mapping[str, _File], left_out: dict[str, str]) -> dict[str, _File]:
        """Every plain file of the branch; `known` ones are not read again when their stamp is the same.

        `left_out` gets the others, with the reason.
        """
        try:
            folder = _open_below(self._root, _folder(ref), _FOLDER)
        except OSError as error:
            # ENOTDIR is how Linux refuses a symbolic link where a folder is wanted; elsewhere it is ELOOP.
            absent = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
            if absent and self._root.is_dir():
                return {}
            raise
        try:
            return dict(self._files_below(ref, folder, "", known, left_out))
        finally:
            os.close(folder)

    def _files_below(
        self, ref: Ref, folder: int, prefix: str, known: Mapping[str, _File], left_out: dict[str, str]
    ) -> Iterator[tuple[str, _File]]:
        with os.scandir(folder) as entries:
            plain = [entry for entry in entries if _is_listed(prefix, os.fsencode(entry.name), left_out)]
        for entry in plain:
            path = prefix + entry.name
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and path.count("/") < MAX_DEPTH:
                    below = os.open(entry.name, _FOLDER, dir_fd=folder)
                    try:
                        yield from self._files_below(ref, below, f"{path}/", known, left_out)
                    finally:
                        os.close(below)
                elif stat.S_ISREG(status.st_mode):
                    before = known.get(path)
                    if before is None or not before.settled or before.stamp != _Stamp.of(status):
                        before = self._load(entry.name, folder)
                    yield path, before
                else:
                    log.debug("directory refused", ref=str(ref), path=path)
            except FileNotFoundError:
                continue  # It went away since the folder was listed.
            except (PermissionError, _RestlessError) as error:
                log.warning("directory unreadable", ref=str(ref), path=path, reason=str(error))

    def _load(self, name: str, folder: int) -> _File:
        """The file whole and at rest."""
        for _ in range(3):
            descriptor = os.open(name, _FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                status = os.fstat(descriptor)
                stamp = _Stamp.of(status)
                content = file.read() if stamp.size <= LARGE_BYTES else None
                chunks = iter(lambda: file.read(LARGE_BYTES), b"") if content is None else [content]
                blob = _blob_id(chunks, stamp.size)
                if stat.S_ISREG(status.st_mode) and _Stamp.of(os.fstat(descriptor)) == stamp:
                    settled = self._clock_ns() - max(stamp.mtime_ns, stamp.ctime_ns) > SETTLED_NS
                    return _File(stamp, blob, content, settled)
        raise _RestlessError(f"{name} changes faster than it can be read")


class _RestlessError(Exception):
    """A file that was different before and after it was read, three times over."""


def _is_listed(prefix: str, name: bytes, left_out: dict[str, str]) -> bool:
    """Whether a name in a folder is plain. `left_out` gets one that is not."""
    fault = name_fault(name)
    if fault is None and is_too_long(prefix + name.decode()):
        fault = "its path is too long"
    if fault is not None and name.lower() != b".git" and len(left_out) < MOST_LEFT_OUT:
        left_out[shown(prefix.encode() + name)] = fault
    return fault is None


def _folder(ref: Ref) -> str:
    return f"{ref.repo}/{ref.branch}"


def _open_below(root: Path, path: str, flags: int) -> int:
    """A descriptor of `root/path`, reached folder by folder; no symbolic link below the root is followed."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    *parents, last = path.split("/")
    try:
        for parent in parents:
            below = os.open(parent, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(last, flags, dir_fd=folder)
    finally:
        os.close(folder)


def _blob_id(chunks: Iterable[bytes], size: int) -> str:
    """The id git would give these bytes."""
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()

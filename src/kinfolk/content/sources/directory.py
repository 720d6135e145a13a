"""Reads repositories from a directory with the layout `{owner}/{repo}/{branch}/...`, or from checkouts of their own.

A tree holds the contents of its files in memory from the scan on. So files may be edited while the site runs: a page
has the old text or, after the next refresh, the new text, and never a mixture. Files larger than LARGE_BYTES are read
from disk for each request, and only while they have the content that was scanned.
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
from functools import cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import pygit2
import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import log_left_out
from kinfolk.content.sources.paths import MOST_LEFT_OUT, check_ref, is_too_long, name_fault, quoted_path
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, Tree
from kinfolk.content.sources.symbolic_links import LONGEST_TARGET, MOST_LINKS, linked_files
from kinfolk.runtime.errors import NotFound, Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGE_BYTES = 1024 * 1024
# Examples nest 8 folders deep at most; the limit keeps a runaway directory from exhausting file descriptors.
MAX_DEPTH = 64
# File systems store times with a resolution of up to 2 s, so a younger file may change without a new time.
STABLE_AFTER_NS = 2_000_000_000

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK so that opening a named pipe does not block the scan.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class _Stamp:
    """Metadata that changes when the content of a file does. Comparing it avoids reading the file."""

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
    """None for a file larger than LARGE_BYTES."""
    is_stable: bool
    """Whether an unchanged stamp means an unchanged file: False for a file modified less than STABLE_AFTER_NS ago."""


class DirectoryTree:
    """The files of one branch's folder at the time of the scan."""

    def __init__(
        self,
        ref: Ref,
        folder: Path,
        listed: Mapping[str, _File],
        left_out: Mapping[str, str],
        links: Mapping[str, str],
    ) -> None:
        """`links` are the paths of symbolic links -> their texts."""
        self.ref = ref
        self.real_files, broken_links = linked_files(listed, links)
        self.broken_links: Mapping[str, str] = MappingProxyType(broken_links)
        self.linked_paths = frozenset(self.real_files)
        files = {**listed, **{path: listed[file] for path, file in self.real_files.items()}}
        self.left_out: Mapping[str, str] = MappingProxyType(dict(sorted(left_out.items())))
        self.files: Mapping[str, str] = MappingProxyType({path: files[path].blob for path in sorted(files)})
        listing = "".join(f"{blob} {path}\0" for path, blob in self.files.items())
        self.revision = hashlib.sha1(listing.encode(), usedforsecurity=False).hexdigest()
        newest_ns = max((file.stamp.mtime_ns for file in files.values()), default=None)
        self.changed_at = None if newest_ns is None else datetime.fromtimestamp(newest_ns // 10**9, UTC)
        self._content = {path: file.content for path, file in files.items()}
        self._sizes = {path: file.stamp.size for path, file in files.items()}
        self._folder = folder

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        content = self._content[path]
        return self._reread(path) if content is None else content

    def size(self, path: str) -> int:
        if path not in self.files:
            raise NotFound(f"{self.ref} has no file {path}")
        return self._sizes[path]

    def history(self, path: str) -> FileHistory | None:
        """None: a directory without git has no history."""
        del path
        return None

    def _reread(self, path: str) -> bytes:
        try:
            real = self.real_files.get(path, path)
            with os.fdopen(_open_below(self._folder, real, _FILE), "rb") as file:
                content = file.read()
        except OSError as error:
            raise Unavailable(f"{path} of {self.ref} can no longer be read: {error.strerror}") from error
        if _blob_id([content], len(content)) != self.files[path]:
            raise Unavailable(f"{path} of {self.ref} changed on disk and waits for the next refresh")
        return content


class DirectorySource:
    """Serves the given branches from a directory. A branch without a folder is absent from the snapshot.

    `checkouts` are branches in folders of their own. Folders that git ignores there, `node_modules` and folders whose
    name begins with a dot are not read: a working copy has much that is not content.
    """

    def __init__(
        self,
        root: Path,
        refs: Collection[Ref],
        description: str,
        *,
        checkouts: Mapping[Ref, Path] | None = None,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self.description = description
        self._root = root
        self._checkouts = checkouts or {}
        self._refs = tuple(sorted(check_ref(ref) for ref in set(refs)))
        self._clock_ns = clock_ns
        self._scanned: dict[Ref, tuple[DirectoryTree, Mapping[str, _File]]] = {}
        self._synced_s: float | None = None
        self._lock = threading.Lock()

    def open(self) -> Snapshot:
        snapshot = self.refresh()
        if not snapshot.trees:
            raise Unavailable(f"{self._root} holds none of the {len(self._refs)} branches of this site")
        return snapshot

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        with self._lock:
            for ref in self._refs:
                if refs is None or ref in refs:
                    self._rescan(ref)
            if refs is None:
                self._synced_s = time.monotonic()
            trees: dict[Ref, Tree] = {ref: tree for ref, (tree, _) in self._scanned.items()}
            return Snapshot(MappingProxyType(trees))

    def synced_at_s(self, ref: Ref | None = None) -> float | None:
        del ref  # all folders are read together
        return self._synced_s

    def fetch_history(self, refs: Collection[Ref] | None = None) -> Snapshot:
        del refs  # there is no history to fetch
        return self.refresh(())

    def tidy(self) -> None:
        """Does nothing: the source stores no old content."""

    def stop(self) -> None:
        """Does nothing: no operation takes long."""

    def _rescan(self, ref: Ref) -> None:
        tree, known = self._scanned.get(ref, (None, {}))
        left_out: dict[str, str] = {}
        links: dict[str, str] = {}
        try:
            files = self._scan(ref, known, left_out, links)
        except OSError as error:
            # A site without bundled docs has no such folder.
            if tree is not None or self._root.exists():
                log.warning("directory unreadable", ref=str(ref), root=str(self._root), reason=str(error))
            return
        if files:
            fresh = DirectoryTree(ref, self._folder(ref), files, left_out, links)
            if tree is None or tree.left_out != fresh.left_out:
                log_left_out(ref, fresh.left_out)
            is_same = (
                tree is not None
                and (tree.revision, tree.left_out) == (fresh.revision, fresh.left_out)
                and (tree.broken_links, tree.real_files) == (fresh.broken_links, fresh.real_files)
            )
            self._scanned[ref] = (tree if tree is not None and is_same else fresh, files)
        elif tree is not None:
            log.warning("directory missing", ref=str(ref), root=str(self._root))
            del self._scanned[ref]

    def _scan(
        self, ref: Ref, known: Mapping[str, _File], left_out: dict[str, str], links: dict[str, str]
    ) -> dict[str, _File]:
        """All files of the branch with valid paths. Files in `known` with the same stamp are not read again.

        Adds the other files to `left_out`, each with the reason, and symbolic links to `links`, each with its text.
        """
        try:
            checkout = self._checkouts.get(ref)
            folder = (
                os.open(checkout, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                if checkout
                else _open_below(self._root, f"{ref.repo}/{ref.branch}", _FOLDER)
            )
        except OSError as error:
            # A symbolic link in place of a folder is ENOTDIR on Linux and ELOOP on other systems.
            absent = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
            if absent and (checkout or self._root.is_dir()):
                return {}
            raise
        is_content = content_filter(checkout) if checkout else lambda _: True
        try:
            return dict(
                self._files_below(ref, folder, "", known=known, left_out=left_out, links=links, is_content=is_content)
            )
        finally:
            os.close(folder)

    def _folder(self, ref: Ref) -> Path:
        return self._checkouts.get(ref) or self._root / ref.repo / ref.branch

    def _files_below(
        self,
        ref: Ref,
        folder: int,
        prefix: str,
        *,
        known: Mapping[str, _File],
        left_out: dict[str, str],
        links: dict[str, str],
        is_content: Callable[[str], bool],
    ) -> Iterator[tuple[str, _File]]:
        with os.scandir(folder) as entries:
            listed = [entry for entry in entries if _is_listed(prefix, os.fsencode(entry.name), left_out)]
        for entry in listed:
            path = prefix + entry.name
            try:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and path.count("/") < MAX_DEPTH:
                    if not is_content(path):
                        continue
                    below = os.open(entry.name, _FOLDER, dir_fd=folder)
                    try:
                        inside = f"{path}/"
                        yield from self._files_below(
                            ref, below, inside, known=known, left_out=left_out, links=links, is_content=is_content
                        )
                    finally:
                        os.close(below)
                elif stat.S_ISREG(status.st_mode):
                    file = known.get(path)
                    if file is None or not file.is_stable or file.stamp != _Stamp.of(status):
                        file = self._load(entry.name, folder)
                    yield path, file
                elif stat.S_ISLNK(status.st_mode):
                    text = os.readlink(entry.name, dir_fd=folder)
                    if len(links) < MOST_LINKS and len(text) <= LONGEST_TARGET and text.isprintable():
                        links[path] = text
                else:
                    log.debug("special file ignored", ref=str(ref), path=path)
            except FileNotFoundError:
                continue  # it was deleted after the folder was listed
            except (PermissionError, _UnstableFileError) as error:
                log.warning("directory unreadable", ref=str(ref), path=path, reason=str(error))

    def _load(self, name: str, folder: int) -> _File:
        """Read a file whose metadata is the same before and after. Raises _UnstableFileError after three attempts."""
        for _ in range(3):
            descriptor = os.open(name, _FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb", buffering=0) as file:
                status = os.fstat(descriptor)
                stamp = _Stamp.of(status)
                content = file.read() if stamp.size <= LARGE_BYTES else None
                chunks = iter(lambda: file.read(LARGE_BYTES), b"") if content is None else [content]
                blob = _blob_id(chunks, stamp.size)
                if stat.S_ISREG(status.st_mode) and _Stamp.of(os.fstat(descriptor)) == stamp:
                    is_stable = self._clock_ns() - max(stamp.mtime_ns, stamp.ctime_ns) > STABLE_AFTER_NS
                    return _File(stamp, blob, content, is_stable)
        raise _UnstableFileError(f"{name} changes faster than it can be read")


class _UnstableFileError(Exception):
    """A file whose metadata changed during each of three reads."""


def _is_listed(prefix: str, name: bytes, left_out: dict[str, str]) -> bool:
    """Whether a path is valid. Adds an invalid path to `left_out`."""
    fault = name_fault(name)
    if fault is None and is_too_long(prefix + name.decode()):
        fault = "its path is too long"
    if fault is not None and name.lower() != b".git" and len(left_out) < MOST_LEFT_OUT:
        left_out[quoted_path(prefix.encode() + name)] = fault
    return fault is None


def content_filter(checkout: Path) -> Callable[[str], bool]:
    """Whether a folder of a checkout, by its path in it, may have content."""
    found = pygit2.discover_repository(str(checkout))
    repository = pygit2.Repository(found) if found else None
    top = Path(repository.workdir).resolve() if repository is not None and repository.workdir else None
    prefix = checkout.resolve().relative_to(top) if top and checkout.resolve().is_relative_to(top) else None

    def is_content(path: str) -> bool:
        name = path.rpartition("/")[2]
        if name.startswith(".") or name in {"node_modules", "__pycache__"}:
            return False
        # A whole checkout that git ignores, such as a sample within a build folder, is read.
        if repository is None or prefix is None or (prefix.parts and repository.path_is_ignored(f"{prefix}/")):
            return True
        below = (prefix / path).as_posix()
        return not repository.path_is_ignored(f"{below}/") or below in tracked()

    @cache
    def tracked() -> frozenset[str]:
        """Folders with files that git has, which it does not ignore, whatever a `.gitignore` says."""
        paths = (entry.path for entry in repository.index) if repository is not None else ()
        return frozenset(parent.as_posix() for path in paths for parent in PurePosixPath(path).parents)

    return is_content


def _open_below(root: Path, path: str, flags: int) -> int:
    """Open `root/path` folder by folder, without following symbolic links below the root."""
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
    """The id that git computes for these bytes."""
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()

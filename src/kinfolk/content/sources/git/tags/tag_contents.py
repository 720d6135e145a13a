"""The docs of tags: their folders are in the repository of histories, the contents of files are fetched on demand.

Fetched contents are in `{repo}.tags.git`, which borrows all other objects from `{repo}.history.git`. It has no refs: it
is a cache, and is deleted where it is larger than its limit.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import structlog

from kinfolk.config.catalog.releases import Tag
from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_command import Git
from kinfolk.content.sources.git.git_tree import GIT_ERRORS, GitTree, ObjectStore
from kinfolk.content.sources.git.repository import remove_leftovers
from kinfolk.content.sources.git.tags.tag_list import read_tags, tags_file
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_MISSING = 20_000
"""Files of one tag that are fetched. The docs of the largest library of the family have 1,300."""
MOST_PACKS = 40
"""Packs of a repository before they are combined: each fetch adds one, and each read looks through all."""


class TagContents:
    """Reads tags below `root`, the folder of the mirror. Thread-safe, and safe among processes.

    `url` gives the address of a repository. `limit_bytes` is the size on disk of each repository's contents.
    """

    kind = "tags"
    """The part of the names of files and folders that tells these contents from others."""
    borrows: tuple[str, ...] = ("history.git",)
    """The repositories of the mirror whose objects these contents share."""
    settings: tuple[str, ...] = ()
    """Options of git for a fetch."""
    most_missing = MOST_MISSING
    most_bytes: int | None = None
    """Bytes that one fetch may store."""

    def __init__(self, root: Path, url: Callable[[str], str], *, timeout_s: float, limit_bytes: int) -> None:
        self._root = root
        self._url = url
        self._timeout_s = timeout_s
        self._limit_bytes = limit_bytes
        self._stopping = threading.Event()
        self._objects: dict[str, tuple[int, ObjectStore]] = {}
        """The inode of each repository's folder, and its objects."""

    def tags(self, repo: str) -> tuple[Tag, ...]:
        """The tags with docs that the mirror knows. Reads a file."""
        return read_tags(tags_file(self._root, repo))

    def marks_file(self, repo: str, library: str, kind: Literal["marks", "sections"] = "marks") -> Path:
        """The file with the marks of a library's pages, or of their sections: beside the list of tags."""
        return self._root / f"{repo}.{library}.{kind}.json"

    def listed_at_ns(self, repo: str) -> int | None:
        """When the list of tags was replaced; None without one."""
        try:
            return tags_file(self._root, repo).stat().st_mtime_ns
        except OSError:
            return None

    def expire(self, repo: str) -> None:
        """Make the next refresh look for new tags: one was pushed."""
        with suppress(FileNotFoundError):
            os.utime(tags_file(self._root, repo), (0, 0))

    def stop(self) -> None:
        """Stop all running and later fetches: the process is about to exit."""
        self._stopping.set()

    def files(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> Mapping[str, str]:
        """Path -> git id of the files of a tag, whose contents need not be here. Reads the disk.

        Raises Unavailable for a commit that the mirror does not have.
        """
        return GitTree(ref, commit, self._store(ref.repo), folders=folders).files

    def open(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> GitTree | None:
        """The folders of a tag, if all their files are here; else None. Reads the disk.

        Raises Unavailable for a commit that the mirror does not have.
        """
        tree, missing = self._open(ref, commit, folders)
        return None if missing else tree

    def fetch(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> GitTree:
        """The folders of a tag, after fetching the files that are not here. Blocks. Raises Unavailable."""
        tree, missing = self._open(ref, commit, folders)
        if not missing:
            return tree
        started = time.monotonic()
        try:
            with self._locked(ref.repo) as lock:
                self._make_room(ref.repo)
                # Another process may have fetched them while this one waited.
                tree, missing = self._open(ref, commit, folders)
                if missing:
                    self._fetch(Git(lock, stopping=self._stopping), ref.repo, missing)
                    tree, missing = self._open(ref, commit, folders)
        except OSError as error:
            raise Unavailable(f"The docs of {ref} cannot be fetched: {error.strerror}") from error
        if missing:
            raise Unavailable(f"The code host did not send {len(missing)} files of {ref}")
        log.info("release fetched", ref=str(ref), seconds=round(time.monotonic() - started, 2))
        return tree

    def fetch_contents(self, repo: str, blobs: Collection[str]) -> None:
        """Fetch the contents with these git ids that are not here. Blocks. Raises Unavailable."""
        missing = self._missing(repo, blobs)
        if not missing:
            return
        try:
            with self._locked(repo) as lock:
                self._make_room(repo)
                missing = self._missing(repo, blobs)
                if missing:
                    self._fetch(Git(lock, stopping=self._stopping), repo, missing)
        except OSError as error:
            raise Unavailable(f"Contents of {repo} cannot be fetched: {error.strerror}") from error
        log.info("contents of releases fetched", repo=repo, files=len(missing))

    def read_content(self, repo: str, blob: str) -> bytes:
        """The content with a git id. Raises Unavailable for one that is not here."""
        try:
            return self._store(repo).blob(blob)
        except GIT_ERRORS as error:
            raise Unavailable(f"The mirror of {repo} lost {blob[:10]} ({error})") from error

    def _missing(self, repo: str, blobs: Collection[str]) -> tuple[str, ...]:
        try:
            return self._store(repo).missing(blobs)
        except GIT_ERRORS as error:
            raise Unavailable(f"The mirror of {repo} cannot be read: {error}") from error

    def _open(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> tuple[GitTree, tuple[str, ...]]:
        objects = self._store(ref.repo)
        tree = GitTree(ref, commit, objects, folders=folders, on_damage=self._drop)
        try:
            missing = objects.missing(tree.blobs)
        except GIT_ERRORS as error:
            raise Unavailable(f"The mirror of {ref} cannot be read: {error}") from error
        if len(missing) > self.most_missing:
            raise Unavailable(f"{ref} has more than {self.most_missing} files that are not here")
        return tree, missing

    def generation(self, repo: str) -> int:
        """A number that changes when the contents of a repository are deleted: trees opened before cannot be read.

        Raises Unavailable without a history.
        """
        try:
            return self._objects_folder(repo).stat().st_ino
        except OSError as error:
            raise Unavailable(f"The mirror of {repo} has no history: {error.strerror}") from error

    def _objects_folder(self, repo: str) -> Path:
        """The repository that has all objects of a tag: that of the histories before the first fetch."""
        path = self._path(repo)
        return path if path.exists() else self._root / f"{repo}.history.git"

    def _drop(self, tree: GitTree) -> None:
        """Delete contents that are damaged, so that the next reader fetches them."""
        log.warning("contents of releases damaged", ref=str(tree.ref))
        shutil.rmtree(self._path(tree.ref.repo), ignore_errors=True)

    def _store(self, repo: str) -> ObjectStore:
        path, inode = self._objects_folder(repo), self.generation(repo)
        known = self._objects.get(repo)
        if known is not None and known[0] == inode:
            return known[1]
        if known is not None:
            # libgit2 keeps the packs of a repository that was deleted.
            known[1].close_handles()
        store = ObjectStore(path)
        self._objects[repo] = inode, store
        return store

    def _make_room(self, repo: str) -> None:
        """Delete the contents of a repository that are larger than the limit. Requires the lock."""
        path = self._path(repo)
        if _size(path) > self._limit_bytes:
            log.info("contents of releases deleted", repo=repo, limit_bytes=self._limit_bytes)
            shutil.rmtree(path)

    def _fetch(self, git: Git, repo: str, blobs: Collection[str]) -> None:
        """Requires the lock."""
        path = self._path(repo)
        self._create(git, repo)
        self._fetch_objects(git, repo, blobs, "-c", "fetch.negotiationAlgorithm=noop")
        if len(tuple(path.glob("objects/pack/*.pack"))) > MOST_PACKS:
            # `-k` keeps objects that no ref names: here all of them.
            git.run(f"--git-dir={path}", "repack", "-a", "-d", "-l", "-k", "--quiet", timeout_s=10 * self._timeout_s)

    def _create(self, git: Git, repo: str) -> None:
        """Make the repository, if it is not here. Requires the lock."""
        path = self._path(repo)
        if not path.exists():
            fresh = path.with_name(f".{path.name}.new")
            shutil.rmtree(fresh, ignore_errors=True)
            git.run("init", "--bare", "--quiet", "--template=", fresh, timeout_s=self._timeout_s)
            (fresh / "objects/info").mkdir(exist_ok=True)
            # Relative to the folder of objects, so that the mirror can be moved.
            names = (f"{repo.rpartition('/')[2]}.{borrowed}" for borrowed in self.borrows)
            shared = "".join(f"../../{name}/objects\n" for name in names if path.with_name(name).exists())
            (fresh / "objects/info/alternates").write_text(shared)
            fresh.rename(path)
        remove_leftovers(path)

    def _fetch_objects(
        self, git: Git, repo: str, wanted: Collection[str], *settings: str, options: tuple[str, ...] = ()
    ) -> None:
        """Fetch refs or objects without the contents of other files. Requires the lock."""
        url = self._url(repo)
        git.run(
            *("-c", f"remote.upstream.url={url}", "-c", "remote.upstream.promisor=true"),
            *("-c", "remote.upstream.partialclonefilter=blob:none", *settings, *self.settings),
            f"--git-dir={self._path(repo)}",
            *("fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--filter=blob:none"),
            *options,
            *("--", "upstream", *wanted),
            remote=url,
            timeout_s=self._timeout_s,
            most_bytes=self.most_bytes,
        )

    @contextmanager
    def _locked(self, repo: str) -> Iterator[int]:
        """Only one process fetches contents of a repository at a time. The sync of the mirror has another lock."""
        path = self._root / f"{repo}.{self.kind}.lock"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            deadline = time.monotonic() + self._timeout_s
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if self._stopping.is_set() or time.monotonic() > deadline:
                        raise Unavailable("Another release is being fetched. Try again in a minute.") from None
                    time.sleep(0.02)
            yield descriptor
        finally:
            os.close(descriptor)

    def _path(self, repo: str) -> Path:
        return self._root / f"{repo}.{self.kind}.git"


def _size(path: Path) -> int:
    """Bytes of the packs of a repository."""
    return sum(pack.stat().st_size for pack in path.glob("objects/pack/*"))

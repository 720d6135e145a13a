"""Fetches, repairs and tidies one bare repository of the mirror, with the git binary.

Its refs are `refs/kinfolk/fetched/{branch}` for upstream's commit and `refs/kinfolk/published/{branch}` for the
published commit. Methods that write require the sync lock.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import structlog

from kinfolk.content.sources.git.git_command import Git, GitFailed
from kinfolk.content.sources.git.git_tree import GIT_ERRORS, open_repository
from kinfolk.content.sources.git.published_commits import fsync_folder

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_FETCHED = "refs/kinfolk/fetched/"
_PUBLISHED = "refs/kinfolk/published/"
# Leftovers of a killed git. gc never deletes a pack that has a `.keep` file.
_LEFTOVERS = (
    "*.lock",
    "refs/**/*.lock",
    "gc.pid",
    "shallow_*",
    "objects/tmp_objdir*",
    "objects/incoming-*",
    "objects/??/tmp_obj_*",
    "objects/pack/tmp_*",
    "objects/pack/.tmp-*",
    "objects/pack/*.keep",
    "objects/pack/*.lock",
)

# Bytes of header and checksum.
_EMPTY_PACK_BYTES = 32
_CHECKSUM_BYTES = 20
_READ_BYTES = 1 << 20

ProgressListener = Callable[[str, int], None]


class BareRepository:
    """The mirror of `url` at `path`."""

    def __init__(
        self, path: Path, url: str, git: Git, *, timeout_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.path = path
        self._url = url
        self._git = git
        self._timeout_s = timeout_s
        self._clock = clock
        self._fresh = path.with_name(f".{path.name}.new")
        self._old = path.with_name(f".{path.name}.old")

    def clean(self) -> None:
        """Delete the leftovers of killed processes, and complete an interrupted replacement by `rebuild`."""
        if self._old.exists() and self._fresh.exists() and not self.path.exists():
            self._fresh.rename(self.path)
        for path in (self._fresh, self._old):
            _remove(path)
        remove_leftovers(self.path)

    def fetch(self, branches: Sequence[str], on_progress: ProgressListener | None = None) -> dict[str, str]:
        """Fetch the branches. Returns the failed branches -> the reason."""
        return self._fetch_into(self.path, branches, on_progress)

    def rebuild(
        self,
        branches: Sequence[str],
        *,
        keep: Collection[str] = (),
        on_progress: ProgressListener | None = None,
    ) -> dict[str, str]:
        """Fetch into a new repository, and replace the old one at the end. Returns the failed branches -> the reason.

        `keep` are the branches whose published commit is intact; it is copied, because upstream may no longer have it.
        If no branch can be fetched, the old repository stays.
        """
        _remove(self._fresh)
        self._fresh.parent.mkdir(parents=True, exist_ok=True)
        self._git.run("init", "--bare", "--quiet", "--template=", self._fresh, timeout_s=self._timeout_s)
        for branch in keep:
            self._carry_over(branch)
        failures = self._fetch_into(self._fresh, branches, on_progress)
        if len(failures) == len(branches):
            _remove(self._fresh)
            return failures
        if self.path.exists():
            self.path.rename(self._old)
        self._fresh.rename(self.path)
        fsync_folder(self.path.parent)
        _remove(self._old)
        return failures

    def _carry_over(self, branch: str) -> None:
        ref = f"+{_PUBLISHED}{branch}:{_PUBLISHED}{branch}"
        try:
            self._git.run(
                f"--git-dir={self._fresh}",
                *("fetch", "--no-tags", "--depth=1", "--no-write-fetch-head"),
                *("--", self.path.resolve(), ref),
                timeout_s=self._timeout_s,
            )
        except GitFailed as error:
            log.warning("mirror lost", repository=str(self.path), branch=branch, reason=error.message)

    def _fetch_into(self, path: Path, branches: Sequence[str], on_progress: ProgressListener | None) -> dict[str, str]:
        """Fetch all branches with one command. If it fails, fetch each branch alone, because one can fail all."""
        deadline = self._clock() + self._timeout_s
        try:
            self._fetch_once(path, branches, deadline, on_progress)
        except GitFailed as error:
            failures = dict.fromkeys(branches, error.message)
        else:
            return {}
        for branch in branches if len(branches) > 1 else ():
            if self._clock() >= deadline:
                break
            try:
                self._fetch_once(path, [branch], deadline, on_progress)
            except GitFailed as error:
                failures[branch] = error.message
            else:
                del failures[branch]
        return failures

    def _fetch_once(
        self, path: Path, branches: Sequence[str], deadline: float, on_progress: ProgressListener | None
    ) -> None:
        self._git.run(
            f"--git-dir={path}",
            *(
                "fetch",
                "--progress",
                "--no-tags",
                "--depth=1",
                "--no-write-fetch-head",
                "--no-recurse-submodules",
            ),
            *("--", self._url),
            *(f"+refs/heads/{branch}:{_FETCHED}{branch}" for branch in branches),
            timeout_s=round(deadline - self._clock(), 1),
            on_progress=on_progress,
            remote=self._url,
        )

    def is_broken(self) -> bool:
        """Whether objects that its refs need are missing, or packs are damaged. Fetches into such a repository fail."""
        try:
            # fsck does not read the contents of files here, which it would unpack one by one.
            if not all(_is_intact(pack) for pack in self.path.glob("objects/pack/pack-*.pack")):
                return True
            self._git.run(
                f"--git-dir={self.path}",
                *("fsck", "--connectivity-only", "--no-dangling", "--no-progress"),
                timeout_s=self._timeout_s,
            )
        except (GitFailed, OSError):
            return True
        return False

    def fetched(self, branch: str) -> str | None:
        """Upstream's commit at the last successful fetch."""
        return self._commit(_FETCHED + branch)

    def published(self, branch: str) -> str | None:
        """The commit of the `published` ref. The file of published commits is authoritative."""
        return self._commit(_PUBLISHED + branch)

    def _commit(self, name: str) -> str | None:
        try:
            with open_repository(self.path) as repository:
                return str(repository.lookup_reference(name).target)
        except GIT_ERRORS:
            return None

    def keep(self, branch: str, commit: str) -> None:
        """Set the `published` ref of a branch, so that gc does not delete the commit."""
        self._git.run(f"--git-dir={self.path}", "update-ref", _PUBLISHED + branch, commit, timeout_s=self._timeout_s)

    def tidy(self, published: Mapping[str, str], required: Collection[str]) -> None:
        """Delete all objects that neither a published commit nor a required branch needs. Raises GitFailed."""
        for branch, commit in published.items():
            self.keep(branch, commit)
        with open_repository(self.path) as repository:
            names = list(repository.references)
        for name in names:
            prefix = next((prefix for prefix in (_FETCHED, _PUBLISHED) if name.startswith(prefix)), None)
            if prefix and name.removeprefix(prefix) not in required:
                self._git.run(f"--git-dir={self.path}", "update-ref", "-d", name, timeout_s=self._timeout_s)
        # gc rewrites all packs, which takes longer than a fetch.
        self._git.run(f"--git-dir={self.path}", "gc", "--quiet", "--prune=now", timeout_s=10 * self._timeout_s)

    def packs(self) -> dict[str, int]:
        """Pack names -> sizes in bytes, without the empty pack that a fetch without new objects creates."""
        sizes: dict[str, int] = {}
        for pack in self.path.glob("objects/pack/pack-*.pack"):
            with suppress(FileNotFoundError):  # a rebuild by another process may delete it
                sizes[pack.name] = pack.stat().st_size
        return {name: size for name, size in sizes.items() if size > _EMPTY_PACK_BYTES}


def _is_intact(pack: Path) -> bool:
    """Whether a pack has the checksum at its end, a SHA-1 of all that is before. Raises OSError."""
    digest, left = hashlib.sha1(usedforsecurity=False), pack.stat().st_size - _CHECKSUM_BYTES
    with pack.open("rb") as file:
        while left > 0 and (content := file.read(min(left, _READ_BYTES))):
            digest.update(content)
            left -= len(content)
        return file.read() == digest.digest()


def remove_leftovers(repository: Path) -> None:
    """Delete the temporary files of a killed git."""
    for pattern in _LEFTOVERS:
        for path in tuple(repository.glob(pattern)):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

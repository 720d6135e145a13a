"""One bare repository of the mirror: fetched by the git binary, mended when it is broken.

Its refs are `refs/kinfolk/fetched/{branch}`, what upstream has, and `refs/kinfolk/published/{branch}`, what the
site shows. Everything here that writes is for the holder of the sync lock only.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import structlog

from kinfolk.sources.git import Git, GitFailed
from kinfolk.sources.publication import sync_folder
from kinfolk.sources.tree import GIT_ERRORS, opened

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_FETCHED = "refs/kinfolk/fetched/"
_PUBLISHED = "refs/kinfolk/published/"
# What a killed git leaves behind. A `.keep` would make gc carry its pack for ever.
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

# Header and checksum.
_EMPTY_PACK_BYTES = 32

Heard = Callable[[str, int], None]


class BareRepository:
    """A repository at `path` that follows `url`."""

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
        """Remove what dead processes left, and finish an exchange that was cut in the middle."""
        if self._old.exists() and self._fresh.exists() and not self.path.exists():
            self._fresh.rename(self.path)
        for path in (self._fresh, self._old):
            _remove(path)
        remove_leftovers(self.path)

    def fetch(self, branches: Sequence[str], on_progress: Heard | None = None) -> dict[str, str]:
        """Bring the branches up to date; for each that could not be, the reason."""
        return self._fetch_into(self.path, branches, on_progress)

    def rebuild(
        self,
        branches: Sequence[str],
        *,
        keep: Collection[str] = (),
        on_progress: Heard | None = None,
    ) -> dict[str, str]:
        """Make the repository from nothing, beside the old one if there is one, and exchange them at the end.

        `keep` are the branches whose published commit is sound and may no longer be upstream's. When upstream
        gives nothing, the old repository stays as it is.
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
        sync_folder(self.path.parent)
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

    def _fetch_into(self, path: Path, branches: Sequence[str], on_progress: Heard | None) -> dict[str, str]:
        """All branches together; when that fails, each by itself, for one bad branch fails the whole command."""
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

    def _fetch_once(self, path: Path, branches: Sequence[str], deadline: float, on_progress: Heard | None) -> None:
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
        )

    def is_broken(self) -> bool:
        """Whether something that its refs need is missing: then no fetch can be expected to work."""
        try:
            self._git.run(
                f"--git-dir={self.path}",
                *("fsck", "--connectivity-only", "--no-dangling", "--no-progress"),
                timeout_s=self._timeout_s,
            )
        except GitFailed:
            return True
        return False

    def fetched(self, branch: str) -> str | None:
        """The commit upstream had at the last successful fetch."""
        return self._commit(_FETCHED + branch)

    def published(self, branch: str) -> str | None:
        """The commit that is kept for readers; the truth is in the mirror's published file."""
        return self._commit(_PUBLISHED + branch)

    def _commit(self, name: str) -> str | None:
        try:
            with opened(self.path) as repository:
                return str(repository.lookup_reference(name).target)
        except GIT_ERRORS:
            return None

    def keep(self, branch: str, commit: str) -> None:
        """Hold a published commit, so that no gc can take it."""
        self._git.run(f"--git-dir={self.path}", "update-ref", _PUBLISHED + branch, commit, timeout_s=self._timeout_s)

    def tidy(self, published: Mapping[str, str], wanted: Collection[str]) -> None:
        """Drop every object that neither a published commit nor a wanted branch needs. Raises GitFailed."""
        for branch, commit in published.items():
            self.keep(branch, commit)
        with opened(self.path) as repository:
            names = list(repository.references)
        for name in names:
            prefix = next((prefix for prefix in (_FETCHED, _PUBLISHED) if name.startswith(prefix)), None)
            if prefix and name.removeprefix(prefix) not in wanted:
                self._git.run(f"--git-dir={self.path}", "update-ref", "-d", name, timeout_s=self._timeout_s)
        # gc rewrites all packs, which takes longer than any fetch.
        self._git.run(f"--git-dir={self.path}", "gc", "--quiet", "--prune=now", timeout_s=10 * self._timeout_s)

    def packs(self) -> dict[str, int]:
        """Each pack's name and size in bytes, without the empty one that a fetch of nothing new brings."""
        sizes: dict[str, int] = {}
        for pack in self.path.glob("objects/pack/pack-*.pack"):
            with suppress(FileNotFoundError):  # a rebuild of another process may delete it meanwhile
                sizes[pack.name] = pack.stat().st_size
        return {name: size for name, size in sizes.items() if size > _EMPTY_PACK_BYTES}


def remove_leftovers(repository: Path) -> None:
    """What a killed git left behind in there."""
    for pattern in _LEFTOVERS:
        for path in tuple(repository.glob(pattern)):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

"""The docs of pull requests: the commits of their heads, and the contents of the files that they change.

`{repo}.pulls.git` borrows what the branches of the mirror have, so that a change of three pages fetches three files.
Git runs nothing of what it fetches: there is no work tree, no hook and no submodule. Like the contents of tags, it is a
cache: it is deleted where it is larger than its limit, and the heads are fetched again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_command import Git
from kinfolk.content.sources.git.git_tree import GIT_ERRORS, GitTree, open_repository
from kinfolk.content.sources.git.history_fetcher import HISTORY_REFS
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_CHANGED = 2_000
"""Files of one pull request that are fetched: more than all pages of the largest library's docs, 1,300."""
MOST_FETCHED_BYTES = 64 << 20
"""Bytes that one fetch may store. Git ends where a pack is larger."""

MOST_FILE_BYTES = 8 << 20
"""Bytes of one file, unpacked: a pack of a few kB can hold gigabytes. Larger files are left out."""
MOST_TEXT_BYTES = 64 << 20
"""Bytes of all texts of the docs together. Titles, menus and links are read from all of them."""
TEXTS = (".md", ".mdx", ".markdown", ".rst", ".json", ".toml", ".yml", ".yaml", ".js", ".ts")
_STREAMED = "1m"
"""Files that git unpacks piece by piece, not in memory."""


class HeadContents(TagContents):
    """Reads and fetches heads of pull requests, as `TagContents` does tags. All refs are ids of commits."""

    kind = "pulls"
    borrows = ("git", "history.git")
    settings = ("-c", f"core.bigFileThreshold={_STREAMED}")
    most_missing = MOST_CHANGED
    most_bytes = MOST_FETCHED_BYTES

    def open(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> GitTree | None:
        """The folders of a commit, if it is here with all their files; else None. Reads the disk."""
        # A head that is not fetched yet is no damage.
        return super().open(ref, commit, folders) if self._has(ref.repo, commit) else None

    def fetch_head(self, ref: Ref, commit: str, folders: tuple[str, ...], *, source: str) -> GitTree:
        """The folders of a commit, after fetching `source`, the ref of the head, and files that are not here. Blocks.

        Raises Unavailable, also for a commit that is no longer in the head, and for a head beyond the limits.
        """
        started = time.monotonic()
        try:
            with self._locked(ref.repo) as lock:
                git = Git(lock, stopping=self._stopping)
                self._make_room(ref.repo)
                self._create(git, ref.repo)
                if not self._has(ref.repo, commit):
                    self._fetch_source(git, ref.repo, source)
                if not self._has(ref.repo, commit):
                    raise Unavailable(f"{source} of {ref.repo} has moved from {commit[:10]} meanwhile")
                tree, missing = self._open(ref, commit, folders)
                if not tree.is_complete:
                    raise Unavailable(f"{commit[:10]} of {ref.repo} has too many files")
                if missing:
                    self._fetch(git, ref.repo, missing)
                    tree, missing = self._open(ref, commit, folders)
        except OSError as error:
            raise Unavailable(f"The head {ref} cannot be fetched: {error.strerror}") from error
        if missing:
            raise Unavailable(f"The code host did not send {len(missing)} files of {ref}")
        log.info("pull request fetched", ref=str(ref), seconds=round(time.monotonic() - started, 2))
        return tree

    def _open(self, ref: Ref, commit: str, folders: tuple[str, ...]) -> tuple[GitTree, tuple[str, ...]]:
        tree, missing = super()._open(ref, commit, folders)
        if missing:
            return tree, missing
        tree = tree.without_large_files(MOST_FILE_BYTES)
        if sum(size for path, size in tree.sizes().items() if path.endswith(TEXTS)) > MOST_TEXT_BYTES:
            raise Unavailable(f"{commit[:10]} of {ref.repo} has more than {MOST_TEXT_BYTES >> 20} MB of text")
        return tree, ()

    def fork_files(self, ref: Ref, commit: str, folders: tuple[str, ...], *, base: str) -> Mapping[str, str] | None:
        """Path -> git id of the files of the commit that a head and `base`, the commit of a branch, have in common.

        None where the history is not here. Reads the disk.
        """
        with suppress(*GIT_ERRORS), open_repository(self._path(ref.repo)) as repository:
            fork = repository.merge_base(commit, base)
            if fork is not None:
                return GitTree(ref, str(fork), self._store(ref.repo), folders=folders).files
        return None

    def _fetch_source(self, git: Git, repo: str, source: str) -> None:
        """Fetch the commits and folders of a head that the mirror lacks. Requires the lock."""
        history = self._root / f"{repo}.history.git"
        wanted = (f"+{source}:refs/kinfolk/{source.removeprefix('refs/')}",)
        if history.exists() and not (history / "shallow").exists():
            # The repositories of branches have no former commits, so upstream must not assume that these are here.
            self._fetch_objects(git, repo, wanted, "-c", f"core.alternateRefsPrefixes={HISTORY_REFS}")
        else:
            self._fetch_objects(git, repo, wanted, "-c", "fetch.negotiationAlgorithm=noop", options=("--depth=1",))

    def _has(self, repo: str, commit: str) -> bool:
        with suppress(*GIT_ERRORS), open_repository(self._path(repo)) as repository:
            return commit in repository
        return False

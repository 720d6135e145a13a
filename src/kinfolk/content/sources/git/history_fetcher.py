"""Fetches the histories of files into a separate repository that contains commits and folders but no file contents.

The repositories of the mirror contain one commit per branch and stay small. Functions that write require the sync lock.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import IO
from urllib.parse import quote

import structlog

from kinfolk.content.sources.git.git_command import Git, GitFailed, GitInterrupted
from kinfolk.content.sources.git.history_record import (
    LOG,
    LOG_FORMAT,
    HistoryRecord,
    apply_commits,
    read_log,
    read_record,
    write_record,
)
from kinfolk.content.sources.git.repository import remove_leftovers
from kinfolk.content.sources.git.tags.tag_fetcher import TagFetcher
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

HISTORY_REFS = "refs/kinfolk/history/"
_REMOTE = "upstream"
_FILTER = "blob:none"
# A server without support for filters would send all versions of all files.
_UNSUPPORTED = "filtering not recognized"
# The range for a repository whose whole history cannot be fetched within the timeout.
_RECENT = "3.years.ago"


class HistoryFetcher:
    """Updates the histories of one repository's branches: `{repo}.history.git` and the files in `{repo}.history/`."""

    def __init__(
        self,
        root: Path,
        repo: str,
        url: str,
        git: Git,
        *,
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = root / f"{repo}.history.git"
        self._root = root
        self._repo = repo
        self._git = git
        self._timeout_s = timeout_s
        self._clock = clock
        settings = (f"url={url}", "promisor=true", f"partialclonefilter={_FILTER}")
        self._url = url
        self._remote = tuple(part for setting in settings for part in ("-c", f"remote.{_REMOTE}.{setting}"))
        self.tags = TagFetcher(root, repo, self.path, self._remote, url=url)

    def update(self, tree: Tree, roots: tuple[str, ...]) -> bool:
        """Write the histories of a tree's files below `roots`. Returns False after a failure, which is logged."""
        started = self._clock()
        branch = tree.ref.branch
        path = history_file(self._root, self._repo, branch)
        try:
            self._fetch(branch)
            known = read_record(path)
            record = self._record(tree, roots, known if known and known.roots == roots else None)
            write_record(path, record)
        except (Unavailable, OSError) as error:
            log.info("history unknown", repo=self._repo, branch=branch, reason=str(error))
            return False
        seconds = round(self._clock() - started, 1)
        log.info("history updated", repo=self._repo, branch=branch, files=len(record.files), seconds=seconds)
        return True

    def tidy(self, branches: Collection[str]) -> None:
        """Delete the histories of other branches and combine the packs. Raises GitFailed."""
        current = {history_file(self._root, self._repo, branch) for branch in branches}
        for path in tuple(_folder(self._root, self._repo).glob("*")):
            if path not in current:
                path.unlink()
        if not self.path.exists():
            return
        remove_leftovers(self.path)
        with tempfile.TemporaryFile() as output:
            self._run("for-each-ref", "--format=%(refname)", HISTORY_REFS, output=output)
            output.seek(0)
            names = output.read().decode().split()
        for name in names:
            if name.removeprefix(HISTORY_REFS) not in branches:
                self._run("update-ref", "-d", name)
        self._git.run(
            *self._remote,
            *(f"--git-dir={self.path}", "gc", "--quiet", "--prune=now"),
            timeout_s=10 * self._timeout_s,
        )

    def _fetch(self, branch: str) -> None:
        """Raises GitFailed. A damaged repository is deleted and fetched again."""
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(self.path)
        # Repeating it is safe, and repairs a repository that a crash left incomplete.
        self._git.run("init", "--bare", "--quiet", "--template=", self.path, timeout_s=self._timeout_s)
        try:
            self._fetch_once(branch)
        except GitFailed as error:
            if _UNSUPPORTED in error.message:
                raise
            if not is_new and self._is_broken():
                log.warning("history rebuilding", repo=self._repo, reason=error.message)
                shutil.rmtree(self.path)
                self._fetch(branch)
            elif self._has(HISTORY_REFS + branch):
                raise
            else:
                remove_leftovers(self.path)
                self._fetch_once(branch, f"--shallow-since={_RECENT}")

    def _fetch_once(self, branch: str, *more: str) -> None:
        self._git.run(
            *self._remote,
            f"--git-dir={self.path}",
            *("fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
            *(f"--filter={_FILTER}", *more, "--", _REMOTE, f"+refs/heads/{branch}:{HISTORY_REFS}{branch}"),
            remote=self._url,
            timeout_s=self._timeout_s,
            fail_on=_UNSUPPORTED,
        )

    def _record(self, tree: Tree, roots: tuple[str, ...], known: HistoryRecord | None) -> HistoryRecord:
        """The record of a tree. Reads only the commits after `known` if its commit is an ancestor."""
        commit = tree.revision
        if not self._has(commit):
            raise GitFailed(f"commit {commit[:10]} is no longer in the branch's history")
        if known is not None and not self._succeeds("merge-base", "--is-ancestor", known.commit, commit):
            known = None
        inside = () if "" in roots else roots
        with tempfile.TemporaryFile() as output:
            try:
                self._run(
                    "--literal-pathspecs",
                    *("-c", "log.mailmap=false", "-c", "log.showSignature=false"),
                    *(*LOG, LOG_FORMAT, commit, *([f"^{known.commit}"] if known else []), "--", *inside),
                    output=output,
                )
            except GitInterrupted:
                raise
            except GitFailed:
                # The fetch was complete, so the repository was damaged later. The next update fetches it again.
                shutil.rmtree(self.path)
                raise
            output.seek(0)
            commits = read_log(output.read())
        pasts = apply_commits(commits, known.pasts() if known else {}, without=self._shallow_commits())
        files = {path: blob for path, blob in tree.files.items() if _is_inside(path, roots)}
        return HistoryRecord.of(commit, roots, files, pasts)

    def _shallow_commits(self) -> frozenset[str]:
        """The commits whose parents were not fetched. Git lists all their files as added."""
        try:
            return frozenset((self.path / "shallow").read_text().split())
        except FileNotFoundError:
            return frozenset()

    def _is_broken(self) -> bool:
        return not self._succeeds("rev-list", "--quiet", "--all")

    def _has(self, commit: str) -> bool:
        return self._succeeds("rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}")

    def _succeeds(self, *arguments: str) -> bool:
        try:
            self._run(*arguments)
        except GitInterrupted:
            raise
        except GitFailed:
            return False
        return True

    def _run(self, *arguments: str, output: IO[bytes] | None = None) -> None:
        # Without the remote, so that git does not fetch the omitted file contents.
        self._git.run(f"--git-dir={self.path}", *arguments, timeout_s=self._timeout_s, output=output)


def history_file(root: Path, repo: str, branch: str) -> Path:
    return _folder(root, repo) / f"{quote(branch, safe='')}.json"


def _folder(root: Path, repo: str) -> Path:
    return root / f"{repo}.history"


def _is_inside(path: str, roots: Collection[str]) -> bool:
    return "" in roots or any(path.startswith(f"{root}/") for root in roots)

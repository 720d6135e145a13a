"""Asks git for the histories of files, in a repository of its own that holds commits and folders but no files.

The mirror's own repositories hold one commit a branch and stay as small as they are. Everything here that writes is
for the holder of the sync lock only.
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

from kinfolk.errors import Unavailable
from kinfolk.sources.git import Git, GitFailed, GitInterrupted
from kinfolk.sources.history import LOG, LOG_FORMAT, Record, read_log, read_record, tell, write_record
from kinfolk.sources.repository import remove_leftovers
from kinfolk.sources.snapshot import Tree

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_REF = "refs/kinfolk/history/"
_REMOTE = "upstream"
_FILTER = "blob:none"
# A server that knows no filters would send every version of every file there ever was.
_REFUSED = "filtering not recognized"
# For a repository whose whole history does not arrive in time.
_RECENT = "3.years.ago"


class Historian:
    """The histories of one repository's branches: `{repo}.history.git` and the files in `{repo}.history/`."""

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
        self._remote = [part for setting in settings for part in ("-c", f"remote.{_REMOTE}.{setting}")]

    def catch_up(self, tree: Tree, roots: tuple[str, ...]) -> bool:
        """Write down the histories of a tree's files below `roots`. Whether it worked; the log says why not."""
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
        """Forget other branches and make one pack of many. Raises GitFailed."""
        wanted = {history_file(self._root, self._repo, branch) for branch in branches}
        for path in tuple(_folder(self._root, self._repo).glob("*")):
            if path not in wanted:
                path.unlink()
        if not self.path.exists():
            return
        remove_leftovers(self.path)
        with tempfile.TemporaryFile() as output:
            self._run("for-each-ref", "--format=%(refname)", _REF, output=output)
            output.seek(0)
            names = output.read().decode().split()
        for name in names:
            if name.removeprefix(_REF) not in branches:
                self._run("update-ref", "-d", name)
        self._git.run(
            *self._remote,
            *(f"--git-dir={self.path}", "gc", "--quiet", "--prune=now"),
            timeout_s=10 * self._timeout_s,
        )

    def _fetch(self, branch: str) -> None:
        """Raises GitFailed. A repository that lost something is made anew."""
        anew = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(self.path)
        # A second time does no harm, and mends what a crash left half made.
        self._git.run("init", "--bare", "--quiet", "--template=", self.path, timeout_s=self._timeout_s)
        try:
            self._fetch_once(branch)
        except GitFailed as error:
            if _REFUSED in error.message:
                raise
            if not anew and self._is_broken():
                log.warning("history rebuilding", repo=self._repo, reason=error.message)
                shutil.rmtree(self.path)
                self._fetch(branch)
            elif self._has(_REF + branch):
                raise
            else:
                remove_leftovers(self.path)
                self._fetch_once(branch, f"--shallow-since={_RECENT}")

    def _fetch_once(self, branch: str, *more: str) -> None:
        self._git.run(
            *self._remote,
            f"--git-dir={self.path}",
            *("fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
            *(f"--filter={_FILTER}", *more, "--", _REMOTE, f"+refs/heads/{branch}:{_REF}{branch}"),
            timeout_s=self._timeout_s,
            unless=_REFUSED,
        )

    def _record(self, tree: Tree, roots: tuple[str, ...], known: Record | None) -> Record:
        """Only what is newer than `known` is read, where its commit is one of this one's ancestors."""
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
                # It was fetched whole, so it was damaged since: the next time it is made anew.
                shutil.rmtree(self.path)
                raise
            output.seek(0)
            commits = read_log(output.read())
        pasts = tell(commits, known.pasts() if known else {}, without=self._beginnings())
        shown = {path: blob for path, blob in tree.files.items() if _is_inside(path, roots)}
        return Record.of(commit, roots, shown, pasts)

    def _beginnings(self) -> frozenset[str]:
        """The commits behind which nothing was fetched: each seems to have made all that it holds."""
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
        # Without the remote: git must never fetch by itself what is not here on purpose.
        self._git.run(f"--git-dir={self.path}", *arguments, timeout_s=self._timeout_s, output=output)


def history_file(root: Path, repo: str, branch: str) -> Path:
    return _folder(root, repo) / f"{quote(branch, safe='')}.json"


def _folder(root: Path, repo: str) -> Path:
    return root / f"{repo}.history"


def _is_inside(path: str, roots: Collection[str]) -> bool:
    return "" in roots or any(path.startswith(f"{root}/") for root in roots)

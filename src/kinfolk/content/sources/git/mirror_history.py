"""Caches the histories of a mirror's branches, and schedules their updates."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_command import Git
from kinfolk.content.sources.git.history_fetcher import HistoryFetcher, history_file
from kinfolk.content.sources.git.history_record import BranchHistory
from kinfolk.content.sources.git.tags.tag_fetcher import are_tags_outdated
from kinfolk.content.sources.snapshot import Tree

# The pause after a failure. A failed attempt takes up to the git timeout and delays the next sync.
PAUSE_S = 3600


class MirrorHistory:
    """The histories of a mirror's branches. `roots` are the folders of each branch whose files need a history."""

    def __init__(
        self,
        root: Path,
        roots: Mapping[Ref, tuple[str, ...]],
        url: Callable[[str], str],
        *,
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._roots = roots
        self._url = url
        self._timeout_s = timeout_s
        self._clock = clock
        self._known: dict[Ref, BranchHistory] = {}
        self._not_before: dict[Ref, float] = {}
        self._tags_not_before: dict[str, float] = {}

    def histories(self, ref: Ref) -> BranchHistory:
        """The histories of a branch: the same object until the file changes, so that it is read once."""
        known = self._known.get(ref)
        if known is None or not known.is_current():
            known = self._known[ref] = BranchHistory(history_file(self._root, ref.repo, ref.branch))
        return known

    def outdated(self, trees: Iterable[Tree]) -> list[Tree]:
        """The trees without histories of their revision, except those in the pause after a failure."""
        now = self._clock()
        return [tree for tree in trees if now >= self._not_before.get(tree.ref, now) and not self._is_current(tree)]

    def update(self, git: Git, repo: str, trees: Iterable[Tree]) -> None:
        """Update the histories of trees of one repository. A branch that fails is skipped for PAUSE_S."""
        fetcher = self._fetcher(repo, git)
        for tree in trees:
            if not fetcher.update(tree, self._roots[tree.ref]):
                self._not_before[tree.ref] = self._clock() + PAUSE_S

    def has_outdated_tags(self, repo: str) -> bool:
        """Whether to look for new tags, except in the pause after a failure."""
        now = self._clock()
        return now >= self._tags_not_before.get(repo, now) and are_tags_outdated(self._root, repo)

    def update_tags(self, git: Git, repo: str, docs_roots: Collection[str]) -> None:
        """Fetch the tags of a repository."""
        self._fetcher(repo, git).tags.update(git, docs_roots, timeout_s=self._timeout_s)
        if are_tags_outdated(self._root, repo):
            self._tags_not_before[repo] = self._clock() + PAUSE_S

    def tidy(self, git: Git, repo: str, branches: Collection[str]) -> None:
        """Raises GitFailed."""
        self._fetcher(repo, git).tidy(branches)

    def _is_current(self, tree: Tree) -> bool:
        record = self.histories(tree.ref).record
        return record is not None and (record.commit, record.roots) == (tree.revision, self._roots[tree.ref])

    def _fetcher(self, repo: str, git: Git) -> HistoryFetcher:
        return HistoryFetcher(self._root, repo, self._url(repo), git, timeout_s=self._timeout_s, clock=self._clock)

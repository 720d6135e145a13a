"""Which histories are known, and when to ask a historian for more."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from kinfolk.sources.git import Git
from kinfolk.sources.historian import Historian, history_file
from kinfolk.sources.history import Histories
from kinfolk.sources.snapshot import Ref, Tree

# After a failure: often enough to heal by itself, rarely enough not to keep the next push waiting.
PAUSE_S = 3600


class Archive:
    """The histories of a mirror's branches. `roots` are the folders of each branch that matter."""

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
        self._known: dict[Ref, Histories] = {}
        self._not_before: dict[Ref, float] = {}

    def histories(self, ref: Ref) -> Histories:
        """The same ones for as long as their file is the same, so that it is read once."""
        known = self._known.get(ref)
        if known is None or not known.is_current():
            known = self._known[ref] = Histories(history_file(self._root, ref.repo, ref.branch))
        return known

    def lacking(self, trees: Iterable[Tree]) -> list[Tree]:
        """Those whose files may have changed since their histories were written down, and may be asked about now."""
        now = self._clock()
        return [tree for tree in trees if now >= self._not_before.get(tree.ref, now) and not self._is_told(tree)]

    def catch_up(self, git: Git, repo: str, trees: Iterable[Tree]) -> None:
        """Ask about trees of one repository. A branch that gives no answer is left alone for a while."""
        historian = self._historian(repo, git)
        for tree in trees:
            if not historian.catch_up(tree, self._roots[tree.ref]):
                self._not_before[tree.ref] = self._clock() + PAUSE_S

    def tidy(self, git: Git, repo: str, branches: Collection[str]) -> None:
        """Raises GitFailed."""
        self._historian(repo, git).tidy(branches)

    def _is_told(self, tree: Tree) -> bool:
        record = self.histories(tree.ref).record
        return record is not None and (record.commit, record.roots) == (tree.revision, self._roots[tree.ref])

    def _historian(self, repo: str, git: Git) -> Historian:
        return Historian(self._root, repo, self._url(repo), git, timeout_s=self._timeout_s, clock=self._clock)

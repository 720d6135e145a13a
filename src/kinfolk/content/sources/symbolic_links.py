"""Follows symbolic links within a repository, by the names of its files alone.

Nothing is opened here: a link can only lead to a file that the source has listed, wherever its text points.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterator, Mapping

from kinfolk.content.sources.paths import is_too_long

MOST_LINKS = 10_000
"""Links of one tree that are read. The others are ignored."""
LONGEST_TARGET = 1_000
"""Characters of the text of a link."""
MOST_LINKED_FILES = 20_000
"""Files that links add to one tree: a few links to folders of links can name billions."""
MOST_STEPS = 300_000
"""Parts of paths and files that are looked at."""
MOST_IN_CHAIN = 40
"""Links that lead to one another, as on Linux."""
MAX_DEPTH = 64

OUTSIDE = "it is a link that leaves the repository"
CIRCLE = "it is a link in a circle"
NOWHERE = "it is a link that leads to no file"
TOO_MANY = f"the links of this repository lead to more than {MOST_LINKED_FILES} files"


def linked_files(files: Collection[str], links: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The paths that links add -> the files that they lead to, and the links that are not followed -> the reason.

    `links` are the paths of links -> their texts. A link to a folder adds all files of the folder.
    """
    if not links:
        return {}, {}
    resolution = _Resolution(files, links)
    resolution.run()
    return resolution.added, resolution.faults


class _Unfollowed(Exception):
    """A link that is not followed; its text is the reason."""


class _TooManyStepsError(Exception):
    """The links of a tree lead to too much."""


class _Resolution:
    def __init__(self, files: Collection[str], links: Mapping[str, str]) -> None:
        self.added: dict[str, str] = {}
        self.faults: dict[str, str] = {}
        self._files = frozenset(files)
        self._links = links
        self._sorted_files = sorted(files)
        self._sorted_links = sorted(links)
        self._steps = 0

    def run(self) -> None:
        for link in self._sorted_links:
            try:
                self._expand(link, link, ())
            except _TooManyStepsError:
                self.faults[link] = TOO_MANY
                return

    def _expand(self, path: str, link: str, chain: tuple[str, ...]) -> None:
        """Add what a link leads to under a path. `chain` are the folders that the path is in by links."""
        try:
            target = self._resolved(link)
            if target in self._files:
                self._add(path, target)
                return
            if target in chain or not target or f"{link}/".startswith(f"{target}/"):
                raise _Unfollowed(CIRCLE)
            if (
                next(self._below(self._sorted_files, target), None) is None
                and next(self._below(self._sorted_links, target), None) is None
            ):
                raise _Unfollowed(NOWHERE)
        except _Unfollowed as reason:
            self.faults.setdefault(link, str(reason))
            return
        for file in self._below(self._sorted_files, target):
            self._add(path + file[len(target) :], file)
        for inner in self._below(self._sorted_links, target):
            self._step()
            if len(chain) < MAX_DEPTH:
                self._expand(path + inner[len(target) :], inner, (*chain, target))

    def _resolved(self, link: str) -> str:
        """The path that a link leads to, without links in it. Raises _Unfollowed."""
        left = deque(f"{posixpath.dirname(link)}/{self._links[link]}".split("/"))
        if self._links[link].startswith("/"):
            raise _Unfollowed(OUTSIDE)
        parts: list[str] = []
        followed = 0
        while left:
            self._step()
            part = left.popleft()
            if part in ("", "."):
                continue
            if part == "..":
                if not parts:
                    raise _Unfollowed(OUTSIDE)
                parts.pop()
                continue
            parts.append(part)
            text = self._links.get("/".join(parts)) if len(parts) <= MAX_DEPTH else None
            if text is None:
                continue
            followed += 1
            if text.startswith("/"):
                raise _Unfollowed(OUTSIDE)
            if followed > MOST_IN_CHAIN:
                raise _Unfollowed(CIRCLE)
            parts.pop()
            left.extendleft(reversed(text.split("/")))
        return "/".join(parts)

    def _add(self, path: str, file: str) -> None:
        self._step()
        if len(self.added) >= MOST_LINKED_FILES:
            raise _TooManyStepsError
        if path not in self._files and path.count("/") <= MAX_DEPTH and not is_too_long(path):
            self.added[path] = file

    @staticmethod
    def _below(paths: list[str], folder: str) -> Iterator[str]:
        start = f"{folder}/"
        for at in range(bisect_left(paths, start), len(paths)):
            if not paths[at].startswith(start):
                return
            yield paths[at]

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise _TooManyStepsError

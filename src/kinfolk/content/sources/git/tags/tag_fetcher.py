"""Fetches the tags of a repository into that of its histories, which has commits and folders without file contents."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection
from pathlib import Path

import structlog

from kinfolk.content.sources.git.git_command import Git
from kinfolk.content.sources.git.git_tree import open_repository
from kinfolk.content.sources.git.tags.tag_list import TAG_FORMAT, listed_tags, tags_file, write_tags
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHECK_EVERY_S = 3600
"""Seconds between two looks for tags without a push: a release is tagged minutes after its commit is pushed."""
_REF = "refs/kinfolk/tags/"


def are_tags_outdated(root: Path, repo: str) -> bool:
    """Whether the last look at upstream's tags is more than CHECK_EVERY_S ago. False without a history."""
    if not (root / f"{repo}.history.git").exists():
        return False
    try:
        # A later time is that of a clock that was ahead.
        return not 0 <= time.time() - tags_file(root, repo).stat().st_mtime <= CHECK_EVERY_S
    except OSError:
        return True


class TagFetcher:
    """Updates the list of one repository's tags. `history` is the repository of its histories."""

    def __init__(self, root: Path, repo: str, history: Path, remote: tuple[str, ...], *, url: str) -> None:
        """`remote` are git's options that define the remote `upstream`, without file contents."""
        self._file = tags_file(root, repo)
        self._repo = repo
        self._history = history
        self._remote = remote
        self._url = url

    def update(self, git: Git, docs_roots: Collection[str], *, timeout_s: float) -> bool:
        """Fetch the tags, and list those with docs. Returns whether the list changed. Requires the sync lock.

        Tags that upstream has deleted or moved are deleted or moved here. A failure is logged; the list then stays.
        """
        if (self._history / "shallow").exists():
            # The whole history took too long, and so would that of the tags.
            log.info("tags not fetched", repo=self._repo, reason="only a part of the history is here")
            write_tags(self._file, ())
            return False
        try:
            git.run(
                *self._remote,
                f"--git-dir={self._history}",
                *("fetch", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
                *("--filter=blob:none", "--", "upstream", f"+refs/tags/*:{_REF}*"),
                remote=self._url,
                timeout_s=timeout_s,
            )
            here = f"--git-dir={self._history}"
            git.run(here, "pack-refs", "--all", timeout_s=timeout_s)
            with tempfile.TemporaryFile() as output, open_repository(self._history) as repository:
                git.run(here, "for-each-ref", f"--format={TAG_FORMAT}", _REF, output=output, timeout_s=timeout_s)
                output.seek(0)
                tags = tuple(listed_tags(repository, self._repo, output.read(), docs_roots))
            changed = write_tags(self._file, tags)
        except (Unavailable, OSError) as error:
            log.info("tags unknown", repo=self._repo, reason=str(error))
            return False
        if changed:
            log.info("tags updated", repo=self._repo, tags=len(tags))
        return changed

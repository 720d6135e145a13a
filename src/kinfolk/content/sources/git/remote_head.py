"""The default branch of a repository on a server."""

from __future__ import annotations

import re
import tempfile

from kinfolk.content.sources.git.git_command import Git, GitFailed

_HEAD = re.compile(rb"ref: refs/heads/(\S{1,250})\tHEAD")
_LARGEST_ANSWER = 64 << 10


def default_branch(git: Git, url: str, *, timeout_s: float) -> str:
    """The branch that HEAD of a repository names. Raises GitFailed, also for a repository without commits."""
    with tempfile.TemporaryFile() as answer:
        git.run("ls-remote", "--symref", "--", url, "HEAD", timeout_s=timeout_s, output=answer, remote=url)
        answer.seek(0)
        found = _HEAD.search(answer.read(_LARGEST_ANSWER))
    if found is None:
        raise GitFailed("it names no default branch: write the branch after @")
    return found[1].decode(errors="replace")

"""The default branch of a repository."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from tests.unit.content.sources.git.sources_upstream import QUERY_V4, Upstreams, git

from kinfolk.content.sources.git.git_command import Git, GitFailed
from kinfolk.content.sources.git.published_commits import sync_lock
from kinfolk.content.sources.git.remote_head import default_branch


def branch_of(url: str, folder: Path) -> str:
    stopping = threading.Event()
    with sync_lock(folder, wait_s=1, stopping=stopping, on_wait=print) as lock:
        return default_branch(Git(lock, stopping=stopping), url, timeout_s=20)


def test_default_branch_is_that_of_head(tmp_path: Path) -> None:
    upstreams = Upstreams(tmp_path / "upstream")
    upstreams.commit(QUERY_V4, {"a": "b"})
    git(f"--git-dir={upstreams.path(QUERY_V4)}", "symbolic-ref", "HEAD", "refs/heads/v4")
    assert branch_of(f"file://{upstreams.path(QUERY_V4)}", tmp_path) == "v4"


def test_repository_without_a_default_branch_is_an_error(tmp_path: Path) -> None:
    git("init", "--bare", "--quiet", tmp_path / "empty")
    with pytest.raises(GitFailed, match="no default branch"):
        branch_of(f"file://{tmp_path / 'empty'}", tmp_path)
    with pytest.raises(GitFailed, match="does not appear to be a git repository"):
        branch_of(f"file://{tmp_path / 'nothing'}", tmp_path)

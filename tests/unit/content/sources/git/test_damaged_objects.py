"""Objects of a mirror whose bytes on disk were overwritten."""

from __future__ import annotations

import zlib
from pathlib import Path

import pygit2
import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.runtime.errors import Unavailable


def test_object_with_an_impossible_size_is_damage(tmp_path: Path) -> None:
    repository = pygit2.init_repository(tmp_path, bare=True)
    blob = repository.create_blob(b"# Overview\n")
    folder = repository.TreeBuilder()
    folder.insert("overview.md", blob, pygit2.enums.FileMode.BLOB)
    author = pygit2.Signature("tests", "tests@example.com")
    commit = repository.create_commit("refs/heads/main", author, author, "first", folder.write(), [])
    file = tmp_path / "objects" / str(blob)[:2] / str(blob)[2:]
    file.chmod(0o644)
    file.write_bytes(zlib.compress(b"blob 99999999999999\0# Overview\n"))
    damaged: list[GitTree] = []
    tree = GitTree(Ref("family/query", "main"), str(commit), ObjectStore(tmp_path), on_damage=damaged.append)

    with pytest.raises(Unavailable, match=r"lost overview\.md"):
        tree.read("overview.md")

    assert damaged == [tree]

"""Objects of a mirror whose bytes on disk were overwritten."""

from __future__ import annotations

import os
import threading
import zlib
from pathlib import Path

import pygit2
import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_command import Git
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.git.repository import BareRepository
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


def test_repository_whose_pack_was_overwritten_is_broken(tmp_path: Path) -> None:
    made = pygit2.init_repository(tmp_path, bare=True)
    folder = made.TreeBuilder()
    folder.insert("image.png", made.create_blob(os.urandom(20_000)), pygit2.enums.FileMode.BLOB)
    author = pygit2.Signature("tests", "tests@example.com")
    made.create_commit("refs/heads/main", author, author, "first", folder.write(), [])
    made.pack(tmp_path / "objects" / "pack")
    for loose in tmp_path.glob("objects/??/*"):
        loose.unlink()
    with (tmp_path / "lock").open("w") as lock:
        repository = BareRepository(tmp_path, "", Git(lock.fileno(), stopping=threading.Event()), timeout_s=60)
        assert not repository.is_broken()
        (pack,) = tmp_path.glob("objects/pack/*.pack")
        pack.chmod(0o644)
        with pack.open("r+b") as file:
            file.seek(10_000)
            file.write(b"overwritten")
        assert repository.is_broken()

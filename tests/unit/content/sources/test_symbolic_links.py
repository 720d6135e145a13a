"""Tests of symbolic links: followed within a repository, in folders and git alike, never out of it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.suite.time_complexity import attempts_within

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.directory import LARGE_BYTES, DirectorySource
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.symbolic_links import (
    CIRCLE,
    MOST_LINKED_FILES,
    NOWHERE,
    OUTSIDE,
    TOO_MANY,
    linked_files,
)

REF = Ref("acme/widgets", "main")
FILES = ("CHANGELOG.md", "docs/overview.md", "shared/logo.svg", "shared/page.md", "shared/deep/x.md")


@pytest.mark.parametrize(
    ("links", "added"),
    [
        ({"docs/changelog.md": "../CHANGELOG.md"}, {"docs/changelog.md": "CHANGELOG.md"}),
        ({"docs/logo.svg": "../shared/./logo.svg"}, {"docs/logo.svg": "shared/logo.svg"}),
        ({"CHANGES.md": "CHANGELOG.md"}, {"CHANGES.md": "CHANGELOG.md"}),
        (
            {"docs/shared": "../shared"},
            {
                "docs/shared/logo.svg": "shared/logo.svg",
                "docs/shared/page.md": "shared/page.md",
                "docs/shared/deep/x.md": "shared/deep/x.md",
            },
        ),
        ({"docs/deep": "../shared/deep/"}, {"docs/deep/x.md": "shared/deep/x.md"}),
        (
            {"docs/a.md": "b.md", "docs/b.md": "../CHANGELOG.md"},
            {"docs/a.md": "CHANGELOG.md", "docs/b.md": "CHANGELOG.md"},
        ),
        (
            {"docs/all": "../shared", "docs/x.md": "all/deep/x.md"},
            {
                "docs/all/logo.svg": "shared/logo.svg",
                "docs/all/page.md": "shared/page.md",
                "docs/all/deep/x.md": "shared/deep/x.md",
                "docs/x.md": "shared/deep/x.md",
            },
        ),
        (
            {"docs/deep": "../shared/deep", "shared/deep/changes.md": "../../CHANGELOG.md"},
            {
                "docs/deep/x.md": "shared/deep/x.md",
                "docs/deep/changes.md": "CHANGELOG.md",
                "shared/deep/changes.md": "CHANGELOG.md",
            },
        ),
    ],
)
def test_link_is_followed_within_the_repository(links: Mapping[str, str], added: Mapping[str, str]) -> None:
    assert linked_files(FILES, links) == (added, {})


@pytest.mark.parametrize(
    ("links", "reason"),
    [
        ({"docs/out.md": "/etc/passwd"}, OUTSIDE),
        ({"docs/out.md": "../../etc/passwd"}, OUTSIDE),
        ({"docs/out": "../../"}, OUTSIDE),
        ({"docs/out.md": "../shared/../../../etc/passwd"}, OUTSIDE),
        ({"docs/a.md": "b.md", "docs/b.md": "/etc/passwd"}, OUTSIDE),
        ({"docs/a": "b/x", "docs/b": "../.."}, OUTSIDE),
        ({"docs/self.md": "self.md"}, CIRCLE),
        ({"docs/a.md": "b.md", "docs/b.md": "a.md"}, CIRCLE),
        ({"docs/up": ".."}, CIRCLE),
        ({"docs/here": "."}, CIRCLE),
        ({"docs/here": "../docs"}, CIRCLE),
        ({"docs/gone.md": "gone-too.md"}, NOWHERE),
        ({"docs/git": "../.git/config"}, NOWHERE),
        ({"docs/empty": ""}, CIRCLE),
        ({"docs/nul": "../x/" * 100}, NOWHERE),
        ({f"docs/{at}.md": f"{at + 1}.md" for at in range(100)} | {"docs/100.md": "overview.md"}, CIRCLE),
    ],
)
def test_other_links_are_named_and_not_followed(links: Mapping[str, str], reason: str) -> None:
    added, faults = linked_files(FILES, links)
    assert reason in faults.values()
    assert set(added.values()) <= set(FILES)
    assert faults.keys() <= links.keys()


def test_folders_that_lead_to_each_other_end() -> None:
    added, faults = linked_files(("a/1.md", "b/2.md"), {"a/b": "../b", "b/a": "../a"})
    assert faults == {"a/b": CIRCLE, "b/a": CIRCLE}
    assert added["a/b/2.md"] == "b/2.md"
    assert len(added) < 10


def test_links_that_multiply_files_are_limited() -> None:
    links = {f"f{level}/{at}": f"../f{level + 1}" for level in range(40) for at in range(10)}
    for _ in attempts_within(3):
        added, faults = linked_files(("f40/x.md",), links)
    assert len(added) <= MOST_LINKED_FILES
    assert TOO_MANY in faults.values()


def test_long_chains_of_long_links_end() -> None:
    links = {f"d/{at}": "../d/" * 190 + str(at + 1) for at in range(10_000)}
    for _ in attempts_within(5):
        assert linked_files(("x.md",), links)[0] == {}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "widgets"
    for path, text in {"CHANGELOG.md": "# Changes", "docs/overview.md": "# A", "shared/page.md": "# S"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "large.bin").write_bytes(b"x" * (LARGE_BYTES + 1))
    for link, text in {
        "docs/changelog.md": "../CHANGELOG.md",
        "docs/shared": "../shared",
        "docs/large.bin": "../large.bin",
        "docs/loop.md": "loop.md",
        "docs/out.md": "/etc/hostname",
        "docs/up": "../..",
    }.items():
        (root / link).symlink_to(text)
    return root


def test_folder_and_git_have_the_same_linked_files(repository: Path) -> None:
    run = ("git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "x")):
        subprocess.run((*run, *command), check=True)
    commit = subprocess.check_output((*run, "rev-parse", "HEAD"), text=True).strip()
    in_git = GitTree(REF, commit, ObjectStore(repository / ".git"))
    in_folder = DirectorySource(repository, [REF], "test", checkouts={REF: repository}).open().trees[REF]
    for tree in (in_git, in_folder):
        assert {path for path in tree.files if path.startswith("docs/")} == {
            "docs/changelog.md",
            "docs/large.bin",
            "docs/overview.md",
            "docs/shared/page.md",
        }
        assert tree.read("docs/shared/page.md") == b"# S"
        assert len(tree.read("docs/large.bin")) == LARGE_BYTES + 1
        assert dict(tree.broken_links) == {"docs/loop.md": CIRCLE, "docs/out.md": OUTSIDE, "docs/up": OUTSIDE}
    assert in_git.files == in_folder.files


def test_changed_link_is_read_again(repository: Path) -> None:
    source = DirectorySource(repository, [REF], "test", checkouts={REF: repository})
    before = source.open().trees[REF]
    (repository / "docs/changelog.md").unlink()
    (repository / "docs/changelog.md").symlink_to("../shared/page.md")
    after = source.refresh().trees[REF]
    assert (before.read("docs/changelog.md"), after.read("docs/changelog.md")) == (b"# Changes", b"# S")

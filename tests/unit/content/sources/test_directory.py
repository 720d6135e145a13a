"""Reads repositories from a directory."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs
from tests.unit.content.sources.git.sources_upstream import git

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.directory import LARGE_BYTES, DirectorySource
from kinfolk.content.sources.snapshot import Snapshot, changes
from kinfolk.runtime.errors import Invalid, NotFound, Unavailable

MAIN = Ref("family/query", "main")
NEXT = Ref("family/query", "feature/next")
DAY_NS = 24 * 3600 * 10**9


def write(root: Path, ref: Ref, **files: str) -> Path:
    folder = root / ref.repo / ref.branch
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def source(root: Path, *refs: Ref) -> DirectorySource:
    return DirectorySource(root, refs or (MAIN, NEXT), "test docs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, MAIN, docs__one="# One\n", docs__two="# Two\n")


def test_files_are_listed_and_read_by_path_from_the_root(tmp_path: Path, folder: Path) -> None:
    tree = source(tmp_path).open().tree(MAIN)

    assert list(tree.files) == ["docs/one.md", "docs/two.md"]
    assert tree.read("docs/one.md") == b"# One\n"


def test_branch_with_a_slash_is_a_nested_folder(tmp_path: Path) -> None:
    write(tmp_path, NEXT, docs__one="# Next\n")

    assert source(tmp_path).open().tree(NEXT).read("docs/one.md") == b"# Next\n"


def test_blob_ids_equal_those_of_git(tmp_path: Path, folder: Path) -> None:
    (folder / "large.bin").write_bytes(b"x" * (LARGE_BYTES + 1))
    tree = source(tmp_path).open().tree(MAIN)

    for path in ("docs/one.md", "large.bin"):
        assert tree.files[path] == git("hash-object", "--no-filters", folder / path).strip()


def test_branch_without_a_folder_is_absent(tmp_path: Path, folder: Path) -> None:
    snapshot = source(tmp_path).open()

    assert list(snapshot.trees) == [MAIN]
    with pytest.raises(Unavailable, match="feature/next"):
        snapshot.tree(NEXT)


def test_directory_without_any_branch_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=str(tmp_path)):
        source(tmp_path).open()


def test_missing_directory_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="nowhere"):
        source(tmp_path / "nowhere").open()


def test_branches_outside_the_refs_are_not_served(tmp_path: Path, folder: Path) -> None:
    write(tmp_path, Ref("family/secret", "main"), docs__one="# Secret\n")

    assert list(source(tmp_path).open().trees) == [MAIN]


def test_unknown_file_is_not_found(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(NotFound, match=r"docs/three\.md"):
        source(tmp_path).open().tree(MAIN).read("docs/three.md")


@pytest.mark.parametrize("path", ["../../../secret.md", "docs/../../../../secret.md", "/etc/passwd", "", "docs"])
def test_path_cannot_leave_the_branch(tmp_path: Path, folder: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("secret")

    with pytest.raises(NotFound):
        source(tmp_path).open().tree(MAIN).read(path)


@pytest.mark.parametrize("repo", ["../query", "family/..", "family", "a/b/c", "-x/query", "family/.git"])
def test_repository_name_cannot_leave_the_directory(tmp_path: Path, repo: str) -> None:
    with pytest.raises(Invalid):
        source(tmp_path, Ref(repo, "main"))


@pytest.mark.parametrize("branch", ["..", "../main", "a/../b", "-x", "a//b", ".git", "", "a b", "x.lock", "a:b"])
def test_branch_name_cannot_leave_its_repository(tmp_path: Path, branch: str) -> None:
    with pytest.raises(Invalid):
        source(tmp_path, Ref("family/query", branch))


def test_symbolic_links_pipes_and_git_folders_are_not_listed(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (folder / "docs/link.md").symlink_to(tmp_path / "secret.md")
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "docs/pipe.md")
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("[core]\n")

    assert list(source(tmp_path).open().tree(MAIN).files) == ["docs/one.md", "docs/two.md"]


@pytest.mark.parametrize("part", ["family", "family/query", "family/query/main"])
def test_symbolic_link_in_place_of_a_folder_is_not_followed(tmp_path: Path, folder: Path, part: str) -> None:
    other_folder = tmp_path / "other_folder"
    (tmp_path / part).rename(other_folder)
    (tmp_path / part).symlink_to(other_folder)

    with pytest.raises(Unavailable):
        source(tmp_path).open()


def test_tree_is_unchanged_after_files_change(tmp_path: Path, folder: Path) -> None:
    docs = source(tmp_path)
    before = docs.open().tree(MAIN)
    write(tmp_path, MAIN, docs__one="# Changed\n", docs__new="# New\n")
    (folder / "docs/two.md").unlink()
    after = docs.refresh().tree(MAIN)

    assert before.read("docs/one.md") == b"# One\n"
    assert before.read("docs/two.md") == b"# Two\n"
    assert after.read("docs/one.md") == b"# Changed\n"
    assert list(after.files) == ["docs/new.md", "docs/one.md"]


def test_changed_large_file_is_unavailable_until_the_refresh(tmp_path: Path, folder: Path) -> None:
    large = folder / "large.bin"
    large.write_bytes(b"a" * (LARGE_BYTES + 1))
    docs = source(tmp_path)
    before = docs.open().tree(MAIN)
    assert len(before.read("large.bin")) == LARGE_BYTES + 1
    large.write_bytes(b"b" * (LARGE_BYTES + 1))

    with pytest.raises(Unavailable, match=r"large\.bin"):
        before.read("large.bin")
    assert docs.refresh().tree(MAIN).read("large.bin").startswith(b"b")


def test_symbolic_link_in_place_of_a_large_file_is_not_followed(tmp_path: Path, folder: Path) -> None:
    large = folder / "large.bin"
    large.write_bytes(b"a" * (LARGE_BYTES + 1))
    tree = source(tmp_path).open().tree(MAIN)
    large.rename(tmp_path / "outside.bin")
    large.symlink_to(tmp_path / "outside.bin")

    with pytest.raises(Unavailable):
        tree.read("large.bin")


def test_refresh_without_a_change_reuses_the_trees(tmp_path: Path, folder: Path) -> None:
    docs = source(tmp_path)
    before = docs.open()
    (folder / "docs/one.md").touch()
    after = docs.refresh()

    assert after.tree(MAIN) is before.tree(MAIN)
    assert after.id == before.id


def test_unchanged_files_are_not_read_again(tmp_path: Path, folder: Path) -> None:
    docs = DirectorySource(tmp_path, [MAIN], "test docs", clock_ns=lambda: time.time_ns() + DAY_NS)
    before = docs.open().tree(MAIN)
    write(tmp_path, MAIN, docs__one="# Changed\n")
    after = docs.refresh().tree(MAIN)

    assert after is not before
    assert after.read("docs/two.md") is before.read("docs/two.md")


def test_file_changed_within_the_time_resolution_is_read_again(tmp_path: Path, folder: Path) -> None:
    page = folder / "docs/one.md"
    docs = DirectorySource(tmp_path, [MAIN], "test docs", clock_ns=lambda: page.stat().st_mtime_ns)
    docs.open()
    stamp = page.stat()
    page.write_text("# Six\n")
    os.utime(page, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    assert docs.refresh().tree(MAIN).read("docs/one.md") == b"# Six\n"


def test_refresh_of_one_branch_does_not_update_others(tmp_path: Path, folder: Path) -> None:
    docs = source(tmp_path)
    write(tmp_path, NEXT, docs__one="# Next\n")
    before = docs.open()
    write(tmp_path, NEXT, docs__one="# Next, better\n")
    write(tmp_path, MAIN, docs__one="# Better too\n")
    after = docs.refresh([NEXT])

    assert changed(before, after) == [(NEXT, {"docs/one.md"}, False)]


def test_new_file_changes_the_listing(tmp_path: Path, folder: Path) -> None:
    docs = source(tmp_path)
    before = docs.open()
    write(tmp_path, MAIN, docs__three="# Three\n")

    assert changed(before, docs.refresh()) == [(MAIN, {"docs/three.md"}, True)]


def test_removed_branch_is_dropped_and_removed_directory_is_not(tmp_path: Path, folder: Path) -> None:
    root = tmp_path / "content"
    root.mkdir()
    (tmp_path / "family").rename(root / "family")
    write(root, NEXT, docs__one="# Next\n")
    docs = source(root)
    docs.open()
    (root / NEXT.repo / "feature").rename(tmp_path / "away")
    assert list(docs.refresh().trees) == [MAIN]

    root.rename(tmp_path / "unmounted")

    assert docs.refresh().tree(MAIN).read("docs/one.md") == b"# One\n"


def changed(before: Snapshot, after: Snapshot) -> list[tuple[Ref, set[str], bool]]:
    return [(change.ref, set(change.paths), change.listing) for change in changes(before, after)]


def test_files_with_invalid_names_are_left_out_and_logged_once(tmp_path: Path, folder: Path) -> None:
    (folder / "docs/odd\u00a0name.md").write_text("# Odd\n")
    (folder / "docs").joinpath(os.fsdecode(b"\xff.md")).write_text("# Odd\n")
    reader = source(tmp_path)
    with captured_logs("files left out") as logs:
        tree = reader.open().tree(MAIN)
        reader.refresh()

    assert list(tree.files) == ["docs/one.md", "docs/two.md"]
    assert tree.left_out == {
        r"'docs/\\xff.md'": "it is not UTF-8",
        r"'docs/odd\xa0name.md'": "it holds U+00A0, which is not printed",
    }
    assert [(entry["log_level"], entry["files"]) for entry in logs] == [("warning", 2)]


def test_size_of_a_file_needs_no_read(tmp_path: Path, folder: Path) -> None:
    (folder / "large.bin").write_bytes(b"x" * (LARGE_BYTES + 1))
    tree = source(tmp_path).open().tree(MAIN)

    assert (tree.size("large.bin"), tree.size("docs/one.md")) == (LARGE_BYTES + 1, 6)
    with pytest.raises(NotFound):
        tree.size("docs/none.md")


def test_checkout_is_read_without_what_git_ignores(tmp_path: Path) -> None:
    checkout = tmp_path / "widgets"
    for name in ("docs/a.md", "node_modules/b/b.md", ".cache/c.md", "build/d.md", "examples/e/index.ts"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(name)
    (checkout / ".gitignore").write_text("build/\n")
    git("init", "-q", checkout)
    ref = Ref("_local/widgets", "main")
    tree = DirectorySource(tmp_path / "none", [ref], "test", checkouts={ref: checkout}).open().tree(ref)
    assert set(tree.files) == {".gitignore", "docs/a.md", "examples/e/index.ts"}
    assert tree.read("docs/a.md") == b"docs/a.md"


def test_folder_with_files_of_git_is_read_though_it_is_ignored(tmp_path: Path) -> None:
    checkout = tmp_path / "widgets"
    for name in ("docs/api/deep/a.md", "docs/b.md", "build/c.md"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(name)
    (checkout / ".gitignore").write_text("build\ndocs/api\n")
    git("init", "-q", checkout)
    git("-C", checkout, "add", "-f", "docs/api/deep/a.md")
    ref = Ref("_local/widgets", "main")
    tree = DirectorySource(tmp_path / "none", [ref], "test", checkouts={ref: checkout}).open().tree(ref)
    assert set(tree.files) == {".gitignore", "docs/api/deep/a.md", "docs/b.md"}


def test_missing_checkout_is_no_branch(tmp_path: Path) -> None:
    ref = Ref("_local/widgets", "main")
    with pytest.raises(Unavailable):
        DirectorySource(tmp_path / "none", [ref], "test", checkouts={ref: tmp_path / "nowhere"}).open()

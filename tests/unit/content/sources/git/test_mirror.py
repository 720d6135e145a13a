"""Mirrors real git repositories: published and rejected commits, and failures of upstream."""

from __future__ import annotations

import json
import os
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs
from tests.unit.content.sources.git.sources_upstream import (
    BAD,
    DOCS,
    GOOD,
    QUERY,
    QUERY_V4,
    TABLE,
    Upstreams,
    family,
    git,
    mirror,
    validate,
)

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.git.mirror import BranchRequirements, MirrorSource
from kinfolk.content.sources.git.sync_progress import RepoDone, RepoProgress, RepoStarted, SyncEvent, SyncStarted
from kinfolk.content.sources.snapshot import changes
from kinfolk.runtime.errors import Invalid, NotFound, Unavailable


@pytest.fixture(scope="module")
def first_commits(tmp_path_factory: pytest.TempPathFactory) -> Upstreams:
    """Upstream repositories, which tests copy: to make them takes eleven processes of git."""
    return family(tmp_path_factory.mktemp("first") / "upstream")


@pytest.fixture
def upstreams(tmp_path: Path, first_commits: Upstreams) -> Upstreams:
    return Upstreams(shutil.copytree(first_commits.folder, tmp_path / "upstream"), first_commits.commits)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


def test_sync_fetches_all_branches(upstreams: Upstreams, root: Path) -> None:
    snapshot = mirror(upstreams, root).refresh()

    assert {ref: tree.revision for ref, tree in snapshot.trees.items()} == {
        ref: upstreams.tip(ref) for ref in (QUERY, QUERY_V4, TABLE)
    }
    assert list(snapshot.tree(QUERY).files) == ["LICENSE", "docs/config.json", "docs/page.md"]
    assert snapshot.tree(QUERY_V4).read("docs/page.md") == b"# family/query@v4\n"


def test_unreadable_repository_does_not_stop_later_syncs(upstreams: Upstreams, root: Path) -> None:
    source = mirror(upstreams, root)
    source.refresh()
    # A pack that another process deletes between listing and reading, and a pack that cannot be opened.
    packs = root / f"{QUERY.repo}.git" / "objects" / "pack"
    (packs / "pack-gone.pack").symlink_to("nowhere")
    (packs / "pack-loop.pack").symlink_to("pack-loop.pack")
    for word in ("one", "two"):
        upstreams.commit(TABLE, {"docs/page.md": word})
        assert source.refresh().tree(TABLE).read("docs/page.md") == word.encode()
    (packs / "pack-loop.pack").unlink()
    upstreams.commit(QUERY, {"docs/page.md": "readable again"})
    assert source.refresh().tree(QUERY).read("docs/page.md") == b"readable again"


def test_mirror_opens_without_upstream(upstreams: Upstreams, root: Path) -> None:
    synced = mirror(upstreams, root).refresh()
    upstreams.folder.rename(root.with_name("gone"))
    opened = mirror(upstreams, root).open()

    assert opened.id == synced.id
    assert opened.tree(TABLE).read("docs/page.md") == b"# family/table@main\n"


def test_error_before_the_first_sync_names_the_command(upstreams: Upstreams, root: Path) -> None:
    with pytest.raises(Unavailable, match="run kinfolk sync"):
        mirror(upstreams, root).open()


def test_blob_ids_equal_those_of_git(upstreams: Upstreams, root: Path) -> None:
    tree = mirror(upstreams, root).refresh().tree(QUERY)

    assert tree.files["LICENSE"] == git("hash-object", "--stdin", stdin=b"MIT\n").strip()


def test_unknown_file_is_not_found(upstreams: Upstreams, root: Path) -> None:
    tree = mirror(upstreams, root).refresh().tree(QUERY)

    for path in ("docs/none.md", "docs", "../LICENSE", ""):
        with pytest.raises(NotFound):
            tree.read(path)


def test_refresh_changes_only_branches_with_new_commits(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    after = docs.refresh()

    (change,) = changes(before, after)
    assert (change.ref, change.paths, change.listing) == (QUERY, frozenset({"docs/page.md"}), False)
    assert after.tree(QUERY_V4) is before.tree(QUERY_V4)
    assert before.tree(QUERY).read("docs/page.md") == b"# family/query@main\n"


def test_rewritten_branch_is_published(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    git(f"--git-dir={upstreams.path(TABLE)}", "update-ref", "-d", "refs/heads/main")
    upstreams.commit(TABLE, {"docs/config.json": GOOD, "docs/other.md": "# Other\n"})

    assert list(docs.refresh().tree(TABLE).files) == ["docs/config.json", "docs/other.md"]


def test_refresh_of_one_branch_does_not_update_others(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    for ref in (QUERY, TABLE):
        upstreams.commit(ref, {"docs/page.md": "# Better\n"})

    assert [change.ref for change in changes(before, docs.refresh([TABLE]))] == [TABLE]


def test_refresh_of_no_branch_of_the_mirror_does_not_take_its_lock(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    shutil.rmtree(root)
    assert docs.refresh([Ref("family/other", "main")]) == before
    assert not root.exists()


def test_refresh_without_a_change_publishes_nothing(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    # The second refresh reads the file, which may change its time of access.
    published = (root / "published.json").stat().st_mtime_ns
    after = docs.refresh()

    assert all(after.trees[ref] is before.trees[ref] for ref in before.trees)
    assert (root / "published.json").stat().st_mtime_ns == published


def test_commits_published_by_another_process_are_adopted(upstreams: Upstreams, root: Path) -> None:
    serving = mirror(upstreams, root)
    serving.refresh()
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    mirror(upstreams, root).refresh()
    upstreams.folder.rename(root.with_name("gone"))

    assert serving.refresh().tree(QUERY).read("docs/page.md") == b"# Better\n"


def test_refresh_of_no_branch_reads_what_another_process_published(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    serving = mirror(upstreams, root)
    serving.open()
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    assert serving.refresh(()).tree(QUERY).read("docs/page.md") == b"# family/query@main\n"
    mirror(upstreams, root).refresh()
    assert serving.refresh(()).tree(QUERY).read("docs/page.md") == b"# Better\n"


def test_trees_stay_without_published_commits(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    (root / "published.json").unlink()
    assert docs.refresh(()) == before


def test_time_of_the_last_sync_is_that_of_the_branch_that_failed(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    assert docs.synced_at_s() is None
    docs.refresh([QUERY, QUERY_V4])
    assert docs.synced_at_s() is None
    docs.refresh([TABLE])
    gone = upstreams.path(TABLE).rename(root.with_name("gone"))
    docs.refresh()
    first_s = docs.synced_at_s()
    docs.refresh()
    assert docs.synced_at_s() == first_s is not None
    gone.rename(upstreams.path(TABLE))
    upstreams.commit(TABLE, {"docs/config.json": BAD})
    docs.refresh()
    assert docs.synced_at_s() == first_s
    upstreams.commit(TABLE, {"docs/config.json": GOOD})
    docs.refresh()
    assert (docs.synced_at_s() or 0) > first_s


def test_reading_the_published_commits_is_no_sync(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    serving = mirror(upstreams, root)
    serving.open()
    serving.refresh(())
    assert serving.synced_at_s() is None


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"docs/config.json": BAD, "docs/page.md": "# New\n"}, "docs/config.json: sections: it never ends"),
        ({"other/page.md": "# New\n"}, "docs: it has no files"),
        ({}, "it has no files"),
    ],
)
def test_invalid_commit_is_not_published_and_logged(
    upstreams: Upstreams, root: Path, files: dict[str, str], reason: str
) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    commit = upstreams.commit(QUERY, files, replace=True)
    upstreams.commit(QUERY_V4, {"docs/page.md": "# Better\n"})
    with captured_logs("mirror failed") as logs:
        snapshot = docs.refresh()

    assert snapshot.tree(QUERY).read("docs/page.md") == b"# family/query@main\n"
    assert snapshot.tree(QUERY_V4).read("docs/page.md") == b"# Better\n"
    (entry,) = logs
    assert (entry["repo"], entry["branch"]) == ("family/query", "main")
    assert entry["reason"] == f"commit {commit[:10]} is not shown: {reason}"


def test_commit_without_navigation_is_published(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    upstreams.commit(QUERY, {"docs/page.md": "# New\n"}, replace=True)
    assert docs.refresh().tree(QUERY).read("docs/page.md") == b"# New\n"


def test_valid_commit_after_an_invalid_one_is_published(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    docs.refresh()
    upstreams.commit(QUERY, {"docs/config.json": GOOD, "docs/page.md": "# Repaired\n"})

    assert docs.refresh().tree(QUERY).read("docs/page.md") == b"# Repaired\n"


def test_invalid_commit_is_not_published_after_a_restart(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    mirror(upstreams, root).refresh()
    restarted = mirror(upstreams, root)

    assert restarted.open().tree(QUERY).read("docs/config.json") == GOOD.encode()
    assert restarted.refresh().tree(QUERY).read("docs/config.json") == GOOD.encode()


def test_branch_without_docs_roots_needs_no_config(upstreams: Upstreams, root: Path) -> None:
    examples = Ref("family/examples", "main")
    upstreams.commit(examples, {"README.md": "# Examples\n"})
    docs = MirrorSource(root, {examples: BranchRequirements()}, validate, url_template=upstreams.url_template)

    assert list(docs.refresh().tree(examples).files) == ["README.md"]


def test_missing_branch_does_not_stop_other_branches(upstreams: Upstreams, root: Path) -> None:
    missing = Ref("family/query", "v9")
    with captured_logs("mirror failed") as logs:
        snapshot = mirror(upstreams, root, QUERY, QUERY_V4, missing).refresh()

    assert set(snapshot.trees) == {QUERY, QUERY_V4}
    (entry,) = logs
    assert entry["branch"] == "v9"
    assert "couldn't find remote ref refs/heads/v9" in entry["reason"]


def test_branch_deleted_upstream_stays_published(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    git(f"--git-dir={upstreams.path(QUERY_V4)}", "update-ref", "-d", "refs/heads/v4")
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    snapshot = docs.refresh()

    assert snapshot.tree(QUERY_V4).read("docs/page.md") == b"# family/query@v4\n"
    assert snapshot.tree(QUERY).read("docs/page.md") == b"# Better\n"


def test_missing_upstream_keeps_the_published_commits(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    before = docs.refresh()
    upstreams.path(QUERY).rename(root.with_name("gone"))
    upstreams.commit(TABLE, {"docs/page.md": "# Better\n"})
    after = docs.refresh()

    assert [change.ref for change in changes(before, after)] == [TABLE]
    assert after.tree(QUERY) is before.tree(QUERY)


def test_hanging_upstream_times_out_and_others_are_updated(upstreams: Upstreams, root: Path) -> None:
    # Git reads packed-refs first. Opening this pipe blocks, because it has no writer.
    pipe = upstreams.path(QUERY) / "packed-refs"
    os.mkfifo(pipe)
    events: list[SyncEvent] = []
    other_ended, has_timed_out = threading.Event(), threading.Event()
    now_s = 0.0

    def record(event: SyncEvent) -> None:
        events.append(event)
        if isinstance(event, RepoDone) and event.repo == TABLE.repo:
            other_ended.set()

    def pass_time() -> None:
        nonlocal now_s
        other_ended.wait()
        # Blocks until git opens the pipe.
        with pipe.open("wb"):
            now_s += 60
            has_timed_out.wait()

    docs = MirrorSource(
        root,
        dict.fromkeys([QUERY, TABLE], DOCS),
        validate,
        url_template=upstreams.url_template,
        timeout_s=60,
        on_progress=record,
        clock=lambda: now_s,
    )
    threading.Thread(target=pass_time, daemon=True).start()
    trees = docs.refresh().trees
    has_timed_out.set()

    assert set(trees) == {TABLE}
    assert done(events, "family/query").reason == "main: no answer within 60 s"


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that accepts connections, in its backlog, and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_silent_server_times_out(root: Path, silent_port: int) -> None:
    docs = MirrorSource(
        root, {TABLE: DOCS}, validate, url_template=f"git://127.0.0.1:{silent_port}/{{repo}}", timeout_s=0.5
    )
    assert docs.refresh().trees == {}


def test_stop_ends_a_running_sync(upstreams: Upstreams, root: Path) -> None:
    os.mkfifo(upstreams.path(TABLE) / "packed-refs")
    docs = mirror(upstreams, root, TABLE, timeout_s=600)
    stopping = threading.Timer(0.2, docs.stop)
    stopping.start()

    assert docs.refresh().trees == {}
    stopping.join()


def test_url_cannot_contain_commands(upstreams: Upstreams, root: Path) -> None:
    harm = root.with_name("harm")
    docs = MirrorSource(root, {TABLE: DOCS}, validate, url_template=f"ext::sh -c touch% {harm}")

    assert docs.refresh().trees == {}
    assert not harm.exists()


@pytest.mark.parametrize("ref", [Ref("../table", "main"), Ref("family/table", "../x"), Ref("family/table", "-x")])
def test_names_that_leave_the_directory_are_rejected(upstreams: Upstreams, root: Path, ref: Ref) -> None:
    with pytest.raises(Invalid):
        mirror(upstreams, root, ref)


def test_submodules_and_links_out_of_the_repository_are_not_listed(upstreams: Upstreams, root: Path) -> None:
    upstreams.commit(TABLE, {"docs/link.md": "../LICENSE", "escape": "/etc"}, mode="120000")
    submodule = f"M 160000 {'1' * 40} vendored\n"
    commit = f"commit refs/heads/main\ncommitter T <t@example.org> 1800000000 +0000\ndata 0\n{submodule}"
    previous = f"from refs/heads/main^0\n{submodule}"
    git(
        f"--git-dir={upstreams.path(TABLE)}",
        *("fast-import", "--quiet"),
        stdin=commit.replace(submodule, previous).encode(),
    )

    tree = mirror(upstreams, root).refresh().tree(TABLE)
    assert list(tree.files) == ["LICENSE", "docs/config.json", "docs/link.md", "docs/page.md"]
    assert tree.files["docs/link.md"] == tree.files["LICENSE"]
    assert list(tree.broken_links) == ["escape"]


def malicious_commit(path: Path) -> str:
    """A commit whose tree contains `..` and other names that git does not write."""
    blob = git(f"--git-dir={path}", "hash-object", "-w", "--stdin", stdin=b"secret\n").strip()
    entry = b"100644 %s\0" + bytes.fromhex(blob)
    names = (b"..", b".git", b"back\\slash", b"fine.md", b"\xff.md")
    tree = git(
        f"--git-dir={path}",
        *("hash-object", "-t", "tree", "-w", "--stdin", "--literally"),
        stdin=b"".join(entry % name for name in names),
    ).strip()
    return git(f"--git-dir={path}", "commit-tree", tree, "-m", "malicious").strip()


def test_invalid_file_names_are_not_listed(upstreams: Upstreams) -> None:
    path = upstreams.path(TABLE)
    tree = GitTree(TABLE, malicious_commit(path), ObjectStore(path))

    assert list(tree.files) == ["fine.md"]
    assert tree.left_out == {
        "'..'": "it is no name",
        r"'back\\slash'": "it holds a slash or a backslash",
        r"'\\xff.md'": "it is not UTF-8",
    }


def nested(path: Path, levels: int) -> str:
    """A commit of `levels` small objects, each of which contains the previous one ten times."""
    blob = git(f"--git-dir={path}", "hash-object", "-w", "--stdin", stdin=b"x").strip()
    rows = b"".join(b"100644 blob %s\t%d\n" % (blob.encode(), name) for name in range(10))
    tree = git(f"--git-dir={path}", "mktree", stdin=rows).strip()
    for _ in range(levels):
        rows = b"".join(b"040000 tree %s\t%d\n" % (tree.encode(), name) for name in range(10))
        tree = git(f"--git-dir={path}", "mktree", stdin=rows).strip()
    return git(f"--git-dir={path}", "commit-tree", tree, "-m", "many").strip()


@pytest.mark.no_cover
def test_commit_with_billions_of_files_is_not_published(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    path = upstreams.path(TABLE)
    git(f"--git-dir={path}", "update-ref", "refs/heads/main", nested(path, 9))

    assert docs.refresh().tree(TABLE).read("docs/page.md") == b"# family/table@main\n"


def test_size_of_a_file_needs_no_read(upstreams: Upstreams, root: Path) -> None:
    upstreams.commit(TABLE, {"large.bin": b"x" * 100_000})
    tree = mirror(upstreams, root).refresh().tree(TABLE)

    assert tree.size("large.bin") == 100_000
    with pytest.raises(NotFound):
        tree.size("none")


def test_fetch_rejects_a_malicious_commit(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    docs.refresh()
    path = upstreams.path(TABLE)
    git(f"--git-dir={path}", "update-ref", "refs/heads/main", malicious_commit(path))

    assert docs.refresh().tree(TABLE).read("docs/page.md") == b"# family/table@main\n"


def test_progress_names_each_repository_and_its_outcome(upstreams: Upstreams, root: Path) -> None:
    events: list[SyncEvent] = []
    requirements = dict.fromkeys([QUERY, QUERY_V4, TABLE], DOCS)
    docs = MirrorSource(
        root, requirements, validate, url_template=upstreams.url_template, on_progress=events.append, at_once=1
    )
    docs.refresh()
    assert events[:2] == [
        SyncStarted(("family/query", "family/table")),
        RepoStarted("family/query", ("main", "v4")),
    ]
    assert RepoProgress("family/query", "Counting objects", 100) in events
    first = done(events, "family/query")
    assert (first.outcome, first.updated, first.reason) == ("updated", ("main", "v4"), "")
    assert first.received_bytes > 100

    events.clear()
    upstreams.commit(TABLE, {"docs/config.json": BAD})
    docs.refresh()

    unchanged = replace(done(events, "family/query"), seconds=0)
    assert unchanged == RepoDone("family/query", "unchanged", (), "", received_bytes=0, seconds=0)
    assert done(events, "family/table").outcome == "failed"


def test_tidy_deletes_unpublished_commits(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    old = docs.refresh().tree(QUERY).revision
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    snapshot = docs.refresh()
    repository = f"--git-dir={root / 'family/query.git'}"
    assert git(repository, "cat-file", "-t", old) == "commit\n"

    assert docs.tidy() == ("family/query", "family/table")
    assert old not in git(repository, "cat-file", "--batch-all-objects", "--batch-check")
    assert snapshot.tree(QUERY).read("docs/page.md") == b"# Better\n"


def test_tidy_skips_repositories_with_older_trees_in_use(upstreams: Upstreams, root: Path) -> None:
    docs = mirror(upstreams, root)
    reading = docs.refresh()
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    docs.refresh()

    assert docs.tidy() == ("family/table",)
    assert reading.tree(QUERY).read("docs/page.md") == b"# family/query@main\n"


def test_older_tree_of_another_process_is_unavailable_after_tidy(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    serving = mirror(upstreams, root)
    reading = serving.open().tree(QUERY)
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})
    other = mirror(upstreams, root)
    other.refresh()
    other.tidy()

    with pytest.raises(Unavailable, match="family/query@main"):
        reading.read("docs/page.md")
    assert serving.refresh().tree(QUERY).read("docs/page.md") == b"# Better\n"


def test_tidy_deletes_branches_that_are_no_longer_required(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    mirror(upstreams, root, QUERY).tidy()

    assert list(json.loads((root / "published.json").read_text())) == ["family/query@main"]
    refs = git(f"--git-dir={root / 'family/query.git'}", "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/kinfolk/fetched/main", "refs/kinfolk/published/main"]


def done(events: list[SyncEvent], repo: str) -> RepoDone:
    (found,) = [event for event in events if isinstance(event, RepoDone) and event.repo == repo]
    return found


def test_deleted_mirror_is_fetched_again_and_its_branches_stay_meanwhile(upstreams: Upstreams, root: Path) -> None:
    source = mirror(upstreams, root)
    before = source.refresh()
    shutil.rmtree(root)
    gone = upstreams.folder.rename(root.with_name("gone"))

    assert source.refresh().id == before.id

    gone.rename(upstreams.folder)
    upstreams.commit(QUERY, {"docs/page.md": "after"})
    after = source.refresh()
    assert after.tree(QUERY).read("docs/page.md") == b"after"
    assert after.tree(TABLE).read("docs/page.md") == b"# family/table@main\n"
    assert mirror(upstreams, root).open().id == after.id

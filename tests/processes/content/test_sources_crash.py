"""A mirror survives SIGKILL at any point, concurrent syncs, and damaged files."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs
from tests.unit.content.sources.git.sources_upstream import (
    BAD,
    DOCS,
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
from kinfolk.content.sources.git.git_command import Git, GitFailed
from kinfolk.content.sources.git.mirror import MirrorSource
from kinfolk.content.sources.git.published_commits import sync_lock
from kinfolk.content.sources.git.sync_progress import SyncEvent, SyncFailed, SyncWaiting
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.errors import Unavailable

REFS = (QUERY, QUERY_V4, TABLE)
# Audit events of Python during a sync. A crash before one of them could leave an incomplete state.
STEPS = {
    "open",
    "os.rename",
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.truncate",
    "shutil.rmtree",
    "subprocess.Popen",
}
# A fork starts in milliseconds. Newer Pythons warn about threads of other tests, which these children do not use.
FORK = multiprocessing.get_context("fork")
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Upstreams:
    """The repositories that each test gets a copy of: to make them takes 15 git processes."""
    return family(tmp_path_factory.mktemp("made") / "upstream")


@pytest.fixture
def upstreams(tmp_path: Path, made_once: Upstreams) -> Upstreams:
    shutil.copytree(made_once.folder, tmp_path / "upstream")
    return Upstreams(tmp_path / "upstream", made_once.commits)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


def pages(snapshot: Snapshot) -> dict[Ref, str]:
    """The page of each branch, after reading all files."""
    for tree in snapshot.trees.values():
        for path in tree.files:
            tree.read(path)
    return {ref: tree.read("docs/page.md").decode() for ref, tree in snapshot.trees.items()}


def run_in_child(work: Callable[[], object]) -> int | None:
    child = FORK.Process(target=work)
    child.start()
    child.join()
    return child.exitcode


def refresh_until_step(docs: MirrorSource, last: int) -> None:
    """Refresh, and kill this process at the given step. Called in a child process."""
    steps = itertools.count(1)

    def step(event: str, _: object) -> None:
        if event in STEPS and next(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    docs.refresh()


def killed_syncs(docs: Callable[[], MirrorSource], steps: range) -> int:
    """Refresh in child processes, each killed at a later step, until one completes. Returns how many were killed."""
    for killed, last in enumerate(steps):
        if run_in_child(partial(refresh_until_step, docs(), last)) == 0:
            return killed
    raise AssertionError("no sync completed")


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_sync_killed_at_any_step_leaves_the_old_or_new_state(upstreams: Upstreams, root: Path, first: int) -> None:
    mirror(upstreams, root).refresh()
    old = {ref: f"# {ref}\n" for ref in REFS}
    new = {ref: f"# New {ref}\n" for ref in REFS}
    for ref in REFS:
        upstreams.commit(ref, {"docs/page.md": new[ref]})
    states = []

    def open_after_crash() -> MirrorSource:
        docs = mirror(upstreams, root)
        states.append(pages(docs.open()))
        return docs

    assert killed_syncs(open_after_crash, range(first, 1000, 4)) >= 3
    assert all(state[ref] in (old[ref], new[ref]) for state in states for ref in REFS)
    assert pages(mirror(upstreams, root).refresh()) == new


@pytest.mark.parametrize("first", [1, 2, 3])
def test_first_sync_killed_at_any_step_is_resumed(upstreams: Upstreams, root: Path, first: int) -> None:
    assert killed_syncs(lambda: mirror(upstreams, root), range(first, 1000, 3)) >= 3

    assert pages(mirror(upstreams, root).refresh()) == {ref: f"# {ref}\n" for ref in REFS}
    assert leftovers(root) == []


@pytest.mark.parametrize("nth", [1, 2, 3, 5, 8, 13, 21, 34])
def test_sync_killed_while_git_runs_leaves_the_old_or_new_state(upstreams: Upstreams, root: Path, nth: int) -> None:
    mirror(upstreams, root).refresh()
    for ref in REFS:
        upstreams.commit(ref, {"docs/page.md": f"# New {ref}\n", **{f"docs/{n}.md": f"{ref} {n}" for n in range(99)}})
    events = iter(range(nth))

    def kill_at_nth_event(_: SyncEvent) -> None:
        if next(events, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    requirements = dict.fromkeys(REFS, DOCS)
    killed = MirrorSource(
        root, requirements, validate, url_template=upstreams.url_template, on_progress=kill_at_nth_event
    )
    assert run_in_child(killed.refresh) == -signal.SIGKILL

    opened = pages(mirror(upstreams, root).open())
    assert all(opened[ref] in (f"# {ref}\n", f"# New {ref}\n") for ref in REFS)
    assert pages(mirror(upstreams, root).refresh()) == {ref: f"# New {ref}\n" for ref in REFS}
    assert leftovers(root) == []


def test_killing_a_sync_ends_its_git_processes(upstreams: Upstreams, root: Path) -> None:
    os.mkfifo(upstreams.path(TABLE) / "packed-refs")
    killed = mirror(upstreams, root, TABLE, timeout_s=600)
    child = FORK.Process(target=killed.refresh)
    child.start()
    # Opening the pipe for writing blocks until git opens it for reading. Then git hangs.
    with (upstreams.path(TABLE) / "packed-refs").open("wb"):
        child.kill()
        child.join()
        # The git processes of the killed sync inherit its lock, so the lock is free only after all have ended.
        with sync_lock(root, wait_s=20, stopping=threading.Event(), on_wait=lambda _: None):
            pass


def test_child_of_a_failed_git_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nsleep 600 2>/dev/null &\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    with sync_lock(tmp_path, wait_s=0, stopping=threading.Event(), on_wait=print) as lock:
        runner = Git(lock, stopping=threading.Event())
        with pytest.raises(GitFailed):
            runner.run("fetch", timeout_s=60)

    # With `wait_s=0`, as the history fetch locks it.
    with sync_lock(tmp_path, wait_s=0, stopping=threading.Event(), on_wait=print):
        pass


def test_leftovers_of_a_killed_git_are_deleted(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    repository = root / "family/query.git"
    for name in (
        *(
            "shallow.lock",
            "packed-refs.lock",
            "refs/kinfolk/fetched/main.lock",
            "objects/pack/tmp_pack_x1y2z3",
        ),
        *("objects/pack/pack-1.keep", "gc.pid", "../.query.git.new/HEAD", "../.table.git.old/HEAD"),
    ):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text("1")
    upstreams.commit(QUERY, {"docs/page.md": "# Better\n"})

    assert pages(mirror(upstreams, root).refresh())[QUERY] == "# Better\n"
    assert leftovers(root) == []


def leftovers(root: Path) -> list[Path]:
    patterns = ("*.lock", "tmp_*", "*.keep", "gc.pid", ".*.git.*", "*.new")
    return [path for pattern in patterns for path in root.rglob(pattern) if path != root / "sync.lock"]


def test_processes_can_sync_concurrently(upstreams: Upstreams, root: Path) -> None:
    children = [FORK.Process(target=mirror(upstreams, root).refresh) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join()

    assert [child.exitcode for child in children] == [0, 0, 0]
    assert pages(mirror(upstreams, root).open()) == {ref: f"# {ref}\n" for ref in REFS}


def test_waiting_sync_reports_the_holder_and_serves_the_last_state(upstreams: Upstreams, root: Path) -> None:
    synced = mirror(upstreams, root).refresh()
    events: list[SyncEvent] = []
    waiting = MirrorSource(root, dict.fromkeys(REFS, DOCS), validate, lock_wait_s=0.1, on_progress=events.append)
    with (
        captured_logs("mirror not synced") as logs,
        sync_lock(root, wait_s=1, stopping=threading.Event(), on_wait=lambda _: None),
    ):
        snapshot = waiting.refresh()

    assert snapshot.id == synced.id
    (entry,) = logs
    assert events == [SyncWaiting(f"process {os.getpid()}"), SyncFailed(entry["reason"])]
    assert "still syncs the same directory" in entry["reason"]


def sync_in_child(upstreams: Upstreams, root: Path) -> None:
    """Sync in a child, because libgit2 would keep the old packs open in this process."""
    assert run_in_child(mirror(upstreams, root).refresh) == 0


def only_pack(root: Path, repo: str) -> Path:
    return max((root / f"{repo}.git/objects/pack").glob("*.pack"), key=lambda pack: pack.stat().st_size)


def test_missing_pack_index_is_detected_on_open_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    sync_in_child(upstreams, root)
    only_pack(root, "family/table").with_suffix(".idx").unlink()
    docs = mirror(upstreams, root)
    opened = docs.open()

    assert set(opened.trees) == {QUERY, QUERY_V4}
    assert pages(docs.refresh()) == {ref: f"# {ref}\n" for ref in REFS}


def test_truncated_pack_is_detected_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    sync_in_child(upstreams, root)
    pack = only_pack(root, "family/table")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:-40])
    docs = mirror(upstreams, root)

    assert TABLE not in docs.open().trees
    assert pages(docs.refresh())[TABLE] == "# family/table@main\n"


def test_corrupt_object_is_detected_on_read_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    blob = os.urandom(20_000)
    upstreams.commit(TABLE, {"docs/image.png": blob})
    sync_in_child(upstreams, root)
    pack = only_pack(root, "family/table")
    corrupt = bytearray(pack.read_bytes())
    middle = corrupt.index(blob[5000:5100])
    corrupt[middle] ^= 0xFF
    pack.chmod(0o644)
    pack.write_bytes(corrupt)
    docs = mirror(upstreams, root)
    tree = docs.open().tree(TABLE)

    with pytest.raises(Unavailable, match=r"docs/image\.png"):
        tree.read("docs/image.png")
    assert docs.refresh().tree(TABLE).read("docs/image.png") == blob


def test_published_commit_missing_upstream_survives_a_rebuild(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    docs = mirror(upstreams, root)
    docs.refresh()
    # The published commit of v4 is missing, so the repository is rebuilt. Upstream's only commit of main is invalid.
    missing = upstreams.commit(QUERY_V4, {"docs/page.md": "# Lost\n"})
    published = (root / "published.json").read_text()
    old = git(f"--git-dir={root / 'family/query.git'}", "rev-parse", "refs/kinfolk/published/v4").strip()
    (root / "published.json").write_text(published.replace(old, missing))

    assert pages(docs.refresh()) == {
        QUERY: "# family/query@main\n",
        QUERY_V4: "# Lost\n",
        TABLE: "# family/table@main\n",
    }


@pytest.mark.parametrize("damage", ["HEAD", "config", "objects", "refs"])
def test_repository_without_required_files_is_rebuilt(upstreams: Upstreams, root: Path, damage: str) -> None:
    before = pages(mirror(upstreams, root).refresh())
    (root / "family/query.git" / damage).rename(root / "taken")

    assert pages(mirror(upstreams, root).refresh()) == before


def test_damaged_repository_is_not_replaced_without_upstream(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    only_pack(root, "family/table").with_suffix(".idx").unlink()
    upstreams.folder.rename(root.with_name("gone"))
    docs = mirror(upstreams, root)

    assert set(docs.refresh().trees) == {QUERY, QUERY_V4}
    root.with_name("gone").rename(upstreams.folder)
    assert set(docs.refresh().trees) == set(REFS)


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"family/query@main": 3}'])
def test_lost_list_of_commits_is_restored_from_refs(upstreams: Upstreams, root: Path, content: str | None) -> None:
    before = mirror(upstreams, root).refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    (root / "published.json").unlink()
    if content is not None:
        (root / "published.json").write_text(content)
    with pytest.raises(Unavailable, match="run kinfolk sync"):
        mirror(upstreams, root).open()

    assert mirror(upstreams, root).refresh().id == before.id
    assert mirror(upstreams, root).open().id == before.id

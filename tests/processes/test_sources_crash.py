"""A mirror loses nothing: not to SIGKILL at any point, not to a second sync, not to a damaged disk."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.unit.sources_upstream import (
    BAD,
    DOCS,
    QUERY,
    QUERY_V4,
    TABLE,
    Upstreams,
    family,
    git,
    logged,
    mirror,
    validate,
)

from kinfolk.errors import Unavailable
from kinfolk.sources.git import Git, GitFailed
from kinfolk.sources.mirror import MirrorSource
from kinfolk.sources.progress import SyncEvent, SyncFailed, SyncWaiting
from kinfolk.sources.publication import sync_lock
from kinfolk.sources.snapshot import Ref, Snapshot

REFS = (QUERY, QUERY_V4, TABLE)
# What Python tells its audit hooks about a sync: before each of these a crash could leave something half done.
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
# A fork starts in milliseconds. Newer Pythons warn of threads that other tests left; these children use none of them.
FORK = multiprocessing.get_context("fork")
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture
def upstreams(tmp_path: Path) -> Upstreams:
    return family(tmp_path / "upstream")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


def pages(snapshot: Snapshot) -> dict[Ref, str]:
    """Every branch's page, after reading every file of it."""
    for tree in snapshot.trees.values():
        for path in tree.files:
            tree.read(path)
    return {ref: tree.read("docs/page.md").decode() for ref, tree in snapshot.trees.items()}


def in_a_child(work: Callable[[], object]) -> int | None:
    child = FORK.Process(target=work)
    child.start()
    child.join()
    return child.exitcode


def refresh_until_step(docs: MirrorSource, last: int) -> None:
    """For a child process: refresh, and die by SIGKILL at the given step."""
    steps = itertools.count(1)

    def step(event: str, _: object) -> None:
        if event in STEPS and next(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    docs.refresh()


def killed_syncs(docs: Callable[[], MirrorSource], steps: range) -> int:
    """Refresh in children that die at ever later steps, until one lives. Returns how many died."""
    for died, last in enumerate(steps):
        if in_a_child(partial(refresh_until_step, docs(), last)) == 0:
            return died
    raise AssertionError("no sync came to its end")


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_a_sync_killed_at_any_step_keeps_old_or_new(upstreams: Upstreams, root: Path, first: int) -> None:
    mirror(upstreams, root).refresh()
    old = {ref: f"# {ref}\n" for ref in REFS}
    new = {ref: f"# New {ref}\n" for ref in REFS}
    for ref in REFS:
        upstreams.commit(ref, {"docs/page.md": new[ref]})
    seen = []

    def after_the_last_crash() -> MirrorSource:
        docs = mirror(upstreams, root)
        seen.append(pages(docs.open()))
        return docs

    assert killed_syncs(after_the_last_crash, range(first, 1000, 4)) >= 3
    assert all(state[ref] in (old[ref], new[ref]) for state in seen for ref in REFS)
    assert pages(mirror(upstreams, root).refresh()) == new


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_first_sync_killed_at_any_step_is_taken_up_again(upstreams: Upstreams, root: Path, first: int) -> None:
    assert killed_syncs(lambda: mirror(upstreams, root), range(first, 1000, 3)) >= 3

    assert pages(mirror(upstreams, root).refresh()) == {ref: f"# {ref}\n" for ref in REFS}
    assert leftovers(root) == []


@pytest.mark.parametrize("nth", [1, 2, 3, 5, 8, 13, 21, 34])
def test_a_sync_killed_while_git_is_at_work_keeps_old_or_new(upstreams: Upstreams, root: Path, nth: int) -> None:
    mirror(upstreams, root).refresh()
    for ref in REFS:
        upstreams.commit(ref, {"docs/page.md": f"# New {ref}\n", **{f"docs/{n}.md": f"{ref} {n}" for n in range(99)}})
    events = iter(range(nth))

    def die_at_the_nth(_: SyncEvent) -> None:
        if next(events, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    wanted = dict.fromkeys(REFS, DOCS)
    doomed = MirrorSource(root, wanted, validate, url_template=upstreams.url_template, on_progress=die_at_the_nth)
    assert in_a_child(doomed.refresh) == -signal.SIGKILL

    opened = pages(mirror(upstreams, root).open())
    assert all(opened[ref] in (f"# {ref}\n", f"# New {ref}\n") for ref in REFS)
    assert pages(mirror(upstreams, root).refresh()) == {ref: f"# New {ref}\n" for ref in REFS}
    assert leftovers(root) == []


def test_a_killed_sync_takes_its_git_along(upstreams: Upstreams, root: Path) -> None:
    os.mkfifo(upstreams.path(TABLE) / "packed-refs")
    doomed = mirror(upstreams, root, TABLE, timeout_s=600)
    child = FORK.Process(target=doomed.refresh)
    child.start()
    # Opening the pipe for writing waits until git has it open for reading: from then on git hangs.
    with (upstreams.path(TABLE) / "packed-refs").open("wb"):
        child.kill()
        child.join()
        # Each git of the dead sync holds its lock too, so getting the lock means that none is left.
        with sync_lock(root, wait_s=20, stopping=threading.Event(), on_wait=lambda _: None):
            pass


def test_a_git_that_ended_leaves_nobody_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    careless = tmp_path / "bin/git"
    careless.parent.mkdir()
    careless.write_text("#!/bin/sh\nsleep 600 2>/dev/null &\nexit 1\n")
    careless.chmod(0o755)
    monkeypatch.setenv("PATH", str(careless.parent), prepend=os.pathsep)
    with sync_lock(tmp_path, wait_s=0, stopping=threading.Event(), on_wait=print) as lock:
        asked = Git(lock, stopping=threading.Event())
        with pytest.raises(GitFailed):
            asked.run("fetch", timeout_s=60)

    # At once: a look back does not wait for anybody.
    with sync_lock(tmp_path, wait_s=0, stopping=threading.Event(), on_wait=print):
        pass


def test_leftovers_of_a_dead_git_are_cleared_away(upstreams: Upstreams, root: Path) -> None:
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


def test_two_processes_may_sync_at_once(upstreams: Upstreams, root: Path) -> None:
    children = [FORK.Process(target=mirror(upstreams, root).refresh) for _ in range(3)]
    for child in children:
        child.start()
    for child in children:
        child.join()

    assert [child.exitcode for child in children] == [0, 0, 0]
    assert pages(mirror(upstreams, root).open()) == {ref: f"# {ref}\n" for ref in REFS}


def test_a_sync_that_waits_says_for_whom_and_serves_the_last_good_state(upstreams: Upstreams, root: Path) -> None:
    synced = mirror(upstreams, root).refresh()
    events: list[SyncEvent] = []
    waiting = MirrorSource(root, dict.fromkeys(REFS, DOCS), validate, lock_wait_s=0.1, on_progress=events.append)
    with (
        logged() as logs,
        sync_lock(root, wait_s=1, stopping=threading.Event(), on_wait=lambda _: None),
    ):
        snapshot = waiting.refresh()

    assert snapshot.id == synced.id
    assert events == [SyncWaiting(f"process {os.getpid()}"), SyncFailed(logs[-1]["reason"])]
    assert "still syncs the same directory" in logs[-1]["reason"]


def sync_in_a_child(upstreams: Upstreams, root: Path) -> None:
    """So that no handle of this process has the packs open yet: libgit2 would go on reading the old ones."""
    assert in_a_child(mirror(upstreams, root).refresh) == 0


def only_pack(root: Path, repo: str) -> Path:
    return max((root / f"{repo}.git/objects/pack").glob("*.pack"), key=lambda pack: pack.stat().st_size)


def test_a_lost_pack_is_noticed_on_opening_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    sync_in_a_child(upstreams, root)
    only_pack(root, "family/table").with_suffix(".idx").unlink()
    docs = mirror(upstreams, root)
    opened = docs.open()

    assert set(opened.trees) == {QUERY, QUERY_V4}
    assert pages(docs.refresh()) == {ref: f"# {ref}\n" for ref in REFS}


def test_a_cut_pack_is_noticed_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    sync_in_a_child(upstreams, root)
    pack = only_pack(root, "family/table")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:-40])
    docs = mirror(upstreams, root)

    assert TABLE not in docs.open().trees
    assert pages(docs.refresh())[TABLE] == "# family/table@main\n"


def test_bytes_that_rotted_are_noticed_by_the_reader_and_fetched_again(upstreams: Upstreams, root: Path) -> None:
    blob = os.urandom(20_000)
    upstreams.commit(TABLE, {"docs/image.png": blob})
    sync_in_a_child(upstreams, root)
    pack = only_pack(root, "family/table")
    rotten = bytearray(pack.read_bytes())
    middle = rotten.index(blob[5000:5100])
    rotten[middle] ^= 0xFF
    pack.chmod(0o644)
    pack.write_bytes(rotten)
    docs = mirror(upstreams, root)
    tree = docs.open().tree(TABLE)

    with pytest.raises(Unavailable, match=r"docs/image\.png"):
        tree.read("docs/image.png")
    assert docs.refresh().tree(TABLE).read("docs/image.png") == blob


def test_a_published_commit_that_upstream_left_behind_survives_a_repair(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    docs = mirror(upstreams, root)
    docs.refresh()
    # v4 loses its commit, so the repository must be made anew; and the bad commit is all upstream has of main.
    loose = upstreams.commit(QUERY_V4, {"docs/page.md": "# Lost\n"})
    published = (root / "published.json").read_text()
    old = git(f"--git-dir={root / 'family/query.git'}", "rev-parse", "refs/kinfolk/published/v4").strip()
    (root / "published.json").write_text(published.replace(old, loose))

    assert pages(docs.refresh()) == {
        QUERY: "# family/query@main\n",
        QUERY_V4: "# Lost\n",
        TABLE: "# family/table@main\n",
    }


@pytest.mark.parametrize("damage", ["HEAD", "config", "objects", "refs"])
def test_a_repository_that_lost_its_frame_is_made_anew(upstreams: Upstreams, root: Path, damage: str) -> None:
    before = pages(mirror(upstreams, root).refresh())
    (root / "family/query.git" / damage).rename(root / "taken")

    assert pages(mirror(upstreams, root).refresh()) == before


def test_a_damaged_repository_stays_as_it_is_while_upstream_is_away(upstreams: Upstreams, root: Path) -> None:
    mirror(upstreams, root).refresh()
    only_pack(root, "family/table").with_suffix(".idx").unlink()
    upstreams.folder.rename(root.with_name("gone"))
    docs = mirror(upstreams, root)

    assert set(docs.refresh().trees) == {QUERY, QUERY_V4}
    root.with_name("gone").rename(upstreams.folder)
    assert set(docs.refresh().trees) == set(REFS)


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"family/query@main": 3}'])
def test_a_lost_list_of_commits_is_restored_from_the_repositories(
    upstreams: Upstreams, root: Path, content: str | None
) -> None:
    before = mirror(upstreams, root).refresh()
    upstreams.commit(QUERY, {"docs/config.json": BAD})
    (root / "published.json").unlink()
    if content is not None:
        (root / "published.json").write_text(content)
    with pytest.raises(Unavailable, match="run kinfolk sync"):
        mirror(upstreams, root).open()

    assert mirror(upstreams, root).refresh().id == before.id
    assert mirror(upstreams, root).open().id == before.id

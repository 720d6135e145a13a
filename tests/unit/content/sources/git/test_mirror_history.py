"""Fetches the dates and authors of files from real repositories, after their content."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.inputs.docs_pages import render_page
from tests.processes.content.test_sources_crash import STEPS
from tests.servers.captured_logs import captured_logs
from tests.unit.content.sources.git.sources_upstream import DOCS, GOOD, QUERY, QUERY_V4, Upstreams, git, validate

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.git.commit_authors import author_name
from kinfolk.content.sources.git.history_record import BULK_CHANGE_FILES, MOST_AUTHORS, read_record
from kinfolk.content.sources.git.mirror import MirrorSource
from kinfolk.content.sources.git.mirror_history import PAUSE_S
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, changes

FORK = multiprocessing.get_context("fork")
FEATURE = Ref(QUERY.repo, "feature")
DAY = 86400
START = 1_700_000_000
ADA = "Ada Lovelace <ada@example.org>"
BOB = "Bob <bob@example.org>"
PAGE = "docs/page.md"


@dataclass
class Upstream:
    """An upstream repository, with commits of given authors and days."""

    upstreams: Upstreams
    start: int = START

    def commit(
        self,
        author: str,
        day: int,
        files: Mapping[str, str],
        *,
        ref: Ref = QUERY,
        moves: Mapping[str, str] | None = None,
        after: Ref | None = None,
        merging: Ref | None = None,
    ) -> str:
        path = self.upstreams.path(ref)
        if not path.exists():
            git("init", "--bare", "--quiet", "--template=", path)
            self.allow_filters(True, ref)
        known = git(f"--git-dir={path}", "for-each-ref", f"refs/heads/{(after or ref).branch}")
        when = f"{self.start + day * DAY} +0000"
        lines = [
            f"commit refs/heads/{ref.branch}\nauthor {author} {when}\ncommitter GitHub <m@example.org> {when}\ndata 0\n"
        ]
        lines += [f"from refs/heads/{(after or ref).branch}^0\n"] if known else []
        lines += [f"merge refs/heads/{merging.branch}^0\n"] if merging else []
        lines += [f"R {old} {new}\n" for old, new in (moves or {}).items()]
        lines += [f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n" for name, text in files.items()]
        git(f"--git-dir={path}", "fast-import", "--quiet", stdin="".join(lines).encode())
        return self.upstreams.tip(ref)

    def allow_filters(self, allowed: bool, ref: Ref = QUERY) -> None:
        git(f"--git-dir={self.upstreams.path(ref)}", "config", "uploadpack.allowFilter", str(allowed).lower())


@pytest.fixture(scope="module")
def first_commit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Upstream repositories with a commit, which tests copy: to make them takes five processes of git."""
    upstream = Upstream(Upstreams(tmp_path_factory.mktemp("first") / "upstream"))
    upstream.commit(ADA, 0, {"docs/config.json": GOOD, PAGE: "# Page\n", "docs/other.md": "# Other\n", "src/code": "1"})
    return upstream.upstreams.folder


@pytest.fixture
def upstream(tmp_path: Path, first_commit: Path) -> Upstream:
    return Upstream(Upstreams(shutil.copytree(first_commit, tmp_path / "upstream")))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def mirror(upstream: Upstream, root: Path, *refs: Ref, clock: Clock | None = None) -> MirrorSource:
    return MirrorSource(
        root,
        dict.fromkeys(refs or (QUERY,), DOCS),
        validate,
        url_template=upstream.upstreams.url_template,
        timeout_s=20,
        clock=clock or time.monotonic,
    )


def synced(docs: MirrorSource) -> Snapshot:
    docs.refresh()
    return docs.fetch_history()


def day_and_authors(snapshot: Snapshot, path: str = PAGE, ref: Ref = QUERY) -> tuple[int, tuple[str, ...]] | None:
    """The days from START to the last change, and the authors."""
    known = snapshot.tree(ref).history(path)
    return None if known is None else (int(known.updated.timestamp() - START) // DAY, known.authors)


def all_histories(snapshot: Snapshot) -> dict[str, FileHistory | None]:
    tree = snapshot.tree(QUERY)
    return {path: tree.history(path) for path in tree.files}


# Commits that count


def test_file_has_the_date_of_its_last_commit_and_all_authors(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {PAGE: "# Better\n"})
    upstream.commit("Eve <e@example.org>", 2, {"docs/other.md": "# New\n"})
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot) == (1, ("Bob", "Ada Lovelace"))
    assert day_and_authors(snapshot, "docs/other.md") == (2, ("Eve", "Ada Lovelace"))
    assert snapshot.tree(QUERY).history(PAGE) == FileHistory(
        datetime.fromtimestamp(START + DAY, UTC), ("Bob", "Ada Lovelace")
    )


def test_only_docs_and_examples_have_a_history(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {"examples/react/x/a.ts": "1"})
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot, "examples/react/x/a.ts") == (1, ("Bob",))
    assert day_and_authors(snapshot, "src/code") is None
    assert day_and_authors(snapshot, "docs/none.md") is None


@pytest.mark.parametrize("name", ["docs/\u00e4\u00f6.md", 'docs/"quoted".md', "docs/" + "x" * 35])
def test_quoted_and_long_file_names_are_parsed(upstream: Upstream, root: Path, name: str) -> None:
    escaped = '"' + name.replace('"', '\\"') + '"'
    upstream.commit(BOB, 1, {escaped: "# Odd\n"})

    assert day_and_authors(synced(mirror(upstream, root)), name) == (1, ("Bob",))


@pytest.mark.parametrize(
    ("name", "mail", "shown"),
    [
        ("Ada  Lovelace", "ada@example.org", "Ada Lovelace"),
        ("friendlywavingrobot", "r@example.org", "friendlywavingrobot"),
        ("Renovated Rita", "r@example.org", "Renovated Rita"),
        ("A\x1b[31m\u202eB", "r@example.org", "A [31m B"),
        ("x" * 500, "r@example.org", "x" * 60),
        ("autofix-ci[bot]", "1+autofix-ci[bot]@users.noreply.github.com", None),
        ("Renovate", "r@example.org", None),
        ("dependabot-preview", "r@example.org", None),
        ("GitHub Actions", "r@example.org", None),
        ("release-bot", "r@example.org", None),
        ("A name", "29139614+renovate[bot]@users.noreply.github.com", None),
        ("Claude", "noreply@anthropic.com", None),
        ("ada@example.org", "ada@example.org", None),
        ("", "ada@example.org", None),
    ],
)
def test_bots_and_mail_addresses_are_not_author_names(name: str, mail: str, shown: str | None) -> None:
    assert author_name(name, mail) == shown


def test_commit_of_a_bot_changes_the_date_and_not_the_authors(upstream: Upstream, root: Path) -> None:
    upstream.commit("docs[bot] <d@example.org>", 3, {PAGE: "# Generated\n", "docs/made.md": "# Made\n"})
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot) == (3, ("Ada Lovelace",))
    assert day_and_authors(snapshot, "docs/made.md") == (3, ())


def test_two_spellings_of_a_name_are_one_author(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {PAGE: "1"})
    upstream.commit("AdaLovelace <a@example.org>", 2, {PAGE: "2"})

    assert day_and_authors(synced(mirror(upstream, root))) == (2, ("AdaLovelace", "Bob"))


def test_latest_ten_authors_are_listed(upstream: Upstream, root: Path) -> None:
    for day in range(1, 13):
        upstream.commit(f"Author {day} <a@example.org>", day, {PAGE: f"# {day}\n"})

    found = day_and_authors(synced(mirror(upstream, root)))
    assert found == (12, tuple(f"Author {day}" for day in range(12, 2, -1)))
    assert len(found[1]) == MOST_AUTHORS


def test_renamed_file_keeps_its_history(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {}, moves={PAGE: "docs/guide/page.md"})
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot, "docs/guide/page.md") == (0, ("Ada Lovelace",))


def test_bulk_commit_counts_only_for_added_files(upstream: Upstream, root: Path) -> None:
    many = {f"docs/{number}.md": f"# {number}\n" for number in range(BULK_CHANGE_FILES + 1)}
    upstream.commit(ADA, 1, many)
    upstream.commit(BOB, 2, {path: text + "\n" for path, text in many.items()})
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot, "docs/7.md") == (1, ("Ada Lovelace",))


def test_bulk_change_of_examples_counts_for_a_page_in_the_commit(upstream: Upstream, root: Path) -> None:
    upstream.commit(ADA, 1, {f"examples/react/x/{number}.ts": "1" for number in range(BULK_CHANGE_FILES + 1)})
    upstream.commit(
        BOB, 2, {PAGE: "1"} | {f"examples/react/x/{number}.ts": "2" for number in range(BULK_CHANGE_FILES + 1)}
    )
    snapshot = synced(mirror(upstream, root))

    assert day_and_authors(snapshot) == (2, ("Bob", "Ada Lovelace"))
    assert day_and_authors(snapshot, "examples/react/x/1.ts") == (1, ("Ada Lovelace",))


def test_merge_commit_does_not_count(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {PAGE: "# On the side\n"}, ref=FEATURE, after=QUERY)
    upstream.commit("Eve <e@example.org>", 2, {"docs/other.md": "# Ahead\n"})
    upstream.commit("Merger <m@example.org>", 3, {PAGE: "# On the side\n"}, merging=FEATURE)

    assert day_and_authors(synced(mirror(upstream, root))) == (1, ("Bob", "Ada Lovelace"))


# Updates


def test_refresh_returns_content_before_its_history(upstream: Upstream, root: Path) -> None:
    docs = mirror(upstream, root)
    content = docs.refresh()
    assert day_and_authors(content) is None
    history = docs.fetch_history()

    (change,) = changes(content, history)
    assert change.paths == {"docs/config.json", PAGE, "docs/other.md"}
    assert (change.listing, change.dates) == (False, True)
    assert day_and_authors(content) is None
    assert docs.fetch_history().tree(QUERY) is history.tree(QUERY)


def test_push_changes_only_the_histories_of_its_files(upstream: Upstream, root: Path) -> None:
    docs = mirror(upstream, root)
    before = synced(docs)
    upstream.commit(BOB, 5, {PAGE: "# Better\n"})
    content = docs.refresh()
    assert (day_and_authors(content), day_and_authors(content, "docs/other.md")) == (None, (0, ("Ada Lovelace",)))
    after = docs.fetch_history()

    assert [change.paths for change in changes(before, content)] == [{PAGE}]
    assert [change.paths for change in changes(content, after)] == [{PAGE}]
    assert day_and_authors(after) == (5, ("Bob", "Ada Lovelace"))
    assert day_and_authors(before) == (0, ("Ada Lovelace",))


def test_histories_are_read_from_disk_after_a_restart(upstream: Upstream, root: Path) -> None:
    before = synced(mirror(upstream, root))
    upstream.upstreams.folder.rename(root.with_name("gone"))

    assert all_histories(mirror(upstream, root).open()) == all_histories(before)


def test_histories_of_another_process_are_adopted(upstream: Upstream, root: Path) -> None:
    serving = mirror(upstream, root)
    serving.refresh()
    synced(mirror(upstream, root))
    upstream.allow_filters(False)

    assert day_and_authors(serving.fetch_history()) == (0, ("Ada Lovelace",))


def test_incremental_update_equals_a_complete_one(upstream: Upstream, root: Path) -> None:
    docs = mirror(upstream, root)
    synced(docs)
    upstream.commit(BOB, 1, {PAGE: "1", "docs/new.md": "# New\n"})
    synced(docs)
    upstream.commit("Eve <e@example.org>", 2, {"docs/other.md": "2"}, moves={PAGE: "docs/moved.md"})
    synced(docs)
    upstream.commit(ADA, 3, {"docs/moved.md": "3"}, ref=FEATURE, after=QUERY)
    upstream.commit(BOB, 4, {"docs/moved.md": "3"}, merging=FEATURE)
    step_by_step = all_histories(synced(docs))

    assert step_by_step == all_histories(synced(mirror(upstream, root.with_name("fresh"))))
    assert step_by_step["docs/moved.md"] == FileHistory(
        datetime.fromtimestamp(START + 3 * DAY, UTC), ("Ada Lovelace", "Bob")
    )


def test_rewritten_branch_has_its_new_history(upstream: Upstream, root: Path) -> None:
    docs = mirror(upstream, root)
    synced(docs)
    git(f"--git-dir={upstream.upstreams.path(QUERY)}", "update-ref", "-d", "refs/heads/main")
    upstream.commit(BOB, 9, {"docs/config.json": GOOD, PAGE: "# Page\n"})

    assert day_and_authors(synced(docs)) == (9, ("Bob",))


def test_each_branch_has_its_own_history(upstream: Upstream, root: Path) -> None:
    feature = Ref(QUERY.repo, "feature/x")
    upstream.commit(BOB, 1, {PAGE: "# Better\n"}, ref=feature, after=QUERY)
    snapshot = synced(mirror(upstream, root, QUERY, feature))

    assert day_and_authors(snapshot, ref=feature) == (1, ("Bob", "Ada Lovelace"))
    assert day_and_authors(snapshot) == (0, ("Ada Lovelace",))
    assert {path.name for path in (root / "family/query.history").iterdir()} == {"main.json", "feature%2Fx.json"}


# Failures


def packs(root: Path) -> list[Path]:
    return list((root / "family/query.history.git").glob("objects/pack/*.pack"))


def test_history_fetch_transfers_no_file_contents(upstream: Upstream, root: Path) -> None:
    upstream.commit(ADA, 1, {"docs/large.md": os.urandom(500_000).hex()})
    synced(mirror(upstream, root))

    assert 0 < sum(pack.stat().st_size for pack in packs(root)) < 10_000


@contextmanager
def blocked(upstream: Upstream, path: str) -> Iterator[None]:
    """Reading the file's content blocks: its object is a named pipe without a writer."""
    repository = upstream.upstreams.path(QUERY)
    blob = git(f"--git-dir={repository}", "rev-parse", f"{QUERY.branch}:{path}").strip()
    loose = repository / "objects" / blob[:2] / blob[2:]
    moved = loose.rename(loose.with_suffix(".moved"))
    os.mkfifo(loose)
    yield
    moved.replace(loose)


def test_server_without_filters_is_skipped_for_a_pause(upstream: Upstream, root: Path) -> None:
    upstream.allow_filters(False)
    clock = Clock()
    docs = mirror(upstream, root, clock=clock)
    docs.refresh()
    with captured_logs("history unknown", "history updated", "history rebuilding") as logs, blocked(upstream, PAGE):
        snapshot = docs.fetch_history()
        docs.fetch_history()

    assert set(snapshot.trees) == {QUERY}
    assert day_and_authors(snapshot) is None
    assert packs(root) == []
    (entry,) = logs
    assert (entry["event"], entry["branch"]) == ("history unknown", "main")
    assert "filtering not recognized by server" in entry["reason"]

    upstream.allow_filters(True)
    assert day_and_authors(docs.fetch_history()) is None
    clock.now += PAUSE_S
    assert day_and_authors(docs.fetch_history()) == (0, ("Ada Lovelace",))


def test_deleted_branch_does_not_stop_other_branches(upstream: Upstream, root: Path) -> None:
    upstream.commit(ADA, 1, {}, ref=FEATURE, after=QUERY)
    docs = mirror(upstream, root, FEATURE, QUERY)
    docs.refresh()
    git(f"--git-dir={upstream.upstreams.path(QUERY)}", "update-ref", "-d", "refs/heads/feature")
    snapshot = docs.fetch_history()

    assert day_and_authors(snapshot, ref=FEATURE) is None
    assert day_and_authors(snapshot) == (0, ("Ada Lovelace",))


def test_incomplete_upstream_gives_the_history_of_recent_years(tmp_path: Path, root: Path) -> None:
    upstream = Upstream(Upstreams(tmp_path / "upstream"), start=int(time.time()) - 3000 * DAY)
    first = upstream.commit(ADA, 0, {"docs/config.json": GOOD, PAGE: "# Page\n", "docs/other.md": "# Other\n"})
    upstream.commit(ADA, 2900, {"docs/other.md": "# New\n"})
    upstream.commit(BOB, 2990, {PAGE: "# Better\n"})
    path = upstream.upstreams.path(QUERY)
    git(f"--git-dir={path}", "repack", "-adq")
    removed = git(f"--git-dir={path}", "rev-parse", f"{first}^{{tree}}").strip()
    names = [name for name in git(f"--git-dir={path}", "rev-list", "--objects", "--all").split() if len(name) == 40]
    packed = git(f"--git-dir={path}", "pack-objects", path / "objects/pack/pack", stdin=lines(set(names) - {removed}))
    for other in (path / "objects/pack").glob("pack-*"):
        if packed.strip() not in other.name:
            other.unlink()
    snapshot = synced(mirror(upstream, root))

    tree = snapshot.tree(QUERY)
    page = tree.history(PAGE)
    assert page is not None
    assert page.authors == ("Bob",)
    assert tree.history("docs/config.json") is None
    upstream.commit("Eve <e@example.org>", 2995, {PAGE: "# Best\n"})
    page = synced(mirror(upstream, root)).tree(QUERY).history(PAGE)
    assert page is not None
    assert page.authors == ("Eve", "Bob")


def lines(names: set[str]) -> bytes:
    return "".join(f"{name}\n" for name in sorted(names)).encode()


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"version":9}', '{"version":1,"commit":"--all"}'])
def test_damaged_record_is_ignored_and_written_again(upstream: Upstream, root: Path, content: str | None) -> None:
    before = synced(mirror(upstream, root))
    file = root / "family/query.history/main.json"
    if content is None:
        file.unlink()
    else:
        file.write_text(content)
    docs = mirror(upstream, root)

    assert day_and_authors(docs.open()) is None
    assert all_histories(docs.fetch_history()) == all_histories(before)


@pytest.mark.parametrize("damage", ["HEAD", "config", "objects", "refs", "packs"])
def test_damaged_history_repository_is_rebuilt(upstream: Upstream, root: Path, damage: str) -> None:
    clock = Clock()
    docs = mirror(upstream, root, clock=clock)
    synced(docs)
    if damage == "packs":
        for pack in packs(root):
            pack.unlink()
    else:
        (root / "family/query.history.git" / damage).rename(root / "taken")
    upstream.commit(BOB, 1, {PAGE: "# Better\n"})
    synced(docs)
    clock.now += PAUSE_S

    assert day_and_authors(synced(docs)) == (1, ("Bob", "Ada Lovelace"))


def test_stopped_fetch_keeps_known_histories(upstream: Upstream, root: Path) -> None:
    docs = mirror(upstream, root)
    synced(docs)
    before = packs(root)
    upstream.commit(BOB, 1, {PAGE: "# Better\n"})
    docs.refresh()
    docs.stop()

    assert day_and_authors(docs.fetch_history(), "docs/other.md") == (0, ("Ada Lovelace",))
    assert packs(root) == before


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_history_fetch_killed_at_any_step_is_resumed(upstream: Upstream, root: Path, first: int) -> None:
    synced(mirror(upstream, root))
    upstream.commit(BOB, 1, {PAGE: "# Better\n"})
    mirror(upstream, root).refresh()
    died = 0
    for last in range(first, 1000, 3):
        child = FORK.Process(target=fetch_history_until_step, args=(mirror(upstream, root), last))
        child.start()
        child.join()
        assert day_and_authors(mirror(upstream, root).open()) in (None, (1, ("Bob", "Ada Lovelace")))
        if child.exitcode == 0:
            break
        died += 1

    assert died >= 2
    assert day_and_authors(synced(mirror(upstream, root))) == (1, ("Bob", "Ada Lovelace"))


def fetch_history_until_step(docs: MirrorSource, last: int) -> None:
    """Fetch histories, and kill this process at the given step. Called in a child process."""
    docs.open()
    steps = itertools.count(1)

    def step(event: str, _: object) -> None:
        if event in STEPS and next(steps) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    docs.fetch_history()


def test_tidy_deletes_histories_of_other_branches_only(upstream: Upstream, root: Path) -> None:
    upstream.commit(BOB, 1, {PAGE: "# Better\n"}, ref=QUERY_V4, after=QUERY)
    synced(mirror(upstream, root, QUERY, QUERY_V4))
    docs = mirror(upstream, root)
    upstream.commit(BOB, 2, {PAGE: "# Best\n"})
    synced(docs)
    docs.tidy()

    repository = f"--git-dir={root / 'family/query.history.git'}"
    assert git(repository, "for-each-ref", "--format=%(refname)").split() == ["refs/kinfolk/history/main"]
    assert [path.name for path in (root / "family/query.history").iterdir()] == ["main.json"]
    assert len(packs(root)) == 1
    upstream.commit(BOB, 3, {PAGE: "# Even better\n"})
    assert day_and_authors(synced(docs)) == (3, ("Bob", "Ada Lovelace"))


def test_record_contains_no_mail_address(upstream: Upstream, root: Path) -> None:
    synced(mirror(upstream, root))
    file = root / "family/query.history/main.json"

    assert "example.org" not in file.read_text()
    record = read_record(file)
    assert record is not None
    assert record.roots == ("docs", "examples")


# Pages


def test_page_with_a_fetched_history_has_its_date_and_is_purged(
    tmp_path: Path, root: Path, catalog: Catalog, redirects: Redirects
) -> None:
    ref = Ref("TanStack/query", "main")
    upstream = Upstream(Upstreams(tmp_path / "upstream"))
    upstream.commit(ADA, 0, {"docs/config.json": GOOD, "docs/a.md": "# A\n"}, ref=ref)
    upstream.commit(BOB, 1, {"docs/b.md": "---\nref: docs/a.md\n---\n"}, ref=ref)
    source = mirror(upstream, root, ref)
    source.refresh()
    publisher = DocsPublisher(DocsSnapshot(catalog, redirects, source.open()), source)
    purged: list[frozenset[str]] = []
    publisher.on_purge(purged.append)
    seen: set[str] = set()
    before = render_page(publisher.docs, ref, "docs/b.md", tags=seen)
    publisher.refresh()
    after = render_page(publisher.docs, ref, "docs/b.md")

    assert (before.updated, before.contributors) == (None, ())
    assert (after.updated, after.contributors) == ("2023-11-14", ("Ada Lovelace",))
    assert after.page is before.page
    files = {f"{ref}:docs/{name}" for name in ("a.md", "b.md", "config.json")}
    assert purged == [files | {f"{ref}#dates", f"{ref}#revision"}]
    assert purged[0] & seen


def test_directory_source_has_no_history(tmp_path: Path) -> None:
    (tmp_path / "family/query/main/docs").mkdir(parents=True)
    (tmp_path / "family/query/main/docs/page.md").write_text("# Page\n")
    source = DirectorySource(tmp_path, [QUERY], "sample docs")
    source.refresh()

    assert day_and_authors(source.fetch_history()) is None

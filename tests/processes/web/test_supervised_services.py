"""Background services of a running site: each fails because of a real fault, and recovers afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import re
import resource
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from tests.inputs.docs_pages import write_docs
from tests.processes.failing_index import build_index_under_lock, run_until_the_index_has_failed
from tests.servers.kinfolk_process import ForkedProcess, run_kinfolk
from tests.servers.serving import skip_without_proc
from tests.unit.content.highlight.fake_highlight_bundle import BUNDLE

import kinfolk.runtime.services.supervisor
from kinfolk.config.settings import Settings, environment_of
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.highlight import Highlighter
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.supervisor import ServiceState, Supervisor
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.docs_index.index_updater import IndexUpdater, InProcessBuilder
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.search.pushed_indexes import PushedIndexes
from kinfolk.search.pushed_indexes.operations import RecordOperation
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking_config import load_ranking_config
from kinfolk.web.app import SiteApp, create_app

PATIENCE_S = 60.0
OWNED = {
    "MainThread",
    "v8",  # one for each isolate, which the pool replaces
    "v8-highlight",  # the same for the highlighting service
    "render",  # executors: the error of a job is raised where it is awaited
    "search",
    "texts",
    "asyncio",
    "AnyIO worker thread",
    "sync",
}
"""Names, without the number at the end, of threads that are not services."""


def eventually(look: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not look():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def state_of(supervisor: Supervisor, name: str) -> ServiceState:
    return next(state for state in supervisor.states() if state.name == name)


@contextmanager
def few_files() -> Iterator[None]:
    """This process cannot open another file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    """Its first restarts are after 0.1 s and 0.2 s instead of 0.5 s and 1 s."""
    monkeypatch.setattr(kinfolk.runtime.services.supervisor, "FIRST_PAUSE_S", 0.1)
    made = Supervisor()
    yield made
    assert made.stop(within_s=PATIENCE_S) == []


@pytest.fixture
def content(settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> SearchableContent:
    docs = docs_from_files({"TanStack/query/main/docs/guides/zebra-stripes.md": "# Zebra Stripes\n\nStripes.\n"})
    return SearchableContent(docs, (), load_ranking_config(settings.site))


# Search


@pytest.fixture
def search(tmp_path: Path, content: SearchableContent) -> IndexUpdater:
    folder = tmp_path / "var" / "search"
    return IndexUpdater(folder, content.rules, lambda: content, InProcessBuilder(folder, lambda: content))


def test_search_answers_once_its_folder_can_be_written(
    tmp_path: Path, search: IndexUpdater, supervisor: Supervisor
) -> None:
    (tmp_path / "var").write_text("a file where the folder should be")
    search.start(supervisor)
    eventually(lambda: state_of(supervisor, "search index").restarts > 0, "the service failed")
    assert "NotADirectoryError" in str(state_of(supervisor, "search index").last_error)
    with pytest.raises(Unavailable):
        _ = search.index
    (tmp_path / "var").unlink()
    assert search.wait(PATIENCE_S)
    assert search.index.search(SearchQuery("zebra")).total > 0


def test_search_answers_once_files_can_be_opened_again(search: IndexUpdater, supervisor: Supervisor) -> None:
    with few_files():
        search.start(supervisor)
        eventually(lambda: state_of(supervisor, "search index").restarts > 0, "the service failed")
    assert search.wait(PATIENCE_S)


def test_previous_index_answers_while_the_service_fails(
    tmp_path: Path, search: IndexUpdater, supervisor: Supervisor
) -> None:
    search.start(supervisor)
    assert search.wait(PATIENCE_S)
    shutil.rmtree(tmp_path / "var")
    (tmp_path / "var").write_text("a file where the folder should be")
    search.notify_change()
    eventually(lambda: state_of(supervisor, "search index").restarts > 0, "the service failed")
    assert search.index.search(SearchQuery("zebra")).total > 0


def build_that(tmp_path: Path, script: str, *, stalled_s: float) -> SubprocessBuilder:
    """An index build whose process runs this script instead of the command."""
    package = tmp_path / "stand-in" / "kinfolk"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(script)
    return SubprocessBuilder({"PYTHONPATH": str(package.parent), "PATH": os.environ["PATH"]}, stalled_s=stalled_s)


STALLS = """
import pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path(__file__).with_name("pids").write_text(f"{child.pid}")
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    skip_without_proc()
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_index_build_without_progress_is_killed(tmp_path: Path) -> None:
    build = build_that(tmp_path, STALLS, stalled_s=1.5)
    with pytest.raises(Unavailable, match=r"no progress within 1\.5 s"):
        build.build()
    child = int((tmp_path / "stand-in" / "kinfolk" / "pids").read_text())
    eventually(lambda: not is_running(child), "the child of the build was killed too")


def test_index_build_with_progress_may_take_longer(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfor _ in range(8):\n    time.sleep(0.25)\n    sys.stdout.write('.'); sys.stdout.flush()\n"
    )
    build_that(tmp_path, script, stalled_s=1.5).build()


def test_failed_index_build_names_the_error(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"(?s)building it ended with 1: .*the disk is full"):
        build_that(tmp_path, "raise OSError('the disk is full')", stalled_s=60).build()


def test_index_command_fails_where_its_folder_cannot_be_written(tmp_path: Path, settings: Settings) -> None:
    var = tmp_path / "var"
    var.write_text("a file where the folder should be")
    write_docs(tmp_path / "repos", {"TanStack/query/main/docs/overview.md": "# Overview\n"})
    own = environment_of(replace(settings, var=var, mirror=None, content=tmp_path / "repos"))
    failed = run_kinfolk("index", "--background", environment=os.environ | own)
    assert failed.returncode == 1
    assert "Not a directory" in failed.stderr


def test_stop_ends_a_running_index_build(tmp_path: Path) -> None:
    build = build_that(tmp_path, STALLS, stalled_s=600)
    raised: queue.Queue[str] = queue.Queue()

    def run() -> None:
        try:
            build.build()
        except Unavailable as stopped:
            raised.put(stopped.message)

    thread = threading.Thread(target=run)
    thread.start()
    pids = tmp_path / "stand-in" / "kinfolk" / "pids"
    eventually(lambda: pids.exists() and bool(pids.read_text()), "the build began")
    build.stop()
    assert "not built any more" in raised.get(timeout=PATIENCE_S)
    thread.join(PATIENCE_S)
    eventually(lambda: not is_running(int(pids.read_text())), "the child of the build was killed too")


def test_index_build_ends_with_its_parent(tmp_path: Path, settings: Settings) -> None:
    skip_without_proc()
    index_folder(tmp_path).mkdir(parents=True)
    output = tmp_path / "output"
    work = partial(
        build_index_under_lock, environment_of(replace(settings, var=tmp_path)), index_folder(tmp_path) / "lock"
    )
    parent = ForkedProcess(work, os.environ, output, output)
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    eventually(lambda: bool(children.read_text().split()), "the build began")
    child = int(children.read_text().split()[0])
    eventually(lambda: b"--supervised" in Path(f"/proc/{child}/cmdline").read_bytes(), "it runs our command")
    parent.kill()
    parent.wait()
    eventually(lambda: not is_running(child), "the build ended")


# Pushed indexes


def test_pushed_index_updates_once_its_folder_is_writable(tmp_path: Path, supervisor: Supervisor) -> None:
    folder = tmp_path / "pushed"
    indexes = PushedIndexes(folder, AlgoliaSettingsReader(), now=lambda: datetime.now(UTC))
    indexes.start(supervisor)
    assert indexes.wait_until_current(PATIENCE_S)
    # The lock file is not writable, as on a full or read-only disk.
    folder.mkdir(exist_ok=True)
    (folder / "writer.lock").mkdir()
    indexes.named("meals").apply([RecordOperation("updateObject", "1", {"objectID": "1", "title": "Onion soup"})])
    eventually(lambda: state_of(supervisor, "pushed indexes").restarts > 0, "the service failed")
    (folder / "writer.lock").rmdir()
    assert indexes.wait_until_current(PATIENCE_S)
    index = indexes.find("meals")
    assert index is not None
    assert index.search(SearchQuery("onion")).total == 1
    indexes.close()


# Highlighting


def test_sections_are_read_once_their_files_are_readable(tmp_path: Path, supervisor: Supervisor) -> None:
    file = tmp_path / "code.txt"

    def sections() -> Iterator[tuple[str, Iterator[CodeBlock]]]:
        yield "branch", (CodeBlock("test", text) for text in file.read_text().split())
        yield "other", iter([CodeBlock("test", "other")])

    highlighter = Highlighter(BUNDLE, tmp_path / "highlight.sqlite", memory_mb=64)
    highlighter.start(supervisor)
    highlighter.warm(sections)
    eventually(lambda: state_of(supervisor, "highlighting").restarts > 0, "the service failed")
    file.write_text("one two")
    eventually(lambda: highlighter.get_or_enqueue(CodeBlock("test", "two")) == "TWO", "the snippets were made")
    eventually(lambda: highlighter.stored_count == 3, "all sections were made")
    highlighter.close()


def test_highlighted_code_is_stored_once_its_file_is_writable(tmp_path: Path, supervisor: Supervisor) -> None:
    (tmp_path / "var").write_text("a file where the folder should be")
    highlighter = Highlighter(BUNDLE, tmp_path / "var" / "highlight.sqlite", memory_mb=64, reopen_s=0.0)
    highlighter.start(supervisor)
    highlighter.get_or_enqueue(CodeBlock("test", "one"))
    assert highlighter.wait_until_idle(PATIENCE_S)
    assert highlighter.stored_count == 0
    (tmp_path / "var").unlink()
    highlighter.get_or_enqueue(CodeBlock("test", "two"))
    assert highlighter.wait_until_idle(PATIENCE_S)
    assert highlighter.stored_count == 1
    highlighter.close()
    with sqlite3.connect(tmp_path / "var" / "highlight.sqlite") as database:
        assert database.execute("SELECT count(*) FROM snippets").fetchone() == (1,)
    database.close()


# The application


@pytest.fixture
def app(settings: Settings, built: Path, tmp_path: Path) -> SiteApp:
    own = replace(settings, var=tmp_path / "var", frontend=built, mirror=None, highlight=True, search=True)
    return create_app(own)


async def names_of_threads(app: SiteApp) -> tuple[set[str], list[ServiceState]]:
    async with app.running():
        return {thread.name for thread in threading.enumerate()}, app.supervisor.states()


def test_all_threads_are_services_or_have_an_owner(app: SiteApp) -> None:
    before = {thread.name for thread in threading.enumerate()}
    names, states = asyncio.run(names_of_threads(app))
    services = {state.name for state in states}
    unknown = {name for name in names - before - services if re.sub(r"[-_]\d+$", "", name) not in OWNED}
    assert unknown == set()
    assert services >= {
        "isolate replacement",
        "pushed indexes",
        "search index",
        "highlighting",
        "machine-readable texts",
        "sync",
        "history",
        "blog",
        "compression",
        "midnight",
    }


async def seconds_to_stop_with_a_stuck_service(app: SiteApp) -> float:
    release = threading.Event()
    app.supervisor.start("stuck", release.wait, stop=lambda: None)  # type: ignore[arg-type]
    async with app.running():
        began = time.monotonic()
    release.set()
    return time.monotonic() - began


def test_stop_takes_bounded_time_with_a_stuck_service(app: SiteApp) -> None:
    # 3 s for the services and twice 1.5 s for the rest; the limit for the whole process is 10 s.
    assert asyncio.run(seconds_to_stop_with_a_stuck_service(app)) < 10


def test_repeated_disk_error_is_logged_in_full_once(tmp_path: Path, settings: Settings, built: Path) -> None:
    """A failing service logs one line with a traceback, then lines at growing intervals."""
    var = tmp_path / "var"
    var.write_text("a file where the folder should be")
    own = environment_of(replace(settings, var=var, mirror=None))
    own |= {"KINFOLK_FRONTEND": str(built), "KINFOLK_HIGHLIGHT": "off", "KINFOLK_LOG": "json"}
    output = tmp_path / "output"
    process = ForkedProcess(run_until_the_index_has_failed, own, output, output)
    assert process.wait(120) == 0, output.read_text()
    lines = [json.loads(line) for line in output.read_text().splitlines() if line.startswith("{")]
    failed = [line for line in lines if line["event"] == "background service failed"]
    assert len([line for line in failed if line["service"] == "search index" and "exception" in line]) == 1

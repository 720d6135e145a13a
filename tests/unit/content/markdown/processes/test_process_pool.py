"""Tests of Markdown processes: the same results as in the calling thread, and limits of time and memory."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.servers.serving import skip_without_proc

from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.runtime.budget import BUDGETS, MB, OverBudget
from kinfolk.runtime.errors import NotFound, Unavailable

TARGET = "---\ntitle: Target\n---\n# Target\n\nReact is *here*.\n\n```ts title='a.ts'\nconst a = 1 // [!code ++]\n```\n"
PAGES = [
    "",
    "# Title\n\nText with [a link](./b.md), ![an image](c.png) and <a href='raw.md'>raw</a> <img src='raw.png'>.\n",
    "---\ntitle: T\nref: docs/target.md\nreplace: { React: Solid }\n---\n",
    "---\ntitle: T\nkeywords: [a, b]\nredirect_from: [x]\narticles:\n  - title: A\n    url: https://a.example\n---\n",
    "## Same\n\n## Same\n\n<a id='own'></a> [here](#SAME) [ref]\n\n[ref]: ./d.md 'T'\n",
    "<!-- ::start:framework -->\n# React\n## In\n[a](r.md)\n# Vue\n[a](v.md)\n<!-- ::end:framework -->\n",
    "Surrogates \ud800 and \U0001f600.\n",
]


class Links:
    def __init__(self, ref_path: str | None) -> None:
        self.ref_path = ref_path

    def link(self, href: str) -> tuple[str, bool]:
        return f"/{self.ref_path}/{href}", href.startswith("r")

    def image(self, src: str) -> str:
        return f"/img/{src}"


def source(text: str, **files: str) -> MarkdownFile:
    def read(path: str) -> str:
        name = path.removeprefix("docs/").removesuffix(".md")
        if name not in files:
            raise NotFound(f"no {path}")
        return files[name]

    return MarkdownFile("test.md", text, read)


@pytest.fixture(scope="module")
def pool() -> Iterator[MarkdownProcessPool]:
    pool = MarkdownProcessPool()
    yield pool
    pool.close()


@pytest.fixture
def small() -> Iterator[MarkdownProcessPool]:
    """A pool whose jobs are limited to a second of CPU time and little memory."""
    pool = MarkdownProcessPool(budget=replace(BUDGETS["markdown"], cpu_s=0.5, memory_bytes=96 * MB))
    yield pool
    pool.close()


def has_ended(pid: int) -> bool:
    skip_without_proc()
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("text", PAGES)
def test_pool_returns_the_same_results_as_the_calling_thread(pool: MarkdownProcessPool, text: str) -> None:
    file = source(text, target=TARGET)
    here = InProcessJobs()
    if "\ud800" in text:  # lone surrogates, which UTF-8 cannot represent
        assert "Surrogates ? and \U0001f600." in pool.page(file).html()
        return
    assert pool.page(file, links=Links, framework="vue") == here.page(file, links=Links, framework="vue")
    assert pool.page(file) == here.page(file)
    assert pool.export(file, framework="vue") == here.export(file, framework="vue")
    assert pool.anchors(file) == here.anchors(file)
    assert pool.summary(file) == here.summary(file)


def test_missing_target_is_named_and_the_process_continues(pool: MarkdownProcessPool) -> None:
    (before,) = pool.pids
    with pytest.raises(NotFound, match=r"docs/nowhere\.md"):
        pool.page(source("---\nref: docs/nowhere.md\n---\n"))
    assert pool.page(source("x")).html() == "<p>x</p>\n"
    assert pool.pids == [before]


def test_text_over_the_cpu_limit_ends_only_its_process(small: MarkdownProcessPool) -> None:
    with pytest.raises(OverBudget) as failed:
        small.page(source("[a](" * 60_000 + "*a **a " * 100_000))
    assert (failed.value.kind, failed.value.limit) == ("markdown", "time")
    assert small.page(source("x")).html() == "<p>x</p>\n"


def test_text_over_the_memory_limit_ends_only_its_process(small: MarkdownProcessPool) -> None:
    with pytest.raises(OverBudget) as failed:
        small.page(source("- a\n" * 200_000))
    assert failed.value.limit in ("memory", "time")
    assert small.page(source("x")).html() == "<p>x</p>\n"


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("# a\n" * 5_001, "items"),
        ("[a](b) " * 5_001, "items"),
        ("![a](b) " * 5_001, "items"),
        ("```\na\n```\n" * 5_001, "items"),
        ("[a]: /" + "x" * 10_000 + "\n\n" + "[a] " * 60, "size"),
        ("x" * (MB + 1), "size"),
        (f'[a]: /x "{"x" * 5_000}"\n\n' + "[a] " * 1_000, "size"),
    ],
)
def test_page_with_too_many_items_is_refused(pool: MarkdownProcessPool, text: str, limit: str) -> None:
    with pytest.raises(OverBudget) as failed:
        pool.page(source(text))
    assert failed.value.limit == limit


def test_killed_process_is_replaced_within_the_job(pool: MarkdownProcessPool) -> None:
    pool.page(source("x"))
    before = pool.pids
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert pool.page(source("y")).html() == "<p>y</p>\n"
    assert set(pool.pids).isdisjoint(before)


def test_idle_process_exits() -> None:
    pool = MarkdownProcessPool(idle_s=0.05)
    pool.page(source("x"))
    wait_until(lambda: pool.pids == [])
    assert pool.page(source("y")).html() == "<p>y</p>\n"
    pool.close()


def test_threads_share_two_processes_and_get_their_own_pages() -> None:
    pool = MarkdownProcessPool()
    texts = [f"# Page {number}\n\n[link](./{number}.md)\n" for number in range(200)]

    def render(text: str) -> str:
        return pool.page(source(text), links=Links).html()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(render, texts))
    assert all(f'href="/None/./{number}.md"' in html for number, html in enumerate(found))
    assert 1 <= len(pool.pids) <= 2
    pool.close()


def test_links_that_need_anchors_of_other_pages_do_not_deadlock() -> None:
    pool = MarkdownProcessPool()

    class NestedLinks(Links):
        def link(self, href: str) -> tuple[str, bool]:
            return f"#{len(pool.anchors(source(f'# {href[0]}')))}", False

    def render(number: int) -> str:
        return pool.page(source(f"[{number}](a.md)"), links=NestedLinks).html()

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(render, range(24)))
    assert all('href="#1"' in html for html in found)
    assert len(pool.pids) <= 3
    pool.close()


def test_error_of_a_resolver_reaches_the_caller_and_the_pool_continues(pool: MarkdownProcessPool) -> None:
    class FailingLinks(Links):
        def link(self, href: str) -> tuple[str, bool]:
            raise Unavailable(f"no copy of {href} yet")

    with pytest.raises(Unavailable, match="no copy of b yet"):
        pool.page(source("[a](b)"), links=FailingLinks)
    assert pool.page(source("x")).html() == "<p>x</p>\n"


def test_close_ends_a_running_job() -> None:
    pool = MarkdownProcessPool()
    requested = threading.Event()
    closed = threading.Event()

    class SlowLinks(Links):
        def link(self, href: str) -> tuple[str, bool]:
            requested.set()
            closed.wait(30)
            return href, False

    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(lambda: pool.page(source("[a](b)"), links=SlowLinks))
        assert requested.wait(30)
        pids = pool.pids
        pool.close()
        closed.set()
        with pytest.raises(Unavailable, match="shutting down"):
            job.result(30)
    assert all(map(has_ended, pids))
    with pytest.raises(Unavailable):
        pool.page(source("x"))


def test_unreferenced_pool_leaves_no_process() -> None:
    pool = MarkdownProcessPool()
    pool.page(source("x"))
    (pid,) = pool.pids
    del pool
    gc.collect()
    assert has_ended(pid)


def test_process_gets_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without_proc()
    monkeypatch.setenv("KINFOLK_GITHUB_TOKEN", "secret")
    pool = MarkdownProcessPool()
    pool.page(source("x"))
    (pid,) = pool.pids
    assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    pool.close()


def test_process_is_reused_if_the_parent_is_large(pool: MarkdownProcessPool) -> None:
    here = bytearray(os.urandom(1 << 20)) * 150
    fresh = MarkdownProcessPool()
    fresh.page(source("x"))
    before = fresh.pids
    fresh.page(source("y"))
    assert fresh.pids == before
    assert len(here) == 150 << 20
    fresh.close()


def test_process_memory_stays_bounded(pool: MarkdownProcessPool) -> None:
    skip_without_proc()
    for _ in range(20):
        pool.page(source(TARGET * 50))
    sizes = [Path(f"/proc/{pid}/status").read_text() for pid in pool.pids]
    resident_kb = [int(status.split("VmRSS:")[1].split()[0]) for status in sizes]
    assert max(resident_kb) < 48_000

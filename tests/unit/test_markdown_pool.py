"""Markdown in processes of its own: the same pages, and no text that can stop or exhaust anything."""

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

from kinfolk.budget import BUDGETS, MB, OverBudget
from kinfolk.errors import NotFound, Unavailable
from kinfolk.markdown.jobs import JobsHere, Source
from kinfolk.markdown.pool import MarkdownPool

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


def source(text: str, **files: str) -> Source:
    def read(path: str) -> str:
        name = path.removeprefix("docs/").removesuffix(".md")
        if name not in files:
            raise NotFound(f"no {path}")
        return files[name]

    return Source("test.md", text, read)


@pytest.fixture(scope="module")
def pool() -> Iterator[MarkdownPool]:
    pool = MarkdownPool()
    yield pool
    pool.close()


@pytest.fixture
def small() -> Iterator[MarkdownPool]:
    """A pool whose jobs may take a second of CPU time and little memory."""
    pool = MarkdownPool(budget=replace(BUDGETS["markdown"], cpu_s=0.5, memory_bytes=96 * MB))
    yield pool
    pool.close()


def has_ended(pid: int) -> bool:
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
def test_a_process_gives_the_same_answers_as_this_one(pool: MarkdownPool, text: str) -> None:
    written = source(text, target=TARGET)
    here = JobsHere()
    if "\ud800" in text:  # which UTF-8 cannot hold
        assert "Surrogates ? and \U0001f600." in pool.page(written).html()
        return
    assert pool.page(written, links=Links, framework="vue") == here.page(written, links=Links, framework="vue")
    assert pool.page(written) == here.page(written)
    assert pool.wording(written, framework="vue") == here.wording(written, framework="vue")
    assert pool.anchors(written) == here.anchors(written)
    assert pool.about(written) == here.about(written)


def test_a_missing_target_is_named_and_the_process_goes_on(pool: MarkdownPool) -> None:
    (before,) = pool.pids
    with pytest.raises(NotFound, match=r"docs/nowhere\.md"):
        pool.page(source("---\nref: docs/nowhere.md\n---\n"))
    assert pool.page(source("x")).html() == "<p>x</p>\n"
    assert pool.pids == [before]


def test_a_text_that_takes_too_much_cpu_time_ends_its_process_only(small: MarkdownPool) -> None:
    with pytest.raises(OverBudget) as failed:
        small.page(source("[a](" * 60_000 + "*a **a " * 100_000))
    assert (failed.value.kind, failed.value.limit) == ("markdown", "time")
    assert small.page(source("x")).html() == "<p>x</p>\n"


def test_a_text_that_takes_too_much_memory_ends_its_process_only(small: MarkdownPool) -> None:
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
def test_a_page_with_too_much_of_one_thing_is_refused(pool: MarkdownPool, text: str, limit: str) -> None:
    with pytest.raises(OverBudget) as failed:
        pool.page(source(text))
    assert failed.value.limit == limit


def test_a_process_that_was_ended_is_replaced_within_the_same_job(pool: MarkdownPool) -> None:
    pool.page(source("x"))
    before = pool.pids
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert pool.page(source("y")).html() == "<p>y</p>\n"
    assert set(pool.pids).isdisjoint(before)


def test_a_process_that_is_idle_ends_itself() -> None:
    pool = MarkdownPool(idle_s=0.05)
    pool.page(source("x"))
    wait_until(lambda: pool.pids == [])
    assert pool.page(source("y")).html() == "<p>y</p>\n"
    pool.close()


def test_threads_share_two_processes_and_each_gets_its_own_page() -> None:
    pool = MarkdownPool()
    texts = [f"# Page {number}\n\n[link](./{number}.md)\n" for number in range(200)]

    def render(text: str) -> str:
        return pool.page(source(text), links=Links).html()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(render, texts))
    assert all(f'href="/None/./{number}.md"' in html for number, html in enumerate(found))
    assert 1 <= len(pool.pids) <= 2
    pool.close()


def test_links_that_need_the_anchors_of_other_pages_never_wait_for_each_other() -> None:
    pool = MarkdownPool()

    class Nested(Links):
        def link(self, href: str) -> tuple[str, bool]:
            return f"#{len(pool.anchors(source(f'# {href[0]}')))}", False

    def render(number: int) -> str:
        return pool.page(source(f"[{number}](a.md)"), links=Nested).html()

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(render, range(24)))
    assert all('href="#1"' in html for html in found)
    assert len(pool.pids) <= 3
    pool.close()


def test_what_a_resolver_raises_reaches_the_caller_and_the_pool_goes_on(pool: MarkdownPool) -> None:
    class Broken(Links):
        def link(self, href: str) -> tuple[str, bool]:
            raise Unavailable(f"no copy of {href} yet")

    with pytest.raises(Unavailable, match="no copy of b yet"):
        pool.page(source("[a](b)"), links=Broken)
    assert pool.page(source("x")).html() == "<p>x</p>\n"


def test_closing_ends_a_job_that_is_under_way() -> None:
    pool = MarkdownPool()
    asked = threading.Event()
    closed = threading.Event()

    class Slow(Links):
        def link(self, href: str) -> tuple[str, bool]:
            asked.set()
            closed.wait(30)
            return href, False

    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(lambda: pool.page(source("[a](b)"), links=Slow))
        assert asked.wait(30)
        pids = pool.pids
        pool.close()
        closed.set()
        with pytest.raises(Unavailable, match="shutting down"):
            job.result(30)
    assert all(map(has_ended, pids))
    with pytest.raises(Unavailable):
        pool.page(source("x"))


def test_a_pool_that_is_forgotten_leaves_no_process() -> None:
    pool = MarkdownPool()
    pool.page(source("x"))
    (pid,) = pool.pids
    del pool
    gc.collect()
    assert has_ended(pid)


def test_a_process_knows_none_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_GITHUB_TOKEN", "secret")
    pool = MarkdownPool()
    pool.page(source("x"))
    (pid,) = pool.pids
    assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    pool.close()


def test_a_process_is_used_again_whatever_the_size_of_this_one(pool: MarkdownPool) -> None:
    here = bytearray(os.urandom(1 << 20)) * 150
    fresh = MarkdownPool()
    fresh.page(source("x"))
    before = fresh.pids
    fresh.page(source("y"))
    assert fresh.pids == before
    assert len(here) == 150 << 20
    fresh.close()


def test_a_process_stays_small(pool: MarkdownPool) -> None:
    for _ in range(20):
        pool.page(source(TARGET * 50))
    sizes = [Path(f"/proc/{pid}/status").read_text() for pid in pool.pids]
    resident_kb = [int(status.split("VmRSS:")[1].split()[0]) for status in sizes]
    assert max(resident_kb) < 48_000

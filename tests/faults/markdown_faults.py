"""Pages of a repository that take minutes or gigabytes to render."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
from tests.faults.site import KEYS, LEAN, Server, Site, expect, fault, probe, resident_mb
from tests.servers.serving import descendants

POISON = "# Poison\n\n" + "mailto:" * 16_000
"""112 kB."""
LONG_POISON = "# Poison\n\n" + "mailto:" * 100_000
SLOW = "# Slow\n\n" + "![" * 500_000
"""1 MB that takes the parser about ten seconds. The time is linear in the length."""
FOLLOWS_WITHIN_S = 30.0
HOSTILE_FILES = 60
MOST_MB = 350.0


def write(site: Site, name: str, text: str) -> Path:
    """Write a page of the docs of Query."""
    file = site.content() / "TanStack/query/main/docs" / f"{name}.md"
    file.write_text(text, encoding="utf-8")
    return file


def get(server: Server, path: str, timeout_s: float) -> tuple[int, float]:
    """The status of the response, 0 without one, and the seconds it took."""
    began = time.monotonic()
    try:
        status = httpx.get(server.url + path, timeout=timeout_s).status_code
    except httpx.HTTPError:
        status = 0
    return status, time.monotonic() - began


def page_function(name: str) -> str:
    """The address of the function that renders the Markdown of a page, without React."""
    data = {"repo": "TanStack/query", "branch": "main", "filePath": f"docs/{name}"}
    return f"/_server/docs.page?{httpx.QueryParams({'createServerFn': '', 'payload': json.dumps({'data': data})})}"


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def end(server: Server) -> None:
    """Kill the server and all of its child processes. The parent goes first: it would start new workers."""
    started = descendants(server.process.pid)
    kill([server.process.pid, *started])


@fault("D7a", "A page with 16,000 times `mailto:` (112 kB), and one of 1 MB: time to respond, delay of other requests")
def poison_page(site: Site) -> str:
    write(site, "poison", POISON)
    write(site, "slow", SLOW)
    with site.serving("--content", str(site.content()), environment=LEAN) as server:
        probe(server)
        figures = []
        for name in ("poison", "slow"):
            with ThreadPoolExecutor(1) as threads:
                response: Future[tuple[int, float]] = threads.submit(get, server, f"/query/latest/docs/{name}", 25.0)
                worst = 0.0
                while not response.done():
                    worst = max(worst, probe(server, timeout_s=10))
                    time.sleep(0.05)
                status, took = response.result()
            figures.append((name, status, took, worst))
        end(server)
    figure = "; ".join(
        f"{name}: {status or 'no answer'} after {took:.1f} s, other requests waited {worst:.2f} s at most"
        for name, status, took, worst in figures
    )
    return expect(all(status == 200 and took < 20 for _, status, took, _ in figures), figure)


def finds(server: Server, word: str) -> bool:
    try:
        answer = httpx.post(f"{server.url}/1/indexes/tanstack/query", json={"query": word}, headers=KEYS, timeout=5)
        return answer.status_code == 200 and answer.json()["nbHits"] > 0
    except httpx.HTTPError:
        return False


def has_colors(server: Server, path: str) -> bool:
    try:
        html = httpx.get(server.url + path, timeout=5).text
    except httpx.HTTPError:
        return False
    return '<span class="line"' in html.partition("aquamarine")[0][-600:]


@fault("D7b", "A page with 100,000 times `mailto:` (700 kB): time until search and highlighting show a later change")
def search_follows(site: Site) -> str:
    write(site, "poison", LONG_POISON)
    write(site, "slow", SLOW)
    changed = write(site, "changed", "# Changed\n\nBefore.\n")
    with site.serving("--content", str(site.content())) as server:
        began = time.monotonic()
        changed.write_text("# Changed\n\nxylophonic\n\n```ts\nconst aquamarine = 'xylophonic'\n```\n")
        found = highlighted = None
        while (found is None or highlighted is None) and time.monotonic() - began < FOLLOWS_WITHIN_S + 15:
            if found is None and finds(server, "xylophonic"):
                found = time.monotonic() - began
            if highlighted is None and has_colors(server, "/query/latest/docs/changed"):
                highlighted = time.monotonic() - began
            time.sleep(0.5)
        end(server)
    shown = [f"{took:.1f} s" if took is not None else "not" for took in (found, highlighted)]
    figure = f"found after {shown[0]}, highlighted after {shown[1]}, of {FOLLOWS_WITHIN_S + 15:.0f} s"
    return expect(found is not None and highlighted is not None, figure)


@fault("D7s", "SIGTERM while slow pages are rendered for readers, highlighting and search: time to exit")
def ends_while_formatting(site: Site) -> str:
    docs = site.folder / "small/TanStack/query/main/docs"
    docs.mkdir(parents=True)
    (docs / "config.json").write_text('{"sections": []}')
    (docs / "overview.md").write_text("# Overview\n")
    for number in range(5):
        (docs / f"poison{number}.md").write_text(f"# Poison {number}\n\n{LONG_POISON}")
        (docs / f"slow{number}.md").write_text(f"# Slow {number}\n\n{SLOW[: -number or None]}")
    with (
        site.serving("--content", str(site.folder / "small")) as server,
        ThreadPoolExecutor(4) as threads,
    ):
        workers = server.workers()
        for name in ("poison0", "slow0", "poison1", "slow1"):
            threads.submit(get, server, page_function(name), 20.0)
        time.sleep(3)
        started = descendants(server.process.pid)
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(15)
        took = time.monotonic() - began
        left = [pid for pid in workers if Path(f"/proc/{pid}").exists()]
        kill([server.process.pid, *started])
        figure = f"{took:.1f} s" if took < 15 else "not within 15 s"
        return expect(took < 10 and not left, figure)


KINDS = (
    "## a\n",
    "- [a](b)\n",
    "```ts\na\n```\n",
    "| a | b |\n|---|---|\n| c | d |\n\n",
    "<div>\n\n",
    "![a](b.png) ",
)


@fault("D13b", "60 hostile pages of 150 kB: memory of the worker")
def hostile_files(site: Site) -> str:
    for number in range(HOSTILE_FILES):
        piece = KINDS[number % len(KINDS)]
        write(site, f"hostile{number}", f"# Hostile {number}\n\n" + piece * (150_000 // len(piece)))
    with site.serving("--content", str(site.content()), environment=LEAN) as server:
        probe(server)
        (worker,) = server.workers()
        began = time.monotonic()
        answered = 0
        largest = resident_mb(worker)
        for number in range(HOSTILE_FILES):
            if time.monotonic() - began > 45:
                break
            status, _ = get(server, page_function(f"hostile{number}"), 20.0)
            answered += status == 200
            largest = max(largest, resident_mb(worker))
        took = time.monotonic() - began
        end(server)
    figure = f"{largest:.0f} MB after {answered} of {HOSTILE_FILES} pages in {took:.0f} s"
    return expect(largest <= MOST_MB, figure)

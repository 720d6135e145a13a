"""Measures what a reader waits for: `make bench`. Absolute times depend on the machine and on what else it does.

Budgets: cached pages at least half of nginx's requests a core, a cold docs page p50 <= 15 ms, a full refresh at least
100 pages a second and core without highlighting, a worker <= 400 MB after every page was rendered.

Where the machine is shared, trust CPU time: requests a second of a core are requests by the CPU seconds that the
answering process took for them, in short rounds that change places with nginx's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import track
from rich.table import Table
from starlette.types import Message

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.serving import Server, serving

from kinfolk.catalog import load_catalog
from kinfolk.docs import Docs
from kinfolk.docs.library import segment_of
from kinfolk.errors import SiteError
from kinfolk.markdown.jobs import Source
from kinfolk.markdown.pool import MarkdownPool
from kinfolk.markdown.renderer import MarkdownRenderer
from kinfolk.redirects import load_redirects
from kinfolk.settings import Settings, read_settings
from kinfolk.site import family_refs, open_site
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.snapshot import Ref
from kinfolk.web.app import Kinfolk

ROUNDS = 7
SECONDS = 2
CONNECTIONS = 32
WARM_PAGES = 20
COLD_PAGES = 400
console = Console()


def corpus() -> Path | None:
    named = os.environ.get("KINFOLK_CORPUS")
    return Path(named) if named else None


def site_settings() -> Settings:
    environment = {
        "KINFOLK_MIRROR": "off",
        "KINFOLK_REFRESH_S": "0",
        "KINFOLK_HIGHLIGHT": "off",
        "KINFOLK_SEARCH": "off",
    }
    folder = corpus()
    return read_settings(environment | ({"KINFOLK_CONTENT": str(folder)} if folder else {}))


def fresh_docs(settings: Settings, pool: MarkdownPool | None = None) -> Docs:
    catalog = load_catalog(settings.data)
    source = DirectorySource(settings.content, family_refs(catalog), "bench")
    return Docs(catalog, load_redirects(settings.data), source.open(), markdown=MarkdownRenderer(pool))


def addresses(docs: Docs) -> list[str]:
    found = []
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = Ref(library.repo, version.branch)
            if ref not in docs.shelves:
                continue
            base = f"/{library.id}/{segment_of(library, version)}/docs"
            found += [
                f"{base}/{path.removeprefix(library.docs_root + '/').removesuffix('.md')}"
                for path in docs.pages(ref)
                if docs.home(ref, path)[0] is library
            ]
    return sorted(found)


@dataclass(frozen=True)
class Refreshed:
    """What a full refresh took: CPU seconds of all processes, and of the site's own; seconds on the clock."""

    pages: int
    cpu_s: float
    own_s: float
    wall_s: float


def refresh(settings: Settings) -> Refreshed:
    """A full refresh in two threads, as readers cause it: read, compose, render, resolve every link.

    One process that renders was started before; a second one counts.
    """
    pool = MarkdownPool()
    docs = fresh_docs(settings, pool)
    pool.about(Source("", "", str))
    pages = [(ref, path) for ref in docs.shelves for path in docs.pages(ref)]

    def render(page: tuple[Ref, str]) -> None:
        with contextlib.suppress(SiteError):
            docs.page(*page, None, set())

    children = children_s() + sum(map(cpu_seconds, pool.pids))
    started, began = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        for _ in track(
            threads.map(render, pages), description="refresh", total=len(pages), console=console, transient=True
        ):
            pass
    own_s, wall_s = time.process_time() - started, time.perf_counter() - began
    pool.close()  # a process is counted when it has ended
    return Refreshed(len(pages), own_s + children_s() - children, own_s, wall_s)


def children_s() -> float:
    """CPU seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def cold_renders(settings: Settings) -> list[tuple[float, float]]:
    """Milliseconds of single cold pages, one after the other, and of CPU: functions, V8, headers and compression."""
    app = Kinfolk(open_site(settings))
    paths = addresses(app.site.editions.docs)
    step = max(1, len(paths) // COLD_PAGES)
    times = []
    async with app.running():
        for path in paths[:WARM_PAGES]:
            await visit(app, path)  # V8 compiles what it runs often
        for path in track(paths[WARM_PAGES::step], description="cold pages", console=console, transient=True):
            started, worked = time.perf_counter(), time.process_time()
            await visit(app, path)
            times.append(((time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000))
    return times


async def visit(app: Kinfolk, path: str) -> None:
    """One request, without a client whose own work would be counted too."""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message.get("status", 200) >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise RuntimeError(f"{path} answers {message['status']}")

    about = {"type": "http", "method": "GET", "http_version": "1.1", "scheme": "http", "root_path": ""}
    headers = [(b"host", b"bench"), (b"accept-encoding", b"gzip, deflate, br")]
    target = {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}
    await app({**about, **target}, receive, send)


def memory_mb(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def crawl(server: Server, paths: list[str]) -> float:
    started = time.perf_counter()
    with httpx.Client(base_url=server.url) as client:
        for path in track(paths, description="every page", console=console, transient=True):
            client.get(path)
    return time.perf_counter() - started


@contextlib.contextmanager
def nginx(body: bytes, headers: httpx.Headers) -> Iterator[tuple[str, int]]:
    """nginx with one process, on the first core, serving the same bytes with the same headers from disk."""
    folder = Path(tempfile.mkdtemp(prefix="kinfolk-nginx-"))
    folder.chmod(0o755)
    (folder / "page").write_bytes(body)
    port = 18080
    shown = "".join(
        f'add_header {name} "{value}";'
        for name, value in headers.items()
        if name not in ("content-length", "content-type", "etag", "date", "server", "connection")
    )
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"master_process off; pid {folder}/pid; error_log {folder}/error.log; daemon off;"
        "events { worker_connections 1024; }"
        f"http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; {temporary}"
        f"open_file_cache max=10 inactive=600s; default_type text/html;"
        f"server {{ listen 127.0.0.1:{port}; root {folder}; location = /page {{ {shown} }} }} }}"
    )
    process = subprocess.Popen(
        ["taskset", "-c", "0", "nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    )
    try:
        for _ in range(50):
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/page")
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/page", process.pid
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def requests_per_core(url: str, encoding: str, pid: int) -> float:
    """Requests that a process answers in a second of CPU time."""
    accept = f"Accept-Encoding: {encoding}"
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-H", accept, url]
    before = cpu_seconds(pid)
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    worked = cpu_seconds(pid) - before
    found = re.search(r"(\d+) requests in", out)
    if found is None or "Non-2xx" in out:
        raise RuntimeError(out)
    return int(found[1]) / worked


def cpu_seconds(pid: int) -> float:
    """What all threads of a process have used."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def cached_ratio(server: Server, path: str, encoding: str) -> tuple[int, float, float, list[float]]:
    """Bytes, our requests a second of a core, nginx's, and the ratio of each pair of rounds."""
    (worker,) = server.workers()
    for pid in (server.process.pid, worker):
        subprocess.run(["taskset", "-a", "-c", "-p", "0", str(pid)], check=True, capture_output=True)
    with httpx.Client() as client:
        request = client.build_request("GET", server.url + path, headers={"accept-encoding": encoding})
        response = client.send(request, stream=True)
        body = b"".join(response.iter_raw())
    ours, theirs = [], []
    with nginx(body, response.headers) as (url, pid):
        for _ in range(ROUNDS):
            ours.append(requests_per_core(server.url + path, encoding, worker))
            theirs.append(requests_per_core(url, encoding, pid))
    ratios = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    return len(body), statistics.median(ours), statistics.median(theirs), ratios


def main() -> None:
    settings = site_settings()
    table = Table("what", "measured", "budget", title=f"Kinfolk on {'the corpus' if corpus() else 'the bundled docs'}")
    all_pages = refresh(settings)
    rate, elapsed = all_pages.pages / all_pages.cpu_s, all_pages.pages / all_pages.wall_s
    own = f"{all_pages.own_s / all_pages.cpu_s:.0%} of it in the site's process"
    shown = f"{rate:.0f} pages/s of one core, {own}; {elapsed:.0f} pages/s elapsed ({all_pages.pages} pages)"
    table.add_row("full refresh", shown, ">= 100")
    times = asyncio.run(cold_renders(settings))
    waited, worked = sorted(wall for wall, _ in times), sorted(cpu for _, cpu in times)
    p50, p99 = statistics.median(waited), waited[int(len(waited) * 0.99)]
    shown = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms; of CPU p50 {statistics.median(worked):.1f} ms ({len(times)} pages)"
    table.add_row("cold page", shown, "p50 <= 15 ms")
    paths = addresses(fresh_docs(settings))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(
            Path(folder),
            "--content",
            str(settings.content),
            environment={"KINFOLK_HIGHLIGHT": "off", "KINFOLK_SEARCH": "off"},
        ) as server,
    ):
        took = crawl(server, paths)
        (worker,) = server.workers()
        table.add_row("every page once", f"{took:.1f} s for {len(paths)} pages, one client", "")
        table.add_row("one worker", f"{memory_mb(worker):.0f} MB after every page", "<= 400 MB")
        if all(map(shutil.which, ("nginx", "wrk", "taskset"))):
            page = "/query/latest/docs/framework/react/overview"
            for encoding in ("identity", "br"):
                size, ours, theirs, ratios = cached_ratio(server, page, encoding)
                spread = f"{statistics.median(ratios):.2f} of nginx ({ratios[0]:.2f} to {ratios[-1]:.2f})"
                shown = f"{ours:.0f} to {theirs:.0f} requests a second of a core: {spread}"
                table.add_row(f"cached page, {encoding}, {size} bytes", shown, ">= 0.5")
        else:
            table.add_row("cached page", "not measured: nginx, wrk or taskset is missing", ">= 0.5")
    console.print(table)


if __name__ == "__main__":
    main()

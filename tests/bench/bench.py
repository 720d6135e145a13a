"""`make bench`: measures delivery, rendering, a full refresh and memory. Writes figures into the documents.

Absolute times depend on the machine and its load. Budgets: cached pages at least half of nginx's requests per core, a
cold docs page p50 <= 15 ms, a full refresh at least 100 pages per second and core without highlighting, a worker
<= 400 MB after all pages were rendered.

On a shared machine CPU time is reliable: requests per second of a core are requests divided by the CPU seconds of the
serving process, in short rounds that alternate with rounds of nginx.
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

from tests.inputs.docs_pages import render_page
from tests.servers.serving import Server, serving
from tests.sites.sample_site import read_settings
from tests.suite.measurements import record

from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.pages.location import version_segment
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import SiteError
from kinfolk.site.site import open_site
from kinfolk.web.app import SiteApp

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
        "KINFOLK_FIGURES": "off",
        "KINFOLK_RELEASE_NOTES": "off",
        "KINFOLK_PRERENDER": "off",
        "KINFOLK_NPM_IMPORT": "off",
    }
    folder = corpus()
    return read_settings(environment | ({"KINFOLK_CONTENT": str(folder)} if folder else {}))


def fresh_docs(settings: Settings, pool: MarkdownProcessPool | None = None) -> DocsSnapshot:
    catalog = load_catalog(settings.site)
    source = DirectorySource(settings.content, catalog.refs, "bench")
    return DocsSnapshot(catalog, load_redirects(settings.site), source.open(), markdown=MarkdownRenderer(pool))


def addresses(docs: DocsSnapshot) -> list[str]:
    found = []
    for library in docs.catalog.libraries:
        for version in library.versions:
            ref = library.ref(version.name)
            if ref not in docs.branches:
                continue
            base = f"/{library.id}/{version_segment(library, version)}/docs"
            found += [
                f"{base}/{path.removeprefix(library.docs_root + '/').removesuffix('.md')}"
                for path in ContentReader(docs).pages(ref)
                if ContentReader(docs).home(ref, path)[0] is library
            ]
    return sorted(found)


@dataclass(frozen=True)
class RefreshCost:
    """The cost of a full refresh: CPU seconds of all processes and of the site's own process, and elapsed seconds."""

    pages: int
    cpu_s: float
    own_s: float
    wall_s: float


def refresh(settings: Settings) -> RefreshCost:
    """Read, compose and render all pages in two threads and resolve every link.

    One Markdown process is started before the measurement; the start of the second one counts.
    """
    pool = MarkdownProcessPool()
    docs = fresh_docs(settings, pool)
    pool.summary(MarkdownFile("", "", str))
    pages = [(ref, path) for ref in docs.branches for path in ContentReader(docs).pages(ref)]

    def render(page: tuple[Ref, str]) -> None:
        with contextlib.suppress(SiteError):
            render_page(docs, *page)

    children = children_s() + sum(map(cpu_seconds, pool.pids))
    started, began = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        for _ in track(
            threads.map(render, pages), description="refresh", total=len(pages), console=console, transient=True
        ):
            pass
    own_s, wall_s = time.process_time() - started, time.perf_counter() - began
    pool.close()  # getrusage counts a process after its end
    return RefreshCost(len(pages), own_s + children_s() - children, own_s, wall_s)


def children_s() -> float:
    """CPU seconds of child processes that have exited."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def cold_renders(settings: Settings) -> list[tuple[float, float]]:
    """Elapsed and CPU milliseconds of single cold pages: functions, V8, headers and compression."""
    app = SiteApp(open_site(settings))
    paths = addresses(app.site.content.publisher.docs)
    step = max(1, len(paths) // COLD_PAGES)
    times = []
    async with app.running():
        for path in paths[:WARM_PAGES]:
            await visit(app, path)  # warms up the JIT compiler of V8
        for path in track(paths[WARM_PAGES::step], description="cold pages", console=console, transient=True):
            started, worked = time.perf_counter(), time.process_time()
            await visit(app, path)
            times.append(((time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000))
    return times


async def visit(app: SiteApp, path: str) -> None:
    """Send one request over ASGI, without the cost of an HTTP client."""

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
    """Run nginx with one process on the first core, serving the same bytes and headers from disk."""
    folder = Path(tempfile.mkdtemp(prefix="kinfolk-nginx-"))
    folder.chmod(0o755)
    (folder / "page").write_bytes(body)
    port = 18080
    added_headers = "".join(
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
        f"server {{ listen 127.0.0.1:{port}; root {folder}; location = /page {{ {added_headers} }} }} }}"
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
    """Requests that a process serves in a second of CPU time."""
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
    """CPU seconds of all threads of a process."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def cached_ratio(server: Server, path: str, encoding: str) -> tuple[int, float, float, list[float]]:
    """Bytes, our requests per second of a core, those of nginx, and the ratio of each pair of rounds."""
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
    figure = f"{rate:.0f} pages/s of one core, {own}; {elapsed:.0f} pages/s elapsed ({all_pages.pages} pages)"
    table.add_row("full refresh", figure, ">= 100")
    times = asyncio.run(cold_renders(settings))
    waited, worked = sorted(wall for wall, _ in times), sorted(cpu for _, cpu in times)
    p50, p99 = statistics.median(waited), waited[int(len(waited) * 0.99)]
    figure = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms; of CPU p50 {statistics.median(worked):.1f} ms ({len(times)} pages)"
    table.add_row("cold page", figure, "p50 <= 15 ms")
    paths = addresses(fresh_docs(settings))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(
            Path(folder),
            "--content",
            str(settings.content),
            environment={"KINFOLK_HIGHLIGHT": "off", "KINFOLK_SEARCH": "off", "KINFOLK_PRERENDER": "off"},
        ) as server,
    ):
        took = crawl(server, paths)
        (worker,) = server.workers()
        table.add_row("every page once", f"{took:.1f} s for {len(paths)} pages, one client", "")
        memory = f"{memory_mb(worker):.0f} MB"
        table.add_row("one worker", f"{memory} after every page", "<= 400 MB")
        figures = {"bench.memory": memory}
        if all(map(shutil.which, ("nginx", "wrk", "taskset"))):
            page = "/query/latest/docs/framework/react/overview"
            for encoding in ("identity", "br"):
                size, ours, theirs, ratios = cached_ratio(server, page, encoding)
                spread = f"{statistics.median(ratios):.2f} of nginx ({ratios[0]:.2f} to {ratios[-1]:.2f})"
                figure = f"{ours:.0f} to {theirs:.0f} requests per second of a core: {spread}"
                table.add_row(f"cached page, {encoding}, {size} bytes", figure, ">= 0.5")
                figures[f"bench.{encoding}"] = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        else:
            table.add_row("cached page", "not measured: nginx, wrk or taskset is missing", ">= 0.5")
    console.print(table)
    if corpus() is None:
        record("make bench", figures)


if __name__ == "__main__":
    main()

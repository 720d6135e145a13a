"""`make bench-size`: measures a site of 5,000, 20,000 and 100,000 pages. Writes figures into the documents.

    KINFOLK_CORPUS=FOLDER python tests/bench/size.py [PAGES]...

The pages are the corpus under other names (`tests/sites/large_site.py`). Commands are measured in CPU seconds of all of
their processes, which other work on the machine changes little; what a reader waits for is measured in elapsed time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.servers.serving import Server, descendants, serving
from tests.sites.corpus_data import CORPUS, corpus_source
from tests.sites.large_site import LargeSite, push_page, write_large_site
from tests.suite.measurements import record

SIZES = (5_000, 20_000, 100_000)
SECRET = "only for tests"
KEYS = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
QUERIES = (
    *("use query", "infinite scroll", "row selection", "validate a field", "loader", "mutation", "column pinning"),
    *("prefetch", "search params", "debounce", "devtools", "suspense", "server functions", "virtualizer", "sorting"),
)
PUSHES = 7
PAGES_READ = 300
READY_S = 3600.0
VISIBLE_S = 120.0
console = Console(width=120)


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a command and of its child processes, elapsed seconds, and the memory of the largest of them."""

    cpu_s: float
    elapsed_s: float
    memory_mb: float


@dataclass
class Measured:
    """Figures of a site by their names in docs/measurements.json, as numbers and as texts."""

    pages: int
    numbers: dict[str, float]
    texts: dict[str, str]

    def put(self, name: str, value: float, unit: str, *, digits: int = 0) -> None:
        self.numbers[name] = value
        self.texts[name] = f"{value:,.{digits}f} {unit}".strip()
        console.print(f"{self.pages:>8,} pages  {name:<14} {self.texts[name]}")


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    source = corpus_source()
    if source is None:
        raise SystemExit("There is no corpus: set KINFOLK_CORPUS")
    corpus = source if source.is_dir() else CORPUS.folder()
    all_measured = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="kinfolk-size-") as folder:
            all_measured.append(measure_site(write_large_site(Path(folder), corpus, size), Path(folder)))
        figures = {f"bench-size.{size}.{name}": text for name, text in all_measured[-1].texts.items()}
        record("make bench-size", figures)
    _show(all_measured)


def measure_site(site: LargeSite, folder: Path) -> Measured:
    measured = Measured(site.pages, {}, {})
    measured.put("pages", site.pages, "")
    measured.put("libraries", site.libraries, "")
    measured.put("branches", site.branches, "")
    settings = {
        **{key: text for key, text in os.environ.items() if not key.startswith("KINFOLK_")},
        "KINFOLK_SITE": str(site.folder),
        "KINFOLK_VAR": str(folder / "var"),
        "KINFOLK_MIRROR": str(folder / "var" / "mirror"),
        "KINFOLK_UPSTREAM": site.template,
        "KINFOLK_NPM_IMPORT": "off",
        "KINFOLK_FIGURES": "off",
        "KINFOLK_RELEASE_NOTES": "off",
        # `kinfolk check` is measured by itself.
        "KINFOLK_LINK_CHECK": "off",
        "KINFOLK_SEARCH_RATE": "0",
        "KINFOLK_WEBHOOK_SECRET": SECRET,
    }
    sync = run("sync", settings | {"KINFOLK_HIGHLIGHT": "off"})
    measured.put("sync", sync.cpu_s, "s", digits=1)
    measured.put("mirror", _megabytes(folder / "var" / "mirror"), "MB")
    with started(folder, settings | {"KINFOLK_HIGHLIGHT": "off"}) as (server, first_page_s):
        measured.put("start", first_page_s, "s", digits=1)
        answer = httpx.post(f"{server.url}/1/indexes/tanstack/query", json={"query": "a"}, headers=KEYS, timeout=30)
        console.print(f"search at the first page: {answer.status_code}")
    shutil.rmtree(folder / "var" / "search", ignore_errors=True)
    measured.put("highlight", run("highlight", settings).cpu_s, "s", digits=1)
    index = run("index", settings)
    measured.put("index", index.cpu_s, "s", digits=1)
    measured.put("index-memory", index.memory_mb, "MB")
    measured.put("index-size", _megabytes(folder / "var" / "search"), "MB")
    check = run("check", settings, statuses=(0, 1))
    measured.put("check", check.cpu_s, "s", digits=1)
    measured.put("check-memory", check.memory_mb, "MB")
    with started(folder, settings) as (server, first_page_s):
        measured.put("restart", first_page_s, "s", digits=1)
        _wait(lambda: httpx.get(f"{server.url}/readyz", timeout=30).json()["search"]["ready"], READY_S)
        _wait(lambda: _is_idle(server), READY_S)
        measured.put("memory", _worker_mb(server), "MB")
        urls = _sitemap(server, measured)
        _read_pages(server, urls, measured)
        _type(server, measured)
        _push(server, site, measured)
        began = time.perf_counter()
        size = sum(len(part) for part in _stream(f"{server.url}/llms-full.txt"))
        measured.put("llms", time.perf_counter() - began, "s", digits=1)
        measured.put("llms-size", size / 1e6, "MB")
        measured.put("memory-after", _worker_mb(server), "MB")
    return measured


def run(command: str, settings: Mapping[str, str], statuses: tuple[int, ...] = (0,)) -> Cost:
    """Run a command to its end. Raises RuntimeError with its output unless it ends with one of the statuses."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "kinfolk", command], env=dict(settings), stdout=output, stderr=output
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode not in statuses:
            raise RuntimeError(f"kinfolk {command}: {output.read()[-3000:].decode(errors='replace')}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - began, _max_rss_mb(used))


@contextmanager
def started(folder: Path, settings: Mapping[str, str]) -> Iterator[tuple[Server, float]]:
    """A server with one worker, and the seconds from its start to the first page."""
    began = time.perf_counter()
    with serving(folder, "--workers", "1", environment=settings, own_interpreter=True) as server:
        path = "/query/latest/docs/framework/react/overview"
        _wait(lambda: httpx.get(server.url + path, timeout=60).status_code == 200, READY_S)
        yield server, time.perf_counter() - began


def _sitemap(server: Server, measured: Measured) -> list[str]:
    """Read all sitemaps. Returns the paths of the pages of the latest versions."""
    began = time.perf_counter()
    index = httpx.get(f"{server.url}/sitemap.xml", timeout=600).text
    paths: list[str] = []
    size = len(index)
    for address in re.findall(r"<loc>(?:https?://[^/<]*)?(/[^<]*)</loc>", index):
        text = httpx.get(server.url + address, timeout=600).text
        size += len(text)
        paths += re.findall(r"<loc>(?:https?://[^/<]*)?(/[^<]*)</loc>", text)
    measured.put("sitemap", time.perf_counter() - began, "s", digits=1)
    measured.put("sitemap-size", size / 1e6, "MB", digits=1)
    return [path for path in paths if "/latest/docs/" in path]


def _read_pages(server: Server, paths: list[str], measured: Measured) -> None:
    """Read pages from all over the site that no process has rendered."""
    step = max(1, len(paths) // PAGES_READ)
    times, sizes = [], []
    with httpx.Client(timeout=60) as client:
        for path in paths[::step][:PAGES_READ]:
            began = time.perf_counter()
            answer = client.get(server.url + path)
            times.append(time.perf_counter() - began)
            sizes.append(answer.num_bytes_downloaded)
    measured.put("page", statistics.median(times) * 1000, "ms", digits=1)
    measured.put("page-size", statistics.median(sizes) / 1000, "kB", digits=1)


def _type(server: Server, measured: Measured) -> None:
    """Type queries letter by letter, as the search of the site sends them.

    First on pages of another library, so that no measured answer is in the cache.
    """
    times: list[float] = []
    with httpx.Client(timeout=60, headers=KEYS) as client:
        for library in ("form", "query"):
            for query in QUERIES:
                for end in range(2, len(query) + 1):
                    body = json.dumps({"requests": [_search(query[:end], library)]})
                    began = time.perf_counter()
                    client.post(f"{server.url}/1/indexes/*/queries", content=body).raise_for_status()
                    if library == "query":
                        times.append(time.perf_counter() - began)
    measured.put("keystroke", statistics.median(times) * 1000, "ms", digits=1)
    measured.put("keystroke-p95", sorted(times)[int(len(times) * 0.95)] * 1000, "ms", digits=1)


def _search(query: str, library: str) -> dict[str, object]:
    """As `searchRequests.ts` makes it on a page of a library."""
    return {
        "indexName": "tanstack",
        "query": query,
        "hitsPerPage": 20,
        "filters": "version:latest",
        "optionalFilters": ["framework:react", f"library:{library}"],
        "facets": ["library", "framework"],
        "maxValuesPerFacet": 50,
        "clickAnalytics": True,
        "attributesToRetrieve": ["hierarchy", "url", "library", "framework", "about", "kind", "version"],
        "attributesToSnippet": ["content:18", "answer:60"],
        "attributesToHighlight": ["hierarchy"],
    }


def _push(server: Server, site: LargeSite, measured: Measured) -> None:
    """Change a page in its repository, and report the push: seconds until the page shows it."""
    path = "/query/latest/docs/framework/react/overview"
    times, found_s = [], []
    for at in range(PUSHES):
        word = f"zq{time.time_ns():x}"
        text = f"---\ntitle: Overview\n---\n\nChanged for the {at}th time, {word}.\n"
        push_page(site.remotes, site.pushed_repo, "main", "docs/framework/react/overview.md", text)
        body = json.dumps({"ref": "refs/heads/main", "repository": {"full_name": site.pushed_repo}}).encode()
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"x-github-event": "push", "x-hub-signature-256": f"sha256={signature}"}
        began = time.perf_counter()
        httpx.post(f"{server.url}/_hooks/github", content=body, headers=headers, timeout=60).raise_for_status()
        _wait(partial(_shows, server, path, word), VISIBLE_S)
        times.append(time.perf_counter() - began)
        _wait(partial(_finds, server, word), READY_S)
        found_s.append(time.perf_counter() - began)
        # What the push causes in the background must not count for the next.
        _wait(lambda: _is_idle(server), READY_S)
    measured.put("push", statistics.median(times), "s", digits=2)
    measured.put("push-found", statistics.median(found_s), "s", digits=1)


def _shows(server: Server, path: str, word: str) -> bool:
    return word in httpx.get(server.url + path, timeout=60).text


def _finds(server: Server, word: str) -> bool:
    time.sleep(0.2)
    answer = httpx.post(f"{server.url}/1/indexes/tanstack/query", json={"query": word}, headers=KEYS, timeout=60)
    return any(word in str(hit) for hit in answer.json().get("hits", []))


def _stream(url: str) -> Iterator[bytes]:
    with httpx.stream("GET", url, timeout=1800) as answer:
        answer.raise_for_status()
        yield from answer.iter_bytes()


def _wait(is_so: Callable[[], bool], most_s: float) -> None:
    deadline = time.monotonic() + most_s
    while time.monotonic() < deadline:
        try:
            if is_so():
                return
        except httpx.TransportError:
            pass
        time.sleep(0.02)
    raise RuntimeError(f"not within {most_s} s")


def _is_idle(server: Server) -> bool:
    """Whether the processes of the server use less than a tenth of a core for a second."""
    before = _cpu_s(server)
    time.sleep(1)
    return _cpu_s(server) - before < 0.1


def _cpu_s(server: Server) -> float:
    total = 0.0
    for pid in [server.process.pid, *descendants(server.process.pid)]:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


def _worker_mb(server: Server) -> float:
    (worker,) = server.workers()
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{worker}/status").read_text())
    assert found
    return int(found[1]) / 1000


def _max_rss_mb(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / 1000


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def _show(all_measured: list[Measured]) -> None:
    table = Table(title="Sizes of a site")
    table.add_column("")
    for one in all_measured:
        table.add_column(f"{one.pages:,} pages", justify="right")
    for name in all_measured[0].texts:
        table.add_row(name, *(one.texts.get(name, "") for one in all_measured))
    console.print(table)


if __name__ == "__main__":
    main()

"""Faults of background services and memory: a full disk, a mixed load, and a soak with hostile requests."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import httpx
from tests.faults.site import KEYS, PLAIN, ROOT, Server, Site, expect, fault, resident_mb
from tests.faults.soak import Measurement, crawled_soak, soak
from tests.suite.measurements import record

FULL_DISK_BYTES = 64 << 10
MOST_MB = 450
GROWN_MB_PER_MINUTE = 3.0
STEADY_MEMORY = 1.1
"""Largest ratio of the memory of two minutes of a soak."""
STEADY_LATENCY = 1.5
"""Largest ratio of the median p99 of the second half of a soak to that of the first."""
PAGES = 600


def search_status(server: Server) -> int:
    with contextlib.suppress(httpx.HTTPError):
        url = f"{server.url}/1/indexes/tanstack/query"
        return httpx.post(url, json={"query": "a"}, headers=KEYS, timeout=5).status_code
    return 0


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Limit the files of processes started in this block to 64 kB, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_DISK_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@fault("D6", "The disk is full at the start and freed after 5 s: time until search responds")
def disk_full_at_start(site: Site) -> str:
    site.folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | site.environment(PLAIN)
    command = [sys.executable, "-m", "kinfolk", "index"]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, timeout=180)
    with contextlib.ExitStack() as stack:
        with full_disk():
            server = stack.enter_context(site.serving(environment=PLAIN))
        time.sleep(5)
        before = search_status(server)
        for pid in (server.process.pid, *server.workers()):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        freed = time.monotonic()
        while (status := search_status(server)) != 200 and time.monotonic() - freed < 45:
            time.sleep(0.2)
        waited = time.monotonic() - freed
        figure = f"{before} while the disk is full; {status} {waited:.1f} s after it was freed"
        return expect(status == 200, figure)


def _part(page: int, part: int) -> str:
    code = "\n".join(f"const value{line} = useQuery({{ queryKey: ['{page}', {part}, {line}] }})" for line in range(8))
    text = f"Words of part {part}, page {page}. " * 60
    return f"## Part {part} of {page}\n\n{text}\n\n```tsx\n{code}\n```"


@fault("D13", "Memory of a worker after all kinds of requests")
def memory_after_a_mixed_load(site: Site) -> str:
    """600 pages of 90 kB, each also as Markdown, 1,000 invented addresses, 120 pictures and 400 searches."""
    docs = site.content() / "TanStack" / "ranger" / "main" / "docs"
    for at in range(PAGES):
        parts = "\n\n".join(_part(at, part) for part in range(30))
        (docs / f"long-{at}.md").write_text(f"# Long {at}\n\n{parts}\n")
    own = {"KINFOLK_CONTENT": str(site.content()), "KINFOLK_SEARCH_RATE": "0"}
    with site.serving(environment=own) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        (worker,) = server.workers()
        until = time.monotonic() + 50
        paths = [f"/ranger/latest/docs/long-{at}" for at in range(PAGES)]
        addresses = [
            *paths,
            *(f"/og{path}.png" for path in paths[:120]),
            *(f"/api/md{path}" for path in paths),
            *(f"/ranger/latest/docs/invented-{at}" for at in range(1000)),
        ]
        statuses: Counter[int] = Counter()
        most = resident_mb(worker)

        def get(address: str) -> None:
            if time.monotonic() < until:
                with contextlib.suppress(httpx.HTTPError):
                    encoding = {"accept-encoding": "gzip"}
                    statuses[client.get(address, headers=encoding).status_code] += 1

        with ThreadPoolExecutor(4) as threads:
            for _ in threads.map(get, addresses):
                most = max(most, resident_mb(worker))
        for at in range(400):
            if time.monotonic() > until + 5:
                break
            body = {"query": f"words part {at}", "hitsPerPage": 50}
            with contextlib.suppress(httpx.HTTPError):
                client.post("/1/indexes/tanstack/query", json=body, headers=KEYS)
            most = max(most, resident_mb(worker))
        answered = sum(statuses.values())
        return expect(most <= MOST_MB, f"{most:.0f} MB at most, after {answered} requests of {len(addresses)}")


@fault("S1", "Readers and pushes, without and with one hostile request a second")
def readers_among_hostile_requests(site: Site) -> str:
    seconds, rate = _length_s(600), _rate()
    calm, hostile = soak(site, seconds, rate)
    ratio = hostile.p99_ms / calm.p99_ms if calm.p99_ms else 0.0
    figure = f"without: {calm}; with {hostile.hostile}: {hostile}; p99 x {ratio:.1f}; workers {_workers(calm, hostile)}"
    figure += _errors(calm, hostile)
    fine = not calm.errors and not hostile.errors and max(calm.most_mb, hostile.most_mb) <= MOST_MB
    # In a short run a single slow page is the p99, and the caches still fill.
    steady = ratio <= 2 and hostile.slope_mb_per_minute <= GROWN_MB_PER_MINUTE
    expect(fine and (steady or seconds < 300), figure)
    _record(site, "S1", {"soak.calm": calm, "soak.hostile": hostile}, rate)
    return figure


@fault("S2", "Readers, pushes and hostile requests beside a crawler")
def readers_beside_a_crawler(site: Site) -> str:
    seconds, rate = _length_s(1200), _rate()
    crawled = crawled_soak(site, seconds, rate)
    figure = f"with {crawled.hostile} hostile: {crawled}; {_workers(crawled)}{_errors(crawled)}"
    fine = not crawled.errors and crawled.most_mb <= MOST_MB
    latencies, memory = zip(*crawled.minutes, strict=True)
    half = len(latencies) // 2
    expect(fine and (seconds < 300 or max(memory) <= STEADY_MEMORY * min(memory)), figure)
    expect(seconds < 300 or median(latencies[half:]) <= STEADY_LATENCY * median(latencies[:half]), figure)
    _record(site, "S2", {"crawled": crawled}, rate)
    return figure


def _length_s(full_s: float) -> float:
    """Seconds of each part of a soak."""
    return float(os.environ.get("FAULTS_SECONDS") or (full_s if os.environ.get("FAULTS_FULL") else 20))


def _rate() -> float:
    """Requests of readers a second."""
    return float(os.environ.get("FAULTS_RATE", "40"))


def _errors(*parts: Measurement) -> str:
    errors = Counter(error.split("?")[0][:60] for part in parts for error in part.errors).most_common(3)
    return f"; {errors}" if errors else ""


def _record(site: Site, id: str, parts: dict[str, Measurement], rate: float) -> None:
    """Write the figures of a soak at full length into docs/faults.md."""
    if not os.environ.get("FAULTS_FULL") or site.source != ROOT:
        return
    figures: dict[str, str] = {}
    for name, part in parts.items():
        group = name.partition(".")[0]
        figures |= {
            f"{group}.rate": f"{rate:g} requests a second",
            f"{group}.time": f"{part.seconds:g} s",
            f"{group}.content": "the docs of all libraries" if os.environ.get("KINFOLK_CORPUS") else "the bundled docs",
            f"{group}.hostile": f"{part.hostile:,}",
            f"{name}.crawled": f"{sum(part.crawled.values()):,}",
            f"{name}.requests": f"{len(part.latencies_ms):,}",
            f"{name}.failed": f"{len(part.errors):,}",
            f"{name}.p50": f"{part.p50_ms:.1f} ms",
            f"{name}.p99": f"{part.p99_ms:.0f} ms",
            f"{name}.memory": f"{part.most_mb:.0f} MB",
            f"{name}.push": f"{max(part.follow_s, default=0.0):.1f} s",
        }
    record(f"FAULTS_FULL=1 FAULTS_RATE={rate:g} make faults ONLY={id}", figures)


def _workers(*parts: Measurement) -> str:
    return f"{len(set[int]().union(*(part.workers for part in parts)))} seen"

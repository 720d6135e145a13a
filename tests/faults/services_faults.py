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

import httpx
from tests.faults.site import KEYS, PLAIN, ROOT, Server, Site, expect, fault, resident_mb
from tests.faults.soak import Measurement, soak
from tests.suite.measurements import record

FULL_DISK_BYTES = 64 << 10
MOST_MB = 450
GROWN_MB_PER_MINUTE = 3.0
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
    full = bool(os.environ.get("FAULTS_FULL"))
    seconds = float(os.environ.get("FAULTS_SECONDS") or (600 if full else 20))
    rate = float(os.environ.get("FAULTS_RATE", "40"))
    calm, hostile = soak(site, seconds, rate)
    ratio = hostile.p99_ms / calm.p99_ms if calm.p99_ms else 0.0
    errors = Counter(error.split("?")[0][:60] for error in calm.errors + hostile.errors).most_common(3)
    figure = f"without: {calm}; with {hostile.hostile}: {hostile}; p99 x {ratio:.1f}; workers {_workers(calm, hostile)}"
    figure += f"; {errors}" if errors else ""
    fine = not calm.errors and not hostile.errors and max(calm.most_mb, hostile.most_mb) <= MOST_MB
    # In a short run a single slow page is the p99, and the caches still fill.
    steady = ratio <= 2 and hostile.slope_mb_per_minute <= GROWN_MB_PER_MINUTE
    expect(fine and (steady or seconds < 300), figure)
    if full and site.source == ROOT:
        record(f"FAULTS_FULL=1 FAULTS_RATE={rate:g} make faults ONLY=S1", _figures(calm, hostile, rate))
    return figure


def _figures(calm: Measurement, hostile: Measurement, rate: float) -> dict[str, str]:
    """The figures for docs/faults.md."""
    content = "the docs of all libraries" if os.environ.get("KINFOLK_CORPUS") else "the bundled docs"
    figures = {
        "soak.rate": f"{rate:g} requests a second",
        "soak.time": f"{calm.seconds:g} s",
        "soak.content": content,
        "soak.hostile": f"{hostile.hostile:,}",
    }
    for name, half in (("calm", calm), ("hostile", hostile)):
        figures |= {
            f"soak.{name}.requests": f"{len(half.latencies_ms):,}",
            f"soak.{name}.failed": f"{len(half.errors):,}",
            f"soak.{name}.p50": f"{half.p50_ms:.1f} ms",
            f"soak.{name}.p99": f"{half.p99_ms:.0f} ms",
            f"soak.{name}.memory": f"{half.most_mb:.0f} MB",
            f"soak.{name}.push": f"{max(half.follow_s, default=0.0):.1f} s",
        }
    return figures


def _workers(calm: Measurement, hostile: Measurement) -> str:
    return f"{len(calm.workers | hostile.workers)} seen"

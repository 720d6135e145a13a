"""`make bench-telemetry`: what traces cost, as requests per second of CPU time with a collector and without one.

All servers run at the same time and get the same pages in alternating rounds: the load of the machine and the warm-up
of V8 concern all of them. Rendered pages are requested once, a cached page by wrk. Writes figures into the documents.
"""

from __future__ import annotations

import contextlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.bench import addresses, cpu_seconds, fresh_docs, memory_mb, requests_per_core, site_settings
from tests.servers.collector import StandInCollector, collecting
from tests.servers.serving import LEAN, Server, serving
from tests.suite.measurements import record

PLAIN, SAMPLED, TRACED, HANGING = "no collector", "5 % of the requests", "all requests", "all, collector hangs"
RATIOS = {SAMPLED: "0.05", TRACED: "1", HANGING: "1"}
WARM_PAGES, PAGES_OF_ROUND, PASSES, CACHED_ROUNDS = 20, 25, 4, 13
CACHED_PAGE = "/query/latest/docs/framework/react/overview"


@dataclass
class MeasuredServer:
    """A server, CPU seconds for the pages of each round, and requests per CPU second for a cached page."""

    server: Server
    worker: int
    client: httpx.Client
    rendered: list[float] = field(default_factory=list)
    cached: list[float] = field(default_factory=list)

    def render(self, paths: list[str]) -> float:
        """Request each page once. Returns the CPU seconds."""
        before = cpu_seconds(self.worker)
        for path in paths:
            if self.client.get(path).status_code >= 500:
                raise RuntimeError(f"{path} fails")
        return cpu_seconds(self.worker) - before


@contextlib.contextmanager
def all_servers(collector: StandInCollector, hanging: StandInCollector) -> Iterator[dict[str, MeasuredServer]]:
    """A server without a collector, and one for each use of it."""
    with contextlib.ExitStack() as stack:
        found = {}
        for name in (PLAIN, *RATIOS):
            address = (hanging if name == HANGING else collector).address
            traced = {} if name == PLAIN else {"KINFOLK_OTLP": address, "KINFOLK_TRACE_RATIO": RATIOS[name]}
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            environment = LEAN | {"KINFOLK_PRERENDER": "off"} | traced
            server = stack.enter_context(serving(folder, environment=environment, own_interpreter=True))
            (worker,) = server.workers()
            client = stack.enter_context(httpx.Client(base_url=server.url, timeout=60))
            found[name] = MeasuredServer(server, worker, client)
        yield found


def speed(of: MeasuredServer, base: MeasuredServer) -> str:
    """How many times as fast a server renders all pages as another."""
    return f"{sum(base.rendered) / sum(of.rendered):.2f}"


def cached_speed(of: MeasuredServer, base: MeasuredServer) -> str:
    """The same for a cached page: the median of the rounds."""
    return f"{statistics.median(a / b for a, b in zip(of.cached, base.cached, strict=True)):.2f}"


def main() -> None:
    console = Console()
    paths = addresses(fresh_docs(site_settings()))
    # Another query is another page of the cache.
    pages = [f"{path}?pass={number}" for number in range(PASSES) for path in paths[WARM_PAGES:]]
    rounds = [pages[at : at + PAGES_OF_ROUND] for at in range(0, len(pages), PAGES_OF_ROUND)]
    with collecting() as collector, collecting() as hanging:
        hanging.held.clear()
        with all_servers(collector, hanging) as servers:
            for each in servers.values():
                each.render(paths[:WARM_PAGES])
            for requested in track(rounds, description="rendered pages", console=console, transient=True):
                # No server is always the first, which has the page in no cache of the system.
                for each in random.sample(list(servers.values()), len(servers)):
                    each.rendered.append(each.render(requested))
            if shutil.which("wrk") and shutil.which("taskset"):
                for each in servers.values():
                    # wrk runs on the other core.
                    subprocess.run(
                        ["taskset", "-a", "-c", "-p", "0", str(each.worker)], check=True, capture_output=True
                    )
                for _ in range(CACHED_ROUNDS):
                    for each in servers.values():
                        url = each.server.url + CACHED_PAGE
                        each.client.get(CACHED_PAGE)
                        each.cached.append(requests_per_core(url, "br", each.worker))
            memory = {name: memory_mb(each.worker) for name, each in servers.items()}
            spans = len(collector.spans)
            report(console, servers, memory, spans)


def report(console: Console, servers: dict[str, MeasuredServer], memory: dict[str, float], spans: int) -> None:
    plain = servers[PLAIN]
    table = Table("server", "rendered pages", "cached page", "memory", title=f"Requests/s of CPU time, {spans} spans")
    for name, each in servers.items():
        cached = cached_speed(each, plain) if each.cached else "not measured"
        table.add_row(name, speed(each, plain), cached, f"{memory[name]:.0f} MB")
    console.print(table)
    figures = {
        "bench-telemetry.sampled": speed(servers[SAMPLED], plain),
        "bench-telemetry.traced": speed(servers[TRACED], plain),
        "bench-telemetry.hanging": speed(servers[HANGING], plain),
        "bench-telemetry.memory": f"{memory[TRACED] - memory[PLAIN]:.0f} MB",
        "bench-telemetry.hanging-memory": f"{memory[HANGING] - memory[PLAIN]:.0f} MB",
    }
    if plain.cached:
        figures["bench-telemetry.cached"] = cached_speed(servers[TRACED], plain)
    record("make bench-telemetry", figures)


if __name__ == "__main__":
    main()

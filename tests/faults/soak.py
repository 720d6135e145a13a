"""Readers load a site while its repositories change, without and with hostile requests, and beside a crawler.

    FAULTS_SECONDS=600 python -m tests.faults S1     # ten minutes each; 20 s by default
    FAULTS_SECONDS=1200 python -m tests.faults S2    # beside a crawler

The upstream repositories are generated from the bundled docs, or from the folder that KINFOLK_CORPUS names. Requests
are sent at a fixed rate and do not wait for earlier responses, so that a stall delays every request that arrives in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import hmac
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import httpx
import uvloop
import yarl
from tests.faults.site import KEYS, ROOT, Server, Site, resident_mb
from tests.servers.npm_api import NpmApi

from kinfolk.live.topics import encode_topics

SECRET = "only for tests"
CONNECTIONS = 64
READERS = 200
"""Addresses of readers, behind a trusted proxy: they take turns with the crawler."""
WARM_S = 60.0
"""Seconds of the same requests before each measurement, so that it starts with warm caches."""
PUSH_EVERY_S = 20.0
PATIENCE_S = 10.0
"""Seconds after which a reader's request counts as an error."""
FOLLOW_S = 60.0
TOPIC: tuple[str, dict[str, str]] = ("figures.library", {"library": "query"})
"""What readers with live events subscribe to."""
SLOW_MS = 300
SEARCH = "/1/indexes/tanstack/query"
PAGE_STATUSES = (200, 301, 307, 308)
SEARCH_STATUSES = (200, 429)
CRAWLERS = 50
CRAWL_PAUSE_S = 1.0
"""Connections of the crawler, and the pause of each after a response. Without it the crawler takes all that is left of
the processors, also from the readers in this process."""
LISTENERS = 100
"""Readers with a stream of live events."""
MOST_SLOW = 60
"""Slow connections that are open at the same time."""
WORDS = "query cache mutation infinite suspense table column row filter router loader search params form field".split()
# Computed once: the attacker must not delay the readers in this process.
LARGE_CONFIG, WRONG_CONFIG = (
    json.dumps({"sections": [{"label": "All", "children": children}]})
    for children in ([{"label": "x", "to": f"page-{at}"} for at in range(200_000)], "none")
)
EVENTS = gzip.compress(
    json.dumps(
        {
            "events": [
                {
                    "eventType": "click",
                    "eventName": f"e{at}",
                    "index": "tanstack",
                    "userToken": f"u{at}",
                    "objectIDs": ["x"],
                }
                for at in range(1000)
            ]
        }
    ).encode()
)


@dataclass
class Upstreams:
    """Git repositories below `folder`, written by the git binary."""

    folder: Path
    work: Path

    @property
    def template(self) -> str:
        return f"file://{self.folder}/{{owner}}/{{repo}}.git"

    def commit(self, repo: str, branch: str) -> None:
        """Commit the work folder of a branch."""
        bare, tree = self.folder / f"{repo}.git", self.work / repo / branch
        if not bare.exists():
            self._git(None, "init", "--bare", "--quiet", str(bare))
        index = {"GIT_INDEX_FILE": str(bare / f"index-{branch}"), "GIT_WORK_TREE": str(tree)}
        self._git(bare, "add", "--all", ".", cwd=tree, more=index)
        wrote = self._git(bare, "write-tree", more=index)
        parent = self._git(bare, "rev-parse", "--quiet", "--verify", f"refs/heads/{branch}", check=False)
        made = self._git(bare, "commit-tree", wrote, "-m", "change", *(["-p", parent] if parent else []))
        self._git(bare, "update-ref", f"refs/heads/{branch}", made)

    def write(self, repo: str, branch: str, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.work / repo / branch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.commit(repo, branch)

    @staticmethod
    def _git(
        bare: Path | None,
        *arguments: str,
        cwd: Path | None = None,
        check: bool = True,
        more: Mapping[str, str] | None = None,
    ) -> str:
        own = {"GIT_CONFIG_GLOBAL": os.devnull, **({"GIT_DIR": str(bare)} if bare is not None else {}), **(more or {})}
        for who in ("AUTHOR", "COMMITTER"):
            own |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@example.com"}
        done = subprocess.run(
            ["git", *arguments], env=os.environ | own, cwd=cwd, check=check, capture_output=True, text=True
        )
        return done.stdout.strip()


def upstreams_of(site: Site) -> Upstreams:
    """A repository for every branch of the docs."""
    made = Upstreams(site.folder / "upstream", site.folder / "work")
    content = Path(os.environ.get("KINFOLK_CORPUS") or site.site / "repos")
    for tree in sorted(content.glob("*/*/*")):
        if not (tree / "docs").is_dir():
            continue
        repo, branch = str(tree.relative_to(content).parent), tree.name
        target = made.work / repo / branch
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-r", str(tree), str(target)], check=True)
        made.commit(repo, branch)
    return made


@dataclass
class Measurement:
    """One part of the soak."""

    latencies_ms: list[float] = field(default_factory=list)
    by_minute: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Latencies in ms by the minute since the start."""
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, and the memory of the largest worker in MB."""
    follow_s: list[float] = field(default_factory=list)
    workers: set[int] = field(default_factory=set)
    hostile: int = 0
    slow: Counter[str] = field(default_factory=Counter)
    """Responses that took longer than SLOW_MS, by address."""
    crawled: Counter[str] = field(default_factory=Counter)
    """Responses to the crawler by status."""
    cpu_s: float = 0.0
    seconds: float = 0.0

    @property
    def p50_ms(self) -> float:
        return statistics.median(self.latencies_ms) if self.latencies_ms else 0.0

    @property
    def p99_ms(self) -> float:
        return _p99(self.latencies_ms)

    @property
    def minutes(self) -> list[tuple[float, float]]:
        """The p99 in ms and the most memory in MB of each minute."""
        return [
            (_p99(latencies), max((mb for at, mb in self.memory if at // 60 == minute), default=0.0))
            for minute, latencies in sorted(self.by_minute.items())
        ]

    @property
    def most_mb(self) -> float:
        return max((mb for _, mb in self.memory), default=0.0)

    @property
    def slope_mb_per_minute(self) -> float:
        """Growth of memory in the second half of the measurement."""
        last = self.memory[len(self.memory) // 2 :]
        if len(last) < 3:
            return 0.0
        return statistics.linear_regression([at for at, _ in last], [mb for _, mb in last]).slope * 60

    def __str__(self) -> str:
        follow = f"{max(self.follow_s):.1f} s" if self.follow_s else "-"
        return (
            f"{len(self.latencies_ms)} requests, {len(self.errors)} errors, p50 {self.p50_ms:.1f} ms,"
            f" p99 {self.p99_ms:.0f} ms, {self.cpu_s / self.seconds if self.seconds else 0:.2f} cores,"
            f" {self.most_mb:.0f} MB at most, {self.slope_mb_per_minute:+.1f} MB/min at the end, push shown in {follow}"
            + (f", over {SLOW_MS:g} ms {self.slow.most_common(5)}" if self.slow else "")
            + (f", crawled {dict(self.crawled)}" if self.crawled else "")
            + ", by minute "
            + " ".join(f"{p99:.0f}/{mb:.0f}" for p99, mb in self.minutes)
        )


def _p99(latencies_ms: list[float]) -> float:
    return sorted(latencies_ms)[int(len(latencies_ms) * 0.99)] if latencies_ms else 0.0


class Soak:
    """Readers, pushes and hostile requests for one server."""

    def __init__(self, server: Server, upstreams: Upstreams, rate: float) -> None:
        self.server = server
        self.upstreams = upstreams
        self.rate = rate
        self.random = random.Random(11)  # noqa: S311 - it chooses pages
        self.pages = self._pages()
        self.weights = list(itertools.accumulate((at + 1) ** -0.9 for at in range(len(self.pages))))
        self.revision = 0
        self.good: set[str] = set()
        self.numbers = itertools.count()
        self.slow: list[asyncio.StreamWriter] = []

    async def run(self, seconds: float, *, hostile: bool = False, crawler: bool = False) -> Measurement:
        """Measure for this many seconds, with hostile requests or a crawler."""
        measured = Measurement(seconds=seconds)
        # Its parser is compiled: an httpx client takes ten times the processor time of a cached page.
        client = aiohttp.ClientSession(
            self.server.url,
            connector=aiohttp.TCPConnector(limit=CONNECTIONS),
            timeout=aiohttp.ClientTimeout(total=PATIENCE_S),
            headers={"accept-encoding": "gzip, br"},
            auto_decompress=False,
        )
        async with client:
            await self._read(client, Measurement(), time.monotonic() + WARM_S)
            until = time.monotonic() + seconds
            cpu = self._cpu_s()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(client, measured, until))
                group.create_task(self._push(measured, until))
                group.create_task(self._watch(measured, until))
                for _ in range(LISTENERS):
                    group.create_task(self._listen(measured, until))
                if hostile:
                    group.create_task(self._attack(measured, until))
                if crawler:
                    for _ in range(CRAWLERS):
                        group.create_task(self._crawl(measured, until))
        measured.cpu_s = self._cpu_s() - cpu
        for writer in self.slow:
            writer.close()
        self.slow.clear()
        return measured

    # Readers

    def _pages(self) -> list[str]:
        def locations(path: str) -> list[str]:
            text = httpx.get(self.server.url + path, timeout=60).text
            return [re.sub(r"https?://[^/]+", "", found) for found in re.findall("<loc>(.*?)</loc>", text)]

        found = [page for sitemap in locations("/sitemap.xml") for page in locations(sitemap)]
        if not any(self.upstreams.work.glob("*/*/*/examples")):
            found = [page for page in found if "/examples/" not in page]  # menus list them even without files
        self.random.shuffle(found)
        return found

    async def _read(self, client: aiohttp.ClientSession, measured: Measurement, until: float) -> None:
        begun = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for number in itertools.count():
                due = begun + number / self.rate
                if due >= until:
                    return
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(self._read_one(client, measured, begun, due))

    async def _read_one(self, client: aiohttp.ClientSession, measured: Measurement, begun: float, due: float) -> None:
        chance = self.random.random()
        path = self.random.choices(self.pages, cum_weights=self.weights)[0]
        body = None
        if 0.8 <= chance < 0.88:
            text = self.random.choice(WORDS)
            path, body = SEARCH, {"query": text[: self.random.randint(1, len(text))], "hitsPerPage": 10}
        elif 0.88 <= chance < 0.95 and "/docs/" in path and "/examples/" not in path:
            path = f"/api/md{path}"
        elif 0.95 <= chance < 0.97:
            path = "/query/latest/llms-full.txt"
        elif chance >= 0.97:
            path = "/og/query.jpg"
        headers = {"x-forwarded-for": f"198.51.100.{self.random.randrange(READERS)}"} | (KEYS if body else {})
        try:
            async with client.request(
                "POST" if body else "GET",
                yarl.URL(path, encoded=True),
                json=body,
                headers=headers,
                allow_redirects=False,
            ) as answer:
                await answer.read()
        except (aiohttp.ClientError, TimeoutError) as failure:
            measured.errors.append(f"{type(failure).__name__}: {failure} {path}")
            return
        if answer.status in (SEARCH_STATUSES if body else PAGE_STATUSES):
            self.good.add(path)
        elif answer.status != 404 or path in self.good:
            # The sitemap lists a page whose referenced text is missing; the page itself is a 404.
            measured.errors.append(f"{answer.status} {path}")
        took_ms = (time.monotonic() - due) * 1000
        measured.latencies_ms.append(took_ms)
        measured.by_minute[int((due - begun) // 60)].append(took_ms)
        if took_ms > SLOW_MS:
            measured.slow[re.sub(r"/docs/.*", "/docs/…", path)] += 1

    # Pushes

    async def _push(self, measured: Measurement, until: float) -> None:
        async with httpx.AsyncClient(base_url=self.server.url, timeout=PATIENCE_S) as client:
            while time.monotonic() < until:
                began = time.monotonic()
                self.revision += 1
                text = f"---\ntitle: Soak\n---\n\nThis is revision {self.revision}.\n"
                await asyncio.to_thread(
                    self.upstreams.write, "TanStack/ranger", "main", {"docs/soak.md": text, "docs/other.md": text}
                )
                await announce(client, "TanStack/ranger", "main")
                while time.monotonic() - began < FOLLOW_S:
                    with contextlib.suppress(httpx.HTTPError):
                        if f"revision {self.revision}." in (await client.get("/ranger/latest/docs/soak")).text:
                            measured.follow_s.append(time.monotonic() - began)
                            break
                    await asyncio.sleep(0.2)
                else:
                    measured.errors.append(f"revision {self.revision} not shown within {FOLLOW_S:g} s")
                await asyncio.sleep(max(0.0, min(began + PUSH_EVERY_S, until) - time.monotonic()))

    # Live events

    async def _listen(self, measured: Measurement, until: float) -> None:
        """Read a stream of live events, which must not end."""
        reader, writer = await self._connect()
        writer.write(f"GET /api/live?q={encode_topics(TOPIC)} HTTP/1.1\r\nHost: soak\r\n\r\n".encode())
        try:
            async with asyncio.timeout(until - time.monotonic()):
                while await reader.read(65536):
                    pass
            measured.errors.append("a live stream ended")
        except TimeoutError:
            pass
        except OSError as failure:
            measured.errors.append(f"live stream: {failure}")
        finally:
            writer.close()

    # The crawler

    async def _crawl(self, measured: Measurement, until: float) -> None:
        """Request distinct addresses, one after another."""
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(30):
                    measured.crawled[await self._crawl_one(self._next_address())] += 1
            except (OSError, TimeoutError, ValueError) as failure:
                measured.crawled[type(failure).__name__] += 1
            await asyncio.sleep(CRAWL_PAUSE_S)

    def _next_address(self) -> str:
        number, page = next(self.numbers), self.random.choice(self.pages)
        kinds = (
            page,
            f"{page}?utm_source={number}",
            f"{page}.md",
            f"/search?q=word{number}",
            f"/query/latest/docs/made-{number}",
        )
        return (*kinds, f"/made-up-{number}", f"/stats/npm/made-{number}-vs-react")[number % 7]

    async def _crawl_one(self, path: str) -> str:
        """The status of the response. Another client than the readers, behind a trusted proxy."""
        reader, writer = await self._connect()
        headers = "Host: soak\r\nUser-Agent: soakbot/1.0\r\nX-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n"
        writer.write(f"GET {path} HTTP/1.1\r\n{headers}\r\n".encode())
        try:
            status = (await reader.readline()).split(b" ", 2)[1].decode()
            await reader.read()
        except IndexError:
            raise ValueError("no response") from None
        finally:
            writer.close()
        return status

    # Memory and CPU

    async def _watch(self, measured: Measurement, until: float) -> None:
        begun = time.monotonic()
        while time.monotonic() < until:
            held = []
            for pid in self._workers():
                measured.workers.add(pid)
                with contextlib.suppress(OSError):
                    held.append(resident_mb(pid))
            measured.memory.append((time.monotonic() - begun, max(held, default=0.0)))
            await asyncio.sleep(1)

    def _workers(self) -> list[int]:
        with contextlib.suppress(OSError):
            return self.server.workers()
        return []

    def _cpu_s(self) -> float:
        ticks = 0
        for pid in self._workers():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    # Hostile requests

    async def _attack(self, measured: Measurement, until: float) -> None:
        """Send one request a second, all kinds in turn. Responses are ignored."""
        timeout = httpx.Timeout(5.0)
        attacks = [
            self._far_page, self._spaces, self._tags, self._poison_push, self._trailers, self._events, self._spelling,
            self._slow_head, self._large_file, self._odd_hosts, self._invented, self._deep_json, self._bad_config,
            self._poison_page,
        ]  # fmt: skip
        async with httpx.AsyncClient(base_url=self.server.url, timeout=timeout) as client, asyncio.TaskGroup() as group:
            for attack in itertools.cycle(attacks):
                if time.monotonic() >= until:
                    return
                group.create_task(self._attempt(attack, client))
                measured.hostile += 1
                await asyncio.sleep(1)

    @staticmethod
    async def _attempt(attack: Callable[[httpx.AsyncClient], Awaitable[object]], client: httpx.AsyncClient) -> None:
        with contextlib.suppress(httpx.HTTPError, OSError, TimeoutError, subprocess.CalledProcessError):
            async with asyncio.timeout(15):
                await attack(client)

    async def _search(self, client: httpx.AsyncClient, **parameters: object) -> None:
        await client.post("/1/indexes/tanstack/query", json={"query": "a", **parameters}, headers=KEYS)

    async def _far_page(self, client: httpx.AsyncClient) -> None:
        await client.get("/1/indexes/tanstack", params={**KEYS, "query": "a", "page": "2147483647"})

    async def _spaces(self, client: httpx.AsyncClient) -> None:
        await self._search(client, numericFilters=[" " * 4000])

    async def _tags(self, client: httpx.AsyncClient) -> None:
        await self._search(client, highlightPreTag="x" * 20_000, highlightPostTag="y" * 20_000, hitsPerPage=1000)

    async def _poison_push(self, client: httpx.AsyncClient) -> None:
        text = f"# Poison {self.revision}\n\n" + "mailto:" * 16_000
        await asyncio.to_thread(self.upstreams.write, "TanStack/store", "main", {"docs/poison.md": text})
        await announce(client, "TanStack/store", "main")

    async def _poison_page(self, client: httpx.AsyncClient) -> None:
        await client.get("/store/latest/docs/poison")

    async def _bad_config(self, client: httpx.AsyncClient) -> None:
        config = LARGE_CONFIG if self.revision % 2 else WRONG_CONFIG
        await asyncio.to_thread(self.upstreams.write, "TanStack/pacer", "main", {"docs/config.json": config})
        await announce(client, "TanStack/pacer", "main")

    async def _events(self, client: httpx.AsyncClient) -> None:
        await client.post("/1/events", content=EVENTS, headers={**KEYS, "content-encoding": "gzip"})

    async def _spelling(self, client: httpx.AsyncClient) -> None:
        await client.get("/query/latest/docs/framework/react/overview" + "%20" * self.random.randint(1, 300))

    async def _invented(self, client: httpx.AsyncClient) -> None:
        addresses = (f"/query/latest/invented-{self.random.random()}" for _ in range(10))
        await asyncio.gather(*(client.get(address) for address in addresses), return_exceptions=True)

    async def _large_file(self, client: httpx.AsyncClient) -> None:
        await client.get("/_files/TanStack/ranger/main/docs/large.bin")

    async def _deep_json(self, client: httpx.AsyncClient) -> None:
        deep = "[" * 50_000 + "]" * 50_000
        await client.post("/_hooks/github", content=deep, headers=signed(deep.encode()))
        await client.post("/_server/theme.set", content=deep, headers={"content-type": "application/json"})

    async def _odd_hosts(self, client: httpx.AsyncClient) -> None:
        del client
        for head in (b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"):
            reader, writer = await self._connect()
            writer.write(head)
            await asyncio.wait_for(reader.read(100), 5)
            writer.close()

    async def _slow_head(self, client: httpx.AsyncClient) -> None:
        del client
        self.slow = [writer for writer in self.slow if not writer.is_closing()]
        for writer in self.slow:
            writer.write(b"x")
        if len(self.slow) < MOST_SLOW:
            for _ in range(5):
                _, writer = await self._connect()
                writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
                self.slow.append(writer)

    async def _trailers(self, client: httpx.AsyncClient) -> None:
        del client
        reader, writer = await self._connect()
        writer.write(b"POST /_server/theme.set HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        for _ in range(200):
            writer.write(b"X-Trailer: " + b"y" * 10_000 + b"\r\n")
            await asyncio.wait_for(writer.drain(), 5)
        writer.close()
        del reader

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.server.url.removeprefix("http://").split(":")
        return await asyncio.open_connection(host, int(port))


def signed(body: bytes) -> dict[str, str]:
    """The headers of a signed webhook."""
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    return {"x-github-event": "push", "x-hub-signature-256": f"sha256={signature}", "content-type": "application/json"}


async def announce(client: httpx.AsyncClient, repo: str, branch: str) -> None:
    """Send the webhook that GitHub sends after a push."""
    body = json.dumps({"ref": f"refs/heads/{branch}", "repository": {"full_name": repo}}).encode()
    with contextlib.suppress(httpx.HTTPError):
        await client.post("/_hooks/github", content=body, headers=signed(body))


@contextlib.contextmanager
def soaked(site: Site) -> Iterator[tuple[Server, Upstreams]]:
    """Run a server with a mirror of the upstreams until its search is ready."""
    site.folder.mkdir(parents=True, exist_ok=True)
    upstreams = upstreams_of(site)
    upstreams.write("TanStack/ranger", "main", {"docs/soak.md": "# Soak\n", "docs/large.bin": "0" * 9_000_000})
    own = {
        "KINFOLK_MIRROR": str(site.folder / "mirror"),
        "KINFOLK_UPSTREAM": upstreams.template,
        "KINFOLK_WEBHOOK_SECRET": SECRET,
        "KINFOLK_CONTENT": str(site.folder / "none"),
        "KINFOLK_PRERENDER": "on",
        "KINFOLK_NPM_IMPORT": "on",
        "KINFOLK_NPM_INTERVAL_S": "1",
    }
    (site.folder / "none").mkdir(exist_ok=True)
    environment = os.environ | site.environment(own) | {"KINFOLK_HIGHLIGHT": "off"}
    # It fails for branches of the registry without docs; the others are mirrored.
    command = [sys.executable, "-m", "kinfolk", "sync"]
    subprocess.run(command, env=environment, cwd=ROOT, check=False, capture_output=True, timeout=300)
    with (
        NpmApi(today=datetime.now(UTC).date()) as npm,
        site.serving(environment=own | {"KINFOLK_NPM_DOWNLOADS_API": npm.url}) as server,
    ):
        until = time.monotonic() + 240
        while time.monotonic() < until:
            body = {"query": "a"}
            with contextlib.suppress(httpx.HTTPError):
                answer = httpx.post(f"{server.url}/1/indexes/tanstack/query", json=body, headers=KEYS, timeout=5)
                if answer.status_code == 200:
                    break
            time.sleep(0.5)
        yield server, upstreams


def soak(site: Site, seconds: float, rate: float) -> tuple[Measurement, Measurement]:
    """Measure one half without and one half with hostile requests."""
    with soaked(site) as (server, upstreams):
        one = Soak(server, upstreams, rate)

        async def both() -> tuple[Measurement, Measurement]:
            return await one.run(seconds), await one.run(seconds, hostile=True)

        return uvloop.run(both())


def crawled_soak(site: Site, seconds: float, rate: float) -> Measurement:
    """Measure with hostile requests and a crawler."""
    with soaked(site) as (server, upstreams):
        return uvloop.run(Soak(server, upstreams, rate).run(seconds, hostile=True, crawler=True))

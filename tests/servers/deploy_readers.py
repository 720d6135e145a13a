"""Readers of a server that is deployed meanwhile: they count each request without a complete response.

Requests are sent at a fixed rate and do not wait for earlier ones. Half of them open a connection, the others take one
that was used before. Some connections are used every few seconds only. A connection that the server has closed before
a request is sent is replaced, as browsers and proxies do; a request that was sent and gets no complete response failed.
With `repeats`, a GET that a used connection ends without any response is sent once more, on a new one: clients must
expect that (RFC 9112, 9.5), because the server may close it in the same moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import select
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import httpx

from kinfolk.live.topics import encode_topics

PATIENCE_S = 60.0
ADDRESSES = 200
"""Addresses of readers, behind a trusted proxy."""
SELDOM, SELDOM_S = 6, 4.0
"""Connections that are used seldom, and the seconds between two requests of each."""
LISTENERS = 5
SEARCH = "/1/indexes/tanstack/query"
_SEARCH_KEYS = "x-algolia-application-id: kinfolk\r\nx-algolia-api-key: kinfolk-search\r\n"
TOPIC: tuple[str, dict[str, str]] = ("figures.library", {"library": "query"})


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Readings:
    """What the readers got."""

    requests: Counter[str] = field(default_factory=Counter)
    """By kind: new and used connections, seldom used ones, streams."""
    failed: list[str] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    repeated: int = 0
    """Requests on used connections that were sent again."""
    reconnects: int = 0
    """Live streams that a server has ended, and that began again."""

    @property
    def p99_ms(self) -> float:
        return sorted(self.latencies_ms)[int(len(self.latencies_ms) * 0.99)] if self.latencies_ms else 0.0

    @property
    def max_ms(self) -> float:
        return max(self.latencies_ms, default=0.0)


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @property
    def is_open(self) -> bool:
        if self.reader.at_eof() or self.writer.is_closing():
            return False
        # The kernel knows of a close before the event loop of a busy reader does.
        closed = select.poll()
        closed.register(self.writer.get_extra_info("socket").fileno(), select.POLLRDHUP)
        return not closed.poll(0)

    async def request(self, head: str, body: bytes = b"") -> Answer:
        self.writer.write(head.encode() + b"\r\n" + body)
        await self.writer.drain()
        status, headers = await self.head()
        if status == 304:
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, await self._chunks())
        return Answer(status, headers, await self.reader.readexactly(int(headers["content-length"])))

    async def head(self) -> tuple[int, dict[str, str]]:
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}

    async def _chunks(self) -> bytes:
        parts = []
        while size := int(await self.reader.readline(), 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return b"".join(parts)


class DeployReaders:
    """Readers of one server, until `stop`."""

    def __init__(self, url: str, *, rate: float, pages: int = 40, search: bool = True, repeats: bool = False) -> None:
        self.readings = Readings()
        self._repeats = repeats
        self._host, self._port = url.removeprefix("http://").split(":")
        self._rate = rate
        self._random = random.Random(38)  # noqa: S311 - it chooses pages
        self._paths = _paths(url, pages)
        self._search = search
        self._used: list[_Connection] = []
        self._etags: dict[str, str] = {}
        self._over = asyncio.Event()

    def stop(self) -> None:
        self._over.set()

    async def run(self) -> None:
        """Send requests until `stop`, and wait for the last responses."""
        async with asyncio.TaskGroup() as group:
            for _ in range(SELDOM):
                group.create_task(self._use_seldom())
            for _ in range(LISTENERS):
                group.create_task(self._listen())
            begun_s = time.monotonic()
            for number in itertools.count():
                await asyncio.sleep(max(0.0, begun_s + number / self._rate - time.monotonic()))
                if self._over.is_set():
                    break
                group.create_task(self._read(number))
        for connection in self._used:
            connection.writer.close()

    async def _read(self, number: int) -> None:
        is_new = number % 2 == 0
        used = None if is_new else self._take()
        await self._measured("used" if used else "new", used, keeps=not is_new or number % 8 == 0)

    def _take(self) -> _Connection | None:
        while self._used:
            connection = self._used.pop(0)
            if connection.is_open:
                return connection
            connection.writer.close()
        return None

    async def _measured(self, kind: str, connection: _Connection | None, *, keeps: bool) -> _Connection | None:
        """Request something. Returns or stores the connection if it stays open."""
        path, head, body = self._next(keeps=keeps)
        self.readings.requests[kind] += 1
        began_s = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_S):
                connection, answer = await self._request(connection, head, body)
        except (OSError, EOFError, ValueError, KeyError, asyncio.LimitOverrunError) as failure:
            self.readings.failed.append(f"{kind} {path}: {type(failure).__name__} {failure}"[:200])
            return None
        self.readings.latencies_ms.append((time.monotonic() - began_s) * 1000)
        if not (200 <= answer.status < 300 or answer.status == 304):
            self.readings.failed.append(f"{kind} {path}: status {answer.status} {answer.body[:80]!r}")
        if "etag" in answer.headers:
            self._etags[path] = answer.headers["etag"]
        if not keeps or answer.headers.get("connection", "").lower() == "close":
            connection.writer.close()
            return None
        if kind != "seldom":
            self._used.append(connection)
        return connection

    async def _request(self, used: _Connection | None, head: str, body: bytes) -> tuple[_Connection, Answer]:
        if used is not None:
            try:
                return used, await used.request(head, body)
            except (ConnectionError, asyncio.IncompleteReadError) as ended:
                is_silent = not getattr(ended, "partial", b"")
                if not (self._repeats and is_silent and head.startswith("GET ")):
                    raise
                self.readings.repeated += 1
        connection = await self._connect()
        return connection, await connection.request(head, body)

    def _next(self, *, keeps: bool) -> tuple[str, str, bytes]:
        chance = self._random.random()
        address = f"198.51.100.{self._random.randrange(ADDRESSES)}"
        lines = f"Host: {self._host}:{self._port}\r\nX-Forwarded-For: {address}\r\n"
        if not keeps:
            lines += "Connection: close\r\n"
        if self._search and chance < 0.1:
            body = json.dumps({"query": self._random.choice(["query", "cache", "table", "router"])}).encode()
            lines += f"{_SEARCH_KEYS}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            return SEARCH, f"POST {SEARCH} HTTP/1.1\r\n{lines}", body
        path = self._random.choice(self._paths)
        if chance > 0.9 and path in self._etags:
            lines += f"If-None-Match: {self._etags[path]}\r\n"
        return path, f"GET {path} HTTP/1.1\r\n{lines}", b""

    async def _use_seldom(self) -> None:
        connection: _Connection | None = None
        while not self._over.is_set():
            if connection is not None and not connection.is_open:
                connection = None
            connection = await self._measured("seldom", connection, keeps=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), self._random.uniform(0.5, 2) * SELDOM_S / 2)
        if connection is not None:
            connection.writer.close()

    async def _listen(self) -> None:
        """Follow live events, and connect again after `bye`."""
        while not self._over.is_set():
            self.readings.requests["stream"] += 1
            retry_ms = await self._follow_once()
            if retry_ms is None:
                return
            self.readings.reconnects += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), retry_ms / 1000)

    async def _follow_once(self) -> int | None:
        """Milliseconds after which the stream begins again; None at the end, or after a failure."""
        try:
            connection = await self._connect()
            head = f"GET /api/live?q={encode_topics(TOPIC)} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
            connection.writer.write(head.encode() + b"\r\n")
            status, _ = await connection.head()
            if status != 200:
                raise ValueError(f"status {status}")
            reading = asyncio.create_task(_until_goodbye(connection.reader))
            over = asyncio.create_task(self._over.wait())
            await asyncio.wait([reading, over], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                reading.cancel()
                connection.writer.close()
                return None
            over.cancel()
            connection.writer.close()
            found = re.search(rb'event: bye\r?\n(?:[^\n]*\n)*?data: \{"retryMs":(\d+)\}', await reading)
            if found is None:
                raise ValueError("it ended without a goodbye")
            return int(found[1])
        except (OSError, EOFError, ValueError) as failure:
            self.readings.failed.append(f"stream: {type(failure).__name__} {failure}"[:200])
            return None

    async def _connect(self) -> _Connection:
        return _Connection(*await asyncio.open_connection(self._host, int(self._port), limit=1 << 20))


async def _until_goodbye(reader: asyncio.StreamReader) -> bytes:
    """What a stream sends until its last event, or its end."""
    read = b""
    while b"retryMs" not in read[read.find(b"event: bye") :] or b"event: bye" not in read:
        more = await reader.read(65536)
        if not more:
            break
        read += more
    return read


def _paths(url: str, pages: int) -> list[str]:
    """Pages, what they load, a function, Markdown and lists: addresses that answer 200."""

    def locations(path: str) -> list[str]:
        text = httpx.get(url + path, timeout=PATIENCE_S).text
        return [re.sub(r"https?://[^/]+", "", found) for found in re.findall("<loc>(.*?)</loc>", text)]

    found = [page for sitemap in locations("/sitemap.xml") for page in locations(sitemap) if "/examples/" not in page]
    chosen = found[:: max(1, len(found) // pages)]
    docs = [page for page in chosen if "/docs/" in page]
    html = httpx.get(url + docs[0], timeout=PATIENCE_S).text
    assets = sorted(set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', html)))
    others = ["/_server/theme.get", "/llms.txt", "/readyz", *(f"{page}.md" for page in docs[:3])]
    candidates = [*chosen, *assets, *others]
    with httpx.Client(timeout=PATIENCE_S) as client:
        return [path for path in candidates if client.get(url + path).status_code == 200]

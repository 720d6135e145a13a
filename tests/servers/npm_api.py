"""A stand-in of npm's API of download counts, on loopback, that can misbehave.

    with NpmApi(today=date(2026, 11, 22)) as api:
        api.faults = cycle(["cut", None])       # the fault of each request, in their order
        DownloadsApi(api.url)

It follows docs/download-counts.md of github.com/npm/registry: ranges of more than 18 months are shortened without a
word, several packages share a request without scoped ones, unknown packages are 404 or null.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import unquote
from zlib import crc32

import orjson

FIRST = date(2015, 1, 10)
MAX_MONTHS_DAYS = 548
MAX_BULK, MAX_BULK_DAYS = 128, 365
HTML = b"<!doctype html><title>Access denied | Cloudflare</title><h1>Error 1015</h1>"

Fault = Literal[
    "limit", "limit-for-1s", "server-error", "slow", "cut", "html", "error-200", "short", "other-package", "endless"
]


def downloads(package: str, day: date) -> int:
    """The downloads of a package on a day, above 0."""
    return _downloads(crc32(package.encode()), day.toordinal())


def _downloads(package: int, day: int) -> int:
    return (package + day * 7919) % 100_000 + 1


@cache
def _names_of_days(first: date, last: date) -> tuple[str, ...]:
    """The days as they are in answers: most requests are about the same years."""
    return tuple(str(first + timedelta(days=number)) for number in range((last - first).days + 1))


class NpmApi:
    """`unknown` names do not exist. `arrivals` are the times of all requests, by `time.monotonic`."""

    def __init__(self, *, today: date, slow_s: float = 3.0) -> None:
        self.today = today
        self.faults: Iterator[Fault | None] = iter(())
        self._no_faults = self.faults
        self.unknown: set[str] = set()
        self.uncounted: set[date] = set()
        """Days that are answered with 0."""
        self.arrivals: list[float] = []
        self.paths: list[str] = []
        self.slow_s = slow_s
        self._answering = threading.Event()
        self._answering.set()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Requests that arrive meanwhile are answered after it."""
        self._answering.clear()
        try:
            yield
        finally:
            self._answering.set()

    @property
    def answers_at_once(self) -> bool:
        """Whether it neither misbehaves nor is paused."""
        return self.faults is self._no_faults and self._answering.is_set()

    @property
    def gaps_s(self) -> list[float]:
        """Seconds between each two requests."""
        return [after - before for before, after in zip(self.arrivals, self.arrivals[1:], strict=False)]

    def next_fault(self, path: str) -> Fault | None:
        with self._lock:
            self.arrivals.append(time.monotonic())
            self.paths.append(path)
            fault = next(self.faults, None)
        self._answering.wait()
        return fault

    def answer(self, path: str) -> tuple[int, Any]:
        """The status and body of an answer without a fault."""
        kind, endpoint, *rest = (
            unquote(path).strip("/").split("/", 3) if path.startswith("/downloads") else ("", "", "")
        )
        if not kind:
            return self._versions(path)
        period, name = rest[0], rest[1] if len(rest) > 1 else ""
        first, last = self._period(period)
        if "," not in name:
            return self._one(endpoint, name, first, last)
        names = name.split(",")
        if any(one.startswith("@") for one in names):
            return 400, {"error": "scoped packages are not supported in bulk"}
        if len(names) > MAX_BULK or (last - first).days >= MAX_BULK_DAYS:
            return 400, {"error": f"exceeded max days of {MAX_BULK_DAYS}"}
        return 200, {one: None if one in self.unknown else self._body(endpoint, one, first, last) for one in names}

    def _one(self, endpoint: str, name: str, first: date, last: date) -> tuple[int, Any]:
        if name in self.unknown:
            return 404, {"error": f"package {name} not found"}
        if (last - first).days >= MAX_MONTHS_DAYS:
            first = last - timedelta(days=MAX_MONTHS_DAYS)
        return 200, self._body(endpoint, name, first, last)

    def _versions(self, path: str) -> tuple[int, Any]:
        _, package, period = path.strip("/").split("/", 2)
        name = unquote(package)
        # A scope and a name in two segments are another address.
        if period != "last-week" or name in self.unknown:
            return 404, {"error": f"package {name} not found"}
        counts = {f"{major}.{minor}.0": 1000 * major + minor for major in range(1, 5) for minor in range(10)}
        return 200, {"package": name, "downloads": counts}

    def _period(self, period: str) -> tuple[date, date]:
        if period == "last-week":
            return self.today - timedelta(days=7), self.today - timedelta(days=1)
        first, _, last = period.partition(":")
        return date.fromisoformat(first), date.fromisoformat(last or first)

    def _body(self, endpoint: str, name: str, first: date, last: date) -> dict[str, Any]:
        days, counts = _names_of_days(first, last), self._counts(name, first, last)
        body: dict[str, Any] = {"start": str(first), "end": str(last)}
        if name:
            body["package"] = name
        if endpoint == "point":
            return {**body, "downloads": sum(counts)}
        pairs = zip(days, counts, strict=True)
        return {**body, "downloads": [{"day": day, "downloads": count} for day, count in pairs]}

    def _counts(self, name: str, first: date, last: date) -> list[int]:
        package, begin = crc32(name.encode()), first.toordinal()
        counts = [_downloads(package, day) for day in range(begin, last.toordinal() + 1)]
        for day in self.uncounted:
            if first <= day <= last:
                counts[day.toordinal() - begin] = 0
        before, after = FIRST.toordinal() - begin, self.today.toordinal() - begin
        return [count if before <= at < after else 0 for at, count in enumerate(counts)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    api: NpmApi

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing about clients that were killed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are sent at once: the client would delay the acknowledgement that the body waits for.
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        api = self.server.api
        fault = api.next_fault(self.path)
        match fault:
            case "limit":
                self._send(429, HTML, "text/html")
            case "limit-for-1s":
                self._send(429, HTML, "text/html", {"Retry-After": "1"})
            case "server-error":
                self._send(500, b'{"error":"internal"}')
            case "html":
                self._send(200, HTML, "text/html")
            case "error-200":
                self._send(200, b'{"error":"invalid date"}')
            case _:
                status, body = api.answer(self.path)
                self._misbehave(fault, status, body)

    def _misbehave(self, fault: Fault | None, status: int, body: Any) -> None:
        if fault == "slow":
            time.sleep(self.server.api.slow_s)
        if fault in ("short", "other-package") and status == HTTPStatus.OK:
            for one in [body] if "downloads" in body else [one for one in body.values() if one]:
                if fault == "other-package":
                    one["package"] = "left-pad"
                elif isinstance(one["downloads"], list):
                    one["downloads"] = one["downloads"][3:]
        content = orjson.dumps(body)
        if fault == "cut":
            self._send(status, content[: len(content) // 2], length=len(content))
            self.close_connection = True
        elif fault == "endless":
            self._send_forever()
        else:
            self._send(status, content)

    def _send(
        self,
        status: int,
        content: bytes,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
        *,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        # The client may have given up.
        with contextlib.suppress(OSError):
            self.end_headers()
            self.wfile.write(content)

    def _send_forever(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(b'{"start":' + b" " * 65536)
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

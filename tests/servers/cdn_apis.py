"""Stand-ins, on loopback, for Cloudflare, Fastly, Bunny, Varnish and a cache behind a hook, that also misbehave.

with serve_cdn("fastly", origin="http://127.0.0.1:8000") as cdn:
    httpx.get(cdn.url + "/query/latest")        # cached as Fastly caches it
    cdn.failures = [(429, {"retry-after": "1"}, "")]
    read_settings({**cdn.environment})          # the settings with which Kinfolk purges it

It has one cache for all requests of an address, and the checks that each API documents: credentials, tags in a request
and in a header, and the number of requests at a time.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import httpx

CdnKind = Literal["cloudflare", "fastly", "bunny", "hook", "varnish"]
KINDS: tuple[CdnKind, ...] = ("cloudflare", "fastly", "bunny", "hook")
"""Those with a secret."""
Failure = tuple[int, dict[str, str], str]
Headers = Mapping[str, str]
ID, TOKEN = "4711", "token-of-the-cdn"
CACHE_TAG = "cache-tag"
TAG_HEADERS: dict[str, str] = dict.fromkeys(("cloudflare", "hook", "varnish"), CACHE_TAG)
TAG_HEADERS |= {"fastly": "surrogate-key", "bunny": "cdn-tag"}
LARGEST_TAG_HEADER = {"cloudflare": 16 << 10, "fastly": 16 << 10, "bunny": 1024, "hook": 8 << 10, "varnish": 8 << 10}
BURST = {"cloudflare": 25, "fastly": 1000, "bunny": 20, "hook": 1000, "varnish": 1000}
"""Requests that an account may send at once."""
REFILL = {"cloudflare": 5.0, "bunny": 0.5}
"""Requests a second that fill the bucket again: at Cloudflare those of a Pro plan, at Bunny those for several files.

https://developers.cloudflare.com/cache/how-to/purge-cache
https://docs.bunny.net/docs/cdn-api-purge-rate-limits
"""


@dataclass(frozen=True)
class CachedResponse:
    status: int
    headers: Headers
    body: bytes
    tags: frozenset[str]
    expires_s: float


@dataclass
class CdnStandIn:
    """`purges` are the tags of each purge; None is a purge of everything. `failures` are the next answers of the API.

    `hang` keeps a request to the API until it is set.
    """

    kind: CdnKind
    origin: str
    url: str = ""
    token: str = TOKEN
    failures: list[Failure] = field(default_factory=list)
    purges: list[frozenset[str] | None] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)
    cached: dict[str, CachedResponse] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    hang: threading.Event | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _requests: float = 0.0
    _counted_s: float = 0.0

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a site that purges this CDN."""
        if self.kind == "varnish":
            return {"KINFOLK_CDN": self.kind, "KINFOLK_CDN_API": self.url}
        address = self.url + ("/purge" if self.kind == "hook" else "")
        settings = {"KINFOLK_CDN": self.kind, "KINFOLK_CDN_TOKEN": TOKEN, "KINFOLK_CDN_API": address}
        return settings if self.kind == "hook" else {**settings, "KINFOLK_CDN_ID": ID}

    @property
    def lacking_requests(self) -> float:
        """Requests that the bucket lacks to be full."""
        refilled = (self.clock() - self._counted_s) * REFILL.get(self.kind, 0.0)
        return max(0.0, self._requests - refilled)

    def lookup(self, path: str) -> CachedResponse | None:
        """The cached response, while it is fresh."""
        found = self.cached.get(path)
        return found if found is not None and self.clock() < found.expires_s else None

    def store(self, path: str, status: int, headers: Headers, body: bytes) -> None:
        """Cache a response as long as its headers say."""
        lifetime_s = self._lifetime_s(headers)
        if lifetime_s:
            tags = headers.get(TAG_HEADERS[self.kind], "")
            assert len(tags) <= LARGEST_TAG_HEADER[self.kind]
            names = frozenset(tags.split(" " if self.kind == "fastly" else ",")) - {""}
            with self._lock:
                self.cached[path] = CachedResponse(status, headers, body, names, self.clock() + lifetime_s)

    def _lifetime_s(self, headers: Headers) -> int:
        targeted = {"cloudflare": "cdn-cache-control", "fastly": "surrogate-control"}.get(self.kind, "")
        own = headers.get(targeted)
        cache_control = headers.get("cache-control", "")
        if own is None and re.search("no-store|private|no-cache", cache_control):
            return 0
        found = re.search(r"s-maxage=(\d+)", cache_control) if own is None else None
        found = found or re.search(r"max-age=(\d+)", cache_control if own is None else own)
        return int(found[1]) if found else 0

    def handle_api(self, path: str, headers: Headers, body: bytes) -> Failure:
        """The answer to a request to the API."""
        if self.hang is not None:
            self.hang.wait(30)
        if self.failures:
            failure = self.failures.pop(0)
            self.refusals.append(failure[0])
            return failure
        answer = self._answer(path, headers, json.loads(body or b"{}"), body)
        if answer[0] >= 400:
            self.refusals.append(answer[0])
        return answer

    def _answer(self, path: str, headers: Headers, data: dict[str, object], body: bytes) -> Failure:
        self._requests, self._counted_s = self.lacking_requests, self.clock()
        if self._requests + 1 > BURST[self.kind]:
            return 429, {"retry-after": "1"}, "{}"
        self._requests += 1
        match self.kind:
            case "cloudflare":
                return self._answer_as_cloudflare(path, headers, data)
            case "fastly":
                return self._answer_as_fastly(path, headers, data)
            case "bunny":
                return self._answer_as_bunny(path, headers, data)
            case "hook":
                digest = hmac.new(self.token.encode(), body, hashlib.sha256).hexdigest()
                if path != "/purge" or headers.get("x-kinfolk-signature") != f"sha256={digest}":
                    return 401, {}, ""
                return self._purge(None if data["all"] else data["tags"], most=100, answer=(204, {}, ""))
            case "varnish":
                names = headers.get(CACHE_TAG, "")
                return self._purge(None if names == "*" else names.split(","), most=100, answer=(200, {}, "Banned"))

    def _answer_as_cloudflare(self, path: str, headers: Headers, data: dict[str, object]) -> Failure:
        if headers.get("authorization") != f"Bearer {self.token}":
            return 403, {}, '{"success": false, "errors": [{"code": 10000, "message": "Authentication error"}]}'
        if path != f"/client/v4/zones/{ID}/purge_cache":
            return 404, {}, '{"success": false, "errors": [{"code": 7003}]}'
        tags = None if data.get("purge_everything") is True else data["tags"]
        return self._purge(tags, most=100, answer=(200, {}, f'{{"success": true, "result": {{"id": "{ID}"}}}}'))

    def _answer_as_fastly(self, path: str, headers: Headers, data: dict[str, object]) -> Failure:
        if headers.get("fastly-key") != self.token:
            return 401, {}, '{"msg": "Provided credentials are missing or invalid"}'
        if path == f"/service/{ID}/purge_all":
            return self._purge(None, most=0, answer=(200, {}, '{"status": "ok"}'))
        if path == f"/service/{ID}/purge":
            return self._purge(data["surrogate_keys"], most=256, answer=(200, {}, '{"key": "108-1391560174-974124"}'))
        return 404, {}, '{"msg": "Record not found"}'

    def _answer_as_bunny(self, path: str, headers: Headers, data: dict[str, object]) -> Failure:
        if headers.get("accesskey") != self.token:
            return 401, {}, '{"Message": "Authorization has been denied for this request."}'
        if path != f"/pullzone/{ID}/purgeCache":
            return 404, {}, "{}"
        return self._purge([data["CacheTag"]] if "CacheTag" in data else None, most=1, answer=(204, {}, ""))

    def _purge(self, tags: object, *, most: int, answer: Failure) -> Failure:
        if tags is None:
            self.cached.clear()
            self.purges.append(None)
            return answer
        assert isinstance(tags, list)
        if not 0 < len(tags) <= most or not all(re.fullmatch("[!-~]{1,1024}", str(tag)) for tag in tags):
            return 400, {}, '{"success": false, "errors": [{"code": 1093}]}'
        stale = frozenset(map(str, tags))
        with self._lock:
            self.cached = {path: found for path, found in self.cached.items() if not found.tags & stale}
        self.purges.append(stale)
        return answer


@contextmanager
def serve_cdn(kind: CdnKind, *, origin: str = "") -> Iterator[CdnStandIn]:
    """The API at POST and BAN requests and the cache at GET requests, until the end of the block."""
    cdn = CdnStandIn(kind, origin)

    class CdnHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(*cdn.handle_api(self.path, headers, self.rfile.read(length)))

        def do_BAN(self) -> None:
            self.do_POST()

        def do_GET(self) -> None:
            found = cdn.lookup(self.path)
            if found is not None:
                self._send(found.status, {"x-cache": "HIT"}, found.body.decode())
                return
            answer = httpx.get(cdn.origin + self.path, headers={"accept-encoding": "identity"}, timeout=30)
            cdn.store(self.path, answer.status_code, answer.headers, answer.content)
            self._send(answer.status_code, {"x-cache": "MISS"}, answer.text)

        def _send(self, status: int, headers: Mapping[str, str], body: str) -> None:
            raw = body.encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # the client may have disconnected
                self.send_response(status)
                for name, value in ({**headers, "content-length": str(len(raw))}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

        def log_message(self, format: str, *arguments: object) -> None:
            del format, arguments

    server = ThreadingHTTPServer(("127.0.0.1", 0), CdnHandler)
    cdn.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield cdn
    finally:
        if cdn.hang is not None:
            cdn.hang.set()
        server.shutdown()
        server.server_close()
        thread.join()

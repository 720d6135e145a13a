"""A stand-in, on loopback, for GitHub's API of repositories and for npm's search, that also misbehaves.

with serve_figures() as server:
    server.replies["/repos/TanStack/query"] = text_reply(500, "")
    GitHubRepository("", now=clock, api=server.url)
    NpmDependents(server.search, now=clock)
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

HTML = "<!doctype html><h1>API rate limit exceeded</h1>"
SEARCH = "/-/v1/search"

Reply = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class ReceivedRequest:
    """`headers` have names in lower case."""

    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]


@dataclass
class FigureServer:
    """`replies` handle requests by their path; all others get what the figures below say."""

    url: str
    stars: dict[str, int] = field(default_factory=dict)
    contributors: dict[str, int] = field(default_factory=dict)
    dependents: dict[str, object] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    requests: list[ReceivedRequest] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def search(self) -> str:
        return self.url + SEARCH

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = ReceivedRequest(url.path, parse_qs(url.query), headers)
        self.requests.append(request)
        with suppress(BrokenPipeError, ConnectionResetError):  # the client may have disconnected
            reply: Reply = self.replies.get(url.path) or partial(self._reply, request)
            reply(handler)

    def _reply(self, request: ReceivedRequest, handler: BaseHTTPRequestHandler) -> None:
        if request.path == SEARCH:
            name = request.query["text"][0]
            return search_reply((f"{name}-like", 7), (name, self.dependents.get(name)))(handler)
        repository = request.path.removeprefix("/repos/").removesuffix("/contributors")
        if repository not in self.stars:
            return text_reply(404, '{"message": "Not Found"}')(handler)
        if request.path.endswith("/contributors"):
            return contributors_reply(self.contributors.get(repository, 0))(handler)
        return repository_reply(repository, self.stars[repository])(handler)


def send(handler: BaseHTTPRequestHandler, status: int, body: str, headers: dict[str, str]) -> None:
    """Send an answer; 304 if the request has its ETag."""
    raw = body.encode()
    etag = f'W/"{blake2b(raw + repr(headers).encode(), digest_size=8).hexdigest()}"'
    if status == 200 and handler.headers.get("if-none-match") == etag:
        status, raw = 304, b""
    handler.send_response(status)
    for name, value in {"etag": etag, **headers}.items():
        handler.send_header(name, value)
    if status not in (204, 304):
        handler.send_header("content-length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)


def text_reply(status: int, body: str, **headers: str) -> Reply:
    """An answer with these headers; `_` in their names is a hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: send(handler, status, body, named)


def repository_reply(full_name: object, stars: object, **headers: str) -> Reply:
    return text_reply(200, json.dumps({"id": 1, "full_name": full_name, "stargazers_count": stars}), **headers)


def contributors_reply(count: int, **headers: str) -> Reply:
    """A page of one contributor, as GitHub answers it."""
    last = f'<https://api.github.com/repositories/1/contributors?per_page=1&anon=1&page={count}>; rel="last"'
    following = '<https://api.github.com/repositories/1/contributors?per_page=1&anon=1&page=2>; rel="next"'
    link = {"link": f"{following}, {last}"} if count > 1 else {}
    listed = [{"login": "first", "contributions": 900}] if count else []
    return text_reply(200, json.dumps(listed), **link, **headers)


def search_reply(*found: tuple[str, object]) -> Reply:
    """Packages with their dependents; without the field for None."""
    results = [
        {"package": {"name": name, "version": "1.0.0"}, **({} if count is None else {"dependents": count})}
        for name, count in found
    ]
    return text_reply(200, json.dumps({"objects": results, "total": len(results)}))


@contextmanager
def serve_figures() -> Iterator[FigureServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stand_in.handle(self)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in = FigureServer(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.released.set()
        server.shutdown()
        server.server_close()
        thread.join()

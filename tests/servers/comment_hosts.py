"""A stand-in, on loopback, for the comments of GitHub, GitLab and Forgejo, that also misbehaves.

with serve_comments() as server:
    server.failures = [(500, {}, ""), (403, {"retry-after": "7"}, "")]
    CommentClient({"github.com": "token"}, "secret", now=clock, github_api=server.url)
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

Failure = tuple[int, dict[str, str], str]
_LIST = re.compile(
    r"(?:/api/v\d)?/(?:repos/(?P<repo>[^/]+/[^/]+)/issues|projects/(?P<project>[^/]+)/merge_requests)"
    r"/(?P<number>\d+)/(?:comments|notes)"
)
_ONE = re.compile(r"(?:/api/v\d)?/(?:repos/[^/]+/[^/]+/issues/comments|projects/[^/]+/merge_requests/\d+/notes)/(\d+)")


@dataclass
class CommentServer:
    """`comments` are those of each pull request, as `owner/name#number`: their id and text. `failures` come first."""

    url: str
    comments: dict[str, dict[int, str]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    authorizations: set[str] = field(default_factory=set)
    delay_s: float = 0.0
    page_size: int = 100

    def add(self, subject: str, text: str) -> int:
        id = 1 + max((id for found in self.comments.values() for id in found), default=0)
        self.comments.setdefault(subject, {})[id] = text
        return id

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        length = int(handler.headers.get("content-length", 0))
        data = json.loads(handler.rfile.read(length)) if length else {}
        self.requests.append((handler.command, url.path))
        self.authorizations.add(handler.headers.get("authorization", ""))
        time.sleep(self.delay_s)
        if self.failures:
            return _send(handler, *self.failures.pop(0))
        listed, one = _LIST.fullmatch(url.path), _ONE.fullmatch(url.path)
        if listed:
            subject = f"{listed['repo'] or unquote(listed['project'])}#{listed['number']}"
            if handler.command == "POST":
                return _send(handler, 201, {}, json.dumps({"id": self.add(subject, data["body"])}))
            return self._send_page(handler, subject, int(parse_qs(url.query)["page"][0]))
        if one and handler.command in ("PATCH", "PUT"):
            for found in self.comments.values():
                if int(one[1]) in found:
                    found[int(one[1])] = data["body"]
                    return _send(handler, 200, {}, json.dumps({"id": int(one[1])}))
        return _send(handler, 404, {}, '{"message": "Not Found"}')

    def _send_page(self, handler: BaseHTTPRequestHandler, subject: str, page: int) -> None:
        known = sorted(self.comments.get(subject, {}).items())
        shown = known[(page - 1) * self.page_size : page * self.page_size]
        more = len(known) > page * self.page_size
        links = {"link": f'<{self.url}/next?page={page + 1}>; rel="next"'} if more else {}
        _send(handler, 200, links, json.dumps([{"id": id, "body": text} for id, text in shown]))


def _send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: str) -> None:
    raw = body.encode()
    with suppress(BrokenPipeError, ConnectionResetError):  # the client may have disconnected
        handler.send_response(status)
        for name, value in (headers | {"content-length": str(len(raw))}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(raw)


@contextmanager
def serve_comments() -> Iterator[CommentServer]:
    """The server, until the end of the block."""

    class CommentHandler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            comments.handle(self)

        do_GET = do_POST = do_PATCH = do_PUT = _handle  # noqa: N815 - named by http.server

        def log_message(self, format: str, *arguments: object) -> None:
            del format, arguments

    server = ThreadingHTTPServer(("127.0.0.1", 0), CommentHandler)
    comments = CommentServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield comments
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

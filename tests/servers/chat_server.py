"""A stand-in, on loopback, for a service with OpenAI's chat protocol, that also misbehaves.

with serve_chat() as chat:
    chat.reply = answer_reply("Caching is on by default. [1]")
    ChatService(chat.url, key="", model="")
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ChatReply = Callable[[BaseHTTPRequestHandler], None]
DONE = "data: [DONE]\n\n"


@dataclass(frozen=True)
class ReceivedChat:
    """A request. `headers` have names in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return [message["content"] for message in self.body["messages"]]


@dataclass
class ChatServer:
    """`reply` answers each request. `released` ends replies that stall; `left` is set when a client has left one."""

    url: str
    reply: ChatReply
    requests: list[ReceivedChat] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length", "0"))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.requests.append(ReceivedChat(handler.path, headers, json.loads(handler.rfile.read(length))))
        with suppress(BrokenPipeError, ConnectionResetError):
            self.reply(handler)

    def stalling(self, *pieces: str) -> ChatReply:
        """Send pieces, then comments that keep the connection open, and no further text."""

        def reply(handler: BaseHTTPRequestHandler) -> None:
            begin(handler)
            for piece in pieces:
                write(handler, chunk(piece))
            try:
                while not self.released.wait(0.02):
                    write(handler, ": keep-alive\n\n")
            except (BrokenPipeError, ConnectionResetError):
                self.left.set()

        return reply

    def silent(self, handler: BaseHTTPRequestHandler) -> None:
        """Accept the request and send nothing."""
        self.released.wait(60)
        handler.close_connection = True


def begin(handler: BaseHTTPRequestHandler, status: int = 200, content_type: str = "text/event-stream") -> None:
    handler.send_response(status)
    handler.send_header("content-type", content_type)
    handler.send_header("connection", "close")
    handler.end_headers()


def write(handler: BaseHTTPRequestHandler, text: str) -> None:
    handler.wfile.write(text.encode())
    handler.wfile.flush()


def chunk(piece: str | None, finish: str | None = None) -> str:
    """One event with a piece of the answer."""
    delta = {} if piece is None else {"content": piece}
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]})}\n\n"


def answer_reply(*pieces: str) -> ChatReply:
    """A complete answer in pieces; a single text is cut into pieces of seven characters."""
    if len(pieces) == 1:
        (text,) = pieces
        pieces = tuple(text[at : at + 7] for at in range(0, len(text), 7))

    def reply(handler: BaseHTTPRequestHandler) -> None:
        begin(handler)
        write(handler, "".join(chunk(piece) for piece in pieces) + chunk(None, "stop") + DONE)

    return reply


def raw_reply(body: str, *, status: int = 200, content_type: str = "text/event-stream") -> ChatReply:
    """Any body, after which the connection is closed."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        begin(handler, status, content_type)
        write(handler, body)

    return reply


@contextmanager
def serve_chat() -> Iterator[ChatServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            chat.handle(self)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    chat = ChatServer(f"http://127.0.0.1:{server.server_port}/v1", answer_reply("NOT_IN_DOCS"))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        chat.released.set()
        server.shutdown()
        server.server_close()
        thread.join()

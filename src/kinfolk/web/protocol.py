"""HTTP/1.1 as uvicorn speaks it, except that a page which is kept is sent before anything is built to answer it.

A request then costs little more than reading it and writing the page: several times less than through ASGI, which most
readers never get to (decisions/0009-uvicorn.md).
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from kinfolk.web.app import Kinfolk

LARGEST_HEAD = 64 << 10
"""Bytes of headers after those that came first. Browsers and proxies keep to a quarter of it."""
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class ReaderProtocol(HttpToolsProtocol):
    """One connection. Whatever is not a plain GET of a kept page is uvicorn's to answer."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        if not isinstance(self.app, Kinfolk):
            raise TypeError("this protocol serves Kinfolk only")
        self._pages = self.app.pages
        self._in_head = False
        self._head_bytes = 0
        self._heard_at = 0.0

    def data_received(self, data: bytes) -> None:
        """Give up on whoever sends headers without an end, and on whoever stops in the middle of them."""
        was_in_head = self._in_head
        # uvicorn ends the wait for a request and begins another with every request, which costs as much as answering.
        waiting, self.timeout_keep_alive_task = self.timeout_keep_alive_task, None
        super().data_received(data)
        if was_in_head and self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LARGEST_HEAD:
                self.transport.write(_TOO_LARGE)
                self.transport.close()
        if self.timeout_keep_alive_task is None and self._is_idle() and not self.transport.is_closing():
            self._heard_at = self.loop.time()
            self.timeout_keep_alive_task = waiting or self._wait(self.timeout_keep_alive)
        elif waiting is not None:
            waiting.cancel()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, unless something came since the wait began."""
        rest_s = self._heard_at + self.timeout_keep_alive - self.loop.time()
        if rest_s > 0:
            self.timeout_keep_alive_task = self._wait(rest_s)
        else:
            super().timeout_keep_alive_handler()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """Answer at once where that is possible."""
        self._in_head = False
        if not self._answer_kept():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Nobody reads what came with a request that is answered."""
        if self.cycle is not None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self.cycle is not None:
            super().on_message_complete()

    def _wait(self, seconds: float) -> TimerHandle:
        return self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def _is_idle(self) -> bool:
        """Whether no answer is under way."""
        return self.cycle is None or self.cycle.response_complete

    def _answer_kept(self) -> bool:
        parser = self.parser
        if parser.get_method() != b"GET" or not self._is_idle() or self.flow.write_paused:
            return False
        if parser.get_http_version() != "1.1" or not parser.should_keep_alive() or parser.should_upgrade():
            return False
        reply = self._pages.kept(self.url, self.headers)
        if reply is None:
            return False
        date = [b"%b: %b\r\n" % header for header in self.server_state.default_headers]
        # In one piece: uvloop writes a single one much faster than several.
        self.transport.write(b"".join((reply.head, *date, b"\r\n", reply.body)))
        self.cycle = None  # type: ignore[assignment]  # as at the start of a connection
        self.server_state.total_requests += 1
        return True

"""The base path at the edge: requests lose it, and headers of responses get it. Nothing inside knows of it."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kinfolk.config.base_path import BasePath

ADDRESS_HEADERS = frozenset({b"location", b"content-location"})
EVERYWHERE = frozenset({"/healthz", "/readyz"})
"""Addresses that a load balancer requests, which does not know of the base path."""
_OUTSIDE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>404 Not Found</title><h1>404 Not Found</h1>
<p>There is no page at this address. This site begins at <a href="{path}/">{path}/</a>.</p></html>"""


class BasePathMiddleware:
    """An ASGI application around another one. Without a base path, it does not exist."""

    def __init__(self, app: ASGIApp, base: BasePath) -> None:
        self._app = app
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in EVERYWHERE:
            return await self._app(scope, receive, send)
        path = self._base.strip(scope["path"])
        raw = self._base.strip(bytes(scope.get("raw_path") or scope["path"].encode()))
        if path is None or raw is None:
            return await self._answer_outside(scope, send)
        if scope["path"] == self._base.path:
            # Relative addresses of a reader start at the folder.
            return await self._redirect(scope, send)
        return await self._app({**scope, "path": path, "raw_path": raw}, receive, self._wrap(send))

    def _wrap(self, send: Send) -> Send:
        """A `send` that adds the base path to addresses and cookies."""

        async def send_with_base(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, self._header(name.lower(), value)) for name, value in message.get("headers", ())]
                message = {**message, "headers": headers}
            await send(message)

        return send_with_base

    def _header(self, name: bytes, value: bytes) -> bytes:
        if name in ADDRESS_HEADERS:
            return self._base.add(value.decode("latin-1")).encode("latin-1")
        if name == b"set-cookie" and not value.startswith(b"__Host-"):
            parts = value.decode("latin-1").split("; ")
            scoped = (f"Path={self._base.path}/" if part.lower() == "path=/" else part for part in parts)
            return "; ".join(scoped).encode("latin-1")
        return value

    async def _redirect(self, scope: Scope, send: Send) -> None:
        query = scope["query_string"].decode("latin-1")
        location = f"{self._base.path}/" + (f"?{query}" if query else "")
        await _send(scope, send, 308, b"", [(b"location", location.encode("latin-1"))])

    async def _answer_outside(self, scope: Scope, send: Send) -> None:
        """The root of the host leads to the site. All other addresses outside of the base path are missing."""
        if scope["path"] == "/":
            await _send(scope, send, 307, b"", [(b"location", f"{self._base.path}/".encode())])
            return
        body = _OUTSIDE.format(path=escape(self._base.path)).encode()
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store")]
        await _send(scope, send, HTTPStatus.NOT_FOUND, body, headers)


async def _send(scope: Scope, send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    headers = [*headers, (b"content-length", str(len(body)).encode()), (b"x-content-type-options", b"nosniff")]
    start: dict[str, Any] = {"type": "http.response.start", "status": int(status), "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

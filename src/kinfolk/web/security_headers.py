"""Headers that every answer has, whatever made it: nosniff, and HSTS where the operator sets it."""

from __future__ import annotations

from http import HTTPStatus

from starlette.types import Message, Send

NOSNIFF = (b"x-content-type-options", b"nosniff")

Headers = list[tuple[bytes, bytes]]


class SecurityHeaders:
    """Adds the headers to answers over ASGI, and writes them for answers that a protocol class sends itself."""

    def __init__(self, hsts_s: int) -> None:
        self._hsts = [(b"strict-transport-security", b"max-age=%d" % hsts_s)] if hsts_s else []
        self._server_headers: Headers = []
        self._ending = b""
        self._ending = self._written([])

    def around(self, send: Send) -> Send:
        """`send`, with the headers added where an answer lacks them."""

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                headers += [header for header in (NOSNIFF, *self._hsts) if header[0] not in present]
                message = {**message, "headers": headers}
            await send(message)

        return complete

    def ending(self, server_headers: Headers) -> bytes:
        """What follows the headers of a cached page: the server's own headers, HSTS and the empty line.

        A server replaces its list of headers once a second, when the date changes; until then the text is the same.
        """
        if server_headers is not self._server_headers:
            self._server_headers, self._ending = server_headers, self._written(server_headers)
        return self._ending

    def refusal(self, status: int, text: str, server_headers: Headers, *, retry_after_s: int | None = None) -> bytes:
        """A whole answer in plain text, after which the connection is closed."""
        body = text.encode("ascii")
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(body)),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
            NOSNIFF,
        ]
        if retry_after_s is not None:
            headers.append((b"retry-after", b"%d" % retry_after_s))
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode("ascii")
        return b"".join((head, _lines(headers), self._written(server_headers), body))

    def _written(self, server_headers: Headers) -> bytes:
        return _lines([*server_headers, *self._hsts]) + b"\r\n"


def _lines(headers: Headers) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)

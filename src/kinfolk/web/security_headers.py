"""Security headers: of all responses (nosniff, and HSTS where it is configured), and of pages."""

from __future__ import annotations

from http import HTTPStatus

from starlette.types import Message, Send

REQUEST_ID = b"x-request-id"
NOSNIFF = (b"x-content-type-options", b"nosniff")
PAGE_HEADERS = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    ("cross-origin-opener-policy", "same-origin"),
)
"""The Content-Security-Policy of a page is in `kinfolk.rendering.content_security_policy`."""

Headers = list[tuple[bytes, bytes]]


class SecurityHeaders:
    """Adds the headers to ASGI responses, and serializes them for responses of the protocol class."""

    def __init__(self, hsts_s: int) -> None:
        self._hsts = [(b"strict-transport-security", b"max-age=%d" % hsts_s)] if hsts_s else []
        self._server_headers: Headers = []
        self._ending = b""
        self._ending = self._serialize([])

    def wrap(self, send: Send, request_id: str = "") -> Send:
        """A `send` that adds the headers to responses without them, and the id of the request, which the log has."""
        named = [(REQUEST_ID, request_id.encode("ascii"))] if request_id else []

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                headers += [header for header in (NOSNIFF, *self._hsts, *named) if header[0] not in present]
                message = {**message, "headers": headers}
            await send(message)

        return send_with_headers

    def ending(self, server_headers: Headers) -> bytes:
        """The end of the head of a cached page: the server's headers, HSTS and the empty line.

        uvicorn creates a new list of headers once a second, when the date changes; until then the result is cached.
        """
        if server_headers is not self._server_headers:
            self._server_headers, self._ending = server_headers, self._serialize(server_headers)
        return self._ending

    def refusal(
        self,
        status: int,
        text: str,
        server_headers: Headers,
        *,
        retry_after_s: int | None = None,
        request_id: str = "",
    ) -> bytes:
        """A full response in plain text with `connection: close`."""
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
        if request_id:
            headers.append((REQUEST_ID, request_id.encode("ascii")))
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode("ascii")
        return b"".join((head, _lines(headers), self._serialize(server_headers), body))

    def _serialize(self, server_headers: Headers) -> bytes:
        return _lines([*server_headers, *self._hsts]) + b"\r\n"


def _lines(headers: Headers) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)

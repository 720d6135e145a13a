"""Parts of the HTTP/1.1 protocol class: rejected requests, paused reading, and the measured size of a request."""

from __future__ import annotations

import select
from asyncio import Transport

from uvicorn.protocols.http.flow_control import FlowControl

from kinfolk.runtime.telemetry.request_identity import identify
from kinfolk.web.protocol.client_limits import MAX_HEAD_BYTES

EVENT_STREAM_PATH = "/api/live"
"""The path of the responses that do not end."""
IS_WRITE_PAUSED = "kinfolk.is_write_paused"
"""The key in the ASGI scope of a function: whether the client reads more slowly than the server writes."""


class RejectedRequest(Exception):
    """Ends parsing. Status 0 means no response: for bytes after the last request, or an answered request."""

    def __init__(self, status: int, reason: str, text: str = "") -> None:
        super().__init__(text)
        self.status, self.reason, self.text = status, reason, text
        self.request_id = identify((), trusted=False).request_id if status else ""


class HeldFlow(FlowControl):
    """Flow control that stays paused while it is held, also when the application requests more of a body."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._transport = transport
        self._held = False

    def hold(self) -> None:
        self._held = True
        self.pause_reading()

    def release(self) -> None:
        self._held = False
        self.resume_reading()

    @property
    def has_unread(self) -> bool:
        """Whether the client has sent what the event loop has not read yet: the loop may be late."""
        connected = self._transport.get_extra_info("socket")
        if connected is None:
            return False
        arrived = select.poll()
        arrived.register(connected.fileno(), select.POLLIN)
        return bool(arrived.poll(0))

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            super().pause_reading()

    def resume_reading(self) -> None:
        if not self._held and not self._transport.is_closing():
            super().resume_reading()


class RequestSize:
    """Bytes of a request so far. The caller adds the bytes of the body to `body`."""

    def __init__(self) -> None:
        self.body = 0
        self._body_before = 0
        self._framing = 0
        self._without_body = 0

    def add(self, size: int) -> bool:
        """Count parsed bytes. Returns whether too many of the request are outside its body.

        httptools buffers the name and value of each header and trailer. Each chunk costs a call, so chunks must contain
        at least as many bytes as their framing.
        """
        body, self._body_before = self.body - self._body_before, self.body
        self._framing += size - body
        self._without_body = 0 if body else self._without_body + size
        return self._without_body > MAX_HEAD_BYTES or self._framing > MAX_HEAD_BYTES + self.body

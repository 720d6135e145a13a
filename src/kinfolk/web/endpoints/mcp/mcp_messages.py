"""Messages of `/mcp` outside of the SDK: the first check of a body, refusals, and a response as one value."""

from __future__ import annotations

from http import HTTPStatus

import orjson
from starlette.responses import Response
from starlette.types import Message

from kinfolk.runtime.budget import OverBudget, check_shape
from kinfolk.runtime.errors import SiteError
from kinfolk.web.responses import NO_STORE, NOSNIFF

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
"""Codes of https://www.jsonrpc.org/specification#error_object."""


class InvalidMessage(SiteError):
    """`rpc_code` is the code of the error in JSON-RPC."""

    code = "invalid"
    status = 400

    def __init__(self, message: str, *, rpc_code: int) -> None:
        super().__init__(message)
        self.rpc_code = rpc_code


class TooManyRequests(SiteError):
    code = "too_many"
    status = 429

    def __init__(self, message: str, *, limit: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.limit, self.retry_after_s = limit, retry_after_s


def check_message(body: bytes) -> None:
    """Raises InvalidMessage for a body that is not one request or notification of JSON-RPC 2.0."""
    try:
        message: object = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        raise InvalidMessage(f"The body is not JSON: {str(wrong)[:120]}", rpc_code=PARSE_ERROR) from None
    if isinstance(message, list):
        raise InvalidMessage("Batches are not supported: send one message in each request", rpc_code=INVALID_REQUEST)
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise InvalidMessage("The body is not a message of JSON-RPC 2.0 with a method", rpc_code=INVALID_REQUEST)
    try:
        check_shape("function", message)
    except OverBudget as exceeded:
        raise InvalidMessage(exceeded.message, rpc_code=INVALID_REQUEST) from None


class CollectedResponse:
    """An ASGI response as one value. It has no stream: all answers are JSON."""

    def __init__(self) -> None:
        self._status = HTTPStatus.INTERNAL_SERVER_ERROR.value
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
        else:
            self._body += message.get("body", b"")

    def response(self) -> Response:
        headers = {name: value for name, value in self._headers.items() if name != "content-length"}
        return Response(bytes(self._body), self._status, headers={**headers, **NO_STORE, **NOSNIFF})

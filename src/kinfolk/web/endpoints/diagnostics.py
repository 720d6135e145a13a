"""`/_diagnostics`: how requests arrive at this server, for `kinfolk doctor` behind its proxies.

Only a client that can write to `var` gets an answer: it creates a file there whose name is the digest of a random
token, and sends the token. The file is valid for a minute. To all others, the address does not exist.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from kinfolk.config.settings import Settings
from kinfolk.web.protocol.client_address import exact_client_address, is_trusted

PATH = "/_diagnostics"
STREAM_PATH = f"{PATH}/stream"
HEADER = "x-kinfolk-diagnostics"
VALID_S = 60.0
PIECES = 3
PAUSE_S = 0.4
"""Between two pieces of the stream: a proxy that buffers it passes them on together."""
_TOKEN = re.compile("[0-9a-f]{64}")
_SHOWN = "host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "accept-encoding", "via"
_LONGEST = 500


@contextmanager
def diagnostic_token(var: Path) -> Iterator[str]:
    """A token that the server of this `var` accepts until the end of the block. Raises OSError."""
    token = secrets.token_hex(32)
    file = token_file(var, token)
    file.touch(mode=0o600, exist_ok=False)
    try:
        yield token
    finally:
        file.unlink(missing_ok=True)


def token_file(var: Path, token: str) -> Path:
    return var / f"diagnostics-{sha256(token.encode()).hexdigest()}.token"


class DiagnosticEndpoint:
    """The routes of both addresses."""

    def __init__(self, settings: Settings, *, now_s: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._now_s = now_s

    def routes(self) -> list[Route]:
        return [Route(PATH, self._describe), Route(STREAM_PATH, self._stream)]

    async def _describe(self, request: Request) -> Response:
        if not await asyncio.to_thread(self._is_allowed, request):
            return _not_found()
        peer = request.client.host if request.client else ""
        forwarded_for = ",".join(request.headers.getlist("x-forwarded-for"))
        trusted = self._settings.trusted_proxies
        report = {
            "peer": peer,
            "peer_is_trusted": is_trusted(peer, trusted),
            "client": exact_client_address(peer, forwarded_for, trusted),
            "http_version": str(request.scope.get("http_version", "")),
            "headers": {name: ",".join(request.headers.getlist(name))[:_LONGEST] for name in _SHOWN},
            "nonce": secrets.token_hex(8),
        }
        return JSONResponse(report, headers={"cache-control": "no-store"})

    async def _stream(self, request: Request) -> Response:
        if not await asyncio.to_thread(self._is_allowed, request):
            return _not_found()
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(_pieces(), media_type="text/event-stream", headers=headers)

    def _is_allowed(self, request: Request) -> bool:
        token = request.headers.get(HEADER, "")
        if not _TOKEN.fullmatch(token):
            return False
        try:
            found = token_file(self._settings.var, token).lstat()
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and abs(self._now_s() - found.st_mtime) <= VALID_S


async def _pieces() -> AsyncIterator[bytes]:
    for number in range(PIECES):
        if number:
            await asyncio.sleep(PAUSE_S)
        yield b"data: %d\n\n" % number


def _not_found() -> Response:
    return PlainTextResponse("Not Found", 404, headers={"cache-control": "no-store"})

"""A text as gzip, the form in which most clients take it and in which it is kept; the others get it unpacked."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kinfolk.ssr.page import preferred

_GZIP = 31
"""zlib's word for the gzip format with the largest window."""
_CHUNK = 64 << 10
_STREAMED = 1 << 20
"""Larger texts are unpacked while they are sent."""


@dataclass(frozen=True)
class Packed:
    """`size` is that of the text unpacked; `digest` begins its ETag in either form."""

    content: bytes
    size: int
    digest: str

    def unpacked(self) -> Iterator[bytes]:
        """The text, never much of it at once."""
        stream = zlib.decompressobj(_GZIP)
        waiting = self.content
        while waiting:
            yield stream.decompress(waiting, _CHUNK)
            waiting = stream.unconsumed_tail
        yield stream.flush()


def pack(parts: Iterable[bytes]) -> Packed:
    """The parts as one text, none of which has to be in memory for longer than it takes to pack it."""
    packer = zlib.compressobj(6, wbits=_GZIP)
    digest = hashlib.blake2b(digest_size=12)
    packed = []
    size = 0
    for part in parts:
        digest.update(part)
        size += len(part)
        packed.append(packer.compress(part))
    packed.append(packer.flush())
    return Packed(b"".join(packed), size, digest.hexdigest())


def packed_response(request: Request, packed: Packed, headers: Mapping[str, str], *, vary: str = "") -> Response:
    """The text in the form that the request takes; nothing but its headers to HEAD and to those who have it."""
    zipped = preferred(request.headers.get("accept-encoding", "").encode("latin-1"), ("gzip",)) == "gzip"
    about = {
        **headers,
        "vary": f"accept-encoding, {vary}".removesuffix(", "),
        "etag": f'"{packed.digest}{"-gz" if zipped else ""}"',
        "x-content-type-options": "nosniff",
    }
    # Whoever has this text in either form has it; proxies also prefix W/ or add to the end.
    if f'"{packed.digest}' in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers=about)
    about |= {"content-length": str(len(packed.content) if zipped else packed.size)}
    if zipped:
        about |= {"content-encoding": "gzip"}
    if request.method == "HEAD":
        return Response(None, headers=about)
    if zipped:
        return Response(packed.content, headers=about)
    if packed.size <= _STREAMED:
        return Response(b"".join(packed.unpacked()), headers=about)
    return StreamingResponse(packed.unpacked(), headers=about)

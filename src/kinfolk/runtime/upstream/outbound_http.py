"""A limit for the bodies of responses from other servers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2


class LimitedTransport(httpx2.AsyncBaseTransport):
    """Raises httpx2.ReadError for a response with more than `limit` bytes, decoded content excluded."""

    def __init__(self, transport: httpx2.AsyncBaseTransport, *, limit: int) -> None:
        self._transport = transport
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        # Without it, a small body could decode to a large one.
        request.headers["accept-encoding"] = "identity"
        response = await self._transport.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.ReadError("The response is compressed", request=request)
        stream = response.stream
        if not isinstance(stream, httpx2.AsyncByteStream):
            raise TypeError("an asynchronous transport returned a synchronous stream")
        response.stream = _LimitedStream(stream, self._limit)
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > self._limit:
                raise httpx2.ReadError(f"The response is larger than {self._limit} bytes")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()

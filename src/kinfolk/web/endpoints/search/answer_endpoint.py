"""`POST /api/ask`: an answer to a question as lines of JSON, one for each event.

    {"question": "How do I cancel a query?", "library": "query", "framework": "", "version": "latest", "share": false}

    {"kind": "sources", "sections": [{"number": 1, "title": "…", "trail": ["…"], "library": "query", "to": "/query/…"}]}
    {"kind": "sentence", "text": "…", "sources": [1]}
    {"kind": "ended", "outcome": "answered"}        or "not_in_docs"
    {"kind": "failed", "message": "…"}              in place of the last

It exists only on a site whose settings name a service. A request that is refused gets a status and a message.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import orjson
import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import Invalid, SiteError, Unavailable
from kinfolk.search.answers.answer_events import (
    MAX_QUESTION_LENGTH,
    AnswerEnded,
    AnswerEvent,
    AnswerFailed,
    AnswerSentence,
    ReaderQuestion,
    SourcesFound,
)
from kinfolk.search.answers.answer_service import AnswerService
from kinfolk.web.protocol.client_address import request_client
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.protocol.token_buckets import TokenBuckets
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE
from kinfolk.web.same_origin import check_same_origin

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PATH = "/api/ask"
MAX_BODY_BYTES = 8 << 10
MAX_OPEN = 8
"""Answers that a worker process writes at the same time."""
BUSY_RETRY_S = 5
_HEADERS = [
    (b"content-type", b"application/x-ndjson; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class TooManyQuestions(SiteError):
    code = "rate"
    status = 429

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    question: str = Field(max_length=MAX_QUESTION_LENGTH)
    library: str = Field("", max_length=100)
    framework: str = Field("", max_length=100)
    version: str = Field("latest", max_length=100)
    share: bool = False


class AnswerEndpoint:
    """The ASGI application."""

    def __init__(
        self, answers: AnswerService, settings: Settings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._answers = answers
        self._settings = settings
        self._buckets = TokenBuckets(settings.ask_rate / 60, clock)
        self._running: set[asyncio.Task[None]] = set()
        self._open = 0

    @staticmethod
    def has(path: str) -> bool:
        return path == PATH

    def stop(self) -> None:
        """End all answers, because the server stops: their readers can ask again."""
        for task in tuple(self._running):
            task.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._respond(request, receive, send)
        except ClientDisconnect:
            return
        except SiteError as refused:
            response = self._refusal(request, refused)
        except Exception:
            log.exception("request crashed", path=PATH)
            response = JSONResponse({"message": "Something went wrong on our side"}, 500, headers=NO_STORE)
        if response is not None:
            await response(scope, receive, send)

    async def _respond(self, request: Request, receive: Receive, send: Send) -> Response | None:
        """A response for another method; None after the answer was sent. Raises SiteError before its first byte."""
        if request.method != "POST":
            return JSONResponse({"message": "Use POST"}, 405, headers={**NO_STORE, "allow": "POST"})
        check_same_origin(request, self._settings, strict=True)
        wait_s = self._buckets.take(request_client(request, self._settings), 1)
        if wait_s:
            raise TooManyQuestions(f"Too many questions. Try again in {wait_s} seconds.", retry_after_s=wait_s)
        question = _question(await read_body(request, MAX_BODY_BYTES))
        if self._open >= MAX_OPEN:
            raise TooManyQuestions("Too many readers ask at the moment. Try again soon.", retry_after_s=BUSY_RETRY_S)
        self._open += 1
        try:
            sections = await self._answers.sources(question)
            events = await self._answers.begin(question, sections)
            await self._stream(events, receive, send)
        finally:
            self._open -= 1
        return None

    async def _stream(self, events: AsyncGenerator[AnswerEvent], receive: Receive, send: Send) -> None:
        """Send the events until they end or the client leaves, which ends the request to the service."""
        writing = asyncio.create_task(_write(events, send))
        leaving = asyncio.create_task(_until_gone(receive))
        self._running.add(writing)
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._running.discard(writing)
            for task in (writing, leaving):
                task.cancel()
            (failure, _) = await asyncio.gather(writing, leaving, return_exceptions=True)
        if isinstance(failure, Exception):
            # The response has begun: its connection is closed without an end, which clients report as a failure.
            raise ClientDisconnect from failure

    def _refusal(self, request: Request, refused: SiteError) -> Response:
        log_refusal("answers", refused.code, address=request_client(request, self._settings))
        headers = dict(NO_STORE)
        if isinstance(refused, TooManyQuestions):
            headers["retry-after"] = str(refused.retry_after_s)
        elif isinstance(refused, Unavailable):
            headers["retry-after"] = str(BUSY_RETRY_S)
        return JSONResponse({"code": refused.code, "message": refused.message}, refused.status, headers=headers)


def _question(body: bytes) -> ReaderQuestion:
    """Raises Invalid."""
    try:
        given = _Body.model_validate_json(body)
    except ValidationError:
        raise Invalid("This is not a question: send JSON with `question`") from None
    text = " ".join(given.question.split())
    if not any(sign.isalnum() for sign in text):
        raise Invalid("Write a question first")
    return ReaderQuestion(text, given.library, given.framework, given.version, is_shared=given.share)


async def _write(events: AsyncGenerator[AnswerEvent], send: Send) -> None:
    async with aclosing(events):
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        async for event in events:
            await send({"type": "http.response.body", "body": _line(event), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _line(event: AnswerEvent) -> bytes:
    match event:
        case SourcesFound(sections):
            names = ("number", "title", "trail", "library", "to")
            written: dict[str, object] = {
                "kind": "sources",
                "sections": [{name: getattr(section, name) for name in names} for section in sections],
            }
        case AnswerSentence(text, sources):
            written = {"kind": "sentence", "text": text, "sources": sources}
        case AnswerEnded(outcome):
            written = {"kind": "ended", "outcome": outcome}
        case AnswerFailed(message):
            written = {"kind": "failed", "message": message}
    return orjson.dumps(written) + b"\n"


async def _until_gone(receive: Receive) -> None:
    """Until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass

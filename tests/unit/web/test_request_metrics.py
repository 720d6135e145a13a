"""Requests are counted and timed, and slow ones are logged."""

from __future__ import annotations

import pytest
import structlog
from prometheus_client import REGISTRY
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from tests.servers.captured_logs import captured_logs

from kinfolk.web.request_metrics import CLIENT_CLOSED, MAX_LOGGED_PER_S, RequestMetrics

pytestmark = pytest.mark.anyio

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/query/latest",
    "query_string": b"token=secret",
    "headers": [],
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


async def receive() -> Message:
    return {"type": "http.request", "body": b""}


async def send(_message: Message) -> None:
    pass


def count(kind: str, status: int) -> float:
    return REGISTRY.get_sample_value("kinfolk_requests_total", {"kind": kind, "status": str(status)}) or 0.0


@pytest.fixture(autouse=True)
def enabled_log() -> None:
    structlog.reset_defaults()


async def test_request_is_counted_by_kind_and_status() -> None:
    before = count("page", 404)
    await RequestMetrics(1.0).answer(PlainTextResponse("no", 404), "page", SCOPE, receive, send)
    assert count("page", 404) == before + 1


async def test_request_without_response_has_status_499() -> None:
    async def leave(_scope: Scope, _receive: Receive, _send: Send) -> None:
        pass

    before = count("search", CLIENT_CLOSED)
    await RequestMetrics(1.0).answer(leave, "search", SCOPE, receive, send)
    assert count("search", CLIENT_CLOSED) == before + 1


async def test_request_that_raises_is_counted_as_an_error() -> None:
    async def fail(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("broken")

    before = count("function", 500)
    with pytest.raises(RuntimeError, match="broken"):
        await RequestMetrics(1.0).answer(fail, "function", SCOPE, receive, send)
    assert count("function", 500) == before + 1


def slow(clock: Clock, seconds: float) -> PlainTextResponse:
    class SlowResponse(PlainTextResponse):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            clock.now_s += seconds
            await super().__call__(scope, receive, send)

    return SlowResponse("late")


async def test_slow_request_is_logged_without_its_query() -> None:
    clock = Clock()
    with captured_logs("slow request") as entries:
        await RequestMetrics(1.0, clock=clock).answer(slow(clock, 1.5), "page", SCOPE, receive, send)
    (entry,) = entries
    assert (entry["event"], entry["path"], entry["status"], entry["seconds"]) == (
        "slow request",
        "/query/latest",
        200,
        1.5,
    )
    assert "secret" not in str(entry)


async def test_time_of_a_slow_client_is_not_counted() -> None:
    clock = Clock()

    async def send_slowly(_message: Message) -> None:
        clock.now_s += 10

    with captured_logs("slow request") as entries:
        await RequestMetrics(1.0, clock=clock).answer(slow(clock, 0.5), "page", SCOPE, receive, send_slowly)
    assert entries == []


async def test_suppressed_slow_requests_are_counted_in_the_next_line() -> None:
    clock = Clock()
    requests = RequestMetrics(0.001, clock=clock)
    with captured_logs("slow request") as entries:
        for _ in range(MAX_LOGGED_PER_S + 5):
            await requests.answer(slow(clock, 0.002), "page", SCOPE, receive, send)
        clock.now_s += 1
        await requests.answer(slow(clock, 0.002), "page", SCOPE, receive, send)
    assert len(entries) == MAX_LOGGED_PER_S + 1
    assert entries[-1]["suppressed"] == 5

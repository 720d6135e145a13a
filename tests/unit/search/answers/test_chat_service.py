"""The client of a chat service, against a stand-in that streams, stalls and is rude."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import pytest
from tests.servers.chat_server import (
    DONE,
    ChatServer,
    answer_reply,
    begin,
    chunk,
    raw_reply,
    serve_chat,
    write,
)

from kinfolk.search.answers.chat_service import MAX_EVENT_BYTES, ChatFailed, ChatService, ChatTimeouts

pytestmark = pytest.mark.anyio
MESSAGES = [{"role": "user", "content": "What is cached?"}]
SHORT = ChatTimeouts(connect_s=2, first_s=0.3, next_s=0.3, total_s=5)
LONG = ChatTimeouts(connect_s=5, first_s=20, next_s=20, total_s=20)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with serve_chat() as chat:
        yield chat


def service(chat: ChatServer, timeouts: ChatTimeouts = LONG, *, key: str = "") -> ChatService:
    return ChatService(chat.url, key=key, model="small", timeouts=timeouts)


async def answer_of(service: ChatService) -> AsyncIterator[str]:
    async with aclosing(service.stream(MESSAGES)) as pieces:
        async for piece in pieces:
            yield piece


async def text_of(service: ChatService) -> str:
    return "".join([piece async for piece in answer_of(service)])


async def test_answer_arrives_in_pieces(chat: ChatServer) -> None:
    chat.reply = answer_reply("Caching ", "is ", "on. [1]")
    assert [piece async for piece in answer_of(service(chat, key="secret"))] == ["Caching ", "is ", "on. [1]"]
    (request,) = chat.requests
    assert (request.path, request.headers["authorization"]) == ("/v1/chat/completions", "Bearer secret")
    assert (request.body["stream"], request.body["model"], request.body["messages"]) == (True, "small", MESSAGES)


async def test_no_key_is_sent_without_one(chat: ChatServer) -> None:
    chat.reply = answer_reply("Yes.")
    assert await text_of(service(chat)) == "Yes."
    assert "authorization" not in chat.requests[0].headers


async def test_comments_empty_events_and_usage_are_skipped(chat: ChatServer) -> None:
    usage = 'data: {"choices": [], "usage": {"total_tokens": 9}}\n\n'
    role = 'data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}\n\n'
    chat.reply = raw_reply(f": hello\n\n{role}{chunk('Yes')}\r\n{chunk('.')}{usage}{DONE}")
    assert await text_of(service(chat)) == "Yes."


FAILURES = {
    "a redirect": raw_reply("", status=302),
    "not permitted": raw_reply('{"error": "no key"}', status=401),
    "an error of the server": raw_reply("<h1>Bad gateway</h1>", status=502, content_type="text/html"),
    "HTML": raw_reply("<h1>Sign in</h1>", content_type="text/html"),
    "JSON in one piece": raw_reply('{"choices": []}', content_type="application/json"),
    "invalid JSON": raw_reply("data: {oops\n\n"),
    "JSON of another protocol": raw_reply('data: {"choices": "none"}\n\n'),
    "an error in the stream": raw_reply(f'{chunk("Yes")}data: {{"error": {{"message": "overloaded"}}}}\n\n'),
    "a stream that is cut": raw_reply(chunk("Caching is on")),
    "a stream that is cut within an event": raw_reply(chunk("Caching is on") + 'data: {"choices": [{"del'),
    "an empty stream": raw_reply(""),
    "a huge line": raw_reply(f"data: {'x' * (4 * MAX_EVENT_BYTES)}\n\n{DONE}"),
    "a huge line without an end": raw_reply("x" * (4 * MAX_EVENT_BYTES)),
    "a binary file": raw_reply("data: \ufffd\x00\x01\n\n"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_rude_answer_fails_with_a_message_for_readers(chat: ChatServer, name: str) -> None:
    chat.reply = FAILURES[name]
    with pytest.raises(ChatFailed) as failed:
        await text_of(service(chat))
    assert failed.value.message == "The answer could not be completed. Try again in a moment."
    assert failed.value.reason


async def test_busy_service_says_when_to_try_again(chat: ChatServer) -> None:
    chat.reply = raw_reply("{}", status=429, content_type="application/json")
    with pytest.raises(ChatFailed, match="is busy"):
        await text_of(service(chat))


async def test_compressed_answer_is_refused(chat: ChatServer) -> None:
    def reply(handler: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.send_header("content-type", "text/event-stream")  # type: ignore[attr-defined]
        handler.send_header("content-encoding", "gzip")  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]

    chat.reply = reply
    with pytest.raises(ChatFailed) as failed:
        await text_of(service(chat))
    assert failed.value.reason == "the answer is compressed"


async def test_service_that_is_away_fails_at_once(chat: ChatServer) -> None:
    gone = ChatService("http://127.0.0.1:9", key="", model="", timeouts=LONG)
    with pytest.raises(ChatFailed) as failed:
        await text_of(gone)
    assert failed.value.reason.startswith("ConnectError")


async def test_service_that_sends_nothing_is_given_up(chat: ChatServer) -> None:
    chat.reply = chat.silent
    with pytest.raises(ChatFailed, match="took too long"):
        await text_of(service(chat, SHORT))


async def test_comments_do_not_extend_the_time(chat: ChatServer) -> None:
    chat.reply = chat.stalling("Caching is on. ")
    pieces = service(chat, SHORT).stream(MESSAGES)
    assert await anext(pieces) == "Caching is on. "
    with pytest.raises(ChatFailed, match="took too long"):
        await anext(pieces)


async def test_whole_answer_has_a_limit_of_time(chat: ChatServer) -> None:
    def drip(handler: object) -> None:
        begin(handler)  # type: ignore[arg-type]
        while not chat.released.wait(0.02):
            write(handler, chunk("word "))  # type: ignore[arg-type]

    chat.reply = drip
    start_s = time.monotonic()
    with pytest.raises(ChatFailed, match="took too long"):
        await text_of(service(chat, ChatTimeouts(connect_s=2, first_s=5, next_s=5, total_s=0.5)))
    assert time.monotonic() - start_s < 5


async def test_reader_who_leaves_closes_the_connection(chat: ChatServer) -> None:
    chat.reply = chat.stalling("Caching is on. ")
    async with aclosing(service(chat).stream(MESSAGES)) as pieces:
        assert await anext(pieces) == "Caching is on. "
    assert await asyncio.to_thread(chat.left.wait, 10)

"""Tests of parts of films: what a `Range` header asks for."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from kinfolk.web.endpoints.files.repository_files import _media_response

CONTENT = b"0123456789"
HEADERS = {"etag": '"abc"'}


@pytest.mark.parametrize(
    ("written", "status", "body", "content_range"),
    [
        (None, 200, CONTENT, None),
        ("bytes=0-", 206, CONTENT, "bytes 0-9/10"),
        ("bytes=0-1", 206, b"01", "bytes 0-1/10"),
        ("bytes=4-99", 206, b"456789", "bytes 4-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=-99", 206, CONTENT, "bytes 0-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=5-2", 416, b"", "bytes */10"),
        ("bytes=0-1,3-4", 200, CONTENT, None),
        ("bytes=-", 200, CONTENT, None),
        ("bytes=" + "9" * 400 + "-", 200, CONTENT, None),
        ("lines=0-1", 200, CONTENT, None),
    ],
)
def test_player_gets_the_part_that_it_asks_for(
    written: str | None, status: int, body: bytes, content_range: str | None
) -> None:
    headers = [(b"range", written.encode())] if written else []
    answer = _media_response(Request({"type": "http", "headers": headers}), CONTENT, "video/mp4", HEADERS)
    assert (answer.status_code, answer.body, answer.headers.get("content-range")) == (status, body, content_range)
    assert answer.headers["accept-ranges"] == "bytes"


def test_changed_film_is_sent_whole() -> None:
    headers = [(b"range", b"bytes=2-3"), (b"if-range", b'"other"')]
    answer = _media_response(Request({"type": "http", "headers": headers}), CONTENT, "video/mp4", HEADERS)
    assert (answer.status_code, answer.body) == (200, CONTENT)

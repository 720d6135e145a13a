"""Tests of files of repositories: the types under which they are sent, and parts of films."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from kinfolk.web.endpoints.files.repository_files import _media_response, shown_media_type

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


@pytest.mark.parametrize(
    ("path", "content", "shown"),
    [
        ("a.png", b"\x89PNG", "image/png"),
        ("a.png", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", None),
        ("a.mp4", b"version https://git-lfs.github.com/spec/v1\n" + b"x" * 1024, "video/mp4"),
        ("a.txt", b"text", None),
    ],
)
def test_pointer_of_git_lfs_is_no_picture(path: str, content: bytes, shown: str | None) -> None:
    assert shown_media_type(path, content) == shown

"""Content negotiation, conditional requests and cache tags."""

from __future__ import annotations

import pytest

from kinfolk.runtime.http_headers import etag_matches, preferred_encoding, prefers_markdown


@pytest.mark.parametrize(
    "accept",
    [
        "text/markdown",
        "text/markdown, text/html, */*",
        "text/markdown, text/html;q=0.9",
        "text/html;q=0.5, text/markdown",
        "Text/Markdown ; charset=utf-8 ; q=0.8, */*;q=0.1",
        "*/*, text/markdown;q=0.2",
    ],
)
def test_accept_that_prefers_markdown(accept: str) -> None:
    assert prefers_markdown(accept.encode())


@pytest.mark.parametrize(
    "accept",
    [
        "",
        "*/*",
        "text/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "text/html, text/markdown",
        "text/html, text/markdown;q=0.9",
        "application/xhtml+xml, text/markdown;q=0.9",
        "text/markdown;q=0",
        "text/markdown;q=0.0, */*",
        "text/plain, text/x-markdown",
        "\xff\xfe",
    ],
)
def test_accept_that_prefers_html(accept: str) -> None:
    assert not prefers_markdown(accept.encode("latin-1"))


@pytest.mark.parametrize(
    ("accept_encoding", "accepted"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("*;q=0", False),
        ("gzip;q=0.05", True),
    ],
)
def test_gzip_only_if_accepted(accept_encoding: str, accepted: bool) -> None:
    assert (preferred_encoding(accept_encoding.encode(), ("gzip",)) == "gzip") is accepted


@pytest.mark.parametrize(
    ("accepted", "given"),
    [
        (b"", "identity"),
        (b"gzip, deflate, br, zstd", "br"),
        (b"GZIP", "gzip"),
        (b"br;q=0, gzip;q=0.5", "gzip"),
        (b"br; q=0.0, gzip;q=0", "identity"),
        (b"*", "br"),
        (b"*;q=0", "identity"),
        (b"br;q=0, *", "gzip"),
        (b"\xff\xfe, brr", "identity"),
    ],
)
def test_encoding_is_one_that_the_client_accepts(accepted: bytes, given: str) -> None:
    assert preferred_encoding(accepted) == given


@pytest.mark.parametrize(
    "if_none_match", [b"*", b'"d1"', b'W/"d1"', b'"d1-gz"', b'"d1-br11"', b'"other", "d1"', b'"d1-gz-gzip"']
)
def test_if_none_match_with_the_digest_in_any_encoding_matches(if_none_match: bytes) -> None:
    assert etag_matches(if_none_match, b"d1")


@pytest.mark.parametrize("if_none_match", [b"", b'"d2"', b"d1", b'"xd1"'])
def test_if_none_match_without_the_digest_does_not_match(if_none_match: bytes) -> None:
    assert not etag_matches(if_none_match, b"d1")

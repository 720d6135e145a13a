"""Who gets Markdown at the address of a page, and who gets the page."""

from __future__ import annotations

import pytest

from kinfolk.ssr.page import preferred
from kinfolk.web.negotiation import prefers_markdown
from kinfolk.web.packed import pack


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
def test_programs_that_name_markdown_get_it(accept: str) -> None:
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
def test_everybody_else_gets_the_page(accept: str) -> None:
    assert not prefers_markdown(accept.encode("latin-1"))


@pytest.mark.parametrize(
    ("accept_encoding", "taken"),
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
def test_gzip_is_for_those_who_take_it(accept_encoding: str, taken: bool) -> None:
    assert (preferred(accept_encoding.encode(), ("gzip",)) == "gzip") is taken


def test_a_packed_text_comes_out_as_it_went_in() -> None:
    parts = [b"a" * 300_000, b"", "é".encode(), bytes(range(256)) * 500]
    packed = pack(parts)
    assert b"".join(packed.unpacked()) == b"".join(parts)
    assert packed.size == sum(map(len, parts))
    assert packed.digest == pack([b"".join(parts)]).digest


def test_a_text_is_never_unpacked_at_once() -> None:
    assert max(map(len, pack([b"a" * 10_000_000]).unpacked())) <= 64 << 10

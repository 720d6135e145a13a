"""Gzipped texts in memory."""

from __future__ import annotations

from kinfolk.web.compression import compress


def test_decompression_restores_the_text() -> None:
    parts = [b"a" * 300_000, b"", "é".encode(), bytes(range(256)) * 500]
    gzipped = compress(parts)
    assert b"".join(gzipped.decompressed()) == b"".join(parts)
    assert gzipped.size == sum(map(len, parts))
    assert gzipped.digest == compress([b"".join(parts)]).digest


def test_decompression_yields_small_chunks() -> None:
    assert max(map(len, compress([b"a" * 10_000_000]).decompressed())) <= 64 << 10

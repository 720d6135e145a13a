"""Texts and archives in memory.

Texts are gzip, the encoding that most clients accept. Other clients get the text decompressed.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kinfolk.content.examples.zip_archive import zip_chunks

_GZIP_WBITS = 31
"""zlib's window bits for the gzip format with the largest window."""
_CHUNK_BYTES = 64 << 10


@dataclass(frozen=True)
class GzippedText:
    """`size` is the length of the text in bytes; `digest` is the beginning of its ETag in each encoding."""

    content: bytes
    size: int
    digest: str

    def decompressed(self) -> Iterator[bytes]:
        """The text in chunks of at most 64 kB."""
        stream = zlib.decompressobj(_GZIP_WBITS)
        remaining = self.content
        while remaining:
            yield stream.decompress(remaining, _CHUNK_BYTES)
            remaining = stream.unconsumed_tail
        yield stream.flush()


@dataclass(frozen=True)
class ZipArchive:
    """A zip, which is sent as it is. Equal files give equal bytes, and so an equal digest."""

    content: bytes
    digest: str


def zip_files(files: Iterable[tuple[str, bytes]]) -> ZipArchive:
    """The files, by path, as a zip. Only one file is in memory uncompressed at a time."""
    content = b"".join(zip_chunks(files))
    return ZipArchive(content, hashlib.blake2b(content, digest_size=12).hexdigest())


def compress(parts: Iterable[bytes]) -> GzippedText:
    """The parts as one text. Only one part is in memory at a time."""
    compressor = zlib.compressobj(6, wbits=_GZIP_WBITS)
    digest = hashlib.blake2b(digest_size=12)
    compressed = []
    size = 0
    for part in parts:
        digest.update(part)
        size += len(part)
        compressed.append(compressor.compress(part))
    compressed.append(compressor.flush())
    return GzippedText(b"".join(compressed), size, digest.hexdigest())

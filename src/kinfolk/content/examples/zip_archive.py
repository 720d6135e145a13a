"""Zips that are compressed while they are sent, such as all files of an example."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kinfolk.content.examples.example import Example
from kinfolk.runtime.budget import OverBudget, check_size

# Equal files give an equal zip in each commit: files have no date in git.
DATE = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3
LEVEL = 6
MOST_MEMBERS = 2_000
"""Files of one zip. The largest example has a tenth of that."""


def stream_zip(example: Example) -> Iterator[bytes]:
    """The zip of an example in chunks. Blocks: reads and compresses. The files are those in git."""
    return zip_chunks((f"{example.name}/{file}", example.read(file)) for file in example.files)


def zip_chunks(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """The zip of files, by name, in chunks: one file is in memory at a time. Equal files give equal bytes."""
    sink = _ZipBuffer()
    with ZipFile(sink, "w", ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, content in files:
            about = ZipInfo(name, DATE)
            about.compress_type = ZIP_DEFLATED
            about.create_system = UNIX
            about.external_attr = MODE
            archive.writestr(about, content)
            yield sink.drain()
    yield sink.drain()


def check_zip_size(example: Example) -> None:
    """Raises OverBudget for an example with too many files, or with more bytes than one response may have.

    Blocks: reads the size of each file.
    """
    if len(example.files) > MOST_MEMBERS:
        raise OverBudget("file", "items", f"The example {example.name} has more than {MOST_MEMBERS} files")
    check_size("file", sum(map(example.size, example.files)))


def zip_digest(example: Example) -> str:
    """A digest that changes when, and only when, a file does."""
    listing = "".join(f"{file}\0{example.blob(file)}\n" for file in example.files)
    return hashlib.blake2b(f"{example.name}\n{listing}".encode(), digest_size=12).hexdigest()


class _ZipBuffer(io.RawIOBase):
    """A buffer that is emptied after each file, so that no whole zip is in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: object) -> int:
        piece = bytes(part)  # type: ignore[call-overload]  # the buffer protocol has no type in Python 3.11
        self._parts.append(piece)
        return len(piece)

    def drain(self) -> bytes:
        content, self._parts = b"".join(self._parts), []
        return content

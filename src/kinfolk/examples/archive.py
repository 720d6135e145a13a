"""All files of an example as a zip, made while it is sent."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kinfolk.budget import OverBudget, check_size
from kinfolk.examples.example import Example

# The same files are the same zip, whichever commit they are read from: a file has no date of its own in git.
DATE = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3
LEVEL = 6
MOST_MEMBERS = 2_000
"""Files of one zip: ten times what the largest example has."""


def zipped(example: Example) -> Iterator[bytes]:
    """The zip in pieces, one file in memory at a time. Blocks: reads and compresses. What it holds is what git has."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for file in example.files:
            about = ZipInfo(f"{example.name}/{file}", DATE)
            about.compress_type = ZIP_DEFLATED
            about.create_system = UNIX
            about.external_attr = MODE
            archive.writestr(about, example.read(file))
            yield sink.taken()
    yield sink.taken()


def check_archive(example: Example) -> None:
    """Raises OverBudget for an example whose zip would have too many files, or hold more bytes than a file may have.

    Blocks: looks at the size of each file.
    """
    if len(example.files) > MOST_MEMBERS:
        raise OverBudget("file", "items", f"The example {example.name} has more than {MOST_MEMBERS} files")
    check_size("file", sum(map(example.size, example.files)))


def digest(example: Example) -> str:
    """Names the zip: it changes when, and only when, a file does."""
    listing = "".join(f"{file}\0{example.blob(file)}\n" for file in example.files)
    return hashlib.blake2b(f"{example.name}\n{listing}".encode(), digest_size=12).hexdigest()


class _Sink(io.RawIOBase):
    """What is written to it can be taken away, so that no zip is ever whole in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: object) -> int:
        piece = bytes(part)  # type: ignore[call-overload]  # what `write` takes is a buffer, which has no type of its own in 3.11
        self._parts.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken

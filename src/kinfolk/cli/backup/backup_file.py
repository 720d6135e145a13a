"""The file of a backup: a ZIP with `manifest.json`, a member for each table and for each other file.

A backup is input that may be damaged or made by an attacker: names, sizes and digests are those of the manifest, or it
is refused. Nothing is extracted by the names in it.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as validated

from kinfolk.runtime.errors import Invalid

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK_BYTES = 1 << 18
MOST_MANIFEST_BYTES = 1 << 20
MOST_DIRECTORY_BYTES = 4 << 20
"""Of the list of members, which `zipfile` reads as a whole."""
MOST_LINE_BYTES = 64 << 20
"""Of one row. The longest values are notes of releases, which are cut at 100,000 characters."""
_TABLE = re.compile(r"[a-z][a-z0-9_]{0,62}")
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""What `zipfile` raises for damaged, encrypted and unknown members."""


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class BackupMember:
    """The size of a member without compression, its digest, and of a table the rows."""

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: int = Field(0, ge=0)


@validated(frozen=True, config=ConfigDict(extra="forbid"))
class BackupManifest:
    """What is in a backup. `revision` is the version of the tables, `version` that of Kinfolk."""

    format: int
    version: str = Field(max_length=100)
    created_at: str = Field(max_length=40)
    revision: str = Field(max_length=32)
    tables: Mapping[str, BackupMember] = Field(max_length=1000)
    files: Mapping[str, BackupMember] = Field(max_length=100)

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def bytes(self) -> int:
        return sum(member.bytes for member in (*self.tables.values(), *self.files.values()))

    @property
    def members(self) -> dict[str, BackupMember]:
        """All members by their names in the ZIP."""
        tables = {table_member(name): member for name, member in self.tables.items()}
        return tables | {file_member(name): member for name, member in self.files.items()}


_adapter = TypeAdapter(BackupManifest)


def table_member(table: str) -> str:
    return f"database/{table}.ndjson"


def file_member(file: str) -> str:
    return f"files/{file}"


@dataclass
class MemberSink:
    """A member that is being written."""

    stream: IO[bytes]
    written: int = 0
    rows: int = 0

    def __post_init__(self) -> None:
        self._digest = sha256()

    def write(self, piece: bytes) -> None:
        self.stream.write(piece)
        self._digest.update(piece)
        self.written += len(piece)

    @property
    def member(self) -> BackupMember:
        return BackupMember(bytes=self.written, sha256=self._digest.hexdigest(), rows=self.rows)


class BackupWriter:
    """Writes members one after another, in bounded memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6)

    @contextmanager
    def member(self, name: str) -> Iterator[MemberSink]:
        with self._zip.open(name, "w", force_zip64=True) as stream:
            yield MemberSink(stream)

    def close(self, manifest: BackupManifest) -> None:
        self._zip.writestr(MANIFEST, _adapter.dump_json(manifest, indent=2))
        self._zip.close()

    def end(self) -> None:
        """Close what `close` did not, after a failure: its file is deleted."""
        with suppress(OSError, ValueError):
            self._zip.close()


@contextmanager
def new_backup(file: Path) -> Iterator[BackupWriter]:
    """Write `file`, which only its owner may read. It appears when it is complete; else an earlier one stays.

    Raises Invalid if it cannot be written.
    """
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        if file.is_dir():
            raise Invalid(f"{file} is a folder: name a file")
        with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as stream:
            writer = BackupWriter(stream)
            try:
                yield writer
            finally:
                writer.end()
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(file)
        _sync_folder(file.absolute().parent)
    except OSError as failure:
        raise Invalid(f"{file} cannot be written: {failure.strerror or failure}") from failure
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class _BoundedFile(io.BufferedReader):
    """A file whose reads have a limit: `zipfile` reads the list of members as a whole, whatever size it claims."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= MOST_DIRECTORY_BYTES:
            size = MOST_DIRECTORY_BYTES
        return super().read(size)


class BackupReader:
    """A backup that is open for reading. Raises Invalid for what is no backup, or damaged."""

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._stream = _BoundedFile(io.FileIO(file))
        except OSError as failure:
            raise Invalid(f"{file} cannot be read: {failure.strerror}") from failure
        try:
            self._zip = zipfile.ZipFile(self._stream)
        except _DAMAGE as damage:
            self._stream.close()
            raise Invalid(f"{file} is no backup of Kinfolk, or its end is missing") from damage
        try:
            self.manifest = self._read_manifest()
            self._check_names()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._zip.close()
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def chunks(self, name: str) -> Iterator[bytes]:
        """The pieces of a member. Raises Invalid where its size or its digest is not that of the manifest."""
        known = self.manifest.members[name]
        digest, size = sha256(), 0
        for piece in self._pieces(name):
            size += len(piece)
            if size > known.bytes:
                raise Invalid(f"{self.file}: {name} is larger than its manifest says")
            digest.update(piece)
            yield piece
        if size != known.bytes or digest.hexdigest() != known.sha256:
            raise Invalid(f"{self.file}: {name} is damaged: it is not what its manifest says")

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a member."""
        rest = bytearray()
        for piece in self.chunks(name):
            rest += piece
            *complete, last = rest.split(b"\n")
            yield from map(bytes, complete)
            rest = last
            if len(rest) > MOST_LINE_BYTES:
                raise Invalid(f"{self.file}: {name} has a row of more than {MOST_LINE_BYTES >> 20} MB")
        if rest:
            raise Invalid(f"{self.file}: {name} has no end")

    def verify(self) -> Iterator[int]:
        """Read all members once and compare their digests. Gives the bytes of each piece, for a progress bar."""
        for name in self.manifest.members:
            for piece in self.chunks(name):
                yield len(piece)

    def _read_manifest(self) -> BackupManifest:
        found = b"".join(self._pieces(MANIFEST, limit=MOST_MANIFEST_BYTES))
        try:
            manifest = _adapter.validate_json(found)
        except ValidationError as wrong:
            first = wrong.errors(include_url=False)[0]
            key = ".".join(str(part) for part in first["loc"])[:100]
            raise Invalid(f"{self.file}: {MANIFEST}: {key}: {first['msg']}") from wrong
        if manifest.format != FORMAT:
            raise Invalid(f"{self.file} has format {manifest.format}; this version of Kinfolk reads format {FORMAT}")
        wrong_name = next((name for name in manifest.tables if not _TABLE.fullmatch(name)), None)
        if wrong_name is not None:
            raise Invalid(f"{self.file}: {MANIFEST}: {wrong_name[:100]!r} is no name of a table")
        return manifest

    def _check_names(self) -> None:
        names = [member.filename for member in self._zip.infolist()]
        expected = {MANIFEST, *self.manifest.members}
        if len(names) != len(set(names)):
            raise Invalid(f"{self.file} has two members of one name")
        for name in names:
            if name not in expected:
                raise Invalid(f"{self.file} has the member {name[:100]!r}, which its manifest does not name")
        missing = expected - set(names)
        if missing:
            raise Invalid(f"{self.file} lacks {min(missing)}")

    def _pieces(self, name: str, *, limit: int | None = None) -> Iterator[bytes]:
        try:
            found = self._zip.getinfo(name)
            if found.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
                raise Invalid(f"{self.file}: {name} has an unknown compression")
            with self._zip.open(found) as stream:
                size = 0
                while piece := stream.read(CHUNK_BYTES):
                    size += len(piece)
                    if limit is not None and size > limit:
                        raise Invalid(f"{self.file}: {name} is too large")
                    yield piece
        except KeyError:
            raise Invalid(f"{self.file} is no backup of Kinfolk: it has no {name}") from None
        except _DAMAGE as damage:
            raise Invalid(f"{self.file}: {name} is damaged") from damage

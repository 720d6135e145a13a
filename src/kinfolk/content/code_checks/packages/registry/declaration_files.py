"""The type declarations in the tarball of a package. Nothing of a package is executed.

The names in a tarball are not paths of this machine: nothing is unpacked to the disk. Tarballs have any names and kinds
of files, and may be small with gigabytes of content.
"""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import orjson

from kinfolk.content.code_checks.packages.registry.package_names import package_of
from kinfolk.content.code_checks.packages.registry.packument import UnusablePackage, size_text
from kinfolk.content.sources.paths import path_fault

MANIFEST = "package.json"
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
MOST_IMPORTS = 300
"""Packages that the declarations of one package import. Those of a bundle have some tens."""
DEEPEST = 24
"""Folders of a path. Declarations of rxjs have 6."""
LONGEST_HEADER = 1 << 16
"""Bytes of a long name in a tarball, which is read into memory."""
_READ_BYTES = 1 << 16
_MANIFEST_KEYS = (
    "name", "version", "type", "types", "typings", "typesVersions", "main", "module", "exports", "imports",
    "dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta",
)  # fmt: skip
"""What resolution of modules reads, and what packages are needed."""
_HEADERS = (
    tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK,
)  # fmt: skip
_UNREADABLE = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, OverflowError, RecursionError)
_IMPORT = re.compile(r"""(?:\bfrom|\bimport|\brequire)\s{0,8}\(?\s{0,8}["']([^"'\s]{1,300})["']""")
_REFERENCE = re.compile(r"""<reference\s{1,8}types\s{0,8}=\s{0,8}["']([^"'\s]{1,300})["']""")


@dataclass(frozen=True)
class PackageLimits:
    """Limits of one package. The largest that docs of the family import: @angular/common with 5,228 files, 9 MB
    unpacked, 1,493 declarations of 1 MB; valibot with a file of 0.6 MB; effect with 56 MB unpacked, 11 MB of
    declarations.
    """

    entries: int = 40_000
    unpacked_bytes: int = 256 << 20
    files: int = 5_000
    file_bytes: int = 4 << 20
    text_bytes: int = 16 << 20


LIMITS = PackageLimits()


@dataclass(frozen=True)
class DeclarationFiles:
    """`files` are paths from the package's folder -> text: manifests and declarations.

    `left_out` is the number of files with names or content that are refused.
    """

    files: Mapping[str, str]
    left_out: int = 0

    @property
    def has_types(self) -> bool:
        return any(path != MANIFEST and not path.endswith(f"/{MANIFEST}") for path in self.files)

    @property
    def manifest(self) -> Mapping[str, object]:
        found: Mapping[str, object] = orjson.loads(self.files.get(MANIFEST, "{}"))
        return found

    @property
    def imports(self) -> frozenset[str]:
        """The packages that the declarations import, also in comments."""
        found: set[str] = set()
        for text in self.files.values():
            for specifier in _specifiers(text):
                name = package_of(specifier)
                if name is not None and len(found) < MOST_IMPORTS:
                    found.add(name)
        return frozenset(found)


def read_tarball(file: Path, called: str, limits: PackageLimits = LIMITS) -> DeclarationFiles:
    """The manifests and declarations of a package. `called` is its name in messages.

    Raises UnusablePackage for a file that is no tarball of a package, and for one beyond the limits.
    """
    found = _FileCollector(called, limits)
    try:
        with gzip.open(file) as unpacked:
            stream = cast(IO[bytes], _BoundedStream(unpacked, called, limits.unpacked_bytes))
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=_BoundedMember, errorlevel=1) as archive:
                for number, member in enumerate(archive):
                    if number >= limits.entries:
                        raise UnusablePackage(f"{called} has more than {limits.entries} files")
                    path = _wanted_path(member)
                    content = archive.extractfile(member) if path is not None else None
                    if path is not None and content is not None:
                        found.add(path, member.size, content)
    except _UNREADABLE as wrong:
        raise UnusablePackage(f"The tarball of {called} cannot be read: {type(wrong).__name__}") from wrong
    return found.complete()


class _BoundedMember(tarfile.TarInfo):
    """Refuses headers that are read into memory and are large.

    The method is the one that subclasses may override, as CPython says beside it. `frombuf` is not called for each
    header since Python 3.13.
    """

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.size < 0 or (self.type in _HEADERS and self.size > LONGEST_HEADER):
            raise UnusablePackage("The tarball of the package has a header that is too large")
        member: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        return member


class _BoundedStream:
    """Counts what is unpacked: a tarball of 1 MB may have 1 GB of zeros."""

    def __init__(self, unpacked: gzip.GzipFile, called: str, most: int) -> None:
        self._unpacked = unpacked
        self._called = called
        self._most = most
        self._read = 0

    def read(self, size: int = _READ_BYTES) -> bytes:
        content = self._unpacked.read(min(size, _READ_BYTES))
        self._read += len(content)
        if self._read > self._most:
            raise UnusablePackage(f"{self._called} has more than {size_text(self._most)} when it is unpacked")
        return content


def _wanted_path(member: tarfile.TarInfo) -> str | None:
    """The path below the first folder, which is `package` in most tarballs; None for what is not read."""
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.sparse is not None:
        return None
    _, _, path = member.name.partition("/")
    return path if path.rpartition("/")[2] == MANIFEST or path.endswith(DECLARATIONS) else None


class _FileCollector:
    def __init__(self, called: str, limits: PackageLimits) -> None:
        self._called = called
        self._limits = limits
        self._files: dict[str, str] = {}
        self._bytes = 0
        self._left_out = 0

    def add(self, path: str, size: int, content: IO[bytes]) -> None:
        """Add a file. One with a name or bytes that are refused is counted."""
        if is_refused(path):
            self._left_out += 1
            return
        if size > self._limits.file_bytes:
            raise UnusablePackage(f"{self._called} has a declaration of more than {size_text(self._limits.file_bytes)}")
        self._bytes += size
        if self._bytes > self._limits.text_bytes or len(self._files) >= self._limits.files:
            most = f"{self._limits.files} declarations or {size_text(self._limits.text_bytes)} of them"
            raise UnusablePackage(f"{self._called} has more than {most}")
        text = file_text(path, content.read(size))
        if text is None:
            self._left_out += 1
        else:
            self._files[path] = text

    def complete(self) -> DeclarationFiles:
        if MANIFEST not in self._files:
            raise UnusablePackage(f"{self._called} has no valid package.json")
        return DeclarationFiles(without_twins(self._files), self._left_out)


def is_refused(path: str) -> bool:
    """Whether a path within a package is refused: it is ambiguous, too deep, or a key that JavaScript treats apart."""
    return path_fault(path) is not None or path.count("/") > DEEPEST or "__proto__" in path.split("/")


def file_text(path: str, content: bytes) -> str | None:
    """The text of a file of a package, of manifests only what is read. None for an invalid one."""
    if path.rpartition("/")[2] == MANIFEST:
        return reduced_manifest(content)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def reduced_manifest(content: bytes) -> str | None:
    """The keys of a `package.json` that are read, without scripts; None for an invalid one."""
    try:
        found = orjson.loads(content)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    return orjson.dumps({key: found[key] for key in _MANIFEST_KEYS if key in found}).decode()


def without_twins(files: Mapping[str, str]) -> dict[str, str]:
    """The files without declarations of CommonJS that have one of ECMAScript beside them.

    Code of docs imports, so that the manifest leads to the latter. If it names the former otherwise, all files stay.
    """
    if any(path.endswith(".d.cts") for path in _named_paths(orjson.loads(files.get(MANIFEST, "{}")))):
        return dict(files)
    stems = {path.removesuffix(end) for path in files for end in (".d.ts", ".d.mts") if path.endswith(end)}
    return {path: text for path, text in files.items() if path.removesuffix(".d.cts") not in stems}


def _named_paths(value: object, depth: int = 0) -> Iterator[str]:
    """All texts of a manifest that an import may lead to: those below `require` are for CommonJS."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < DEEPEST:
        for key, inner in value.items():
            if key != "require":
                yield from _named_paths(inner, depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        for inner in value:
            yield from _named_paths(inner, depth + 1)


def _specifiers(text: str) -> Iterable[str]:
    for pattern in (_IMPORT, _REFERENCE):
        yield from (found[1] for found in pattern.finditer(text))

"""The type declarations of packages on the disk, and the last sets that were complete.

    packages/1f0c….json.gz      declarations of one package, named by the digest of their content
    packages/manifest.json      which package is in which file, and the sets of all versions

The files are a cache: what is damaged or missing is fetched again. A server and `kinfolk check --code` may write at the
same time: each keeps what the other has stored.
"""

from __future__ import annotations

import gzip
import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError

from kinfolk.content.code_checks.packages.registry.declaration_files import DeclarationFiles

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

VERSION = 1
"""Version of the manifest and of what is read of packages. A manifest of another version is not read."""
MOST_BYTES = 2 << 30
"""Bytes of all files. Those of the whole family have some 60 MB."""
REFUSED_FOR = timedelta(days=1)
"""For so long a package that cannot be used is not fetched again."""
_ENDING = ".json.gz"
_MANIFEST = "manifest.json"
_LEFTOVER_S = 3600.0


@dataclass(frozen=True)
class StoredPackage:
    """What is known about one version of a package. `file` is the name of its file.

    `text_bytes` is the size of its declarations. `refused` says why the package cannot be used; then it has no file.
    """

    file: str = ""
    file_bytes: int = 0
    text_bytes: int = 0
    has_types: bool = False
    imports: tuple[str, ...] = ()
    left_out: int = 0
    used: datetime = datetime.min  # noqa: DTZ901 - all times are in UTC, without a time zone
    refused: str = ""


@dataclass(frozen=True)
class PlacedPackage:
    """A package in a set: its name, its version, the folder where the compiler sees it, and its file."""

    name: str
    version: str
    folder: str
    file: str


@dataclass(frozen=True)
class StoredSet:
    """The last set of a version and framework. `key` changes with all that it was chosen by, except the registry.

    `made` is when the registry was read, `chosen` when the versions of other packages than the library's were chosen.
    `rules` says for each package of the library which rule chose its version. Only a complete set is used instead of a
    later one that lacks packages. `is_unreachable` says that packages are missing because of the registry.
    """

    key: str
    made: datetime
    chosen: datetime
    packages: tuple[PlacedPackage, ...]
    own: tuple[str, ...]
    rules: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    is_complete: bool = True
    is_unreachable: bool = False


@dataclass
class _Manifest:
    version: int = VERSION
    packages: dict[str, StoredPackage] = field(default_factory=dict)
    sets: dict[str, StoredSet] = field(default_factory=dict)


_ADAPTER = TypeAdapter(_Manifest)


class PackageStore:
    """`folder` is created with the first package. Threads may read and put packages; only one saves at a time."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime], most_bytes: int = MOST_BYTES) -> None:
        """`now` is in UTC, without a time zone."""
        self._folder = folder
        self._now = now
        self._most_bytes = most_bytes
        self._intact: set[str] = set()
        self._is_kept: Callable[[str], bool] = lambda _: True
        self._manifest = self._load()
        self._delete_unknown({one.file for one in self._manifest.packages.values()})

    def package(self, key: str) -> StoredPackage | None:
        """The package, if its file is intact. `key` has its name, its version and its digest in the registry."""
        found = self._manifest.packages.get(key)
        if found is None:
            return None
        if found.refused:
            return found if self._now() - found.used < REFUSED_FOR else None
        if not self.is_intact(found.file):
            log.warning("types of a package are damaged", package=key)
            return None
        self._manifest.packages[key] = replace(found, used=self._now())
        return self._manifest.packages[key]

    def put(self, key: str, files: DeclarationFiles) -> StoredPackage:
        """Store the declarations of a package. Takes some ms for each MB."""
        content = gzip.compress(orjson.dumps(dict(sorted(files.files.items()))), 6, mtime=0)
        name = f"{sha256(content).hexdigest()[:32]}{_ENDING}"
        self._write(name, content)
        self._intact.add(name)
        size = sum(len(text) for text in files.files.values())
        stored = StoredPackage(
            name, len(content), size, files.has_types, tuple(sorted(files.imports)), files.left_out, self._now()
        )
        self._manifest.packages[key] = stored
        return stored

    def refuse(self, key: str, reason: str) -> None:
        """Remember that a package cannot be used, so that it is not fetched with each set."""
        self._manifest.packages[key] = StoredPackage(used=self._now(), refused=reason)

    def path(self, file: str) -> Path:
        return self._folder / file

    def is_intact(self, file: str) -> bool:
        """Whether a file has the content that its name says. Each is read once by a process, 1 ms for each MB."""
        if file in self._intact and self.path(file).exists():
            return True
        try:
            content = self.path(file).read_bytes()
        except OSError:
            return False
        if f"{sha256(content).hexdigest()[:32]}{_ENDING}" != file:
            self.path(file).unlink(missing_ok=True)
            return False
        self._intact.add(file)
        return True

    def set(self, name: str) -> StoredSet | None:
        """The last set of this name, if all its files are intact."""
        found = self._manifest.sets.get(name)
        intact = found is not None and all(self.is_intact(one.file) for one in found.packages)
        return found if intact else None

    def put_set(self, name: str, made: StoredSet) -> None:
        self._manifest.sets[name] = made

    def save(self) -> None:
        """Write the manifest, after deleting what was used longest ago and is in no set, down to the limit."""
        self._merge(self._load())
        self._delete_oldest()
        self._write(_MANIFEST, _ADAPTER.dump_json(self._manifest))

    def keep_sets(self, names: Callable[[str], bool]) -> None:
        """Forget the sets of versions that the catalog does not have any more."""
        self._is_kept = names
        self._manifest.sets = {name: made for name, made in self._manifest.sets.items() if names(name)}

    def download_file(self) -> Path:
        """A new file for a tarball, which the caller deletes."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix="download-", suffix=".tgz", delete=False) as file:
            return Path(file.name)

    def _delete_oldest(self) -> None:
        used = {one.file for made in self._manifest.sets.values() for one in made.packages}
        stored = self._manifest.packages
        size = sum({one.file: one.file_bytes for one in stored.values()}.values())
        for key, package in sorted(stored.items(), key=lambda entry: entry[1].used):
            if package.file in used:
                continue
            is_expired = bool(package.refused) and self._now() - package.used >= REFUSED_FOR
            if size <= self._most_bytes and not is_expired:
                continue
            del stored[key]
            if package.file and not any(other.file == package.file for other in stored.values()):
                size -= package.file_bytes
                self.path(package.file).unlink(missing_ok=True)
                self._intact.discard(package.file)
        if size > self._most_bytes:
            log.warning("types of packages exceed their limit", bytes=size, limit=self._most_bytes)

    def _merge(self, other: _Manifest) -> None:
        """Take over what another process has written meanwhile."""
        for key, package in other.packages.items():
            self._manifest.packages.setdefault(key, package)
        for name, made in other.sets.items():
            own = self._manifest.sets.get(name)
            if self._is_kept(name) and (own is None or own.made < made.made):
                self._manifest.sets[name] = made

    def _load(self) -> _Manifest:
        try:
            found = _ADAPTER.validate_json((self._folder / _MANIFEST).read_bytes())
        except OSError:
            found = _Manifest()
        except ValidationError:
            log.warning("manifest of packages is invalid", folder=str(self._folder))
            found = _Manifest()
        return found if found.version == VERSION else _Manifest()

    def _delete_unknown(self, known: Collection[str]) -> None:
        """Delete what an ended process or another version has left, unless it is being written."""
        before_s = time.time() - _LEFTOVER_S
        for path in self._folder.glob("*"):
            try:
                if path.name not in known and path.name != _MANIFEST and path.stat().st_mtime < before_s:
                    path.unlink()
            except OSError:
                continue

    def _write(self, name: str, content: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix="new-", delete=False) as file:
            file.write(content)
        Path(file.name).replace(self.path(name))

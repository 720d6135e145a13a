"""Generations of an index on disk: which one is current, and how the next one replaces it.

    var/search/schema-4/      the index of all versions of Kinfolk with this schema
        current.json          the current generation, its sources, and each of its files with size and digest
        20f1c9a4e7b3/         a generation: immutable once it is published

A generation is complete before `current.json` is replaced in one rename. Readers copy it and check the digests first: a
process that reads a file by memory map is killed by the system when another process truncates the file.

Two versions of Kinfolk run during a deploy, and the older one runs again after a downgrade: each finds its index.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from pydantic import TypeAdapter, ValidationError

from kinfolk.runtime.errors import Unavailable
from kinfolk.search.ranking.index_schema import SCHEMA_VERSION

CURRENT = "current.json"
UNUSED_S = 14 * 86_400.0
"""Seconds after which an index that no version of Kinfolk has published again is deleted."""
_SCHEMA_PREFIX = "schema-"
_BUILD_PREFIX = "making-"
_COPY_PREFIX = "reading-"
_ATTEMPTS = 3


@dataclass(frozen=True)
class Generation:
    """`form` is a digest of the code and configuration, `revisions` are the sources, `files` have size and digest."""

    generation: str
    form: str
    revisions: Mapping[str, str]
    files: Mapping[str, tuple[int, str]]


_adapter = TypeAdapter(Generation)


def index_folder(var: Path) -> Path:
    """The folder of the site's index in the schema of this version."""
    return var / "search" / f"{_SCHEMA_PREFIX}{SCHEMA_VERSION}"


def published(folder: Path) -> Generation | None:
    """The current generation; None where there is none, or its description is damaged."""
    try:
        return _adapter.validate_json((folder / CURRENT).read_bytes())
    except (OSError, ValidationError):
        return None


def published_at_s(folder: Path) -> float:
    """When the current generation was published, in seconds since 1970; 0 where there is none."""
    try:
        return (folder / CURRENT).stat().st_mtime
    except OSError:
        return 0.0


def is_whole(folder: Path, one: Generation) -> bool:
    """Whether all files exist with their sizes. Does not read them."""
    try:
        return all((folder / one.generation / name).stat().st_size == size for name, (size, _) in one.files.items())
    except OSError:
        return False


@contextmanager
def own_copy(folder: Path) -> Iterator[tuple[Generation, Path]]:
    """A checked temporary copy of the current generation. Raises Unavailable where none is intact."""
    for _ in range(_ATTEMPTS):
        one = published(folder)
        if one is None:
            break
        copy = Path(tempfile.mkdtemp(prefix=f"{_COPY_PREFIX}{os.getpid()}-", dir=folder))
        try:
            if _copied(folder / one.generation, copy, one.files):
                yield one, copy
                return
        finally:
            shutil.rmtree(copy, ignore_errors=True)
        # Another process may have published a new generation and deleted this one.
        if published(folder) == one:
            break
    raise Unavailable("The search index is not ready yet")


def _copied(source: Path, target: Path, files: Mapping[str, tuple[int, str]]) -> bool:
    for name, (_, digest) in files.items():
        try:
            content = (source / name).read_bytes()
        except OSError:
            return False
        if _digest(content) != digest:
            return False
        (target / name).write_bytes(content)
    return True


@contextmanager
def build_folder(folder: Path) -> Iterator[Path]:
    """A folder to build a generation in. Folders of killed builds are deleted first."""
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in (*folder.glob(f"{_BUILD_PREFIX}*"), *_abandoned_copies(folder)):
        shutil.rmtree(abandoned, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=_BUILD_PREFIX, dir=folder))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _abandoned_copies(folder: Path) -> Iterator[Path]:
    """Copies of processes that have ended."""
    for copy in folder.glob(f"{_COPY_PREFIX}*"):
        try:
            os.kill(int(copy.name.split("-")[1]), 0)
        except ProcessLookupError:
            yield copy
        except (PermissionError, ValueError):
            continue  # of a running process of another user


def publish(folder: Path, place: Path, *, form: str, revisions: Mapping[str, str]) -> Generation:
    """Publish the folder `place` as the current generation, and delete older ones and unused other schemas."""
    files = {}
    for path in sorted(place.iterdir()):
        if path.suffix == ".lock":
            path.unlink()
            continue
        files[path.name] = (path.stat().st_size, _digest(path.read_bytes()))
        _fsync(path)
    one = Generation(secrets.token_hex(6), form, revisions, files)
    place.rename(folder / one.generation)
    _write_current(folder, one)
    for old in folder.iterdir():
        if old.is_dir() and old.name != one.generation and not old.name.startswith(_COPY_PREFIX):
            shutil.rmtree(old, ignore_errors=True)
    _delete_unused(folder)
    return one


def _delete_unused(folder: Path) -> None:
    """Delete indexes of other schemas that have no user any more."""
    if not folder.name.startswith(_SCHEMA_PREFIX):
        return
    for other in folder.parent.glob(f"{_SCHEMA_PREFIX}*"):
        # The folder itself changes at the start of a build: its first one has published nothing yet.
        used_s = max(published_at_s(other), other.stat().st_mtime)
        if other != folder and time.time() - used_s > UNUSED_S:
            shutil.rmtree(other, ignore_errors=True)


def discard(folder: Path, one: Generation) -> None:
    """Withdraw a damaged generation, unless another one was published since."""
    if published(folder) == one:
        (folder / CURRENT).unlink(missing_ok=True)


def rename_revisions(folder: Path, one: Generation, revisions: Mapping[str, str]) -> Generation:
    """Publish the same generation for newer revisions whose searchable content is the same."""
    same = Generation(one.generation, one.form, revisions, one.files)
    _write_current(folder, same)
    return same


def _write_current(folder: Path, one: Generation) -> None:
    fresh = folder / f"{CURRENT}.new"
    fresh.write_bytes(orjson.dumps(asdict(one), option=orjson.OPT_INDENT_2))
    _fsync(fresh)
    fresh.replace(folder / CURRENT)


def _fsync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()

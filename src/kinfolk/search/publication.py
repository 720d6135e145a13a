"""Generations of an index on the disk: which one is good, and how the next one takes its place.

    current.json          names the good one, what it was made of, and every file of it by size and digest
    20f1c9a4e7b3/         a generation: never changed once it is named

A generation is whole before `current.json` names it, in one rename. Who reads makes a copy of its own first and checks
it against the digests: nothing that happens to the files later can reach a reader, whose process would not survive a
file that shrinks under it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from pydantic import TypeAdapter, ValidationError

from kinfolk.errors import Unavailable

CURRENT = "current.json"
_BEING_MADE = "making-"
_BEING_READ = "reading-"
_ATTEMPTS = 3


@dataclass(frozen=True)
class Published:
    """A generation. `form` says how it was made, `revisions` of what; files are by name, with size and digest."""

    generation: str
    form: str
    schema: str
    revisions: Mapping[str, str]
    files: Mapping[str, tuple[int, str]]


_adapter = TypeAdapter(Published)


def published(folder: Path) -> Published | None:
    """The good generation; None where there is none, or none that can be told."""
    try:
        return _adapter.validate_json((folder / CURRENT).read_bytes())
    except (OSError, ValidationError):
        return None


def is_whole(folder: Path, one: Published) -> bool:
    """Whether the files are there in their sizes: a look that costs next to nothing."""
    try:
        return all((folder / one.generation / name).stat().st_size == size for name, (size, _) in one.files.items())
    except OSError:
        return False


@contextmanager
def own_copy(folder: Path) -> Iterator[tuple[Published, Path]]:
    """A checked copy of the good generation, which is gone afterwards. Raises Unavailable where none is good."""
    for _ in range(_ATTEMPTS):
        one = published(folder)
        if one is None:
            break
        copy = Path(tempfile.mkdtemp(prefix=f"{_BEING_READ}{os.getpid()}-", dir=folder))
        try:
            if _copied(folder / one.generation, copy, one.files):
                yield one, copy
                return
        finally:
            shutil.rmtree(copy, ignore_errors=True)
        # Another process may have published meanwhile, and deleted what we were copying.
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
def making(folder: Path) -> Iterator[Path]:
    """A place to make a generation in. What is left of attempts that were killed goes away first."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in (*folder.glob(f"{_BEING_MADE}*"), *_left_by_readers(folder)):
        shutil.rmtree(left, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=_BEING_MADE, dir=folder))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _left_by_readers(folder: Path) -> Iterator[Path]:
    """Copies of processes that are gone."""
    for copy in folder.glob(f"{_BEING_READ}*"):
        try:
            os.kill(int(copy.name.split("-")[1]), 0)
        except ProcessLookupError:
            yield copy
        except (PermissionError, ValueError):
            continue  # somebody else's, and alive


def publish(folder: Path, place: Path, *, form: str, schema: str, revisions: Mapping[str, str]) -> Published:
    """Make what was made in `place` the good generation, and delete the older ones."""
    files = {}
    for path in sorted(place.iterdir()):
        if path.suffix == ".lock":
            path.unlink()
            continue
        files[path.name] = (path.stat().st_size, _digest(path.read_bytes()))
        _to_disk(path)
    one = Published(secrets.token_hex(6), form, schema, revisions, files)
    place.rename(folder / one.generation)
    _name(folder, one)
    for old in folder.iterdir():
        if old.is_dir() and old.name != one.generation and not old.name.startswith(_BEING_READ):
            shutil.rmtree(old, ignore_errors=True)
    return one


def discard(folder: Path, one: Published) -> None:
    """Say that there is no good generation, where this damaged one is still called that."""
    if published(folder) == one:
        (folder / CURRENT).unlink(missing_ok=True)


def rename_revisions(folder: Path, one: Published, revisions: Mapping[str, str]) -> Published:
    """The same generation for newer revisions, which changed nothing that is searched."""
    same = Published(one.generation, one.form, one.schema, revisions, one.files)
    _name(folder, same)
    return same


def _name(folder: Path, one: Published) -> None:
    fresh = folder / f"{CURRENT}.new"
    fresh.write_bytes(orjson.dumps(asdict(one), option=orjson.OPT_INDENT_2))
    _to_disk(fresh)
    fresh.replace(folder / CURRENT)


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()

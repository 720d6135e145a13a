"""What takes long to make and many tests read: made once, and kept by a digest of what it is made from.

`make test` makes all of it first (tests/suite/prepare.py). A test that runs alone makes what it needs. The folders are
in `.stamps/prepared`, each named after its content and the digest; the two newest of a name are kept.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.sites.sample_site import SITE

from kinfolk.config.settings import ROOT

FOLDER = ROOT / ".stamps" / "prepared"
KEPT = 2
SOURCE = (ROOT / "src/kinfolk", ROOT / "frontend/dist", ROOT / "requirements.lock", SITE)
"""What every response of the sample site is made from."""
_GENERATED = frozenset(("__pycache__", "node_modules", "var"))
"""Folders that programs write. `var` is the data of a running site, which no response of the tests depends on."""


@dataclass(frozen=True)
class Prepared:
    """A folder that `make` fills from `inputs`: files and folders."""

    name: str
    inputs: tuple[Path, ...]
    make: Callable[[Path], None]
    uses: tuple[Prepared, ...] = ()

    @functools.cached_property
    def digest(self) -> str:
        """Changes with each file of the inputs, and with the inputs of what it uses."""
        parts = [digest_of(path) for path in self.inputs] + [other.digest for other in self.uses]
        return hashlib.blake2b("".join(parts).encode(), digest_size=8).hexdigest()

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}-{self.digest}"

    def folder(self) -> Path:
        """The complete folder. It is made now if it is missing; other processes wait for it. Tests only read it."""
        if self.path.exists():
            return self.path
        FOLDER.mkdir(parents=True, exist_ok=True)
        with (FOLDER / f"{self.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.path.exists():
                unfinished = FOLDER / f"{self.name}.unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                self.make(unfinished)
                # An unpacked archive has the times of its making.
                unfinished.touch()
                unfinished.rename(self.path)
                self._delete_old()
        return self.path

    def _delete_old(self) -> None:
        found = list(FOLDER.glob(f"{self.name}-{'[0-9a-f]' * 16}"))
        found.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in found[KEPT:]:
            shutil.rmtree(folder)


@functools.cache
def digest_of(path: Path) -> str:
    """The names and the contents of a file or of all files in a folder, without those that programs generate."""
    digest = hashlib.blake2b(digest_size=16)
    for file in _files(path):
        digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for entry in sorted(path.iterdir()):
            if entry.name not in _GENERATED:
                yield from _files(entry)

"""The folder of an export: it is written beside the old one, which it replaces when it is complete."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kinfolk.runtime.errors import Invalid

MANIFEST = ".kinfolk-export.json"
"""A hidden file in the folder. It marks the folder as an export, and has the digest of each file."""
FORMAT = 1


def content_digest(content: bytes) -> str:
    """The digest of a file in the manifest."""
    return hashlib.blake2b(content, digest_size=12).hexdigest()


@dataclass
class ExportManifest:
    """What the folder has: the digest of each file, by its name."""

    digests: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> ExportManifest:
        """The manifest of an earlier export; an empty one for a folder without. Raises Invalid for any other folder."""
        if not folder.exists() or not any(folder.iterdir()):
            return cls()
        try:
            read = json.loads((folder / MANIFEST).read_text())
        except (OSError, ValueError):
            raise Invalid(f"{folder} is not empty and is not an export of kinfolk: choose another folder") from None
        return cls(read["digests"]) if read.get("format") == FORMAT else cls()

    def write(self, folder: Path) -> None:
        content = {"format": FORMAT, "digests": dict(sorted(self.digests.items()))}
        replace_file(folder / MANIFEST, json.dumps(content, separators=(",", ":")).encode())


@dataclass
class TreeWriter:
    """Writes files of the next export. Files with the digest of the earlier export are linked, not written."""

    folder: Path
    """The folder of the next export."""
    earlier: Path
    known: Mapping[str, str]
    written: int = 0

    def add(self, name: str, content: bytes) -> str:
        """Write a file, and return its digest."""
        digest = content_digest(content)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.known.get(name) == digest and link(self.earlier / name, path):
            return digest
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        self.written += 1
        return digest


def link(source: Path, target: Path) -> bool:
    """Make a hard link; False where the file is gone or the file system has no links."""
    try:
        os.link(source, target)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that a reader finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(content)
    temporary.replace(path)


def staging_folder(folder: Path) -> Path:
    """An empty folder beside the export, on the same file system."""
    staging = folder.with_name(f".{folder.name}.next")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    return staging


def switch(staging: Path, folder: Path) -> None:
    """Put the complete export in place of the old one."""
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    staging.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def copy_files(source: Path, names: Iterable[str], writer: TreeWriter) -> dict[str, str]:
    """Copy files of a folder, and return their digests."""
    return {name: writer.add(name, (source / name).read_bytes()) for name in names}

"""A copy of the built frontend whose files have other names, as after a change of each of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_DIGEST = re.compile(r"(?:^|-)([0-9a-f]{7,8})\.[a-z0-9]+$")
_WORD = re.compile(r"\b[0-9a-f]{7,8}\b")
_OTHER_DIGITS = str.maketrans("0123456789abcdef", "123456789abcdef0")
_TEXTS = {".js", ".css", ".json", ".html", ".svg"}
_COMPRESSED = {".br", ".gz"}
"""The server sends the other file where a build has none of these."""


def renamed_build(build: Path, folder: Path) -> Path:
    """Write the copy to a new folder. Each digest in a name differs, and so does each text that has it."""
    assets = build / "client" / "assets"
    digests = {found[1] for file in assets.iterdir() if (found := _DIGEST.search(file.name))}
    assert digests

    def other(found: re.Match[str]) -> str:
        return found[0].translate(_OTHER_DIGITS) if found[0] in digests else found[0]

    def renamed(text: str) -> str:
        return _WORD.sub(other, text)

    for file in build.rglob("*"):
        if not file.is_file() or file.suffix in _COMPRESSED:
            continue
        copy = folder / renamed(str(file.relative_to(build)))
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix in _TEXTS:
            copy.write_text(renamed(file.read_text()))
        else:
            shutil.copyfile(file, copy)
    return folder

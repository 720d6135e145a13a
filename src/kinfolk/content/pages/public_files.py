"""Files of the folder `public/` of a site, served at the root: which names are valid, and which are taken."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from kinfolk.config.routes import SERVER_RESOURCE, literal_segments
from kinfolk.runtime.errors import InvalidFile

PUBLIC = "public"
LARGEST_FILE = 16 << 20
"""Bytes."""
_NAME = re.compile(r"/(?:\.well-known/)?(?:[A-Za-z0-9][\w.-]*/)*[A-Za-z0-9][\w-]*(?:\.[\w-]+)*", re.ASCII)
_WITHOUT_ENDING = re.compile(r"/\.well-known/.+")
_RESERVED = frozenset({"1", "api", "assets", "auth", "mcp", "og"})
"""First segments of addresses of the server."""


def read_public_files(site: Path, libraries: Collection[str]) -> Mapping[str, Path]:
    """The files by address, without those whose addresses are invalid or taken."""
    return {address: file for address, file in _files(site) if not _fault(address, file, site, libraries)}


def public_file_errors(site: Path, libraries: Collection[str]) -> list[InvalidFile]:
    """The files that are not served, with the reasons."""
    return [
        InvalidFile(f"{PUBLIC}{address}", "", fault)
        for address, file in _files(site)
        if (fault := _fault(address, file, site, libraries))
    ]


def _files(site: Path) -> Iterator[tuple[str, Path]]:
    root = site / PUBLIC
    for file in sorted(root.rglob("*")):
        if file.is_file():
            yield f"/{file.relative_to(root).as_posix()}", file


def _fault(address: str, file: Path, site: Path, libraries: Collection[str]) -> str | None:
    first, _, rest = address[1:].partition("/")
    if not _NAME.fullmatch(address):
        return "is not served: its name should consist of letters, digits, dots, hyphens and underscores"
    if "." not in file.name and not _WITHOUT_ENDING.fullmatch(address):
        return "is not served: its name should have an ending, as names of pages do not"
    if first in libraries or first in _RESERVED or first in literal_segments()[0]:
        return f"is not served: addresses below /{first} are those of pages and of the server"
    if SERVER_RESOURCE.fullmatch(address) or (not rest and first.startswith(("favicon.", "icon-", "apple-touch-icon"))):
        return "is not served: the server has a file of its own at this address"
    if not file.resolve().is_relative_to((site / PUBLIC).resolve()):
        return "is not served: it leads outside of the folder"
    if file.stat().st_size > LARGEST_FILE:
        return f"is not served: it has more than {LARGEST_FILE >> 20} MB"
    return None

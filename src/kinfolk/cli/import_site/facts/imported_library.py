"""The facts of a library of the new site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Banner = Literal["unreleased", "unmaintained", "none", ""]


@dataclass(frozen=True)
class ImportedSection:
    """A section of the docs menu. Entries are paths of pages or URLs, each with a label if the title is not it."""

    label: str
    entries: tuple[tuple[str, str], ...]


@dataclass
class ImportedVersion:
    """A version: a branch, or a folder of the project. Texts are empty where the facts of the library apply."""

    name: str
    """Name in addresses of the new site."""
    label: str = ""
    branch: str = ""
    docs_root: str = ""
    banner: Banner = ""
    default_page: str = ""
    menu: list[ImportedSection] = field(default_factory=list)
    old_path: str = ""
    """Path of the version below that of the docs on the old site; empty for the latest one."""


@dataclass
class ImportedLibrary:
    """A docs folder with its versions. Paths of pages begin at the docs root, the docs root at the project."""

    id: str
    name: str
    docs_root: str
    dialect: str
    description: str = ""
    base: str = ""
    """Path below which the old site had these docs, without a slash at the end."""
    excluded: list[str] = field(default_factory=list)
    menu: list[ImportedSection] = field(default_factory=list)
    versions: list[ImportedVersion] = field(default_factory=list)
    """The latest one first. Empty for docs with one version."""

    def menu_entries(self) -> Iterator[tuple[str, str]]:
        return (entry for section in self.menu for entry in section.entries)

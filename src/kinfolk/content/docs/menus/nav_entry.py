"""Entries of the menu of another program, and what its readers are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kinfolk.content.docs.file_layouts.page_layout import PageLayout
from kinfolk.content.docs.file_layouts.site_config import HasFile, ReadFile

MOST_ENTRIES = 5_000
DEEPEST = 12


@dataclass(frozen=True)
class NavEntry:
    """A page, or a list of `entries`.

    `target` is a path below the docs root, a path of the original site with a slash at its start, or a URL. An entry
    with a `folder` stands for the pages of that folder; without a label, they are entries of the list that it is in.
    """

    label: str | None
    target: str = ""
    entries: tuple[NavEntry, ...] = ()
    badge: str | None = None
    is_collapsible: bool = True
    is_collapsed: bool = False
    folder: str | None = None


@dataclass(frozen=True)
class MenuSource:
    """What a menu is read from: the pages of a docs root and the files of its repository."""

    layout: PageLayout
    names: tuple[str, ...]
    """Names of the files that have the menu."""
    has_file: HasFile
    read: ReadFile


ReadMenu = Callable[[MenuSource], tuple[NavEntry, ...]]
"""The entries; none where there is no menu that can be read."""


def grouped(label: str | None, entries: list[NavEntry]) -> Iterator[NavEntry]:
    """The entries behind a separator as a list with its label; without one, the entries."""
    if label and entries:
        yield NavEntry(label, entries=tuple(entries))
    else:
        yield from entries

"""The files of pages as a tree of folders, for menus that are files in these folders."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from kinfolk.content.docs.file_layouts.page_layout import PageLayout


@dataclass
class PageFolder:
    """A folder below the docs root. `pages` are names of files without extension -> paths below the docs root."""

    path: str
    pages: dict[str, str] = field(default_factory=dict)
    folders: dict[str, PageFolder] = field(default_factory=dict)

    def inside(self, path: str) -> PageFolder | None:
        """The folder at a path from this one on."""
        folder: PageFolder | None = self
        for name in path.split("/") if path else ():
            folder = folder.folders.get(name) if folder else None
        return folder

    def names(self) -> list[str]:
        """Names of pages and folders in the order of their names."""
        return sorted({*self.pages, *self.folders})


def page_folders(layout: PageLayout) -> PageFolder:
    """All folders with pages that menus may show."""
    top = PageFolder("")
    for file in layout.pages.values():
        if not layout.facts(file).is_in_menu:
            continue
        inside = layout.inside(file)
        *names, name = inside.rsplit(".", 1)[0].split("/")
        folder = top
        for part in names:
            path = posixpath.join(folder.path, part)
            folder = folder.folders.setdefault(part, PageFolder(path))
        folder.pages[name] = inside
    return top

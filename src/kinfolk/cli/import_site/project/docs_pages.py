"""The pages of a docs folder, as the new site will read them."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from kinfolk.cli.import_site.facts.imported_site import page_path
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.config.catalog import WHOLE_REPOSITORY
from kinfolk.content.docs.file_layouts import DocsFolder, PageLayout, open_layouts
from kinfolk.content.docs.file_layouts.page_layout import INDEX, is_no_page_folder
from kinfolk.content.docs.menus.folder_menu import menu_of
from kinfolk.content.docs.menus.menu_config import DocsSection


class DocsPages:
    """Paths of pages begin at the docs root; that of an index is the path of its folder."""

    def __init__(
        self, files: ProjectFiles, root: str, dialect: str, excluded: Sequence[str] = (), config: str = ""
    ) -> None:
        """`config` is the configuration of the program, which can name the languages of the docs."""
        self._files = files
        self.root = root
        inside = "" if root == "." else root
        found = dict.fromkeys([*files.files_below(inside, is_no_page_folder), *filter(None, [config])], "")
        folder = DocsFolder(WHOLE_REPOSITORY if root == "." else root, dialect, excluded=tuple(excluded))
        _, layouts = open_layouts([folder], found, lambda path: files.text(path) or "")
        self.layout: PageLayout = layouts[folder.root]

    def __len__(self) -> int:
        return len(self.layout.pages)

    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [self._path(address) for address in self.layout.pages]

    def find(self, link: str) -> str | None:
        """The page that a link names below the path of the docs, in any form; `index` for the first one."""
        path = page_path(link)
        found = self.layout.find(posixpath.join(self.layout.folder, path)) if path else self.index()
        found = found or (self.layout.page_file(f"{self.layout.root}/{path}") if path else None)
        return None if found is None else self._path(found) or INDEX

    def page_of(self, file: str) -> str | None:
        """The page that is in a file, whose path begins at the project."""
        found = self.layout.find(file) if self.root == "." or file.startswith(f"{self.root}/") else None
        return None if found is None else self._path(found) or INDEX

    def index(self) -> str | None:
        return self.layout.page_file("") or self.layout.page_file(f"{self.layout.root}/{INDEX}")

    def title(self, page: str) -> str | None:
        """The label that a menu without one of its own shows."""
        address = self.layout.page_file(f"{self.layout.root}/{page}")
        if address is None:
            return None
        facts = self.layout.facts(self.layout.pages[address])
        return facts.label or facts.title

    def has_folder(self, folder: str) -> bool:
        """Whether pages are below a folder."""
        return any(path.startswith(f"{folder}/") for path in self.paths())

    def folder_sections(self) -> Sequence[DocsSection]:
        """The menu that follows the folders."""
        return menu_of(self.layout, self._files.is_file, lambda file: self._files.text(file) or "").sections

    def first(self, listed: Sequence[str]) -> str:
        """The page that the docs begin with: the index, the first one of a menu, or the first one of all."""
        if self.index() is not None:
            return INDEX
        return next(iter(listed), "") or next(iter(self.paths()), INDEX)

    def _path(self, address: str) -> str:
        path = address.removeprefix(f"{self.layout.root}/").removesuffix(".md")
        return path.removesuffix(f"/{INDEX}")

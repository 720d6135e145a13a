"""The files of a commit, read from its repository: nothing is checked out."""

from __future__ import annotations

import posixpath
from functools import cached_property

from kinfolk.cli.import_site.project.git_facts import GitFacts
from kinfolk.cli.import_site.project.project_files import LARGEST_FILE, MOST_NAMES, ProjectFiles
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import NotFound, Unavailable


class GitProjectFiles(ProjectFiles):
    """The files of a tree. Symbolic links within it are followed, others are left out, as on pages of the site."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._open()
        self._folders: dict[str, set[str]] = {"": set()}
        for path in tree.files:
            self._add(path)

    @property
    def name(self) -> str:
        return self._tree.ref.repo.rpartition("/")[2]

    @cached_property
    def git(self) -> GitFacts:
        return GitFacts(self._tree.ref.repo, self._tree.ref.branch)

    def content(self, path: str, largest: int = LARGEST_FILE) -> bytes | None:
        file = _normal(path)
        try:
            if self._tree.size(file) > largest:
                return None
            return self._tree.read(file)
        except (NotFound, Unavailable):
            return None

    def is_file(self, path: str) -> bool:
        return _normal(path) in self._tree.files

    def is_folder(self, path: str) -> bool:
        return _normal(path) in self._folders

    def names(self, path: str = "") -> list[str]:
        return sorted(self._folders.get(_normal(path), ()))[:MOST_NAMES]

    def _add(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        while True:
            known = folder in self._folders
            self._folders.setdefault(folder, set()).add(name)
            if known:
                return
            folder, _, name = folder.rpartition("/")
            name += "/"


def _normal(path: str) -> str:
    """A path from the top of the repository on; one that leads out of it is that of no file."""
    normal = posixpath.normpath(path.lstrip("/")) if path.strip("/") else ""
    return "" if normal == "." else normal

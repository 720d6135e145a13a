"""The files of the project that is imported. Nothing outside of its folder is read, and no file above a limit."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from kinfolk.cli.import_site.project.git_facts import GitFacts, git_facts
from kinfolk.runtime.errors import Invalid

LARGEST_FILE = 1 << 20
"""Bytes of a configuration or a picture."""
MOST_NAMES = 5_000
"""Entries of a folder."""
DEEPEST_CONFIG = 4
"""Levels of folders in which a configuration is looked for, the project's own included."""
MOST_FOLDERS = 3_000
"""Folders in which a configuration is looked for."""
DEEPEST_FOLDER = 24
MOST_FILES = 20_000
"""Files of a docs folder."""

_NO_CONFIG = frozenset(
    (
        "node_modules dist build vendor examples example templates template fixtures __fixtures__ __tests__ test tests"
        " e2e playground"
    ).split()
)
"""Folders of a project whose configurations are not of its docs."""


class ProjectFiles:
    """A folder, whose files are named by paths with `/` from it on."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise Invalid(f"{folder} is no folder")
        self.folder = folder.resolve()
        self._open()

    def _open(self) -> None:
        self._listings: dict[str, frozenset[str]] = {}
        self._below: dict[str, list[str]] = {}
        """The folders of a folder that may have a configuration."""

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def git(self) -> GitFacts:
        """What the repository of the files says."""
        return git_facts(self.folder)

    def text(self, path: str) -> str | None:
        """The text of a file; None if there is none, or if it is too large or no UTF-8."""
        content = self.content(path)
        try:
            return None if content is None else content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return None

    def json_table(self, path: str) -> dict[str, object]:
        """The table of a JSON file; empty if there is none."""
        try:
            value = json.loads(self.text(path) or "{}")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def content(self, path: str, largest: int = LARGEST_FILE) -> bytes | None:
        file = self._inside(path)
        try:
            if file is None or not file.is_file() or file.stat().st_size > largest:
                return None
            return file.read_bytes()
        except OSError:
            return None

    def is_file(self, path: str) -> bool:
        file = self._inside(path)
        return file is not None and file.is_file()

    def is_folder(self, path: str) -> bool:
        file = self._inside(path)
        return file is not None and file.is_dir()

    def names(self, path: str = "") -> list[str]:
        """The names in a folder, sorted; those of folders end with `/`."""
        folder = self._inside(path)
        if folder is None or not folder.is_dir():
            return []
        found: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    found.append(entry.name + "/" * entry.is_dir(follow_symlinks=False))
                    if len(found) == MOST_NAMES:
                        break
        except OSError:
            return []
        return sorted(name for name in found if name.isprintable())

    def find(self, names: tuple[str, ...], start: str = "") -> str | None:
        """The path of the first file that has one of these paths, in a folder or a few levels below it."""
        return next(self.find_all(names, start), None)

    def find_all(self, names: tuple[str, ...], start: str = "") -> Iterator[str]:
        """The same for all files, those of higher folders first."""
        left = MOST_FOLDERS
        level = [start]
        for _ in range(DEEPEST_CONFIG):
            for folder in level[:left]:
                listed = self._listing(folder)
                likely = (posixpath.join(folder, name) for name in names if name.split("/", 1)[0] in listed)
                found = next(filter(self.is_file, likely), None)
                if found:
                    yield found
            left -= len(level)
            if left <= 0:
                return
            level = [path for folder in level for path in self._below[folder]]

    def files_below(self, folder: str, is_left_out: Callable[[str], bool] = lambda _: False) -> Iterator[str]:
        """The paths of all files of a folder. Folders whose name is left out are not entered."""
        left = MOST_FILES
        folders = [folder]
        while folders:
            here = folders.pop()
            for name in self.names(here):
                path = posixpath.join(here, name.rstrip("/"))
                if not name.endswith("/"):
                    left -= 1
                    if left < 0:
                        return
                    yield path
                elif not is_left_out(name[:-1]) and path.count("/") < DEEPEST_FOLDER:
                    folders.append(path)

    def _listing(self, folder: str) -> frozenset[str]:
        """The names in a folder. It is listed once: a project is searched for the configurations of each program."""
        if folder not in self._listings:
            names = self.names(folder)
            self._listings[folder] = frozenset(name.rstrip("/") for name in names)
            self._below[folder] = [
                posixpath.join(folder, name[:-1])
                for name in names
                if name.endswith("/") and not name.startswith(".") and name[:-1] not in _NO_CONFIG
            ]
        return self._listings[folder]

    def _inside(self, path: str) -> Path | None:
        if "\0" in path:
            return None
        try:
            file = (self.folder / path.lstrip("/")).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return file if file.is_relative_to(self.folder) else None

"""The files of the project that is imported. Nothing outside of its folder is read, and no file above a limit."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pygit2

from kinfolk.runtime.errors import Invalid

LARGEST_FILE = 1 << 20
"""Bytes of a configuration or a picture."""
MOST_NAMES = 5_000
"""Entries of a folder."""
DEEPEST_CONFIG = 3
"""Folders between the project and its configuration."""

_GITHUB = re.compile(r"(?:https?://(?:www\.)?github\.com/|git@github\.com:|ssh://git@github\.com/)([\w.-]+)/([\w.-]+)")
_NO_CONFIG = frozenset(("node_modules", "dist", "build", "vendor"))


class ProjectFiles:
    """A folder, whose files are named by paths with `/` from it on."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise Invalid(f"{folder} is no folder")
        self.folder = folder.resolve()

    def text(self, path: str) -> str | None:
        """The text of a file; None if there is none, or if it is too large or no UTF-8."""
        content = self.content(path)
        try:
            return None if content is None else content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return None

    def content(self, path: str) -> bytes | None:
        file = self._inside(path)
        try:
            if file is None or not file.is_file() or file.stat().st_size > LARGEST_FILE:
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
        level = [start]
        for _ in range(DEEPEST_CONFIG):
            for folder in level:
                found = next((path for name in names if self.is_file(path := posixpath.join(folder, name))), None)
                if found:
                    return found
            level = [path for folder in level for path in self._folders(folder)][:MOST_NAMES]
        return None

    def _folders(self, folder: str) -> Iterator[str]:
        for name in self.names(folder):
            if name.endswith("/") and not name.startswith(".") and name[:-1] not in _NO_CONFIG:
                yield posixpath.join(folder, name[:-1])

    def _inside(self, path: str) -> Path | None:
        if "\0" in path:
            return None
        try:
            file = (self.folder / path.lstrip("/")).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return file if file.is_relative_to(self.folder) else None


@dataclass(frozen=True)
class GitFacts:
    """What the git repository of a project says. Empty texts for what it does not have."""

    repo: str = ""
    branch: str = ""
    branches: frozenset[str] = frozenset()


def top_folder(folder: Path) -> Path:
    """The folder of the git repository that a folder is in, or the folder itself, also if git ignores it."""
    own = folder.resolve()
    try:
        found = pygit2.discover_repository(str(own))
        repository = pygit2.Repository(found) if found else None
        top = Path(repository.workdir).resolve() if repository is not None and repository.workdir else own
        if repository is None or top == own or not own.is_relative_to(top):
            return own
        return own if repository.path_is_ignored(f"{own.relative_to(top)}/") else top
    except (pygit2.GitError, KeyError, ValueError):
        return own


def git_facts(folder: Path) -> GitFacts:
    """The repository on GitHub, the current branch and all branches."""
    try:
        if not (folder / ".git").exists():
            return GitFacts()
        repository = pygit2.Repository(str(folder))
        remotes = {remote.name: str(remote.url or "") for remote in repository.remotes}
        names = (name.removeprefix("origin/") for name in repository.branches)
        branch = "" if repository.head_is_unborn or repository.head_is_detached else repository.head.shorthand
        return GitFacts(repo_of_url(remotes.get("origin", "")), branch, frozenset(names))
    except (pygit2.GitError, KeyError, ValueError):
        return GitFacts()


def repo_of_url(url: str) -> str:
    """`https://github.com/acme/query/edit/main/docs` -> `acme/query`; empty for other addresses."""
    found = _GITHUB.match(url.strip())
    if found is None or found[1].startswith((".", "_")) or found[2] in (".", ".."):
        return ""
    return f"{found[1]}/{found[2].removesuffix('.git')}"


def branch_of_edit_url(url: str) -> str:
    """`https://github.com/acme/query/edit/main/docs/:path` -> `main`."""
    parts = url.split("/")
    if not repo_of_url(url) or len(parts) < 7 or parts[5] not in ("edit", "tree", "blob"):  # noqa: PLR2004
        return ""
    return parts[6] if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", parts[6]) else ""

"""The changelog files of a repository: where they are, and of which package.

files = ChangelogFiles(caches)
changelogs = files.read(tree)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kinfolk.content.release_notes.changelog import LONGEST_FILE, Changelog, parse_changelog
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import SiteError

MOST_FILES = 200
"""Changelogs of one repository. The largest known monorepo has 42."""
LARGEST_PACKAGE_FILE = 256 << 10
CACHED = 16 << 20
"""Characters of changelogs that are kept in memory."""
_PATH = re.compile(
    r"(?P<folder>(?:docs/|packages/(?:[^/]+/){1,2}|[^/]+/)?)(?:CHANGELOG|CHANGES|HISTORY|RELEASE[-_]?NOTES)\.mdx?",
    re.IGNORECASE,
)
_NO_PACKAGES = re.compile(r"(?:examples?|fixtures|node_modules|tests?|e2e)/", re.IGNORECASE)
_PACKAGE = re.compile(r"@?[A-Za-z0-9][\w./-]{0,200}")


class ChangelogTree(Protocol):
    """The files of a repository at one commit: a tree, or those of a branch that a response reads."""

    @property
    def files(self) -> Mapping[str, str]:
        """Path -> git id of the content."""

    def read(self, path: str) -> bytes:
        """Raises NotFound, Unavailable."""

    def size(self, path: str) -> int:
        """Bytes. Raises what `read` raises."""


@dataclass(frozen=True)
class PackageChangelog:
    """The changelog at a path, of a package; `package` is empty for that of the whole repository."""

    package: str
    path: str
    changelog: Changelog


def changelog_paths(files: Iterable[str]) -> tuple[str, ...]:
    """The paths of changelogs: in the repository's root, in `docs`, and in folders of packages."""
    found = (path for path in files if _PATH.fullmatch(path) and not _NO_PACKAGES.match(path))
    return tuple(sorted(found))[:MOST_FILES]


def package_file(changelog: str) -> str:
    """The path of the file that names the package of a changelog."""
    return f"{changelog.rpartition('/')[0]}/package.json"


class ChangelogFiles:
    """Reads changelogs. One that has not changed is parsed once. Thread-safe."""

    def __init__(self) -> None:
        self._parsed: ThreadSafeLRUCache[tuple[str, str], PackageChangelog] = ThreadSafeLRUCache(CACHED)

    def read(self, tree: ChangelogTree) -> tuple[PackageChangelog, ...]:
        """The changelogs of a tree that have releases. Files that cannot be read are left out."""
        found = (self._file(tree, path) for path in changelog_paths(tree.files))
        return tuple(one for one in found if one is not None and one.changelog.sections)

    def _file(self, tree: ChangelogTree, path: str) -> PackageChangelog | None:
        key = (path, tree.files[path])
        known = self._parsed.get(key)
        if known is not None:
            return known
        try:
            # Four bytes of UTF-8 are the longest character.
            if tree.size(path) > LONGEST_FILE * 4:
                return None
            text = tree.read(path).decode(errors="replace")
        except SiteError:
            return None
        changelog = parse_changelog(text)
        found = PackageChangelog(_package(tree, path, changelog), path, changelog)
        self._parsed.put(key, found, weight=len(text) + 1000)
        return found


def _package(tree: ChangelogTree, path: str, changelog: Changelog) -> str:
    """The name in the package file beside a changelog, else in its heading, else that of its folder."""
    folder = path.rpartition("/")[0]
    if folder in ("", "docs"):
        return ""
    if name := _name_in_package_file(tree, package_file(path)):
        return name
    title = changelog.title or ""
    return title if _PACKAGE.fullmatch(title) and title.lower() != "changelog" else folder.rpartition("/")[2]


def _name_in_package_file(tree: ChangelogTree, path: str) -> str:
    if path not in tree.files:
        return ""
    try:
        content = json.loads(tree.read(path)) if tree.size(path) <= LARGEST_PACKAGE_FILE else {}
    except (SiteError, ValueError, RecursionError):
        return ""
    name = content.get("name") if isinstance(content, dict) else None
    return name if isinstance(name, str) and _PACKAGE.fullmatch(name) else ""

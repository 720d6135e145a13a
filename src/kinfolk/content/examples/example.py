"""One example: a folder of a branch, such as `examples/{framework}/{name}`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from urllib.parse import quote

from kinfolk.config.catalog import Library
from kinfolk.config.docs_address import Ref
from kinfolk.content.examples.entry_file import expected_entry_file, find_entry_file
from kinfolk.content.sources.paths import is_plain_path
from kinfolk.runtime.errors import NotFound

BASE = "/_examples"


class ExampleBranch(Protocol):
    """The branch of an example. Paths start at the repository's root."""

    @property
    def ref(self) -> Ref: ...

    def example_folder(self, framework: str, name: str) -> str: ...

    def read(self, path: str) -> bytes:
        """Raises NotFound for a file that the branch does not have."""

    def size(self, path: str) -> int:
        """Bytes of a file. Raises what `read` raises."""

    def blob(self, path: str) -> str | None:
        """The git id of a file's content; None for a file that the branch does not have."""


@dataclass(frozen=True)
class Example:
    """`found` are the paths of its files, relative to its folder, in any order."""

    library: Library
    branch: ExampleBranch
    framework: str
    name: str
    found: tuple[str, ...]

    @cached_property
    def root(self) -> str:
        return self.branch.example_folder(self.framework, self.name)

    @property
    def title(self) -> str:
        return example_title(self.name)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Relative to the example's folder, in the order of a file tree."""
        return sort_as_tree(self.found)

    @cached_property
    def start(self) -> str | None:
        """The file that opens first; None for an example without files."""
        return find_entry_file(self.files, expected_entry_file(self.framework, self.library.example_entry))

    def path(self, file: str) -> str:
        """The path of a file from the repository's root."""
        return f"{self.root}/{file}"

    def inside(self, path: str) -> str | None:
        """A path from the repository's root, relative to the example's folder; None for a path outside of it."""
        start = f"{self.root}/"
        return path[len(start) :] if path.startswith(start) and is_plain_path(path) else None

    def blob(self, file: str) -> str:
        """The git id of a file's content. Raises NotFound for a file that is not part of the example."""
        self._check(file)
        return self.branch.blob(self.path(file)) or ""

    def read(self, file: str) -> bytes:
        """Raises NotFound for a file that is not part of the example."""
        self._check(file)
        return self.branch.read(self.path(file))

    def size(self, file: str) -> int:
        """Bytes of a file. Raises NotFound for a file that is not part of the example."""
        self._check(file)
        return self.branch.size(self.path(file))

    def _check(self, file: str) -> None:
        if file not in self._known:
            raise NotFound(f"There is no file {file} in the example {self.name}")

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.found)


def raw_base_url(example: Example, version: str) -> str:
    """The URL prefix of the example's raw files; with `.zip` appended, the URL of all files. `version` as in URLs."""
    return f"{BASE}/{example.library.id}/{version}/{quote(example.framework)}/{quote(example.name)}"


def example_title(name: str) -> str:
    """`infinite-scroll` -> Infinite Scroll."""
    return " ".join(word[0].upper() + word[1:] for word in name.replace("_", "-").split("-") if word)


def sort_as_tree(paths: Iterable[str]) -> tuple[str, ...]:
    """The order of a file tree: folders first, names with a leading dot before others, then by name."""
    return tuple(sorted(paths, key=_rank))


def _rank(path: str) -> list[tuple[bool, bool, str, str]]:
    *folders, name = path.split("/")
    return [_rank_of(folder, is_file=False) for folder in folders] + [_rank_of(name, is_file=True)]


def _rank_of(name: str, *, is_file: bool) -> tuple[bool, bool, str, str]:
    return is_file, not name.startswith("."), name.lower(), name

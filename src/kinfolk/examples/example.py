"""One example: a folder `examples/{framework}/{name}` of a branch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from kinfolk.catalog import Library
from kinfolk.errors import NotFound
from kinfolk.examples.start import first_file, main_file
from kinfolk.sources.paths import is_plain_path
from kinfolk.sources.snapshot import Tree

BASE = "/_examples"


@dataclass(frozen=True)
class Example:
    """`found` are the paths of its files, relative to it, in any order."""

    library: Library
    tree: Tree
    framework: str
    name: str
    found: tuple[str, ...]

    @property
    def root(self) -> str:
        return root_of(self.framework, self.name)

    @property
    def title(self) -> str:
        return title_of(self.name)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Relative to the example, in the order of its tree."""
        return in_order(self.found)

    @cached_property
    def start(self) -> str | None:
        """The file that opens first; None of an example without files."""
        return first_file(self.files, main_file(self.framework, self.library.example_entry))

    def path(self, file: str) -> str:
        """From the repository's root."""
        return f"{self.root}/{file}"

    def inside(self, path: str) -> str | None:
        """A path from the repository's root, relative to the example; None for one that names nothing in it."""
        start = f"{self.root}/"
        return path[len(start) :] if path.startswith(start) and is_plain_path(path) else None

    def blob(self, file: str) -> str:
        """The id of a file's content. Raises NotFound for a file that is not the example's."""
        if file not in self._known:
            raise NotFound(f"There is no file {file} in the example {self.name}")
        return self.tree.files[self.path(file)]

    def read(self, file: str) -> bytes:
        """Raises NotFound for a file that is not the example's."""
        self.blob(file)
        return self.tree.read(self.path(file))

    def size(self, file: str) -> int:
        """Bytes of a file. Raises NotFound for a file that is not the example's."""
        self.blob(file)
        return self.tree.size(self.path(file))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.found)


def base_of(example: Example, version: str) -> str:
    """Below here its files are served as they are; with `.zip` behind it, all of them. `version` as in an address."""
    return f"{BASE}/{example.library.id}/{version}/{quote(example.framework)}/{quote(example.name)}"


def root_of(framework: str, name: str) -> str:
    return f"examples/{framework}/{name}"


def title_of(name: str) -> str:
    """`infinite-scroll` is called Infinite Scroll."""
    return " ".join(word[0].upper() + word[1:] for word in name.replace("_", "-").split("-") if word)


def in_order(paths: Iterable[str]) -> tuple[str, ...]:
    """As a tree shows them: folders first, those with a dot before the others, then by name."""
    return tuple(sorted(paths, key=_rank))


def _rank(path: str) -> list[tuple[bool, bool, str, str]]:
    *folders, name = path.split("/")
    return [_rank_of(folder, is_file=False) for folder in folders] + [_rank_of(name, is_file=True)]


def _rank_of(name: str, *, is_file: bool) -> tuple[bool, bool, str, str]:
    return is_file, not name.startswith("."), name.lower(), name

"""The packages with which the code of a page is compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True)
class TypePackage:
    """The type declarations of a package. `folder` is where the compiler sees it: `/node_modules/react`.

    `file` is gzip of a JSON object: the path of a file below `folder` (`build/index.d.ts`, `package.json`) -> its text.
    Its name has the digest of its content.
    """

    name: str
    version: str
    folder: str
    file: Path


@dataclass(frozen=True)
class TypeSet:
    """The packages of one version of a library for one framework, with all that their types import.

    `own` are the names of the library's packages. `problems` name what could not be had, for maintainers. `chosen_by`
    has for each package of the library the rule that chose its release (`ChoiceRule` of `release_choice`).
    """

    framework: str | None
    packages: tuple[TypePackage, ...]
    own: tuple[str, ...]
    problems: tuple[str, ...] = ()
    chosen_by: tuple[tuple[str, str], ...] = ()

    @cached_property
    def digest(self) -> str:
        """Changes with any package."""
        parts = (f"{one.folder}\0{one.file.name}" for one in sorted(self.packages, key=lambda one: one.folder))
        return sha256("\n".join((*parts, *sorted(self.own))).encode()).hexdigest()[:16]

    @property
    def own_versions(self) -> tuple[tuple[str, str], ...]:
        """The library's packages and their releases."""
        top = {f"/node_modules/{name}" for name in self.own}
        return tuple((one.name, one.version) for one in self.packages if one.folder in top)

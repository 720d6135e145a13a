"""The package of a repository, from manifests: `package.json`, `pyproject.toml`, `Cargo.toml`, `go.mod` and others."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.new.facts.install_commands import InstallCommand
from kinfolk.cli.new.facts.readable_text import letters_of, plain_line
from kinfolk.config.package_registries import RegistryName, is_package

_FOLDERS = ("packages", "crates", "libs", "pkg", "pkgs", "python", "js")
"""Folders of a monorepo that have a folder for each package."""
MOST_PACKAGES = 80
_ENTRY_POINTS = frozenset(("main", "module", "exports", "types", "bin", "publishConfig"))
_MODULE = re.compile(r"^module[ \t]+(\S+)", re.MULTILINE)
_GO_MAJOR = re.compile(r"/v\d+$")

Table = dict[str, object]


@dataclass(frozen=True)
class PackageFacts:
    """A package that a manifest names. `fit` is 0 if its name is that of the repository, more for others."""

    registry: RegistryName
    name: str
    description: str
    manifest: str
    fit: int
    is_dev: bool = False


def find_package(files: ProjectFiles, repository: str, commands: Sequence[InstallCommand]) -> PackageFacts | None:
    """The package that readers install; None if no manifest names one that fits the repository.

    `commands` are those of the README, which decide between packages.
    """
    named = {(command.registry, name): command.is_dev for command in commands for name in command.packages}
    registries = [command.registry for command in commands]
    found = [package for package in _packages(files, repository) if package.fit < _NO_FIT or _key(package) in named]
    if not found:
        return None

    def rank(package: PackageFacts) -> tuple[bool, int, int, int]:
        place = registries.index(package.registry) if package.registry in registries else len(registries)
        return _key(package) not in named, package.fit, place, package.manifest.count("/")

    best = min(found, key=rank)
    is_dev = named.get(_key(best), False)
    return PackageFacts(**{**vars(best), "is_dev": is_dev})


_NO_FIT = 3


def _key(package: PackageFacts) -> tuple[RegistryName, str]:
    return package.registry, package.name


def _fit(name: str, repository: str) -> int:
    """How well the name of a package fits that of the repository; `_NO_FIT` if it does not."""
    scope, slash, last = name.rpartition("/")
    own = letters_of(repository)
    if letters_of(name) == own:
        return 0
    if slash and letters_of(last) == own:
        return 1
    is_core = letters_of(name) == f"{own}core" or (slash and letters_of(scope) == own and last == repository)
    return 2 if is_core else _NO_FIT


def _packages(files: ProjectFiles, repository: str) -> Iterator[PackageFacts]:
    for folder in _package_folders(files):
        start = f"{folder}/" if folder else ""
        if (path := f"{start}package.json") and files.is_file(path):
            yield from _npm(files.json_table(path), path, repository)
        if (path := f"{start}pyproject.toml") and files.is_file(path):
            yield from _python(_toml(files.text(path)), path, repository)
        if (path := f"{start}Cargo.toml") and files.is_file(path):
            yield from _package("crates", _table(_toml(files.text(path)), "package"), path, repository)
    module = _MODULE.search((files.text("go.mod") or "")[: 64 << 10])
    if module and is_package("go", module[1]):
        fit = _fit(_GO_MAJOR.sub("", module[1]).rpartition("/")[2], repository)
        yield PackageFacts("go", module[1], "", "go.mod", fit)
    yield from _package("packagist", files.json_table("composer.json"), "composer.json", repository)


def _package_folders(files: ProjectFiles) -> Iterator[str]:
    yield ""
    others = (name[:-1] for name in files.names() if name.startswith("packages-") and name.endswith("/"))
    for parent in (*_FOLDERS, *others):
        for name in files.names(parent)[:MOST_PACKAGES]:
            if name.endswith("/"):
                yield f"{parent}/{name[:-1]}"


def _npm(table: Table, path: str, repository: str) -> Iterator[PackageFacts]:
    """The package, unless it is private. One that is built elsewhere may be private in its repository."""
    for package in _package("npm", table, path, repository):
        is_built = "/" not in path and package.fit == 0 and not _ENTRY_POINTS.isdisjoint(table)
        if table.get("private") is not True or is_built:
            yield package


def _python(table: Table, path: str, repository: str) -> Iterator[PackageFacts]:
    project = _table(table, "project") or _table(_table(table, "tool"), "poetry")
    yield from _package("pypi", project, path, repository)


def _package(registry: RegistryName, table: Table, path: str, repository: str) -> Iterator[PackageFacts]:
    name = table.get("name")
    if isinstance(name, str) and "@" not in name[1:] and is_package(registry, name):
        yield PackageFacts(registry, name, _line(table.get("description")), path, _fit(name, repository))


def _line(value: object) -> str:
    return plain_line(value[:2_000]) if isinstance(value, str) else ""


def _table(table: Table, key: str) -> Table:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _toml(text: str | None) -> Table:
    try:
        return tomllib.loads(text or "")
    except (ValueError, RecursionError):
        return {}

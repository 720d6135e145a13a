"""Packages in the tree of a branch: their versions, and those with declarations or sources, which need no registry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import orjson

from kinfolk.content.code_checks.packages.registry.declaration_files import (
    DECLARATIONS,
    LIMITS,
    MANIFEST,
    DeclarationFiles,
    PackageLimits,
    file_text,
    is_refused,
)
from kinfolk.content.code_checks.packages.registry.package_names import is_npm_name
from kinfolk.content.code_checks.packages.registry.packument import PublishedVersion, UnusablePackage, read_manifest
from kinfolk.content.sources.snapshot import Tree

MOST_MANIFESTS = 400
"""Files `package.json` that are read. The largest repository of the family has 80 without those of examples."""
LONGEST_MANIFEST = 1 << 18
_NOT_PACKAGES = frozenset(
    "node_modules examples example e2e test tests __tests__ fixtures templates integrations docs benchmarks".split()
)
_SOURCES = (".ts", ".tsx", ".mts", ".cts")
_CONDITIONS = ("types", "import", "module", "default", "node", "browser", "require")
_DEFAULT_ENTRIES = ("src/index.ts", "src/index.tsx", "index.d.ts", "index.ts", "src/mod.ts", "mod.ts")


class TreePackages:
    """The packages of a tree; none without one. Reads files when they are used."""

    def __init__(self, tree: Tree | None) -> None:
        self._tree = tree

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Name -> version of each package, from its `package.json`."""
        return {name: str(manifest.get("version", "")) for name, (_, manifest) in self._manifests.items()}

    def published(self, name: str) -> PublishedVersion | None:
        """The package as a registry would list it; None without declarations or sources in the tree."""
        if name not in self._manifests or not self._entries(name):
            return None
        manifest = read_manifest(dict(self._manifests[name][1]))
        return manifest.published(name, self.versions[name] or "0.0.0") if manifest is not None else None

    def files(self, name: str, limits: PackageLimits = LIMITS) -> DeclarationFiles:
        """The sources or declarations of a package, with a manifest that leads to them. Raises UnusablePackage."""
        tree, (folder, manifest), entries = self._tree, self._manifests[name], self._entries(name)
        if tree is None:
            raise UnusablePackage(f"There is no repository with {name}")
        exports = {subpath: {"types": f"./{path}"} for subpath, path in entries.items()}
        facts = {key: manifest[key] for key in ("name", "version", "type") if key in manifest}
        facts |= {"types": entries.get(".", ""), "exports": exports}
        files, size = {MANIFEST: orjson.dumps(facts).decode()}, 0
        endings = DECLARATIONS if all(path.endswith(DECLARATIONS) for path in entries.values()) else _SOURCES
        for path in self._package_files(folder, endings):
            file_size = tree.size(folder + path)
            size += file_size
            if size > limits.text_bytes or file_size > limits.file_bytes or len(files) >= limits.files:
                raise UnusablePackage(f"{name} in {tree.ref} has more sources than are read")
            text = file_text(path, tree.read(folder + path))
            if text is not None:
                files[path] = text
        return DeclarationFiles(files)

    def _package_files(self, folder: str, endings: tuple[str, ...]) -> Iterator[str]:
        for path in self._tree.files if self._tree else ():
            below = path.removeprefix(folder)
            is_inside = path.startswith(folder) and not _NOT_PACKAGES.intersection(below.split("/"))
            is_test = below.endswith((".test.ts", ".test.tsx", ".spec.ts", ".spec.tsx"))
            if is_inside and below.endswith(endings) and not is_test and not is_refused(below):
                yield below

    def _entries(self, name: str) -> Mapping[str, str]:
        """What imports of the package lead to: `.` and subpaths -> files of the tree, from the package's folder."""
        folder, manifest = self._manifests[name]
        exports = manifest.get("exports")
        named = exports if isinstance(exports, dict) and any(key[:1] == "." for key in exports) else {".": exports}
        entries: dict[str, str] = {}
        for subpath, target in named.items():
            found = next((path for path in _targets(target) if self._has(folder, path)), None)
            if found is not None and "*" not in subpath:
                entries[subpath] = found
        if "." not in entries:
            others = (manifest.get("types"), manifest.get("typings"), *_DEFAULT_ENTRIES)
            paths = (each.removeprefix("./") for each in others if isinstance(each, str))
            found = next((path for path in paths if self._has(folder, path)), None)
            entries |= {".": found} if found is not None else {}
        return entries if "." in entries else {}

    def _has(self, folder: str, path: str) -> bool:
        return self._tree is not None and path.endswith(_SOURCES) and folder + path in self._tree.files

    @cached_property
    def _manifests(self) -> Mapping[str, tuple[str, Mapping[str, object]]]:
        """Name -> folder, with a slash, and `package.json`. Of one name, the package that is least deep."""
        found: dict[str, tuple[str, Mapping[str, object]]] = {}
        for path in self._manifest_paths() if self._tree else ():
            if self._tree is None or self._tree.size(path) > LONGEST_MANIFEST:
                continue
            try:
                manifest = orjson.loads(self._tree.read(path))
            except ValueError:
                continue
            name = manifest.get("name") if isinstance(manifest, dict) else None
            if isinstance(name, str) and is_npm_name(name):
                found.setdefault(name, (path.removesuffix(MANIFEST), manifest))
        return found

    def _manifest_paths(self) -> list[str]:
        paths = [
            path
            for path in (self._tree.files if self._tree else ())
            if path.rpartition("/")[2] == MANIFEST and not _NOT_PACKAGES.intersection(path.split("/"))
        ]
        return sorted(paths, key=lambda path: (path.count("/"), path))[:MOST_MANIFESTS]


def _targets(target: object, depth: int = 0) -> Iterator[str]:
    """The paths that an entry of `exports` has, in the order in which code that imports reads its conditions."""
    if isinstance(target, str):
        yield target.removeprefix("./")
    elif isinstance(target, dict) and depth < len(_CONDITIONS):
        for condition in _CONDITIONS:
            yield from _targets(target.get(condition), depth + 1)

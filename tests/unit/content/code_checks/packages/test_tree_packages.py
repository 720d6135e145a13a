"""Packages in the tree of a branch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.code_checks.packages.registry.declaration_files import PackageLimits
from kinfolk.content.code_checks.packages.registry.packument import UnusablePackage
from kinfolk.content.code_checks.packages.tree_packages import TreePackages
from kinfolk.content.sources.directory import DirectorySource

REF = Ref("acme/tiles", "main")


def packages(folder: Path, files: dict[str, str]) -> TreePackages:
    for path, content in files.items():
        file = folder / "acme/tiles/main" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return TreePackages(DirectorySource(folder, [REF], "a test").open().tree(REF))


def manifest(name: object = "tiles", **facts: object) -> str:
    return json.dumps({"name": name, "version": "1.2.0", **facts})


def test_versions_are_those_of_packages_without_examples(tmp_path: Path) -> None:
    found = packages(
        tmp_path,
        {
            "package.json": manifest("root"),
            "packages/a/package.json": manifest("@acme/a"),
            "examples/a/package.json": manifest("@acme/a", version="9.9.9"),
            "packages/b/package.json": "{",
            "packages/c/package.json": '["name"]',
            "packages/d/package.json": manifest("../d"),
        },
    )
    assert found.versions == {"root": "1.2.0", "@acme/a": "1.2.0"}


@pytest.mark.parametrize(
    ("facts", "entries"),
    [
        ({"types": "./types/index.d.ts"}, {".": "types/index.d.ts"}),
        ({"exports": {".": {"import": {"types": "./types/index.d.ts"}}}}, {".": "types/index.d.ts"}),
        ({"exports": {"types": "./types/index.d.ts"}}, {".": "types/index.d.ts"}),
        (
            {"exports": {".": "./types/index.d.ts", "./sub": "./types/sub.d.ts", "./no": "./dist/no.js"}},
            {".": "types/index.d.ts", "./sub": "types/sub.d.ts"},
        ),
        ({"types": "dist/index.d.ts"}, {".": "src/index.ts"}),
        ({"types": "../other/index.d.ts"}, {".": "src/index.ts"}),
    ],
)
def test_imports_lead_to_files_of_the_tree(tmp_path: Path, facts: dict[str, object], entries: dict[str, str]) -> None:
    files = {"types/index.d.ts": "", "types/sub.d.ts": "", "src/index.ts": "", "other/index.d.ts": ""}
    found = packages(tmp_path, {"package.json": manifest(**facts), **files})
    written = json.loads(found.files("tiles").files["package.json"])
    assert {subpath: target["types"] for subpath, target in written["exports"].items()} == {
        subpath: f"./{path}" for subpath, path in entries.items()
    }


def test_package_without_types_in_the_tree_is_not_published(tmp_path: Path) -> None:
    found = packages(tmp_path, {"package.json": manifest(types="dist/index.d.ts", main="index.js"), "index.js": ""})
    assert found.published("tiles") is None
    assert found.published("other") is None


def test_package_names_its_dependencies(tmp_path: Path) -> None:
    facts = manifest(types="index.d.ts", dependencies={"core": "workspace:*"}, peerDependencies={"react": ">=18"})
    found = packages(tmp_path, {"package.json": facts, "index.d.ts": ""}).published("tiles")
    assert found is not None
    assert (found.version, found.ranges) == ("1.2.0", {"core": "workspace:*", "react": ">=18"})


def test_sources_of_a_package_are_limited(tmp_path: Path) -> None:
    found = packages(tmp_path, {"package.json": manifest(), "src/index.ts": "x" * 200})
    with pytest.raises(UnusablePackage, match="tiles in acme/tiles@main has more sources than are read"):
        found.files("tiles", PackageLimits(text_bytes=100))


def test_version_without_tree_has_no_packages() -> None:
    assert TreePackages(None).versions == {}
    assert TreePackages(None).published("tiles") is None

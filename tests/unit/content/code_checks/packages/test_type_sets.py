"""The types of a version: which packages a set has, from a stand-in of the registry, and what stays when it fails."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from tests.servers.npm_registry import Fault, NpmRegistry, PackageFiles

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.library import Package, Version
from kinfolk.config.docs_address import Ref
from kinfolk.content.code_checks.packages.package_closure import SET_LIMITS, SetLimits
from kinfolk.content.code_checks.packages.registry.declaration_files import PackageLimits
from kinfolk.content.code_checks.packages.registry.npm_registry_client import NpmRegistryClient
from kinfolk.content.code_checks.packages.type_sets import TypeSets
from kinfolk.content.code_checks.type_set import TypePackage, TypeSet
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import Unavailable

TILES, CORE = "@acme/react-tiles", "@acme/tiles-core"
ADDRESS = "http://127.0.0.1:9"
SMALL = PackageLimits(entries=2000, unpacked_bytes=1 << 20, files=400, file_bytes=1 << 19, text_bytes=1 << 19)


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 3, 18, 12, tzinfo=UTC).replace(tzinfo=None)

    def __call__(self) -> datetime:
        return self.time


def package(text: str, **manifest: object) -> PackageFiles:
    return {"package.json": manifest, "index.d.ts": text}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def registry() -> Iterator[NpmRegistry]:
    tiles = package(
        f"import 'react'; export * from '{CORE}'; import './own'; // import 'unnamed'",
        dependencies={CORE: "^4.0.0", "bundler": "^1.0.0"},
        peerDependencies={"react": ">=18", "vue": ">=3"},
        peerDependenciesMeta={"vue": {"optional": True}},
    )
    core = package("export const core: 1")
    packages: dict[str, dict[str, PackageFiles]] = {
        TILES: {"4.2.0": tiles, "5.0.0": tiles},
        CORE: {"4.1.0": core, "4.3.0": core, "5.0.0": core},
        "react": {"18.3.1": {"index.js": ""}, "19.1.0": {"index.js": ""}},
        "@types/react": {
            "18.3.9": package("export {}"),
            "19.1.4": package("import * as CSS from 'csstype'", dependencies={"csstype": "^3.0.0"}),
            "19.2.0": package("export {}"),
        },
        "csstype": {"3.1.0": package("export {}")},
        "zod": {"4.0.0": package("export const z: 1")},
        "bundler": {"1.0.0": package("export {}")},
    }
    with NpmRegistry(packages) as stand_in:
        yield stand_in


@pytest.fixture
def catalog(catalog: Catalog) -> Catalog:
    """One library with a package for React, and two versions."""
    library = replace(
        catalog.library("query"),
        frameworks=("react",),
        packages=(Package(TILES, "react"),),
        npm_packages=(TILES, CORE),
        latest_version="v5",
        versions=(Version("v5", branch="main"), Version("v4", branch="v4")),
    )
    return replace(catalog, libraries=(library,))


@pytest.fixture
def library(catalog: Catalog) -> Library:
    return catalog.library("query")


class Site:
    """Sets of one library. Each call is that of a process which has just started."""

    limits = SET_LIMITS

    def __init__(self, catalog: Catalog, folder: Path, clock: Clock, address: str) -> None:
        self.catalog, self.folder, self.clock, self.address = catalog, folder, clock, address

    def sets(
        self, version: str, *imported: str, frameworks: Sequence[str] = ("react",), tree: Tree | None = None
    ) -> tuple[TypeSet, ...]:
        registry = NpmRegistryClient(self.address, now=self.clock, gap_s=0) if self.address else None
        library = self.catalog.library("query")
        opened = TypeSets(self.catalog, registry, self.folder, now=self.clock, limits=SMALL, set_limits=self.limits)
        with closing(opened) as sets:
            return sets.type_sets(
                library, library.version(version), frameworks=frameworks, imported=frozenset(imported), tree=tree
            )

    def types(self, version: str = "v4", *imported: str, tree: Tree | None = None) -> TypeSet:
        (found,) = self.sets(version, *imported, tree=tree)
        return found


@pytest.fixture
def site(catalog: Catalog, tmp_path: Path, clock: Clock, registry: NpmRegistry) -> Site:
    return Site(catalog, tmp_path / "packages", clock, registry.url)


def placed(types: TypeSet) -> dict[str, str]:
    return {one.folder.removeprefix("/node_modules/"): one.version for one in types.packages}


def text(one: TypePackage) -> dict[str, str]:
    found: dict[str, str] = orjson.loads(gzip.decompress(one.file.read_bytes()))
    return found


# What a set has


def test_set_has_the_packages_that_declarations_import(site: Site, registry: NpmRegistry) -> None:
    types = site.types()
    assert placed(types) == {
        TILES: "4.2.0", CORE: "4.3.0", "@types/react": "19.1.4", "csstype": "3.1.0", "zod": "4.0.0",
    }  # fmt: skip
    assert (types.own_versions, types.chosen_by) == (((TILES, "4.2.0"), (CORE, "4.3.0")), ((TILES, "name"),))
    assert not any(name in registry.packuments for name in ("bundler", "vue", "unnamed"))


def test_file_of_a_package_has_its_declarations(site: Site) -> None:
    core = next(one for one in site.types().packages if one.name == CORE)
    assert text(core)["index.d.ts"] == "export const core: 1"
    assert core.folder == f"/node_modules/{CORE}"


def test_versions_of_a_library_have_sets_of_their_own(site: Site) -> None:
    older, newer = site.types("v4"), site.types("v5")
    assert newer.own_versions == ((TILES, "5.0.0"), (CORE, "4.3.0"))
    assert older.digest != newer.digest


def test_dependency_of_another_major_is_nested(site: Site, registry: NpmRegistry) -> None:
    registry.add("forms", "1.0.0", package("import 'zod'", dependencies={"zod": "^3.0.0"}))
    registry.add("zod", "3.9.0", package("export const z: 0"))
    registry.dist_tags["zod"] = {"latest": "4.0.0"}
    found = placed(site.types("v4", "forms"))
    assert (found["zod"], found["forms/node_modules/zod"]) == ("4.0.0", "3.9.0")


def test_imported_package_fits_the_version_of_the_library(site: Site, registry: NpmRegistry) -> None:
    for major in (4, 5):
        tools = package(f"import '{TILES}'", peerDependencies={TILES: f"^{major}.0.0"})
        registry.add("@acme/tiles-devtools", f"{major}.1.0", tools)
    imported = "@acme/tiles-devtools"
    assert placed(site.types("v4", imported))[imported] == "4.1.0"
    assert placed(site.types("v5", imported))[imported] == "5.1.0"


def test_imports_that_name_no_package_or_another_framework_are_not_requested(site: Site, registry: NpmRegistry) -> None:
    names = ("./local", "@/components", "~/app", "node:fs", "fs", "../../-/all", "__proto__", "vue-tiles", "eslint")
    types = site.types("v4", *names, "left-pad")
    assert set(registry.packuments) == {TILES, CORE, "react", "@types/react", "csstype", "zod", "react-dom", "left-pad"}
    assert types.problems == ("The docs import packages that cannot be had: react-dom, left-pad.",)


def test_scoped_package_without_types_has_those_of_its_mangled_name(site: Site, registry: NpmRegistry) -> None:
    registry.add("@babel-like/core", "7.1.0", {"index.js": ""})
    registry.add("@types/babel-like__core", "7.0.5", package("export {}"))
    found = placed(site.types("v4", "@babel-like/core"))
    assert (found["@types/babel-like__core"], "@babel-like/core" in found) == ("7.0.5", False)


def test_number_of_imported_packages_is_limited(site: Site, registry: NpmRegistry) -> None:
    site.types("v4", "valibot", "@acme/theme", *(f"package-{number:03}" for number in range(100)))
    assert sum(name.startswith("package-") for name in registry.packuments) == 58
    assert {"valibot", "@acme/theme"} < set(registry.packuments)


def test_large_packages_beside_the_library_are_left_out(site: Site, registry: NpmRegistry) -> None:
    for name, size in (("huge", 2000), ("large", 900), ("small", 300), ("tiny", 100)):
        registry.add(name, "1.0.0", package("x" * size))
    site.limits = SetLimits(extra_bytes=1800, bytes_of_extra=1500)
    types = site.types("v4", "huge", "large", "small", "tiny", "@acme/huge")
    assert placed(types).keys() == {TILES, CORE, "@types/react", "csstype", "zod", "large", "small", "tiny"}
    assert "The set has no room for the types of huge." in types.problems


def test_number_of_packages_of_a_set_is_limited(site: Site) -> None:
    site.limits = SetLimits(packages=3)
    types = site.types()
    assert len(types.packages) <= 3
    assert types.own == (TILES, CORE)
    assert types.problems[-1].startswith("The set has no room for the types of ")


def test_majors_that_import_each_other_are_bounded(site: Site, registry: NpmRegistry) -> None:
    for major in (1, 2):
        loop = package("import '@acme/loop'", dependencies={"@acme/loop": f"^{3 - major}.0.0"})
        registry.add("@acme/loop", f"{major}.0.0", loop)
    site.limits = SetLimits(packages=20)
    types = site.types("v4", "@acme/loop")
    assert len(types.packages) <= 20
    assert types.problems[-1] == "The set has no room for the types of @acme/loop."


def test_packages_that_import_each_other_are_placed_once(site: Site, registry: NpmRegistry) -> None:
    registry.add(CORE, "4.3.0", package(f"import '{TILES}'", dependencies={TILES: "*"}))
    assert placed(site.types())[CORE] == "4.3.0"


def test_framework_without_package_has_no_set(site: Site) -> None:
    (types,) = site.sets("v4", frameworks=("react", "lit"))
    assert types.framework == "react"
    assert "TanStack Query v4 names no npm package for lit." in types.problems
    assert site.sets("v4", frameworks=("lit",)) == ()


def test_framework_has_the_package_with_its_name_that_docs_import(site: Site, registry: NpmRegistry) -> None:
    for name in ("@acme/lit-query", "@acme/lit-query-devtools", "lit-query"):
        registry.add(name, "4.6.0", package("export {}"))
    (types,) = site.sets("v4", "@acme/lit-query", "@acme/lit-query-devtools", "lit-query", frameworks=("lit",))
    assert (types.framework, types.own_versions) == ("lit", (("@acme/lit-query", "4.6.0"),))


def test_docs_without_frameworks_have_one_set(site: Site) -> None:
    (types,) = site.sets("v4", frameworks=())
    assert (types.framework, types.own_versions[0]) == (None, (TILES, "4.2.0"))


# Hostile packages


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("wrong-integrity", f"The tarball of {CORE}@4.3.0 is not the one that was published: its digest differs."),
        ("bomb", f"{CORE}@4.3.0 has a declaration of more than 512 kB."),
        ("missing", f"The package registry has no tarball of {CORE}@4.3.0."),
    ],
)
def test_hostile_package_is_named_and_affects_no_other(
    site: Site, registry: NpmRegistry, fault: Fault, said: str
) -> None:
    registry.tarball_faults[CORE] = fault
    types = site.types()
    assert said in types.problems
    assert placed(types).keys() == {TILES, "@types/react", "csstype", "zod"}


def test_hostile_package_is_not_fetched_with_each_set(site: Site, registry: NpmRegistry) -> None:
    registry.tarball_faults[CORE] = "bomb"
    site.types("v4")
    site.types("v5")
    assert registry.tarballs.count("tiles-core-4.3.0.tgz") == 1


def test_files_with_refused_names_are_counted(site: Site, registry: NpmRegistry) -> None:
    registry.tarball_faults[CORE] = "paths"
    assert f"{CORE}@4.3.0 has 9 files with names or bytes that are not read." in site.types().problems
    assert {file.parent for file in site.folder.parent.rglob("*.d.ts")} == set()


# What stays


def test_unchanged_set_needs_no_request_for_six_hours(site: Site, registry: NpmRegistry, clock: Clock) -> None:
    first = site.types()
    registry.requests.clear()
    clock.time += timedelta(hours=5)
    assert (site.types(), registry.requests) == (first, [])
    clock.time += timedelta(hours=2)
    assert site.types().digest == first.digest
    assert (len(registry.packuments), registry.tarballs) == (7, [])


def test_new_release_of_the_library_is_used_after_six_hours(site: Site, registry: NpmRegistry, clock: Clock) -> None:
    site.types()
    registry.add(TILES, "4.3.0", package("export {}"))
    clock.time += timedelta(hours=7)
    assert site.types().own_versions == ((TILES, "4.3.0"),)


def test_new_release_of_another_package_is_used_after_a_week(site: Site, registry: NpmRegistry, clock: Clock) -> None:
    site.types()
    registry.add("zod", "4.1.0", package("export {}"))
    clock.time += timedelta(days=2)
    assert placed(site.types())["zod"] == "4.0.0"
    clock.time += timedelta(days=6)
    assert placed(site.types())["zod"] == "4.1.0"


def test_last_set_stays_while_the_registry_cannot_be_reached(site: Site, registry: NpmRegistry, clock: Clock) -> None:
    first = site.types()
    registry.stop()
    clock.time += timedelta(hours=7)
    later = site.types("v4", "another-import")
    assert later.digest == first.digest
    assert later.problems[0] == (
        "The types are those of 2026-03-18 12:00 UTC: The package registry cannot be reached: ConnectError. Check"
        " KINFOLK_NPM_REGISTRY."
    )


def test_last_set_stays_while_one_tarball_cannot_be_fetched(site: Site, registry: NpmRegistry, clock: Clock) -> None:
    first = site.types()
    registry.add(CORE, "4.4.0", package("export const core: 2"))
    registry.tarball_faults[CORE] = "server-error"
    clock.time += timedelta(days=8)
    assert site.types().digest == first.digest
    del registry.tarball_faults[CORE]
    assert placed(site.types())[CORE] == "4.4.0"


def test_first_set_without_registry_names_the_setting(site: Site, registry: NpmRegistry) -> None:
    registry.stop()
    with pytest.raises(Unavailable) as failed:
        site.types()
    assert failed.value.message == (
        "The types of TanStack Query v4 cannot be had: The package registry cannot be reached: ConnectError. Check"
        " KINFOLK_NPM_REGISTRY."
    )


def test_limited_registry_is_named_with_its_time(site: Site, registry: NpmRegistry) -> None:
    registry.fault = "limit-for-1s"
    with pytest.raises(Unavailable, match="it accepts requests again in 1 s"):
        site.types()
    assert len(registry.requests) == 1


def test_running_call_ends_when_the_site_shuts_down(site: Site, registry: NpmRegistry) -> None:
    registry.fault = "slow"
    library = site.catalog.library("query")
    client = NpmRegistryClient(registry.url, now=site.clock, gap_s=0)
    with closing(TypeSets(site.catalog, client, site.folder, now=site.clock)) as sets, ThreadPoolExecutor(1) as threads:
        running = threads.submit(sets.type_sets, library, library.version("v4"), frameworks=("react",))
        assert registry.received.wait(30)
        sets.stop()
        with pytest.raises(Unavailable, match="shutting down"):
            running.result(timeout=10)
        with pytest.raises(Unavailable, match="shutting down"):
            sets.type_sets(library, library.version("v4"), frameworks=("react",))


def test_damaged_file_is_fetched_again(site: Site, registry: NpmRegistry) -> None:
    first = site.types()
    core = next(one for one in first.packages if one.name == CORE)
    core.file.write_bytes(core.file.read_bytes()[:-1] + b"\1")
    registry.requests.clear()
    assert site.types() == first
    assert registry.tarballs == ["tiles-core-4.3.0.tgz"]
    assert text(core)["index.d.ts"] == "export const core: 1"


def test_invalid_manifest_is_made_again(site: Site) -> None:
    first = site.types()
    (site.folder / "manifest.json").write_text('{"packages": [')
    assert site.types() == first


# Packages of the repository


def tree_of(folder: Path, files: dict[str, str]) -> Tree:
    root = folder / "repos/TanStack/query/main"
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    ref = Ref("TanStack/query", "main")
    return DirectorySource(folder / "repos", [ref], "the sources of a test").open().tree(ref)


def test_package_json_of_the_branch_decides_without_a_tag(site: Site, registry: NpmRegistry, tmp_path: Path) -> None:
    registry.add(TILES, "4.2.5", package("export {}"))
    manifest = f'{{"name": "{TILES}", "version": "4.2.0"}}'
    types = site.types(tree=tree_of(tmp_path, {"packages/react-tiles/package.json": manifest}))
    assert (types.own_versions[0], types.chosen_by) == ((TILES, "4.2.0"), ((TILES, "branch"),))


SOURCES = {
    "packages/react-tiles/package.json": f'{{"name": "{TILES}", "version": "4.9.0", "types": "dist/index.d.ts",'
    f' "dependencies": {{"{CORE}": "workspace:*"}}}}',
    "packages/react-tiles/src/index.ts": f"export * from '{CORE}'; export * from './useTiles'",
    "packages/react-tiles/src/useTiles.tsx": "export const useTiles = () => <b/>",
    "packages/react-tiles/src/index.test.ts": "test()",
    "packages/tiles-core/package.json": f'{{"name": "{CORE}", "version": "4.8.0", "types": "./index.d.ts"}}',
    "packages/tiles-core/index.d.ts": "export const core: 1",
    "packages/tiles-core/src/index.ts": "export const core = 1",
    "examples/one/package.json": f'{{"name": "{CORE}", "version": "0.0.1"}}',
}


def test_sources_of_the_repository_need_no_registry(site: Site, tmp_path: Path) -> None:
    site.address = ""
    types = site.types("v4", tree=tree_of(tmp_path, SOURCES))
    assert types.own_versions == ((TILES, "4.9.0"), (CORE, "4.8.0"))
    tiles, core = (text(one) for one in types.packages)
    assert set(tiles) == {"package.json", "src/index.ts", "src/useTiles.tsx"}
    assert orjson.loads(tiles["package.json"])["types"] == "src/index.ts"
    assert set(core) == {"package.json", "index.d.ts"}


def test_site_without_registry_and_sources_has_no_types(site: Site) -> None:
    site.address = ""
    assert site.sets("v4") == ()


def test_site_without_registry_keeps_the_last_set(site: Site) -> None:
    first = site.types()
    site.address = ""
    later = site.types()
    assert later.digest == first.digest
    assert later.problems[0].endswith(f"KINFOLK_NPM_REGISTRY names no registry that could have {TILES}.")

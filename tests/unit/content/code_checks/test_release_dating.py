"""Findings of a version are dated by the packages of its releases, for each framework."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.code_checks.check_results import BlockCheck, ExportedSymbol, Finding, PageCheck, Symbol
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.release_dating import date_version
from kinfolk.content.code_checks.type_set import TypePackage, TypeSet

NAMES = {"react": "@tanstack/react-query", "vue": "@tanstack/vue-query"}
GONE = {"react": 3, "vue": 7}
"""The minor version in which the packages lose `useOld`."""


def types_of(framework: str, number: str) -> TypeSet:
    name = NAMES[framework]
    return TypeSet(framework, (TypePackage(name, number, f"/node_modules/{name}", Path("x")),), (name,))


class Packages:
    """The packages of all releases. `read` are the releases whose symbols were read."""

    def __init__(self) -> None:
        self.read: list[tuple[str | None, str]] = []

    def types_at(self, release: Release, framework: str | None) -> TypeSet | None:
        return types_of(framework or "react", release.number)

    def exports(self, types: TypeSet) -> Iterator[ExportedSymbol]:
        framework, ((name, number),) = types.framework or "", types.own_versions
        self.read.append((framework, number))
        is_old = int(number.split(".")[1]) < GONE[framework]
        yield ExportedSymbol(Symbol("useOld" if is_old else "useNew", "", "function", name, ""), name)


@pytest.fixture
def library(catalog: Catalog) -> Iterator[Library]:
    found = catalog.library("query")
    before = found.releases.table
    releases = (Release(f"5.{minor}.0", "", "", date(2026, 1, 1), {}, "docs", "") for minor in range(10))
    found.releases.replace(ReleaseTable(releases))
    yield found
    found.releases.replace(before)


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckStore]:
    opened = CheckStore(tmp_path_factory.mktemp("checks") / "checks.sqlite")
    yield opened
    opened.close()


def dates(store: CheckStore) -> Mapping[str, str]:
    return {
        f"{finding.package} {finding.name}": finding.since
        for _, check in store.pages("query", "v5")
        for block in check.blocks
        if block is not None
        for finding in block.findings
    }


def test_findings_of_each_framework_have_the_releases_of_its_package(store: CheckStore, library: Library) -> None:
    findings = [Finding(1, 1, 6, "missing_export", "useOld", name, "") for name in (*NAMES.values(), "react")]
    check = PageCheck(blocks=(None, BlockCheck("wrong", findings=tuple(findings))))
    store.put_page("query", "v5", "overview", check, blocks=b"1", types="1")
    sets, packages = [types_of(framework, "5.9.0") for framework in NAMES], Packages()
    store.put_symbols("query", "v5", [one for types in sets for one in Packages().exports(types)])

    def date_all() -> int:
        return date_version(store, library, "v5", sets, types_at=packages.types_at, exports=packages.exports)

    assert date_all() == 2
    assert dates(store) == {f"{NAMES['react']} useOld": "5.3.0", f"{NAMES['vue']} useOld": "5.7.0", "react useOld": ""}
    # The last release was read by the check, and no release is read twice.
    assert len(packages.read) == len(set(packages.read)) <= 8
    assert not any(number == "5.9.0" for _, number in packages.read)
    assert date_all() == 0


def test_limit_is_of_all_frameworks_together(store: CheckStore, library: Library) -> None:
    findings = [Finding(1, 1, 6, "missing_export", "useOld", name, "") for name in NAMES.values()]
    check = PageCheck(blocks=(BlockCheck("wrong", findings=tuple(findings)),))
    store.put_page("query", "v5", "overview", check, blocks=b"1", types="1")
    sets, packages = [types_of(framework, "5.9.0") for framework in NAMES], Packages()
    for _ in range(4):
        before = len(packages.read)
        date_version(store, library, "v5", sets, types_at=packages.types_at, exports=packages.exports, most_fetches=3)
        assert len(packages.read) - before <= 3
    assert sorted(dates(store).values()) == ["5.3.0", "5.7.0"]


def test_nothing_is_read_without_findings_or_releases(store: CheckStore, library: Library) -> None:
    packages = Packages()
    sets = [types_of("react", "5.9.0")]
    date_version(store, library, "v5", sets, types_at=packages.types_at, exports=packages.exports)
    finding = Finding(1, 1, 6, "missing_export", "useOld", NAMES["react"], "")
    store.put_page(
        "query", "v5", "a", PageCheck(blocks=(BlockCheck("wrong", findings=(finding,)),)), blocks=b"1", types="1"
    )
    unknown = [types_of("react", "5.99.0")]
    date_version(store, library, "v5", unknown, types_at=packages.types_at, exports=packages.exports)
    assert packages.read == []

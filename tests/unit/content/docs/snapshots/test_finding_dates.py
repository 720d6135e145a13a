"""A run that checks code dates the findings of a version, with the packages of its releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from kinfolk.config.catalog import Library, Version
from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.code_checks.check_results import BlockCheck, ExportedSymbol, Finding, Symbol
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.checker.check_messages import IsolateCheck
from kinfolk.content.code_checks.checker.code_checker import CodeChecker, SelectedPage
from kinfolk.content.code_checks.type_set import TypePackage, TypeSet
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.code_check_run import CodeCheckRun
from kinfolk.content.docs.snapshots.version_docs import find_version_docs

NAME = "@tanstack/react-query"
FINDING = Finding(1, 1, 6, "missing_export", "useOld", NAME, "There is no `useOld`.")
PAGE = "# Guide\n\n```ts\nuseOld()\n```\n"


class Checker(CodeChecker):
    """Finds `useOld` in each block. Releases before 5.6 export it."""

    version = "1"

    def __init__(self) -> None:
        super().__init__(Path(), Path())

    def check(self, types: TypeSet, pages: Sequence[SelectedPage], **_: object) -> list[IsolateCheck]:
        assert types.own == (NAME,)
        wrong = BlockCheck("wrong", findings=(FINDING,))
        return [IsolateCheck(tuple(wrong for _ in one.page.blocks), ()) for one in pages]

    def exports(self, types: TypeSet) -> list[ExportedSymbol]:
        ((_, number),) = types.own_versions
        name = "useOld" if int(number.split(".")[1]) < 6 else "useNew"
        return [ExportedSymbol(Symbol(name, "", "function", NAME, ""), NAME)]


class Types:
    """The package at the release that is named as the version, or at the newest."""

    def __init__(self) -> None:
        self.fetched: list[str] = []

    def type_sets(self, library: Library, version: Version, **_: object) -> tuple[TypeSet, ...]:
        assert library.id == "query"
        self.fetched.append(version.name)
        number = "5.9.0" if version.name == "v5" else version.name
        return (TypeSet("react", (TypePackage(NAME, number, f"/node_modules/{NAME}", Path("x")),), (NAME,)),)

    def close(self) -> None:
        """Nothing is open."""


def test_finding_of_a_checked_version_has_its_first_release(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot], tmp_path: Path
) -> None:
    docs, types, store = (
        docs_from_files({"TanStack/query/main/docs/framework/react/guide.md": PAGE}),
        Types(),
        CheckStore(tmp_path / "checks.sqlite"),
    )
    library = docs.catalog.library("query")
    before = library.releases.table
    library.releases.replace(
        ReleaseTable(Release(f"5.{minor}.0", "", "", date(2026, 1, 1), {}, "docs", "") for minor in range(10))
    )
    try:
        run = CodeCheckRun(lambda: docs, types, Checker(), store, now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
        assert run.check_version(find_version_docs(ContentReader(docs), library, "v5")) == 1
    finally:
        library.releases.replace(before)
    ((path, check),) = store.pages("query", "v5")
    assert path == "framework/react/guide"
    assert [one.since for block in check.blocks if block for one in block.findings] == ["5.6.0"]
    assert types.fetched[0] == "v5"
    assert set(types.fetched[1:]) <= {f"5.{minor}.0" for minor in range(9)}
    store.close()

"""Since which release a finding is true, with few fetches of packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from math import ceil, log2

import pytest

from kinfolk.config.catalog.releases import Release, ReleaseTable
from kinfolk.content.code_checks.check_results import (
    BlockCheck,
    ExportedSymbol,
    FaultKind,
    Finding,
    Option,
    PageCheck,
    ReleaseNames,
    Symbol,
    names_of,
)
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.first_releases import (
    FirstReleases,
    date_findings,
    earlier_names,
    first_wrong,
    releases_before,
)
from kinfolk.runtime.errors import Unavailable

FINDING = Finding(1, 1, 4, "missing_export", "Hull", "@acme/tiles", "There is no `Hull`.")
WITH = ReleaseNames(frozenset(["Hull"]), frozenset(["gap"]))
WITHOUT = ReleaseNames(frozenset(["Frame"]), frozenset(["gap"]), frozenset(["Frame", "lay(gap", "Tile.gap"]))


def release(number: str) -> Release:
    return Release(number, f"v{number}", f"commit of {number}", date(2026, 1, 1), {}, "docs", "tree")


RELEASES = tuple(release(f"5.{minor}.0") for minor in range(100))


class Registry:
    """Names at each release; `gone` is the number of the first without `Hull`."""

    def __init__(self, gone: int) -> None:
        self.gone = gone
        self.fetched: list[str] = []

    def names(self, one: Release) -> ReleaseNames:
        self.fetched.append(one.number)
        return WITHOUT if one.order[0].minor >= self.gone else WITH


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CheckStore]:
    opened = CheckStore(tmp_path_factory.mktemp("checks") / "checks.sqlite")
    yield opened
    opened.close()


@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_first_wrong_release_is_found_by_halving(count: int) -> None:
    for first in range(count):
        calls: list[int] = []

        def is_wrong(at: int, first: int = first, calls: list[int] = calls) -> bool:
            calls.append(at)
            return at >= first

        assert first_wrong(count, {}, is_wrong) == first
        assert len(calls) <= ceil(log2(count + 1)) + 1


@pytest.mark.parametrize(
    ("unread", "expected"), [({49}, 37), ({49, 50, 48}, 37), ({36}, None), ({47, 48, 49, 50, 51}, None)]
)
def test_release_beside_one_that_cannot_be_read_is_tried(unread: set[int], expected: int | None) -> None:
    assert first_wrong(100, {}, lambda at: None if at in unread else at >= 37) == expected


@pytest.mark.parametrize(
    ("known", "expected"), [({3: False, 4: True}, 4), ({9: False}, None), ({9: True, 3: False}, None), ({}, None)]
)
def test_known_answers_take_no_call(known: Mapping[int, bool], expected: int | None) -> None:
    assert first_wrong(10, {9: True} | dict(known), lambda _: None) == expected
    assert first_wrong(0, {}, lambda _: True) is None


def test_releases_are_the_stable_ones_of_the_major_up_to_the_checked_one() -> None:
    table = ReleaseTable(map(release, ["4.9.0", "5.0.0-beta.1", "5.0.0", "5.1.0", "5.2.0", "svelte@5.1.0", "6.0.0"]))
    assert [one.number for one in releases_before(table, "5.1.7")] == ["5.0.0", "5.1.0"]
    assert releases_before(table, "workspace:*") == ()


def test_finding_is_dated_within_the_limit_and_later_runs_fetch_nothing(store: CheckStore) -> None:
    registry = Registry(37)
    first = FirstReleases(store, "tiles", RELEASES, registry.names)
    check = PageCheck(blocks=(BlockCheck("wrong", findings=(FINDING, replace(FINDING, kind="syntax"))), None))
    dated = first.with_since(check).blocks[0]
    assert dated is not None
    assert [one.since for one in dated.findings] == ["5.37.0", ""]
    assert len(registry.fetched) <= 8
    assert FirstReleases(store, "tiles", RELEASES, Registry(0).names, most_fetches=0).since(FINDING) == "5.37.0"


def test_later_run_continues_after_the_limit(store: CheckStore) -> None:
    registry = Registry(37)
    runs = [FirstReleases(store, "tiles", RELEASES, registry.names, most_fetches=3).since(FINDING) for _ in range(4)]
    assert runs == ["", "", "5.37.0", "5.37.0"]
    assert len(set(registry.fetched)) == len(registry.fetched)


def test_moved_tag_is_read_again(store: CheckStore) -> None:
    FirstReleases(store, "tiles", RELEASES, Registry(37).names).since(FINDING)
    moved = [replace(one, commit="other") for one in RELEASES]
    assert FirstReleases(store, "tiles", moved, Registry(40).names).since(FINDING) == "5.40.0"


@pytest.mark.parametrize(("earlier", "expected"), [(None, ""), (WITHOUT, ""), (WITH, "5.0.0")])
def test_name_that_no_release_had_is_dated_by_the_major_before(
    store: CheckStore, earlier: ReleaseNames | None, expected: str
) -> None:
    first = FirstReleases(store, "tiles", RELEASES, Registry(0).names, newest=WITHOUT, earlier=earlier)
    assert first.since(FINDING) == expected


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("deprecated", "Frame", "5.37.0"),
        ("deprecated", "gap", "5.37.0"),
        ("deprecated", "Hull", ""),
        ("unknown_property", "gap", ""),
        ("wrong_argument", "Hull", ""),
    ],
)
def test_only_what_names_decide_is_dated(store: CheckStore, kind: FaultKind, name: str, expected: str) -> None:
    first = FirstReleases(store, "tiles", RELEASES, Registry(37).names, newest=WITHOUT)
    assert first.since(replace(FINDING, kind=kind, name=name)) == expected


def test_member_that_is_deprecated_of_some_types_only_has_no_date(store: CheckStore) -> None:
    def names(one: Release) -> ReleaseNames:
        return replace(WITHOUT, deprecated=frozenset(["Tile.gap"] if one.order[0].minor < 60 else []))

    first = FirstReleases(store, "tiles", RELEASES, names, newest=WITHOUT)
    assert first.since(replace(FINDING, kind="deprecated", name="gap")) == ""


def test_release_that_cannot_be_read_leaves_the_finding_without_a_date(store: CheckStore) -> None:
    def names(one: Release) -> ReleaseNames | None:
        if one.number == "5.99.0":
            return WITHOUT
        if one.number == "5.49.0":
            raise Unavailable("The registry does not answer")
        return None

    assert FirstReleases(store, "tiles", RELEASES, names).since(FINDING) == ""


def test_finding_about_another_package_has_no_date(store: CheckStore) -> None:
    first = FirstReleases(store, "tiles/react", RELEASES, Registry(37).names, packages=["@acme/tiles"])
    assert first.since(FINDING) == "5.37.0"
    assert first.since(replace(FINDING, package="@acme/vue-tiles")) == ""


def test_stored_checks_get_the_releases_of_their_findings(store: CheckStore) -> None:
    check = PageCheck(blocks=(BlockCheck("wrong", findings=(FINDING,)),))
    for path, one in (("a", check), ("b", PageCheck())):
        store.put_page("tiles", "v5", path, one, blocks=b"1", types="1")
    revision, _ = store.changed_since(0)
    first = FirstReleases(store, "tiles", RELEASES, Registry(37).names)
    assert [date_findings(store, "tiles", "v5", first) for _ in range(2)] == [1, 0]
    dated = store.page("tiles", "v5", "a", b"1")
    assert dated is not None
    assert [one.since for block in dated.blocks if block for one in block.findings] == ["5.37.0"]
    assert store.changed_since(revision)[1] == (("tiles", "v5", "a"),)


def test_earlier_names_are_those_of_the_next_older_known_version(store: CheckStore) -> None:
    hull = ExportedSymbol(Symbol("Hull", "", "class", "@acme/tiles", "class Hull"), "@acme/tiles")
    store.put_symbols("tiles", "v3", [hull])
    versions = ("v5", "v4", "v3")
    found = earlier_names(store, "tiles", versions, "v5")
    assert found is not None
    assert found.exports == {"Hull"}
    assert [earlier_names(store, "tiles", versions, one) for one in ("v3", "v9")] == [None, None]


def test_names_of_a_release_are_exports_members_and_options() -> None:
    def symbol(name: str, owner: str, deprecated: str | None, *options: Option) -> ExportedSymbol:
        found = Symbol(name, owner, "method", "@acme/tiles", "", "", deprecated, options)
        return ExportedSymbol(found, "@acme/tiles")

    old = Option("old", "number", deprecated="")
    found = names_of(
        [symbol("lay", "", None, Option("gap", "number"), old), symbol("fill", "A", ""), symbol("fill", "B", None)]
    )
    assert found == ReleaseNames(
        frozenset(["lay"]), frozenset(["gap", "old", "fill"]), frozenset(["lay(old", "A.fill"])
    )

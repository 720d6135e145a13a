"""Versions of a symbol, what replaced it, and the nearest names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kinfolk.content.code_checks.check_results import ExportedSymbol, Symbol
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.code_checks.symbol_index import LONGEST_NAME, Replacement, SymbolIndex, replacement_in


def symbol(name: str, owner: str = "", *, deprecated: str | None = None) -> ExportedSymbol:
    found = Symbol(name, owner, "method" if owner else "function", "@acme/tiles", f"{name}(): void", "", deprecated)
    return ExportedSymbol(found, "@acme/tiles")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SymbolIndex]:
    store = CheckStore(tmp_path_factory.mktemp("checks") / "checks.sqlite")
    old = [
        symbol("useTile"),
        symbol("useGrid", deprecated="Since 3.9. Use {@link useTiles} instead."),
        symbol("Hull"),
        symbol("setLeft", "Tile"),
        symbol("useWall"),
    ]
    new = [
        symbol("useTile", deprecated="Use `useTiles`."),
        symbol("useTiles"),
        symbol("Boundary"),
        symbol("setStart", "Tile"),
        symbol("Frame"),
    ]
    store.put_symbols("tiles", "v3", old)
    store.put_symbols("tiles", "v4", new)
    store.put_symbols("bricks", "v4", [symbol("useBrick")])
    yield SymbolIndex(store, "tiles", ("v5", "v4", "v3"))
    store.close()


def test_symbol_has_the_versions_that_export_it(index: SymbolIndex) -> None:
    def versions(name: str, owner: str | None = None) -> list[str]:
        return [one.version for one in index.versions(name, owner)]

    assert index.known_versions == ("v4", "v3")
    assert versions("useTile") == ["v4", "v3"]
    assert versions("useGrid") == ["v3"]
    assert versions("setStart", "Tile") == ["v4"]
    assert [versions("setStart", ""), versions("useBrick"), versions("x" * (LONGEST_NAME + 1))] == [[], [], []]


@pytest.mark.parametrize(
    ("name", "renamed", "expected"),
    [
        ("useTile", [], Replacement("useTiles", "deprecation", "Use `useTiles`.")),
        ("useGrid", [], Replacement("useTiles", "deprecation", "Since 3.9. Use {@link useTiles} instead.")),
        ("Hull", ["Boundary"], Replacement("Boundary", "guide")),
        ("Hull", ["Boundary", "Frame"], Replacement("Frame", "guide")),
        ("Hull", ["Shell"], None),
        ("setLeft", ["setStart"], Replacement("setStart", "guide")),
        ("useWall", [], None),
        ("unknown", ["Boundary"], None),
        ("Frame", ["Boundary"], None),
    ],
)
def test_replacement_exists_in_the_version(
    index: SymbolIndex, name: str, renamed: list[str], expected: Replacement | None
) -> None:
    assert index.replacement("v4", name, renamed=renamed) == expected


def test_earlier_version_is_not_replaced_by_later_names(index: SymbolIndex) -> None:
    assert index.replacement("v3", "Boundary", renamed=["useTile"]) is None
    assert index.replacement("v3", "Hull", renamed=["Boundary"]) is None


def test_nearest_names_are_the_most_similar_ones(index: SymbolIndex) -> None:
    assert index.nearest("v4", "usetile") == ("useTile", "useTiles")
    assert index.nearest("v4", "setStar", "Tile") == ("setStart",)
    assert [index.nearest("v4", "other"), index.nearest("v5", "useTile"), index.nearest("v4", "x" * 10_000)] == [
        (),
        (),
        (),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use {@link Frame.useTiles | tiles} instead.", "useTiles"),
        ("It will go. Please use useTiles instead of useOld now.", "useTiles"),
        ("Replaced by `Frame`.", "Frame"),
        ("Frame the wall instead.", None),
        ("Use `useOther` instead.", None),
        ("Use `useOther` instead of `useTiles`.", None),
        ("Use tile.frame({ useTiles: 1 }) instead.", "frame"),
        ("`useOld` is deprecated in favor of `useTiles`.", "useTiles"),
        ("See `useTiles`.", None),
        ("", None),
    ],
)
def test_replacement_is_named_in_the_sentence_that_says_what_to_use(text: str, expected: str | None) -> None:
    assert replacement_in(text, "useOld", {"useTiles", "Frame", "frame"}.__contains__) == expected

"""The stored checks of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kinfolk.content.code_checks.check_results import (
    BlockCheck,
    ExportedSymbol,
    Finding,
    NameUse,
    Option,
    PageCheck,
    Symbol,
    blocks_digest,
)
from kinfolk.content.code_checks.check_store import CheckRun, CheckStore
from kinfolk.content.markdown.markdown_page import CodeBlock

SYMBOL = Symbol(
    "useTiles",
    "",
    "function",
    "@acme/tiles",
    "function useTiles(): Tiles",
    "Lays tiles.",
    None,
    (Option("gap", "number"),),
)
FINDING = Finding(3, 5, 4, "unknown_property", "gaps", "@acme/tiles", "`gaps` is no option of `useTiles`.", "gap")
CHECK = PageCheck(
    (("@acme/tiles", "4.2.0"),), (BlockCheck("wrong", findings=(FINDING,), names=(NameUse(0, 8, 0),)), None), (SYMBOL,)
)
BLOCKS = blocks_digest([CodeBlock("ts", "useTiles()"), CodeBlock("sh", "npm i")])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CheckStore]:
    opened = CheckStore(tmp_path / "code_checks.sqlite")
    yield opened
    opened.close()


def test_stored_check_is_found_with_the_blocks_that_it_was_made_of(store: CheckStore) -> None:
    store.put_page("tiles", "v4", "guides/gaps", CHECK, blocks=BLOCKS, types="a1")
    assert store.page("tiles", "v4", "guides/gaps", BLOCKS) == CHECK
    assert store.page("tiles", "v4", "guides/gaps", b"other") is None
    assert store.page("tiles", "v3", "guides/gaps", BLOCKS) is None
    assert store.is_checked("tiles", "v4", "guides/gaps", blocks=BLOCKS, types="a1")
    assert not store.is_checked("tiles", "v4", "guides/gaps", blocks=BLOCKS, types="b2")


def test_pages_that_no_longer_exist_are_deleted(store: CheckStore) -> None:
    for path in ("a", "b", "c"):
        store.put_page("tiles", "v4", path, CHECK, blocks=BLOCKS, types="a1")
    store.keep_pages("tiles", "v4", {"a", "c"})
    assert [path for path, _ in store.pages("tiles", "v4")] == ["a", "c"]


def test_symbols_of_a_version_are_replaced(store: CheckStore) -> None:
    member = ExportedSymbol(Symbol("useTiles", "Tiles", "method", "@acme/tiles", "(): void"), "@acme/tiles")
    export = ExportedSymbol(SYMBOL, "@acme/tiles")
    store.put_symbols("tiles", "v4", [member, export])
    assert store.symbols("tiles", "v4", "useTiles") == (export, member)
    assert store.exported_names("tiles", "v4") == ("useTiles",)
    store.put_symbols("tiles", "v4", [])
    assert store.symbols("tiles", "v4", "useTiles") == ()


def test_run_is_stored_across_restarts(tmp_path: Path) -> None:
    run = CheckRun("key", "2026-11-29T10:00:00", "types", (("@acme/tiles", "4.2.0"),), ("react was not found",))
    first = CheckStore(tmp_path / "checks.sqlite")
    first.put_run("tiles", "v4", run)
    first.close()
    second = CheckStore(tmp_path / "checks.sqlite")
    assert second.run("tiles", "v4") == run
    second.close()


def test_damaged_result_is_not_found(store: CheckStore, tmp_path: Path) -> None:
    store.put_page("tiles", "v4", "a", CHECK, blocks=BLOCKS, types="a1")
    store._rows.write(("UPDATE page_checks SET result = ?", [(b"damaged",)]))
    assert store.page("tiles", "v4", "a", BLOCKS) is None


def test_digest_changes_with_code_and_language() -> None:
    digests = {blocks_digest([CodeBlock(language, code)]) for language in ("ts", "js") for code in ("a", "b")}
    assert len(digests) == 4


def test_change_after_the_newest_page_was_deleted_is_noticed(store: CheckStore) -> None:
    for path in ("a", "b"):
        store.put_page("tiles", "v4", path, CHECK, blocks=BLOCKS, types="a1")
    last, changed = store.changed_since(0)
    assert [path for _, _, path in changed] == ["a", "b"]
    store.keep_pages("tiles", "v4", {"a"})
    store.put_page("tiles", "v4", "c", CHECK, blocks=BLOCKS, types="a1")
    newest, changed = store.changed_since(last)
    assert [path for _, _, path in changed] == ["c"]
    store.replace_result("tiles", "v4", "a", CHECK)
    assert [path for _, _, path in store.changed_since(newest)[1]] == ["a"]


def test_all_pages_of_a_file_that_was_created_again_count_as_changed(store: CheckStore) -> None:
    store.put_page("tiles", "v4", "a", CHECK, blocks=BLOCKS, types="a1")
    assert store.changed_since(100) == (1, (("tiles", "v4", "a"),))
    assert store.changed_since(1) == (1, ())

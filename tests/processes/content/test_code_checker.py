"""The process that runs the TypeScript compiler: its limits, and its restart."""

from __future__ import annotations

import gzip
import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.inputs.type_packages import TILES, tiles_set, type_package

from kinfolk.config.settings import ROOT
from kinfolk.content.code_checks.checker.check_messages import IsolateCheck
from kinfolk.content.code_checks.checker.code_checker import CodeChecker, SelectedPage
from kinfolk.content.code_checks.page_code import BlockContext, PageCode
from kinfolk.content.code_checks.type_set import TypePackage, TypeSet
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import Unavailable

BUILD = ROOT / "frontend/dist/ssr"
IMPORT = "import { layTiles } from '@acme/tiles'\n"
RIGHT = f"{IMPORT}layTiles({{ gap: 4 }})"
WRONG = f"{IMPORT}layTiles({{ gapp: 4 }})"
# Each name is computed one element at a time, up to the depth at which the compiler gives up.
ENDLESS = "export type Count<N, A extends any[] = []> = A['length'] extends N ? A : Count<N, [...A, any]>\n" + "".join(
    f"export declare const n{number}: Count<{900 + number % 90}, [{number}]>\n" for number in range(4000)
)


def make_checker(*, memory_mb: int = 480, time_s: float = 60.0) -> CodeChecker:
    return CodeChecker(BUILD / "code-check.js", BUILD / "code-check-types.json", memory_mb=memory_mb, time_s=time_s)


@pytest.fixture(scope="module")
def checker() -> Iterator[CodeChecker]:
    with closing(make_checker()) as opened:
        yield opened


def selected(*codes: str, path: str = "guides/tiles") -> SelectedPage:
    blocks = tuple(CodeBlock("ts", code) for code in codes)
    page = PageCode(path, "Tiles", None, blocks, (BlockContext(),) * len(blocks))
    return SelectedPage(page, (True,) * len(blocks))


def verdicts(pages: list[IsolateCheck]) -> list[list[str | None]]:
    return [[block.verdict if block is not None else None for block in page.blocks] for page in pages]


def reasons(pages: list[IsolateCheck]) -> list[str]:
    return [block.reason for page in pages for block in page.blocks if block is not None]


def test_pages_are_checked_with_the_types_of_the_set(checker: CodeChecker, tmp_path: Path) -> None:
    pages = checker.check(tiles_set(tmp_path), [selected(RIGHT, WRONG), selected(WRONG, path="b")])
    assert verdicts(pages) == [["right", "wrong"], ["wrong"]]
    finding = next(block for block in pages[1].blocks if block is not None).findings[0]
    assert (finding.line, finding.column, finding.name, finding.suggestion) == (2, 12, "gapp", "gap")
    assert finding.package == "@acme/tiles"


def test_types_of_another_set_replace_those_before(checker: CodeChecker, tmp_path: Path) -> None:
    assert verdicts(checker.check(tiles_set(tmp_path), [selected(WRONG)])) == [["wrong"]]
    newer = tiles_set(tmp_path, TILES.replace("gap?:", "gapp?:"))
    assert verdicts(checker.check(newer, [selected(WRONG)])) == [["right"]]


def test_exports_are_listed_with_their_members(checker: CodeChecker, tmp_path: Path) -> None:
    found = checker.exports(tiles_set(tmp_path))
    names = {(one.symbol.owner, one.symbol.name) for one in found}
    assert {("", "layTiles"), ("", "Floor"), ("Floor", "place"), ("TileOptions", "gap")} <= names
    assert {one.module for one in found} == {"@acme/tiles"}


def test_process_that_was_killed_is_replaced(checker: CodeChecker, tmp_path: Path) -> None:
    types = tiles_set(tmp_path)
    checker.check(types, [selected(RIGHT)])
    assert checker.pid is not None
    os.kill(checker.pid, signal.SIGKILL)
    pages = checker.check(types, [selected(RIGHT), selected(WRONG, path="b")])
    assert verdicts(pages) == [["right"], ["wrong"]]


def test_names_of_prototypes_are_ordinary_names(checker: CodeChecker, tmp_path: Path) -> None:
    texts = {"index.d.ts": f"{TILES}\nexport declare const constructor: number", "__proto__": "x", "constructor": "y"}
    types = TypeSet(None, (type_package(tmp_path, texts),), ("@acme/tiles",))
    code = (
        "import { constructor, __proto__, hasOwnProperty } from '@acme/tiles'\n"
        "const __proto__2 = { __proto__: constructor }"
    )
    check = checker.check(types, [selected(code)])[0].blocks[0]
    assert check is not None
    assert [one.name for one in check.findings] == ["__proto__", "hasOwnProperty"]


def test_hostile_code_is_bounded(checker: CodeChecker, tmp_path: Path) -> None:
    deep, long = "(" * 20_000, f"{IMPORT}{'a' * 60_000}"
    pages = checker.check(tiles_set(tmp_path), [selected(deep), selected(long), selected(WRONG)])
    assert [page[0] for page in verdicts(pages)] == ["not_checkable", "not_checkable", "wrong"]


@pytest.fixture(scope="module")
def endless() -> SelectedPage:
    uses = "".join(f"tiles.n{number}.length\n" for number in range(2_000))
    return selected(f"import * as tiles from '@acme/tiles'\n{uses}")


def test_types_that_take_too_long_are_named(endless: SelectedPage, tmp_path: Path) -> None:
    with closing(make_checker(time_s=2.0)) as bounded:
        assert reasons(bounded.check(tiles_set(tmp_path, TILES + ENDLESS), [endless])) == ["takes too long to check"]


def test_types_that_take_too_much_memory_are_named(endless: SelectedPage, tmp_path: Path) -> None:
    with closing(make_checker(memory_mb=100)) as bounded:
        found = reasons(bounded.check(tiles_set(tmp_path, TILES + ENDLESS), [endless]))
    assert found == ["takes too much memory to check"]


def test_package_that_unpacks_to_more_than_the_bound_is_refused(checker: CodeChecker, tmp_path: Path) -> None:
    file = tmp_path / "bomb.json.gz"
    file.write_bytes(gzip.compress(json.dumps({"index.d.ts": " " * (65 << 20)}).encode(), 1))
    types = TypeSet(None, (TypePackage("@acme/tiles", "1.0.0", "/node_modules/@acme/tiles", file),), ("@acme/tiles",))
    assert reasons(checker.check(types, [selected(RIGHT)])) == ["cannot be checked"]


def test_closed_checker_is_unavailable(tmp_path: Path) -> None:
    closed = make_checker()
    closed.close()
    with pytest.raises(Unavailable):
        closed.check(tiles_set(tmp_path), [selected(RIGHT)])

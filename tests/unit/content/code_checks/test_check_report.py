"""Reports of checked code: numbers, and the places of findings in files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kinfolk.content.code_checks import check_report
from kinfolk.content.code_checks.check_report import (
    CheckCounts,
    CheckedText,
    ReportBuilder,
    VersionReport,
    page_findings,
)
from kinfolk.content.code_checks.check_results import BlockCheck, Finding, PageCheck
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.markdown.markdown_page import CodeBlock

FINDING = Finding(2, 3, 4, "unknown_property", "gaps", "@acme/tiles", "`gaps` is no option of `useTiles`.", "gap")
IMPORT = Finding(1, 10, 7, "missing_export", "useTile", "@acme/tiles", "`useTile` is no export.", since="4.0.0")
SOURCE = "---\ntitle: Gaps\n---\n\n```ts\nuseTiles({\n  gaps: 1,\n})\n```\n\nThe last.\n\n```ts\nlet a\n```\n"
BLOCKS = (CodeBlock("ts", "useTiles({\n  gaps: 1,\n})", line=6), CodeBlock("sh", "npm i"), CodeBlock("ts", "let a"))
PAGE = CheckedText("guides/gaps", "Gaps", "docs/guides/gaps.md", SOURCE, BLOCKS)
CHECK = PageCheck(
    (("@acme/tiles", "4.2.0"),),
    (BlockCheck("wrong", findings=(FINDING, IMPORT)), None, BlockCheck("not_checkable", "Only an ellipsis")),
)


def report_of(page: CheckedText, check: PageCheck = CHECK) -> VersionReport:
    builder = ReportBuilder("tiles", "v4")
    builder.add(page, check)
    return builder.report(finished="2026-11-29T10:00:00", problems=["react was not found"])


def test_report_counts_blocks_by_verdict_and_kind() -> None:
    builder = ReportBuilder("tiles", "v4")
    right = BlockCheck("right")
    builder.add(PAGE, CHECK)
    builder.add(replace(PAGE, path="b"), PageCheck(blocks=(right, BlockCheck("ignored", "shown on purpose"), right)))
    found = builder.report(finished="2026-11-29T10:00:00")
    kinds = {"unknown_property": 1, "missing_export": 1}
    assert found.counts == CheckCounts(right=2, wrong=1, ignored=1, not_checkable=1, kinds=kinds)
    assert (found.counts.blocks, found.counts.checked, found.pages, found.total) == (5, 3, 2, 2)
    assert found.packages == (("@acme/tiles", "4.2.0"),)


def test_finding_names_the_line_of_the_file() -> None:
    first, second = report_of(PAGE).findings
    assert (first.file, first.line, first.code) == ("docs/guides/gaps.md", 7, "gaps: 1,")
    assert (second.line, second.code) == (6, "useTiles({")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        # The page takes the text of another file, of which a section is replaced.
        (f"\n\n{SOURCE}", 9),
        ("gaps: 1,\n\ngaps: 1,\n", 0),
        ("useTiles({ spaces: 1 })", 0),
        ("", 0),
    ],
)
def test_line_is_that_with_the_code_or_none(source: str, line: int) -> None:
    assert report_of(replace(PAGE, source=source)).findings[0].line == line


def test_key_of_a_finding_stays_when_other_lines_change() -> None:
    key = report_of(PAGE).findings[0].key
    assert report_of(replace(PAGE, source=f"{SOURCE}\nMore\n", title="Spaces")).findings[0].key == key
    assert report_of(replace(PAGE, path="guides/space")).findings[0].key != key
    assert len({finding.key for finding in report_of(PAGE).findings}) == 2


def test_sentence_has_the_release_and_the_nearest_name_once() -> None:
    first, second = report_of(PAGE).findings
    assert first.sentence == "`gaps` is no option of `useTiles`. The nearest name is `gap`."
    assert second.sentence == "`useTile` is no export. Since 4.0.0."
    named = replace(FINDING, message="`gaps` is no option: use `gap`.")
    assert replace(first, finding=named).sentence == named.message


def test_check_of_other_blocks_has_no_findings() -> None:
    assert page_findings(replace(PAGE, blocks=BLOCKS[:1]), CHECK) == []


def test_findings_of_a_report_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_report, "MOST_FINDINGS", 3)
    builder = ReportBuilder("tiles", "v4")
    for number in range(4):
        builder.add(replace(PAGE, path=str(number)), CHECK)
    found = builder.report(finished="")
    assert (found.total, len(found.findings)) == (8, 3)


def test_finding_of_a_line_that_does_not_exist_has_no_place() -> None:
    wrong = replace(FINDING, line=99)
    (found,) = report_of(PAGE, PageCheck(blocks=(BlockCheck("wrong", findings=(wrong,)), None, None))).findings
    assert (found.line, found.code) == (0, "")


def test_report_is_stored_and_replaced(tmp_path: Path) -> None:
    store = CheckStore(tmp_path / "checks.sqlite")
    assert store.report("tiles", "v4") is None
    store.put_report(report_of(PAGE))
    assert store.report("tiles", "v4") == report_of(PAGE)
    first, versions = store.reports_since(0)
    assert versions == {("tiles", "v4")}
    assert not store.reports_since(first)[1]
    store.put_report(report_of(PAGE, PageCheck(blocks=(None, None, None))))
    assert store.reports_since(first) == (first + 1, versions)
    stored = store.report("tiles", "v4")
    assert stored is not None
    assert stored.findings == ()
    store.close()

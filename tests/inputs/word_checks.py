"""A check of code for tests, without packages: wrong words are findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kinfolk.content.code_checks.check_results import BlockCheck, Finding, PageCheck
from kinfolk.content.markdown.markdown_page import CodeBlock

PACKAGE = "@acme/gears"


def word_check(blocks: Sequence[CodeBlock], words: Mapping[str, str]) -> PageCheck:
    """The check of blocks in TypeScript, in which each of these words is wrong, and right is what it maps to."""
    return PageCheck(((PACKAGE, "4.2.0"),), tuple(_checked(block, words) for block in blocks))


def _checked(block: CodeBlock, words: Mapping[str, str]) -> BlockCheck | None:
    if block.language != "ts":
        return None
    findings = tuple(
        Finding(
            n, line.index(wrong) + 1, len(wrong), "missing_export", wrong, PACKAGE, f"`{wrong}` is no export.", right
        )
        for n, line in enumerate(block.code.split("\n"), 1)
        for wrong, right in words.items()
        if wrong in line
    )
    return BlockCheck("wrong" if findings else "right", findings=findings)

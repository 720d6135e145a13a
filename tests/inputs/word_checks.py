"""A check of code for tests, without packages: wrong words are findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from kinfolk.config.catalog import Library, Version
from kinfolk.content.code_checks.check_results import BlockCheck, ExportedSymbol, Finding, PageCheck
from kinfolk.content.code_checks.checker.check_messages import IsolateCheck
from kinfolk.content.code_checks.checker.code_checker import CodeChecker, SelectedPage
from kinfolk.content.code_checks.type_set import TypeSet
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.sources.snapshot import Tree

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


class WordChecker(CodeChecker):
    """A checker without a process."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(Path("none"), Path("none"))
        self._words = words

    @cached_property
    def version(self) -> str:
        return "words"

    def check(
        self,
        types: TypeSet,
        pages: Sequence[SelectedPage],
        *,
        on_page: Callable[[], None] = lambda: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> list[IsolateCheck]:
        del types, on_page, stopped
        return [IsolateCheck(word_check(one.page.blocks, self._words).blocks, ()) for one in pages]

    def exports(self, types: TypeSet) -> list[ExportedSymbol]:
        del types
        return []


class WordTypes:
    """One set of types without packages for each version."""

    def type_sets(
        self,
        library: Library,
        version: Version,
        *,
        frameworks: Sequence[str],
        imported: frozenset[str],
        tree: Tree | None,
    ) -> tuple[TypeSet, ...]:
        del library, version, frameworks, imported, tree
        return (TypeSet(None, (), (PACKAGE,)),)

    def close(self) -> None:
        """Nothing is open."""

"""A check of code for tests, without packages: the wrong words of a version are findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kinfolk.content.code_checks.check_results import BlockCheck, Finding, PageCheck
from kinfolk.content.markdown.markdown_page import CodeBlock


class WordChecks:
    """`wrong` has the wrong words of a version, each with the right one. Other versions have no packages."""

    def __init__(self, wrong: Mapping[str, Mapping[str, str]], problems: Sequence[str] = ()) -> None:
        self._wrong = wrong
        self._problems = problems
        self.checked: list[tuple[str, str]] = []
        """The version and the code of each checked block."""

    def check_page(
        self, library: str, version: str, framework: str | None, blocks: Sequence[CodeBlock]
    ) -> PageCheck | None:
        del framework
        words = self._wrong.get(version)
        if words is None:
            return None
        self.checked += ((version, block.code) for block in blocks if block.language == "ts")
        package = f"@acme/{library}"
        return PageCheck(((package, "4.2.0"),), tuple(_checked(block, words, package) for block in blocks))

    def problems(self, library: str, version: str) -> Sequence[str]:
        del library, version
        return self._problems

    def close(self) -> None:
        pass


def _checked(block: CodeBlock, words: Mapping[str, str], package: str) -> BlockCheck | None:
    if block.language != "ts":
        return None
    findings = tuple(
        Finding(
            number,
            line.index(wrong) + 1,
            len(wrong),
            "missing_export",
            wrong,
            package,
            f"`{wrong}` is no export.",
            right,
        )
        for number, line in enumerate(block.code.split("\n"), 1)
        for wrong, right in words.items()
        if wrong in line
    )
    return BlockCheck("wrong" if findings else "right", findings=findings)

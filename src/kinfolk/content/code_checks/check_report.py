"""What the check of a version's code found, for maintainers: numbers, and findings with their places in files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from kinfolk.content.code_checks.check_results import Finding, PageCheck
from kinfolk.content.markdown.markdown_page import CodeBlock

MOST_FINDINGS = 1_000
"""Findings that the report of a version lists. All are counted."""
MOST_PROBLEMS = 20
LONGEST_CODE = 200
"""Characters of the line of code."""
LONGEST_MESSAGE = 400
_WORD = re.compile(r"[\w$.@/-]+")


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding on a page. `path` is that of the page below the docs, `file` that of its text in the repository.

    `line` is the line of the file, from 1; 0 where the file does not have the code as the page shows it. `code` is the
    line of code without blanks around it, shortened.
    """

    path: str
    title: str
    file: str
    line: int
    code: str
    finding: Finding

    @property
    def key(self) -> str:
        """Names the finding in its version, for as long as the line of code stays the same."""
        parts = (self.path, self.finding.kind, self.finding.name, self.code)
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def sentence(self) -> str:
        """What is wrong, since when, and the nearest existing name."""
        finding = self.finding
        sentence = finding.message[:LONGEST_MESSAGE].rstrip()
        if finding.since:
            sentence += f" Since {finding.since}."
        if finding.suggestion and not _has_name(sentence, finding.suggestion):
            sentence += f" The nearest name is `{finding.suggestion}`."
        return _printable(sentence)


@dataclass(frozen=True, slots=True)
class CheckCounts:
    """Code blocks in a language that is checked, by verdict, and wrong ones by the kinds of their findings."""

    right: int = 0
    wrong: int = 0
    ignored: int = 0
    not_checkable: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    """Kind of finding -> number of blocks with one."""

    @property
    def blocks(self) -> int:
        return self.right + self.wrong + self.ignored + self.not_checkable

    @property
    def checked(self) -> int:
        """Blocks with a certain verdict."""
        return self.right + self.wrong

    def __add__(self, other: CheckCounts) -> CheckCounts:
        return CheckCounts(
            self.right + other.right,
            self.wrong + other.wrong,
            self.ignored + other.ignored,
            self.not_checkable + other.not_checkable,
            Counter(self.kinds) + Counter(other.kinds),
        )


@dataclass(frozen=True, slots=True)
class VersionReport:
    """The last complete check of a version. `finished` is a time in ISO 8601, UTC, without a time zone.

    `packages` are the library's own with their releases, `problems` what could not be checked and why. `total` counts
    all findings, of which MOST_FINDINGS are in `findings`.
    """

    library: str
    version: str
    finished: str
    pages: int
    counts: CheckCounts
    total: int
    findings: tuple[ReportedFinding, ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


class ReportBuilder:
    """Collects the checks of the pages of one version. `add` takes less than a millisecond."""

    def __init__(self, library: str, version: str) -> None:
        self._library, self._version = library, version
        self._pages = self._total = 0
        self._counts = CheckCounts()
        self._findings: list[ReportedFinding] = []
        self._packages: dict[tuple[str, str], None] = {}

    def add(self, page: CheckedText, check: PageCheck) -> None:
        """Add the check of a page, also of one that was not checked again."""
        self._pages += 1
        self._counts += counts_of(check)
        self._packages |= dict.fromkeys(check.packages)
        found = page_findings(page, check)
        self._total += len(found)
        self._findings += found[: MOST_FINDINGS - len(self._findings)]

    def report(self, *, finished: str, problems: Sequence[str] = ()) -> VersionReport:
        return VersionReport(
            library=self._library,
            version=self._version,
            finished=finished,
            pages=self._pages,
            counts=self._counts,
            total=self._total,
            findings=tuple(self._findings),
            packages=tuple(sorted(self._packages)),
            problems=tuple(each[:LONGEST_MESSAGE] for each in problems[:MOST_PROBLEMS]),
        )


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A page as far as its findings need it. `source` is the text of `file`, with its front matter."""

    path: str
    title: str
    file: str
    source: str
    blocks: tuple[CodeBlock, ...]


def _printable(text: str) -> str:
    """The text for terminals and feeds, without the control characters that code may contain."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _has_name(sentence: str, name: str) -> bool:
    return any(word.strip(".") == name for word in _WORD.findall(sentence))


def counts_of(check: PageCheck) -> CheckCounts:
    """The blocks of a page by verdict."""
    blocks = [block for block in check.blocks if block is not None]
    verdicts = Counter(block.verdict for block in blocks)
    kinds: Counter[str] = Counter()
    for block in blocks:
        kinds.update({finding.kind for finding in block.findings})
    return CheckCounts(verdicts["right"], verdicts["wrong"], verdicts["ignored"], verdicts["not_checkable"], kinds)


def page_findings(page: CheckedText, check: PageCheck) -> list[ReportedFinding]:
    """The findings of a page, in its order. None for a check of other blocks."""
    if len(check.blocks) != len(page.blocks):
        return []
    lines = [line.strip() for line in page.source.splitlines()] if check.findings else []
    found = []
    for block, checked in zip(page.blocks, check.blocks, strict=True):
        for finding in checked.findings if checked is not None else ():
            code_lines = block.code.split("\n")
            code = code_lines[finding.line - 1].strip() if 0 < finding.line <= len(code_lines) else ""
            line = line_in_file(lines, code, block.line + finding.line - 1 if block.line else 0)
            shown = _printable(code[:LONGEST_CODE])
            found.append(ReportedFinding(page.path, page.title, page.file, line, shown, finding))
    return found


def line_in_file(lines: Sequence[str], code: str, expected: int) -> int:
    """The line of a file that has this code: the expected one, or the only one. 0 if there is none.

    Pages show other lines than their files where they take text of another file, or replace words of it.
    """
    if not code:
        return 0
    if 0 < expected <= len(lines) and lines[expected - 1] == code:
        return expected
    same = [number for number, line in enumerate(lines, 1) if line == code]
    return same[0] if len(same) == 1 else 0

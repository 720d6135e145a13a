"""State of one translation: problems found so far, and the finished lines as Markdown of this site."""

from __future__ import annotations

import re
from collections.abc import Container

from kinfolk.runtime.budget import BUDGETS, OverBudget
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE, BLOCK_OPEN, HEADING_ID
from kinfolk.content.markdown.dialects.dialect import MOST_PROBLEMS, DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.syntax.component_tags import NEW_LINE
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, numbered, rewrite_prose
from kinfolk.content.markdown.markdown_page import PageProblem

_PRIVATE = str.maketrans("", "", f"{BLOCK_OPEN}{BLOCK_CLOSE}{HEADING_ID}{NEW_LINE}\ue010\ue011")
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_LEFTOVER = re.compile(
    r"^[ \t>]*(?::{3,}|!!!\+?[ \t]\w|\?\?\?\+?[ \t]\w|={3}[+!]?[ \t]\"|<<<[ \t]|-{1,8}8<)[^\n]*"
    r"|(?<!<code>)\{\{[^\n]{0,40}|\{%[^\n]{0,40}|\{\*[^\n]{0,40}|</?[A-Z][A-Za-z]+(?=[\s/>])|\[\[toc\]\]"
)
_ID = re.compile(rf"{HEADING_ID}([^{HEADING_ID}]*){HEADING_ID}")


class PageTranslation:
    """One page while it is translated."""

    def __init__(self, source: DialectSource) -> None:
        self.source = source
        self._problems: dict[PageProblem, None] = {}

    def lines(self) -> list[SourceLine]:
        return numbered(self.source.text.translate(_PRIVATE), self.source.first_line)

    def report(self, number: int, message: str, *, is_warning: bool = False) -> None:
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.setdefault(PageProblem(number, message, is_warning))

    def check_front_matter(self, known: Container[str]) -> None:
        for key in self.source.front:
            if key not in known:
                self.report(1, f"the key {key[:60]} of the front matter is unknown", is_warning=True)

    def finished(self, lines: list[SourceLine], title: str | None = None) -> TranslatedMarkdown:
        ids: dict[int, str] = {}
        texts: list[str] = []
        for at, line in enumerate(lines):
            text = line.text
            if HEADING_ID in text:
                found = _ID.search(text)
                if found and found[1] and _HEADING.match(text):
                    ids[at] = found[1]
                text = _ID.sub("", text).replace(HEADING_ID, "").rstrip()
            texts.append(text.translate(_PRIVATE))
        self._report_leftovers([SourceLine(text, line.number) for text, line in zip(texts, lines, strict=True)])
        whole = "\n".join(texts)
        if len(whole) > BUDGETS["markdown"].input_bytes:
            raise OverBudget("markdown", "size", "This page's text is longer than the site formats")
        return TranslatedMarkdown(whole, tuple(line.number for line in lines), ids, tuple(self._problems), title)

    def _report_leftovers(self, lines: list[SourceLine]) -> None:
        """Report syntax of a dialect that is still in the prose, and would be shown as text."""

        def reported(text: str, number: int) -> str:
            for at, row in enumerate(text.split("\n")):
                found = _LEFTOVER.search(row)
                if found:
                    self.report(number + at, f"{found[0].strip()[:60]!r} is shown as text")
            return text

        rewrite_prose(lines, reported)


def heading_mark(id: str) -> str:
    """Marks the id of the heading whose line ends with it."""
    return f"{HEADING_ID}{id}{HEADING_ID}"


def split_attributes(text: str) -> tuple[str, str] | None:
    """`## Title {#id}` -> `## Title` and `#id`. None for a text that does not end with braces."""
    bare = text.rstrip()
    start = bare.rfind("{")
    if start < 0 or not bare.endswith("}") or "}" in bare[start:-1]:
        return None
    return bare[:start].rstrip(), bare[start + 1 : -1]

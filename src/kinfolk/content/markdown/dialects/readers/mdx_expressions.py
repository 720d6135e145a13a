"""Expressions that have lines of their own in MDX: elements of a constant are shown, what is computed is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE, BLOCK_OPEN
from kinfolk.content.markdown.dialects.syntax.component_tags import LONGEST_TAG, expression_end
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, fence_at, text_from
from kinfolk.runtime.budget import BUDGETS, OverBudget

MOST_SEARCHED = 200
"""Lines of one page that begin an expression whose end is searched for behind a blank line."""

_MARK = re.compile(rf"{BLOCK_OPEN}\d{{1,7}}\||\ue010\d{{1,9}}\ue011")
"""Stands for an element or a code span."""
_NAME = re.compile(r"[ \t]*+\{([A-Za-z_$][\w$]*+)\}[ \t]*+")


class ShownElements:
    """Replaces the names of constants that hold elements, in one page."""

    def __init__(self, elements: Mapping[str, str]) -> None:
        """`elements` has their source by name, and may grow."""
        self._elements = elements
        self._left = BUDGETS["markdown"].input_bytes

    def lines(self, line: SourceLine) -> list[SourceLine] | None:
        """The elements that a line stands for. Raises OverBudget if a page repeats too much of them."""
        found = _NAME.fullmatch(line.text) if "{" in line.text and self._elements else None
        source = self._elements.get(found[1]) if found else None
        if source is None:
            return None
        self._left -= len(source)
        if self._left < 0:
            raise OverBudget("markdown", "size", "The constants of this page are longer than the site formats")
        rows = dedent([SourceLine(row, line.number) for row in source.split("\n")])
        pad = " " * line.indent
        return [row._replace(text=f"{pad}{row.text}" if row.text else "") for row in rows]


def without_computed_lines(lines: list[SourceLine], report: Callable[[int, str], None]) -> list[SourceLine]:
    """The lines without expressions that have blank lines or code within them, such as the body of a function."""
    if not any(line.text.lstrip().startswith("{") for line in lines):
        return lines
    result: list[SourceLine] = []
    left = MOST_SEARCHED
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        rows = fence.lines if fence else [lines[at]]
        if fence is None and left > 0 and lines[at].text.lstrip().startswith("{"):
            left -= 1
            expression = _expression(lines, at)
            if any(row.is_blank or fence_at(lines, at + place) for place, row in enumerate(expression)):
                report(lines[at].number, not_shown("\n".join(row.text for row in expression).strip()[1:-1]))
                result.append(lines[at]._replace(text=""))
                at += len(expression)
                continue
        result += rows
        at += len(rows)
    return result


def not_shown(expression: str) -> str:
    """The report of an expression that is no text."""
    written = _MARK.sub(" … ", expression.replace(BLOCK_CLOSE, ""))
    return f"the expression {{{' '.join(written.split())[:60]}}} is not shown"


def _expression(lines: list[SourceLine], at: int) -> list[SourceLine]:
    """The lines of the expression that begins at a line and ends at the end of one; empty without such an end."""
    text = text_from(lines, at, LONGEST_TAG)
    end = expression_end(text, text.index("{"), len(text))
    if end is None or text[end:].partition("\n")[0].strip():
        return []
    return lines[at : at + text.count("\n", 0, end) + 1]

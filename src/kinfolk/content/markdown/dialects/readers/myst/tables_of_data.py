"""`list-table` and `csv-table` of MyST as tables of Markdown."""

from __future__ import annotations

import csv
import re
from html import escape

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, parts

MOST_ROWS, MOST_CELLS = 1_000, 50

_ROW = re.compile(r"([ \t]*+)[*+-][ \t]++[*+-](?:[ \t]++(.*))?")
_CELL = re.compile(r"[ \t]++[*+-](?:[ \t]++(.*))?")


def list_rows(body: list[SourceLine]) -> list[list[str]]:
    """The cells of a list of lists. Lines of one cell are joined."""
    rows: list[list[str]] = []
    for part in parts(body):
        line = _code(part) if isinstance(part, Fence) else part
        row, cell = _ROW.fullmatch(line.text), _CELL.fullmatch(line.text)
        if row and len(rows) < MOST_ROWS:
            rows.append([row[2] or ""])
        elif cell and rows:
            rows[-1].append(cell[1] or "")
        elif rows:
            rows[-1][-1] = f"{rows[-1][-1]}{' ' if line.text.strip() else '<br>'}{line.text.strip()}"
    return [[_without_breaks(cell) for cell in row] for row in rows]


def _code(fence: Fence) -> SourceLine:
    """A fence as one line: a cell of a table has no blocks."""
    code = "<br>".join(escape(line.text.strip(), quote=False).replace("|", "&#124;") for line in fence.code)
    for mark in "`*_[]{}$":
        code = code.replace(mark, f"&#{ord(mark)};")
    return fence.lines[0]._replace(text=f"{fence.prefix}<code>{code}</code>")


def _without_breaks(cell: str) -> str:
    cell = cell.strip()
    while cell.endswith("<br>"):
        cell = cell.removesuffix("<br>").rstrip()
    return cell


def csv_rows(text: str, delimiter: str) -> list[list[str]]:
    try:
        found = list(csv.reader(text.splitlines(), delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []
    return [row for row in found[:MOST_ROWS] if row]


def table_of(rows: list[list[str]], headers: int, number: int) -> list[SourceLine]:
    """The rows as a table; one without header rows gets an empty one."""
    width = min(MOST_CELLS, max((len(row) for row in rows), default=0))
    if not width:
        return []
    cells = [[*row[:width], *[""] * (width - len(row))] for row in rows]
    head, rest = (cells[0], cells[1:]) if headers else ([""] * width, cells)
    written = [_written(head), _written(["---"] * width), *map(_written, rest)]
    return [SourceLine("", number), *(SourceLine(row, number) for row in written), SourceLine("", number)]


def _written(cells: list[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"

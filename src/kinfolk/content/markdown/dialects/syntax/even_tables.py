"""Tables that other programs show and GitHub does not: an uneven rule row, and bars in code."""

from __future__ import annotations

import re

from kinfolk.content.markdown.code.code_spans import code_spans
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, map_chunks

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[ \t>]*+\|?(?>[ \t]*+:?-++:?[ \t]*+\|?)++[ \t]*+")


def even_tables(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines, with a cell of each rule row for each cell of its header, and with bars in code escaped."""
    if not any("-|" in line.text or "- |" in line.text for line in lines):
        return lines
    return map_chunks(lines, _even_table)


def _even_table(chunk: list[SourceLine]) -> list[SourceLine]:
    is_table = len(chunk) > 1 and "|" in chunk[0].text and "|" in chunk[1].text and _RULE.fullmatch(chunk[1].text)
    if not is_table:
        return chunk
    header, rule, *rows = chunk
    return [_with_escapes(header), _with_cells(rule, len(_cells(header.text))), *map(_with_escapes, rows)]


def _with_escapes(row: SourceLine) -> SourceLine:
    """The row with a backslash before each bar in code, which separates cells for GitHub."""
    if "`" not in row.text:
        return row
    parts: list[str] = []
    done = 0
    for start, end in code_spans(row.text):
        parts += (row.text[done:start], _BAR.sub(r"\\|", row.text[start:end]))
        done = end
    return row._replace(text="".join([*parts, row.text[done:]]))


def _with_cells(line: SourceLine, count: int) -> SourceLine:
    cells = _cells(line.text)
    if len(cells) == count:
        return line
    pad = line.text[: len(line.text) - len(line.text.lstrip(" \t>"))]
    even = [*cells[:count], *[" --- "] * (count - len(cells))]
    return line._replace(text=f"{pad}|{'|'.join(even)}|")


def _cells(text: str) -> list[str]:
    row = text.strip(" \t>")
    spans = code_spans(row) if "`" in row else []
    inside = {at for start, end in spans for at in range(start, end)}
    cells = [""]
    for at, letter in enumerate(row):
        if letter == "|" and at not in inside and row[at - 1 : at] != "\\":
            cells.append("")
        else:
            cells[-1] += letter
    start = 1 if row.startswith("|") else 0
    end = len(cells) - 1 if row.endswith("|") and len(cells) > 1 and not cells[-1] else len(cells)
    return cells[start:end]

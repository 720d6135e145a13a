"""`{{#include path:lines}}` and its kin: replaced by lines of files of the repository, in prose and in code."""

from __future__ import annotations

import posixpath
import re

from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, rebased
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine
from kinfolk.content.markdown.front_matter import split_front_matter

_STATEMENT = re.compile(r"(?<!\\)\{\{[ \t]*+#(include|rustdoc_include|playground|playpen|title)[ \t]++([^{}\n]++)\}\}")
_QUOTED = re.compile(r"[ \t>]*")
_ANCHOR_START = re.compile(r"ANCHOR:\s*([\w_-]+)")
_ANCHOR_END = re.compile(r"ANCHOR_END:\s*([\w_-]+)")


def with_includes(
    page: PageTranslation, files: IncludedFiles, lines: list[SourceLine], path: str, depth: int = 0
) -> list[SourceLine]:
    """The lines of the file `path` with the files that they include. mdBook includes them before it reads Markdown."""
    result: list[SourceLine] = []
    for line in lines:
        if "{{" not in line.text or _STATEMENT.search(line.text) is None:
            result.append(line)
            continue
        result += _expanded(page, files, line, path, depth)
    return result


def _expanded(page: PageTranslation, files: IncludedFiles, line: SourceLine, path: str, depth: int) -> list[SourceLine]:
    """A line that only includes a file gets the lines of that file, each behind what precedes the statement."""
    pieces: list[str] = []
    done = 0
    for found in _STATEMENT.finditer(line.text):
        pieces.append(line.text[done : found.start()])
        pieces.append("\n".join(_included(page, files, found, line, path, depth=depth)))
        done = found.end()
    text = "".join([*pieces, line.text[done:]])
    before = _QUOTED.match(line.text)
    pad = before[0] if before else ""
    first, *others = text.split("\n")
    return [line._replace(text=first), *(line._replace(text=f"{pad}{row}" if row else pad.rstrip()) for row in others)]


def _included(
    page: PageTranslation, files: IncludedFiles, found: re.Match[str], line: SourceLine, path: str, *, depth: int
) -> list[str]:
    kind, written = found[1], found[2].strip()
    if kind == "title":
        return [""]
    target, *selection = written.split()[0].split(":")
    read = files.read([posixpath.join(posixpath.dirname(path), target)]) if depth < DEEPEST else None
    if read is None:
        page.report(line.number, f"the included file {target[:80]} does not exist")
        return [""]
    is_page = read[0].endswith(".md")
    text = rebased(split_front_matter(read[1])[1], read[0], page.source.path) if is_page else read[1]
    rows = text.removesuffix("\n").split("\n")
    if kind in ("playground", "playpen"):
        return ["```rust", *rows, "```"]
    selected = _selected(rows, selection)
    if selected is None:
        page.report(line.number, f"the included file {target[:80]} has no anchor {selection[0][:40]}")
        return [""]
    inner = [SourceLine(row, line.number) for row in selected]
    return [one.text for one in with_includes(page, files, inner, read[0], depth + 1)]


def _selected(rows: list[str], selection: list[str]) -> list[str] | None:
    """`2`, `:10`, `2:`, `2:10` -> these lines; the name of an anchor -> those between its marks."""
    if not selection or not any(selection):
        return rows
    if selection[0] and not selection[0].isdecimal():
        return _between_anchors(rows, selection[0])
    start = int(selection[0]) if selection[0] else 1
    if len(selection) == 1:
        return rows[max(0, start - 1) : start]
    end = int(selection[1]) if selection[1].isdecimal() else len(rows)
    return rows[max(0, start - 1) : end]


def _between_anchors(rows: list[str], name: str) -> list[str] | None:
    found: list[str] | None = None
    is_open = False
    for row in rows:
        start = _ANCHOR_START.search(row) if "ANCHOR" in row else None
        end = _ANCHOR_END.search(row) if "ANCHOR" in row else None
        if start and start[1] == name:
            found, is_open = found or [], True
        elif end and end[1] == name:
            is_open = False
        elif is_open and found is not None and not start and not end:
            found.append(row)
    return found

"""Files that a page includes: only files of its repository, limited in number, size and depth."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from kinfolk.runtime.budget import BUDGETS, OverBudget
from kinfolk.runtime.errors import NotFound

MOST_FILES = 100
"""Files that one page includes."""
DEEPEST = 5
"""Levels of files that include others."""

_LINK = re.compile(r"(\]\(|\]:[ \t]+)([^\s()<>#?:]+)")
_RELATIVE = re.compile(r"(\]\(|\]:[ \t]+)(\.{1,2}/[^\s()<>#?]*)")
_REGION_START = re.compile(r"#\s*(?:pragma\s+)?region\b\s*([\w*-]+)|--8<--\s*\[start:\s*([\w-]+)\s*\]")
_REGION_END = re.compile(r"#\s*(?:pragma\s+)?endregion\b\s*([\w*-]*)|--8<--\s*\[end:\s*([\w-]+)\s*\]")


class IncludedFiles:
    """Reads the files for one page."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        self._files = 0
        self._characters = 0

    def read(self, candidates: Iterable[str]) -> tuple[str, str] | None:
        """The first of these paths that the repository has, and its text. Raises OverBudget above a limit."""
        for candidate in dict.fromkeys(candidates):
            path = posixpath.normpath(candidate).lstrip("/")
            if path.startswith("..") or path == ".":
                continue
            if self._files >= MOST_FILES:
                raise OverBudget("markdown", "items", f"This page includes more than {MOST_FILES} files")
            self._files += 1
            try:
                text = self._read(path)
            except NotFound:
                continue
            self._characters += len(text)
            if self._characters > BUDGETS["markdown"].input_bytes:
                raise OverBudget(
                    "markdown", "size", "The files that this page includes are longer than the site formats"
                )
            return path, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return None


def rebased(text: str, source: str, page: str, prefix: str = "") -> str:
    """A text from the file `source`, its relative links as they are in the file `page`.

    Links that begin with `prefix` are relative, too, besides those that begin with a dot.
    """
    here, there = posixpath.dirname(source), posixpath.dirname(page) or "."
    if here == posixpath.dirname(page):
        return text

    def changed(found: re.Match[str]) -> str:
        if not found[2].startswith(starts):
            return found[0]
        return found[1] + posixpath.relpath(posixpath.join(here, found[2]), there)

    starts = ("./", "../", prefix) if prefix else ("./", "../")
    return (_LINK if prefix else _RELATIVE).sub(changed, text)


def selected_lines(text: str, *, region: str = "", lines: str = "") -> str | None:
    """A region or a range of lines such as `3,10`, `3-10`, `3:`, `,10`. None for a region that the text lacks."""
    rows = text.removesuffix("\n").split("\n")
    if region:
        found = _region(rows, region)
        if found is None:
            return None
        rows = found
    rows = [row for row in rows if not (_REGION_START.search(row) or _REGION_END.search(row))] if region else rows
    if lines:
        picked: list[str] = []
        for part in lines.split(";") if ";" in lines else [lines]:
            first, mark, last = (
                re.split(r"([,:-])", part.strip(), maxsplit=1) if re.search("[,:-]", part) else (part, "", part)
            )
            del mark
            start = int(first) if first.strip().isdecimal() else 1
            end = int(last) if last.strip().isdecimal() else len(rows)
            picked += rows[max(0, start - 1) : end]
        rows = picked
    return "\n".join(rows)


def _region(rows: list[str], name: str) -> list[str] | None:
    start = None
    depth = 0
    for at, row in enumerate(rows):
        if start is None:
            opening = _REGION_START.search(row)
            if opening and name in (opening[1], opening[2]):
                start = at + 1
            continue
        if _REGION_END.search(row):
            if depth == 0 or name in (_REGION_END.search(row) or [""])[0]:
                return rows[start:at]
            depth -= 1
        elif _REGION_START.search(row):
            depth += 1
    return rows[start:] if start is not None else None

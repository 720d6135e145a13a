"""Which names a guide to a new version says were renamed or replaced, and by which others.

    renamed_names("### Rename `cacheTime` to `gcTime`")        # {"cacheTime": "gcTime"}

It reads sentences such as "`Hydrate` has been renamed to `HydrationBoundary`", and tables whose columns are two
versions. Both names must be in code marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, numbered, parts
from kinfolk.content.markdown.source.note_blocks import first_lines

MOST_LINES = 20_000
MOST_NAMES = 1_000
LONGEST_LINE = 500
"""Characters. A longer line of a paragraph is about more than a name."""
_NAME = r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?"
_OLD = rf"`(?P<old>{_NAME})(?:\(\))?`"
_NEW = rf"(?:(?:the|a|an|new|custom) ){{0,2}}`(?P<new>{_NAME})(?:\(\))?`"
_WORDS = r"(?: [\w-]{1,30}){0,2}"
_SENTENCES = (
    re.compile(
        rf"{_OLD}{_WORDS} (?:(?:has|have|had) (?:now )?been|was|were|is|are) (?:now )?"
        rf"(?:renamed (?:to|as)|replaced (?:by|with)|removed in favou?r of|superseded by|changed to) {_NEW}"
    ),
    re.compile(rf"{_OLD}{_WORDS} (?:is|are) now (?:called |named )?`(?P<new>{_NAME})(?:\(\))?`"),
    re.compile(rf"\b[Rr]enam(?:e|ed|ing) (?:the )?{_OLD}{_WORDS} to {_NEW}"),
    re.compile(rf"\b[Rr](?:emoved?|eplaced?) (?:the )?{_OLD}{_WORDS} (?:in favou?r of|by|with) {_NEW}"),
)
_JOINING_BEFORE, _JOINING_AFTER = ("and ", "or ", ", ", "/"), (" and `", " or `", ", `", "/")
"""A sentence about several names does not say which of them became which."""
_VERSION = re.compile(r"\bv?(\d{1,3})(?:\.\d{1,3})*\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|old|previous(?:ly)?)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:after|new|now)\b", re.IGNORECASE)
_CELL_NAME = re.compile(rf"`(?P<name>{_NAME})(?:\(\))?`(?: [^`|+]{{0,60}})?")
_WRITTEN = re.compile(r"\\\|")


def renamed_names(text: str) -> Mapping[str, str]:
    """The old names with the new ones, both without what they are a member of. Takes linear time."""
    found: dict[str, str] = {}
    for old, new in _pairs(first_lines(text, MOST_LINES)):
        before, after = old.rpartition(".")[2], new.rpartition(".")[2]
        if before != after and len(found) < MOST_NAMES:
            found.setdefault(before, after)
    return found


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    lines = [part.text for part in parts(numbered(text, 1)) if not isinstance(part, Fence)]
    is_table_of_versions = False
    for at, line in enumerate(lines):
        if line.lstrip().startswith("|"):
            if at + 1 < len(lines) and _is_rule(lines[at + 1]):
                is_table_of_versions = _are_versions(_cells(line))
            elif is_table_of_versions and (pair := _pair_of_row(_cells(line))) is not None:
                yield pair
            continue
        is_table_of_versions = False
        if "`" in line and len(line) <= LONGEST_LINE:
            for pattern in _SENTENCES:
                for sentence in pattern.finditer(line):
                    is_one = not line[: sentence.start("old") - 1].endswith(_JOINING_BEFORE)
                    if is_one and not line[sentence.end() :].startswith(_JOINING_AFTER):
                        yield sentence["old"], sentence["new"]


def _is_rule(line: str) -> bool:
    """Whether a line ends the head of a table."""
    return "--" in line and not line.strip(" \t|:-")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _WRITTEN.sub("/", line[:LONGEST_LINE]).strip().strip("|").split("|")]


def _are_versions(heads: list[str]) -> bool:
    """Whether the first column is of an older version than the last one."""
    if len(heads) < 2:  # noqa: PLR2004 - old and new
        return False
    first, last = _VERSION.search(heads[0]), _VERSION.search(heads[-1])
    if first is None or last is None:
        return _BEFORE.search(heads[0]) is not None and _AFTER.search(heads[-1]) is not None
    return int(first[1]) < int(last[1])


def _pair_of_row(cells: list[str]) -> tuple[str, str] | None:
    old, new = _CELL_NAME.fullmatch(cells[0]), _CELL_NAME.fullmatch(cells[-1])
    return (old["name"], new["name"]) if old and new and len(cells) > 1 else None

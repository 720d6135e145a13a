"""Info strings of fences and comments that mark lines of code, in the forms that several dialects share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kinfolk.content.markdown.code.code_marks import LINE_KINDS, MOST_LINES, CodeMarks, LineKind
from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine

_LANGUAGE = re.compile(r"\.?([A-Za-z0-9][A-Za-z0-9+#_-]*)")
_RANGES = re.compile(r"\{([\d,\s-]+)\}")
_OPTION = re.compile(r"""\b(title|hl_lines|file|name)=(?:"([^"]*)"|'([^']*)'|([^\s{}"']+))""")
_LABEL = re.compile(r"\[([^\[\]]*)\]")
_COMMENT = r"(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*"
_COMMENT_END = r"[ \t]*+(?:(?:-->|\*/\}|\*/)[ \t]*+)?"
_MAGIC = re.compile(rf"[ \t]*+{_COMMENT}(highlight|error|warning|success|focus)-(next-line|start|end){_COMMENT_END}")
_MAGIC_KINDS: dict[str, LineKind] = {"focus": "focused", "error": "errors", "warning": "warnings"}
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class CodeInfo:
    """What an info string says. `highlighted` are 1-based ranges such as `1,3-5`; `flags` its other words."""

    language: str
    title: str | None
    highlighted: str
    flags: frozenset[str]


def parse_code_info(info: str) -> CodeInfo:
    """`js{1,4-6} [main.js]`, `py title="main.py" hl_lines="2 3"`, `{ .yaml .annotate }`."""
    options = {name: double or single or bare for name, double, single, bare in _OPTION.findall(info)}
    rest = _OPTION.sub(" ", info)
    label = _LABEL.search(rest)
    ranges = _RANGES.search(rest)
    bare = _RANGES.sub(" ", _LABEL.sub(" ", rest)).replace("{", " ").replace("}", " ").strip()
    language = _LANGUAGE.match(bare)
    title = options.get("title") or options.get("file") or (label[1] if label else None)
    lines = ranges[1] if ranges else options.get("hl_lines", "").replace(" ", ",")
    words = frozenset(bare[language.end() if language else 0 :].split())
    return CodeInfo(language[1] if language else "", title or None, "".join(lines.split()), words)


def line_ranges(written: str) -> set[int]:
    """`1,3-5` -> 1, 3, 4, 5."""
    found: set[int] = set()
    for part in written.split(",")[:MOST_LINES]:
        numbers = [int(one[:6]) for one in _NUMBER.findall(part)[:2]]
        if numbers:
            found.update(range(numbers[0], min(numbers[-1], MOST_LINES) + 1))
    return found


def marked_code(lines: list[SourceLine]) -> tuple[list[SourceLine], dict[LineKind, set[int]]]:
    """The code without the comments that mark lines, and the 0-based lines by kind."""
    marked = _MarkedCode()
    for line in lines:
        magic = _MAGIC.fullmatch(line.text) if "-" in line.text else None
        if magic:
            marked.magic(_MAGIC_KINDS.get(magic[1], "highlighted"), magic[2])
        else:
            marked.line(line)
    return marked.remaining, marked.marks.lines


class _MarkedCode:
    def __init__(self) -> None:
        self.remaining: list[SourceLine] = []
        self.marks = CodeMarks()
        self._open_from: int | None = None
        self._next: LineKind | None = None

    def magic(self, kind: LineKind, part: str) -> None:
        """A comment about the next line, or at the start or the end of several."""
        if part == "next-line":
            self._next = kind
        elif part == "start":
            self._open_from = self.marks.count
        elif self._open_from is not None:
            self.marks.lines[kind].update(range(self._open_from, self.marks.count))
            self._open_from = None

    def line(self, line: SourceLine) -> None:
        number = self.marks.count
        text = self.marks.take(line.text)
        if text is None:
            return
        if self._next:
            self.marks.lines[self._next].add(number)
            self._next = None
        self.remaining.append(line._replace(text=text))


def written_fence(fence: Fence, info: CodeInfo, code: list[SourceLine], *, for_export: bool) -> list[SourceLine]:
    """The fence with an info string of this site."""
    remaining, marks = marked_code(code)
    words = [info.language or "text"]
    if info.title:
        words.append(f'title="{info.title.replace(chr(34), chr(39))}"')
    if not for_export:
        marks["highlighted"].update(number - 1 for number in line_ranges(info.highlighted) if number)
        words += [f"{kind}={_as_ranges(marks[kind])}" for kind in LINE_KINDS if marks[kind]]
    first, number = fence.lines[0], fence.lines[0].number
    end = fence.lines[-1] if fence.is_closed else SourceLine(" " * len(fence.prefix) + fence.mark, number)
    written = " ".join(words) if len(words) > 1 or info.language else ""
    return [first._replace(text=f"{fence.prefix}{fence.mark}{written}"), *remaining, end]


def _as_ranges(numbers: set[int]) -> str:
    """0, 2, 3, 4 -> `1,3-5`."""
    ranges: list[list[int]] = []
    for number in (before + 1 for before in sorted(numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in ranges)

"""Info strings of fences and comments that mark lines of code, in the forms that several dialects share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kinfolk.content.markdown.code.code_marks import LINE_KINDS, MOST_LINES, CodeMarks, LineKind
from kinfolk.content.markdown.code.code_spans import code_spans
from kinfolk.content.markdown.code.marked_words import MOST_WORDS, word_option
from kinfolk.content.markdown.dialects.dialect_rules import CodeRules
from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, parts, rewrite_chunks

WriteTabs = Callable[[list[tuple[str, list[SourceLine]]], int], list[SourceLine]]
"""Labels with the lines of their fences, and the indentation -> lines."""

_LANGUAGE = re.compile(r"\.?([A-Za-z0-9][A-Za-z0-9+#_-]*)")
_RANGES = re.compile(r"(?<!=)\{([\d,\s-]+)\}")
_OPTION = re.compile(r"""(?<![\w-])([A-Za-z][\w-]{0,40}+)=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s{}"']+))""")
_LABEL = re.compile(r"\[([^\[\]]*)\]")
_BRACKET = re.compile(r"(?<!\\)\\++([\[\]])")
_LINES: dict[str, LineKind] = {"ins": "added", "del": "removed", "mark": "highlighted"}
"""Options of Expressive Code that mark lines."""
_DIFF: dict[str, LineKind] = {"+": "added", "-": "removed"}
_COMMENT = r"(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*"
_COMMENT_END = r"[ \t]*+(?:(?:-->|\*/\}|\*/)[ \t]*+)?"
_MAGIC = re.compile(rf"[ \t]*+{_COMMENT}(highlight|error|warning|success|focus)-(next-line|start|end){_COMMENT_END}")
_MAGIC_KINDS: dict[str, LineKind] = {"focus": "focused", "error": "errors", "warning": "warnings"}
_NUMBER = re.compile(r"\d+")
_INLINE_LANGUAGE = re.compile(r"\{:[\w.-]{1,40}+\}(?=`{1,9}\Z)")
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class CodeInfo:
    """What an info string says. Line numbers are 1-based ranges such as `1,3-5`; `flags` are its other words."""

    language: str
    title: str | None
    highlighted: str
    flags: frozenset[str]
    marked: Mapping[LineKind, str] = field(default_factory=dict)
    """Ranges of lines by kind."""
    tab: str | None = None
    """Label of the tab, in a dialect that makes adjacent fences tabs."""
    diff_language: str | None = None
    """The language of a `diff`, whose signs at the start of lines mark them."""

    def is_command(self, names: tuple[str, ...]) -> bool:
        return self.language in names or any(flag.startswith(names) for flag in self.flags)


def parse_code_info(info: str, rules: CodeRules | None = None) -> CodeInfo:
    """`js{1,4-6} [main.js]`, `py title="main.py" hl_lines="2 3"`, `{ .yaml .annotate }`, `ts ins={2} del={1}`."""
    rules = rules or CodeRules(has_label=True)
    options = {name: next(filter(None, values), "") for name, *values in _OPTION.findall(info)}
    rest = _OPTION.sub(" ", info)
    label, rest = _label_of(rest)
    ranges = _RANGES.search(rest)
    bare = _RANGES.sub(" ", _LABEL.sub(" ", rest)).replace("{", " ").replace("}", " ").strip()
    language = _LANGUAGE.match(bare)
    title = next((options[name] for name in (*rules.title, "file", "name") if options.get(name)), None)
    words = bare[language.end() if language else 0 :].split()
    if title is None and label and rules.has_label:
        title = label
    if title is None and rules.has_bare_title:
        title = " ".join(word for word in words if word[0] not in "\"'/" and "=" not in word) or None
    lines = ranges[1] if ranges else options.get("hl_lines", "").replace(" ", ",")
    marked = {kind: options[name] for name, kind in _LINES.items() if re.fullmatch(r"[\d,\s-]+", options.get(name, ""))}
    name = language[1] if language else ""
    return CodeInfo(
        name,
        title or None,
        "".join(lines.split()),
        frozenset(words),
        marked,
        _TAG.sub("", options.get(rules.tab, "")).strip() or None if rules.tab else None,
        options.get("lang") if name == "diff" else None,
    )


def without_inline_languages(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines, with `{:js}` at the end of code spans removed."""
    if not any("{:" in line.text for line in lines):
        return lines

    def rewritten(text: str, number: int) -> str:
        del number
        pieces: list[str] = []
        done = 0
        for start, end in code_spans(text) if "{:" in text else ():
            pieces += (text[done:start], _INLINE_LANGUAGE.sub("", text[start:end], count=1))
            done = end
        return "".join([*pieces, text[done:]])

    return rewrite_chunks(lines, rewritten)


def _label_of(info: str) -> tuple[str, str]:
    """The first text in brackets, which can have others as in `[pages/[id].vue]`, and the info string without it."""
    start = info.find("[")
    depth = 0
    for at in range(start, len(info) if start >= 0 else start):
        depth += (info[at] == "[") - (info[at] == "]")
        if depth == 0:
            return _BRACKET.sub(r"\1", info[start + 1 : at]), f"{info[:start]} {info[at + 1 :]}"
    found = _LABEL.search(info)
    return (found[1], _LABEL.sub(" ", info, count=1)) if found else ("", info)


def tab_groups(lines: list[SourceLine], rules: CodeRules, write: WriteTabs) -> list[SourceLine]:
    """The lines, with each run of adjacent fences that have a tab replaced by what `write` makes of them."""
    result: list[SourceLine] = []
    run: list[tuple[str, list[SourceLine]]] = []
    blank: list[SourceLine] = []
    indent = 0

    def end_run() -> list[SourceLine]:
        written = write(run, indent) if run else []
        ended = [*written, *blank]
        run.clear()
        blank.clear()
        return ended

    for part in parts(lines):
        tab = parse_code_info(part.info, rules).tab if isinstance(part, Fence) else None
        if isinstance(part, Fence) and tab:
            if not run:
                result += end_run()
                indent = part.lines[0].indent
            blank.clear()
            run.append((tab, part.lines))
        elif isinstance(part, SourceLine) and part.is_blank and run:
            blank.append(part)
        else:
            result += [*end_run(), *(part.lines if isinstance(part, Fence) else [part])]
    return [*result, *end_run()]


def line_ranges(written: str) -> set[int]:
    """`1,3-5` -> 1, 3, 4, 5."""
    found: set[int] = set()
    for part in written.split(",")[:MOST_LINES]:
        numbers = [int(one[:6]) for one in _NUMBER.findall(part)[:2]]
        if numbers:
            found.update(range(numbers[0], min(numbers[-1], MOST_LINES) + 1))
    return found


def marked_code(lines: list[SourceLine]) -> tuple[list[SourceLine], CodeMarks]:
    """The code without the comments that mark lines and words, and these marks."""
    marked = _MarkedCode()
    for line in lines:
        magic = _MAGIC.fullmatch(line.text) if "-" in line.text else None
        if magic:
            marked.magic(_MAGIC_KINDS.get(magic[1], "highlighted"), magic[2])
        else:
            marked.line(line)
    return marked.remaining, marked.marks


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
    remaining, found = marked_code(code)
    marks = found.lines
    if info.diff_language:
        remaining = _without_signs(remaining, marks, len(fence.prefix))
    words = [info.diff_language or info.language or "text"]
    if info.title:
        words.append(f'title="{info.title.replace(chr(34), chr(39))}"')
    if not for_export:
        for kind, ranges in (("highlighted", info.highlighted), *info.marked.items()):
            marks[kind].update(number - 1 for number in line_ranges(ranges) if number)
        words += [f"{kind}={_as_ranges(marks[kind])}" for kind in LINE_KINDS if marks[kind]]
        words += map(word_option, found.words[:MOST_WORDS])
    first, number = fence.lines[0], fence.lines[0].number
    end = fence.lines[-1] if fence.is_closed else SourceLine(" " * len(fence.prefix) + fence.mark, number)
    written = " ".join(words) if len(words) > 1 or info.language else ""
    return [first._replace(text=f"{fence.prefix}{fence.mark}{written}"), *remaining, end]


def _without_signs(code: list[SourceLine], marks: dict[LineKind, set[int]], indent: int) -> list[SourceLine]:
    """The lines of a `diff` without the signs that precede them; their kinds are added to `marks`."""
    result = []
    for at, line in enumerate(code):
        before, text = line.text[:indent], line.text[indent:]
        if text[:1] in _DIFF:
            marks[_DIFF[text[0]]].add(at)
        result.append(line._replace(text=before + text[1:] if text[:1] in ("+", "-", " ") else line.text))
    return result


def _as_ranges(numbers: set[int]) -> str:
    """0, 2, 3, 4 -> `1,3-5`."""
    ranges: list[list[int]] = []
    for number in (before + 1 for before in sorted(numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in ranges)

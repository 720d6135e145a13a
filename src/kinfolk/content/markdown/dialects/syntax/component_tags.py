"""Tags of components in Markdown: Vue's in VitePress, JSX in MDX. Their names begin with an upper-case letter."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape

from kinfolk.content.markdown.code.code_spans import code_spans
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    LineCounter,
    SourceLine,
    fence_at,
    rewrite_chunks,
    text_from,
)
from kinfolk.content.markdown.literals.javascript_tokens import unescaped

LONGEST_TAG = 4_000
"""Characters of one tag. A longer one stays as it is, and is shown as text."""

LARGEST_TAG = 60_000
"""Characters of a tag that begins a line, which may have the data of a table or a drawing."""

MOST_LARGE = 20
"""Starts of tags in one page that are searched for an end so far away."""

LONGEST_BEFORE = 200
"""Characters of what precedes a tag on its line."""

NEW_LINE = "\ue003"
"""Stands for a line break within a tag on one line. No source contains it."""

_LINE_START = re.compile(r"[ \t]*<(?:[A-Z][\w.]*+|[a-z][a-z0-9]*+(?>(?:-[a-z0-9]+)+))(?=[\s/>]|\Z)")
_START = re.compile(
    r"<(?P<slash>/?)(?P<name>[A-Z][\w.]*|[a-z][a-z0-9]*(?:-[a-z0-9]+)+|template(?=[\s/>])|slot(?=[\s/>])|>)"
)
_ATTRIBUTE = re.compile(r"""[\s/]*+([:@#\w][\w:.@-]*+)(?:\s*+=\s*+("[^"]*"|'[^']*'|(?=\{)))?""")
_END = re.compile(r"[\s]*+(/?)[\s]*+>")
_SPACES = re.compile(r"\s*+")
_REST_OF_LINE = re.compile(r"[^\S\n]*+(?:\n|\Z)")


@dataclass(frozen=True)
class ComponentTag:
    """A tag. Values of expressions are None, unless they are one string; `expressions` has them as written."""

    name: str
    is_end: bool
    is_empty: bool
    attributes: Mapping[str, str | None]
    number: int
    is_alone: bool
    """Whether nothing else is on its lines."""
    before: str = ""
    """What precedes it on its line."""
    expressions: Mapping[str, str] = field(default_factory=dict)

    def value(self, *names: str) -> str | None:
        """The first of these attributes that has a text."""
        return next((found for name in names if (found := self.attributes.get(name))), None)


RewriteTag = Callable[[ComponentTag], str]
IsComponent = Callable[[str], bool]


def rewrite_tags(
    lines: list[SourceLine], rewrite: RewriteTag, is_component: IsComponent = lambda _: True
) -> list[SourceLine]:
    """The lines with each tag of a component replaced by what `rewrite` returns. Other tags stay."""
    if not _any_tag(lines):
        return lines
    return rewrite_chunks(lines, lambda text, number: _rewrite(text, number, rewrite, is_component))


def joined_tags(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines, with each tag that begins a line and goes on behind a blank line or a fence on one line."""
    if not any(_LINE_START.match(line.text) for line in lines if "<" in line.text):
        return lines
    result: list[SourceLine] = []
    large = MOST_LARGE
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        rows = fence.lines if fence else [lines[at]]
        start = None if fence else _LINE_START.match(lines[at].text)
        if start and _attributes(lines[at].text, start.end()) is None:
            count = _lines_of_tag(lines, at, start.end(), LONGEST_TAG)
            if count == 1 and large > 0:
                large -= 1
                count = _lines_of_tag(lines, at, start.end(), LARGEST_TAG)
                is_large = count > 1
            else:
                is_large = False
            if is_large or any(
                one.is_blank or fence_at(lines, at + place) for place, one in enumerate(lines[at : at + count])
            ):
                rows = lines[at : at + count]
                result.append(rows[0]._replace(text=NEW_LINE.join(row.text for row in rows)))
                at += count
                continue
        result += rows
        at += len(rows)
    return result


def _lines_of_tag(lines: list[SourceLine], at: int, start: int, longest: int) -> int:
    """How many lines the tag that begins at line `at` has; 1 for one without an end."""
    text = text_from(lines, at, longest)
    read = _attributes(text, start, longest)
    return 1 if read is None else text.count("\n", 0, read[3]) + 1


def _any_tag(lines: list[SourceLine]) -> bool:
    return any("<" in line.text for line in lines)


def _rewrite(text: str, number: int, rewrite: RewriteTag, is_component: IsComponent) -> str:
    joined = _joined_starts(text) if NEW_LINE in text or len(text) > LONGEST_TAG else frozenset()
    marked, text = text, text.replace(NEW_LINE, "\n")
    done, previous = 0, -1
    lines = LineCounter(text, number)
    # A template of JavaScript within a tag has the mark of a code span, so a tag in code is one that begins in it.
    # Blank lines within a joined tag end no code span.
    spans = deque(code_spans(marked) if "`" in text and "<" in text else ())
    result: list[str] = []
    for start in _START.finditer(text):
        number = lines.number_at(start.start())
        is_first_on_line, previous = lines.line_start > previous, start.start()
        while spans and spans[0][1] <= start.start():
            spans.popleft()
        if start.start() < done or (spans and spans[0][0] <= start.start()) or not is_component(start["name"]):
            continue
        if start["name"] == ">":  # a fragment of JSX, which has no name
            result.append(text[done : start.start()])
            done = start.end()
            continue
        # That of a joined tag is known to have an end.
        longest = LARGEST_TAG if start.start() in joined else LONGEST_TAG
        read = _attributes(text, start.end(), longest)
        if read is None:
            continue
        attributes, expressions, is_empty, end = read
        tag = ComponentTag(
            start["name"],
            bool(start["slash"]),
            is_empty,
            attributes,
            number,
            is_first_on_line
            and _SPACES.fullmatch(text, lines.line_start, start.start()) is not None
            and _REST_OF_LINE.match(text, end) is not None,
            text[max(lines.line_start, start.start() - LONGEST_BEFORE) : start.start()],
            expressions,
        )
        result += (text[done : start.start()], rewrite(tag))
        done = end
    return "".join([*result, text[done:]])


def _joined_starts(text: str) -> frozenset[int]:
    """Where the tags begin that `joined_tags` has joined, and those that begin a long line."""
    starts, at = set(), 0
    for line in text.split("\n"):
        if NEW_LINE in line or (len(line) > LONGEST_TAG and _LINE_START.match(line)):
            starts.add(at + len(line) - len(line.lstrip()))
        at += len(line) + 1
    return frozenset(starts)


def _attributes(
    text: str, at: int, longest: int = LONGEST_TAG
) -> tuple[dict[str, str | None], dict[str, str], bool, int] | None:
    """The attributes, those that are expressions, whether the tag closes itself, and where it ends.

    None for text that is no tag.
    """
    found: dict[str, str | None] = {}
    expressions: dict[str, str] = {}
    limit = min(len(text), at + longest)
    while at < limit:
        end = _END.match(text, at, limit)
        if end:
            return found, expressions, bool(end[1]), end.end()
        if text[at] == "{":  # a spread of JSX
            after = expression_end(text, at, limit)
            if after is None:
                return None
            at = after
            continue
        attribute = _ATTRIBUTE.match(text, at, limit)
        if attribute is None:
            after_blank = _SPACES.match(text, at, limit)
            if after_blank and after_blank.end() > at and text[after_blank.end() : after_blank.end() + 1] == "{":
                at = after_blank.end()
                continue
            return None
        name, value = attribute[1], attribute[2]
        at = attribute.end()
        if value is None:
            found[name] = ""
        elif value == "":
            after = expression_end(text, at, limit)
            if after is None:
                return None
            expressions[name] = text[at + 1 : after - 1]
            found[name] = string_value(expressions[name])
            at = after
        else:
            found[name] = unescape(value[1:-1])
    return None


# A quote behind a backslash is a piece of its own, so that no search begins at it.
_PIECE = re.compile(r"""[{}]|\\[\s\S]|"(?>(?:[^"\\\n]|\\.)*)"|'(?>(?:[^'\\\n]|\\.)*)'|`(?>(?:[^`\\]|\\[\s\S])*)`""")
_STRING = re.compile(r"""\s*+(?:"((?>(?:[^"\\\n]|\\.)*))"|'((?>(?:[^'\\\n]|\\.)*))'|`([^`\\$]*+)`)\s*+""")


def expression_end(text: str, at: int, limit: int) -> int | None:
    """Where the expression of JSX that begins with the `{` at `at` ends; None without an end before `limit`."""
    if text.find("}", at, limit) < 0:
        # Searching for the pieces takes a thousand times as long.
        return None
    depth = 0
    for piece in _PIECE.finditer(text, at, limit):
        if piece[0] == "{":
            depth += 1
        elif piece[0] == "}":
            depth -= 1
            if depth == 0:
                return piece.end()
    return None


def string_value(expression: str) -> str | None:
    """The text of an expression that is one string."""
    found = _STRING.fullmatch(expression)
    text = next((one for one in found.groups() if one is not None), None) if found else None
    return unescaped(text) if text and "\\" in text else text

"""The source of a text as blocks: headings, items of lists, other text. For release notes and pages of an API.

Items are those of the outermost lists. Code in fences belongs to the block in which it begins. Takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, numbered, parts

BlockKind = Literal["heading", "item", "text"]

LONGEST_HEADING = 200
"""Characters. A longer heading names no kind of changes and no release."""
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>\S.*))?")
_CLOSING_MARKS = re.compile(r"(?<!\S)#+\Z")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|\w{1,31});")
_NO_WORD = re.compile(r"[^\w']+")
_MARKER = re.compile(r"(?P<indent> {0,3})(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?P<text>\S.*)|[ \t]*)")
_BOLD_LEVEL = 7
"""Below all headings."""

IsBoldHeading = Callable[[str], bool]
"""Whether a line of these bold words stands for a heading."""


@dataclass(frozen=True)
class NoteBlock:
    """`text` is the Markdown, of an item with its marker. `words` is the first line without marks of Markdown.

    `level` is that of a heading, 1 to 7.
    """

    kind: BlockKind
    text: str
    words: str
    level: int = 0


@dataclass
class _OpenBlock:
    kind: BlockKind
    indent: int
    words: str
    lines: list[str] = field(default_factory=list)


def note_blocks(text: str, is_bold_heading: IsBoldHeading) -> list[NoteBlock]:
    """The blocks in the order of the text."""
    reader = _BlockReader(is_bold_heading)
    for part in parts(numbered(text, 1)):
        if isinstance(part, Fence):
            reader.add_code([line.text for line in part.lines])
        else:
            reader.add_line(part)
    reader.close()
    return reader.blocks


class _BlockReader:
    def __init__(self, is_bold_heading: IsBoldHeading) -> None:
        self.blocks: list[NoteBlock] = []
        self._is_bold_heading = is_bold_heading
        self._open: _OpenBlock | None = None
        self._after_blank = False

    def add_code(self, lines: list[str]) -> None:
        marker = _MARKER.fullmatch(lines[0])
        if marker is not None and self._begins_item(len(marker["indent"])):
            self._begin("item", len(marker["indent"]), "")
        elif self._leaves_item(lines[0]):
            self.close()
        self._add(lines)

    def add_line(self, line: SourceLine) -> None:
        text = line.text
        if line.is_blank:
            if self._open is not None:
                self._open.lines.append("")
            self._after_blank = True
            return
        heading = None if self._is_inside(line.indent) else heading_of(text) or self._bold_heading(text)
        if heading is not None:
            self.close()
            self.blocks.append(NoteBlock("heading", heading[1], heading[1], heading[0]))
        elif (marker := _MARKER.fullmatch(text)) is not None and self._begins_item(len(marker["indent"])):
            self._begin("item", len(marker["indent"]), marker["text"] or "")
            self._add([text])
        else:
            if self._leaves_item(text) or (self._after_blank and self._open and self._open.kind == "text"):
                self.close()
            self._add([text])
        self._after_blank = False

    def close(self) -> None:
        if self._open is not None:
            text = "\n".join(self._open.lines).strip("\n").rstrip()
            if text.strip():
                self.blocks.append(NoteBlock(self._open.kind, text, self._open.words))
            self._open = None

    def _begins_item(self, indent: int) -> bool:
        return self._open is None or self._open.kind != "item" or indent <= self._open.indent + 1

    def _is_inside(self, indent: int) -> bool:
        """Whether a line of this indentation belongs to the open item."""
        return self._open is not None and self._open.kind == "item" and indent > self._open.indent + 1

    def _leaves_item(self, text: str) -> bool:
        """Whether a line ends the open item: after a blank line, it is not indented."""
        is_item = self._open is not None and self._open.kind == "item"
        return is_item and self._after_blank and not text.startswith((" ", "\t"))

    def _begin(self, kind: BlockKind, indent: int, words: str) -> None:
        self.close()
        self._open = _OpenBlock(kind, indent, words)

    def _add(self, lines: Iterable[str]) -> None:
        added = list(lines)
        if self._open is None:
            self._open = _OpenBlock("text", 0, added[0].strip())
        self._open.lines += added
        self._after_blank = False

    def _bold_heading(self, line: str) -> tuple[int, str] | None:
        """A line such as `**Bug fixes:**`, if it stands for a heading."""
        text = line.strip()
        if len(text) > LONGEST_HEADING or not (text.startswith("**") and text.rstrip(":").endswith("**")):
            return None
        words = text.rstrip(":").strip("*").strip(": ")
        return (_BOLD_LEVEL, words) if self._is_bold_heading(words) else None


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and the text of a heading; None for another line."""
    found = _HEADING.fullmatch(line)
    if found is None:
        return None
    text = (found["text"] or "").rstrip()
    return len(found["marks"]), _CLOSING_MARKS.sub("", text).rstrip()


def plain_words(text: str) -> str:
    """The words of a heading in lower case, without entities, emoji and punctuation; empty for a long text."""
    if len(text) > LONGEST_HEADING:
        return ""
    return _NO_WORD.sub(" ", _ENTITY.sub(" ", text.replace("’", "'"))).strip(" '_").lower()


def first_lines(text: str, most: int) -> str:
    """The first lines of a text."""
    if text.count("\n") < most:
        return text
    return "\n".join(text.split("\n", most)[:most])

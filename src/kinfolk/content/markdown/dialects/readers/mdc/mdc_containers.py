"""Block components of MDC, their properties and slots -> marks of elements.

::card{icon="x"}
---
title: A card
---
Content
#footer
Content of a slot
::
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks
from kinfolk.content.markdown.dialects.components.component_rewriting import INLINE
from kinfolk.content.markdown.dialects.components.marked_elements import Element, MarkedElements
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.readers.mdc.mdc_attributes import Attributes, read_attributes, read_properties
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, fence_at
from kinfolk.content.markdown.front_matter import YamlValue

SLOT = "#"
"""First character of the name of an element that is a slot."""
LABEL = r"\[((?>(?:[^\[\]\n]++|\[[^\[\]\n]*+\])*))\]"
MOST_PROPERTY_LINES = 300
MOST_OPEN = 20
"""Open components that the end of one is compared with."""

_OPENING = re.compile(rf"[ \t]*+(:{{1,20}}+)([A-Za-z][\w.-]*+)(?>(?:{LABEL})?)")
_CLOSING = re.compile(r"[ \t]*+(:{2,}+)[ \t]*+")
_SLOT_LINE = re.compile(r"[ \t]*+#([A-Za-z][\w-]*+)(?>(?:\{[^{}\n]*+\})?)[ \t]*+")


@dataclass
class _Open:
    colons: int
    pad: str
    has_slot: bool = False


class MdcContainers:
    """Marks the block components of one page."""

    def __init__(
        self, page: PageTranslation, blocks: ComponentBlocks, marks: MarkedElements, front: Mapping[str, YamlValue]
    ) -> None:
        self._page = page
        self._blocks = blocks
        self._marks = marks
        self._front = front
        self._open: list[_Open] = []

    def marked(self, lines: list[SourceLine]) -> list[SourceLine]:
        """The lines with a mark in place of each line that begins or ends a component or a slot."""
        if not any(":" in line.text for line in lines):
            return lines
        result: list[SourceLine] = []
        at = 0
        while at < len(lines):
            fence = fence_at(lines, at)
            if fence is not None:
                result += fence.lines
                at += len(fence.lines)
                continue
            count, written = self._line(lines, at)
            result += written
            at += count
        number = lines[-1].number
        return [*result, *(SourceLine(f"{one.pad}{BLOCK_CLOSE * (1 + one.has_slot)}", number) for one in self._open)]

    def _line(self, lines: list[SourceLine], at: int) -> tuple[int, list[SourceLine]]:
        """How many lines are read, and what they become."""
        line = lines[at]
        start = line.text.lstrip(" \t")[:1]
        if start == "#" and self._open and (slot := _SLOT_LINE.fullmatch(line.text)):
            return 1, self._slot(slot[1], line)
        if start != ":":
            return 1, [line]
        if closing := _CLOSING.fullmatch(line.text):
            return 1, self._closed(len(closing[1]), line)
        opening = _OPENING.match(line.text)
        attributes = self._attributes_behind(line.text, opening.end()) if opening else None
        if opening is None or attributes is None:
            return 1, [line]
        colons, name, label = len(opening[1]), opening[2], opening[3] or ""
        if colons == 1:
            return 1, self._leaf(line, name, label, attributes)
        properties, count = self._properties(lines, at + 1)
        texts = {**attributes.texts, **properties.texts}
        expressions = {**attributes.expressions, **properties.expressions}
        element = Element(name, texts, expressions, title=label, number=line.number)
        self._blocks.shown(element, f"component {name}")
        pad = " " * line.indent
        self._open.append(_Open(colons, pad))
        return 1 + count, [line._replace(text=f"{pad}{self._marks.mark(element)}")]

    def _attributes_behind(self, text: str, at: int) -> Attributes | None:
        """The attributes behind the name of a component; None if anything else is there."""
        found = Attributes({}, {}, at)
        if text[at : at + 1] == "{":
            read = read_attributes(text, at, self._front)
            if read is None:
                return None
            found = read
        return found if not text[found.end :].strip() else None

    def _leaf(self, line: SourceLine, name: str, label: str, attributes: Attributes) -> list[SourceLine]:
        """A component within a line that has the line for itself. Those that are part of text stay."""
        component = self._blocks.component(name)
        if component is not None and component.shape in INLINE:
            return [line]
        element = Element(name, attributes.texts, attributes.expressions, number=line.number)
        self._blocks.shown(element, f"component {name}")
        pad = " " * line.indent
        body = [line._replace(text=f"{pad}{label}")] if label else []
        return [line._replace(text=f"{pad}{self._marks.mark(element)}"), *body, line._replace(text=pad + BLOCK_CLOSE)]

    def _properties(self, lines: list[SourceLine], at: int) -> tuple[Attributes, int]:
        """The YAML below the name, and how many lines it has."""
        nothing = Attributes({}, {}), 0
        if at >= len(lines):
            return nothing
        mark = lines[at].text.strip()
        if mark == "---":
            stop = min(len(lines), at + MOST_PROPERTY_LINES)
            end = next((end for end in range(at + 1, stop) if lines[end].text.strip() == "---"), None)
            if end is None:
                return nothing
            rows, count = lines[at + 1 : end], end + 1 - at
        elif mark.startswith("```") and mark.lstrip("`").split() == ["yaml", "[props]"]:
            fence = fence_at(lines, at)
            if fence is None:
                return nothing
            rows, count = fence.code, len(fence.lines)
        else:
            return nothing
        read = read_properties("\n".join(row.text for row in dedent(rows)), self._front)
        if read is None:
            self._page.report(lines[at].number, "the properties of the component are no YAML table, and not read")
            return Attributes({}, {}), count
        return read, count

    def _slot(self, name: str, line: SourceLine) -> list[SourceLine]:
        within = self._open[-1]
        closing = [line._replace(text=within.pad + BLOCK_CLOSE)] if within.has_slot else []
        within.has_slot = True
        mark = self._marks.mark(Element(f"{SLOT}{name}", number=line.number))
        return [*closing, line._replace(text=within.pad + mark)]

    def _closed(self, colons: int, line: SourceLine) -> list[SourceLine]:
        """The end of the innermost component with as many colons, else of one with fewer."""
        recent = range(len(self._open) - 1, max(-1, len(self._open) - MOST_OPEN), -1)
        at = next((at for at in recent if self._open[at].colons == colons), None)
        if at is None:
            at = next((at for at in recent if self._open[at].colons < colons), None)
        if at is None:
            self._page.report(line.number, f"{line.text.strip()[:20]} ends no component")
            return []
        ended = self._open[at:]
        del self._open[at:]
        return [line._replace(text=one.pad + BLOCK_CLOSE * (1 + one.has_slot)) for one in reversed(ended)]

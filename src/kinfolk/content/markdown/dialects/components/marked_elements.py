"""Elements of a page: components with attributes and content, marked in its lines until blocks are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE, BLOCK_OPEN
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, trimmed

_MARK = re.compile(rf"[ \t]*{BLOCK_OPEN}(\d{{1,7}})\|[ \t]*")


@dataclass(frozen=True)
class Element:
    """A component or directive. Attributes that are no text are in `expressions`, as written.

    `body` has its content without the indentation that it has in the component. `title` is Markdown.
    """

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    expressions: Mapping[str, str] = field(default_factory=dict)
    body: list[SourceLine] = field(default_factory=list)
    title: str = ""
    number: int = 0
    indent: int = 0
    end: int = 0
    """The line behind it, among those that it was found in."""

    def value(self, *names: str) -> str:
        """The first of these attributes that has a text; else an empty text."""
        return next((found for name in names if (found := self.attributes.get(name))), "")


class MarkedElements:
    """The elements of one page, by the number in their mark."""

    def __init__(self) -> None:
        self._found: list[Element] = []

    def mark(self, element: Element) -> str:
        """What stands for the start tag of an element, on a line of its own. BLOCK_CLOSE stands for its end tag."""
        self._found.append(element)
        return f"{BLOCK_OPEN}{len(self._found) - 1}|"

    def at(self, lines: list[SourceLine], at: int) -> Element | None:
        """The element whose mark is at a line. One without an end extends to the last line."""
        opening = _MARK.fullmatch(lines[at].text) if BLOCK_OPEN in lines[at].text else None
        if opening is None:
            return None
        opened = self._found[int(opening[1])]
        body, end = _enclosed(lines, at)
        return Element(
            opened.name,
            opened.attributes,
            opened.expressions,
            dedent(trimmed(body)),
            opened.title,
            opened.number,
            lines[at].indent,
            end,
        )

    def tabs(self, panels: list[tuple[str, list[SourceLine]]], indent: int) -> list[SourceLine]:
        """Marked tabs with these labels."""
        pad = " " * indent
        number = panels[0][1][0].number
        written = [SourceLine(f"{pad}{self.mark(Element('Tabs', number=number))}", number)]
        for label, lines in panels:
            mark = self.mark(Element("Tab", {"label": label}, number=lines[0].number))
            written += [SourceLine(f"{pad}{mark}", lines[0].number), *lines]
            written.append(SourceLine(f"{pad}{BLOCK_CLOSE}", lines[-1].number))
        return [*written, SourceLine(f"{pad}{BLOCK_CLOSE}", written[-1].number)]

    def inside(self, body: list[SourceLine]) -> Iterator[Element | SourceLine]:
        """The elements directly within a body, and the lines beside them."""
        at = 0
        while at < len(body):
            element = self.at(body, at)
            yield body[at] if element is None else element
            at = at + 1 if element is None else element.end


def _enclosed(lines: list[SourceLine], at: int) -> tuple[list[SourceLine], int]:
    depth = 0
    for end in range(at, len(lines)):
        text = lines[end].text
        depth += text.count(BLOCK_OPEN) - text.count(BLOCK_CLOSE)
        if depth <= 0:
            return lines[at + 1 : end], end + 1
    return lines[at + 1 :], len(lines)

"""What a page of the docs calls deprecated, with the text that says what replaces it.

    found = deprecated_symbols(page.text, title=page.title)
    anchors = deprecated_anchors(found, page.headings)         # id of a heading -> what is deprecated there

It knows what TypeDoc writes (`### ~~name~~`, a section `#### Deprecated`, `**Deprecated**`), headings such as
`` ### `name` option (deprecated, use `other` instead) ``, items `- **deprecated**` below a heading or an item, and
sentences at the start of a section: "This class has been deprecated". A sentence about any other name marks nothing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from kinfolk.content.markdown.front_matter import split_front_matter
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.content.markdown.source.note_blocks import (
    LONGEST_HEADING,
    NoteBlock,
    first_lines,
    note_blocks,
    plain_words,
)

DeprecatedPlace = Literal["page", "heading", "item"]

LONGEST_TEXT = 1_000
"""Characters of the text about one symbol."""
MOST_SYMBOLS = 1_000
MOST_LINES = 50_000
"""Lines of a page that are searched. The longest known page has 1,700."""
LONGEST_LINE = 200
"""Characters of what replaces a symbol, in a line about it."""
_LINK = re.compile(r"\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)|\{@link(?:code|plain)?[ \t]([^{}\n]{1,200})\}")
_MARKS = re.compile(r"[`*~]")
_MOST_MARKS = 10
_FIRST_BLOCKS = 2
"""Blocks at the start of a section, one of which may say that its subject is deprecated."""
_STRUCK = re.compile(r"~~([^~\n]{1,200})~~")
_IN_PARENTHESES = re.compile(r"\(([^()\n]{0,10})\bdeprecated\b[,:;\s]{0,3}([^()\n]{0,200})\)", re.IGNORECASE)
_SENTENCE = re.compile(
    r"this [\w-]{1,30}(?: [\w-]{1,30}){0,2} (?:is|was|has been)(?: now)? \W{0,2}deprecated\b", re.IGNORECASE
)
_OPENING = re.compile(
    r"(?:[-*+][ \t]+)?(?:\*\*|__|@)deprecated[:.]?(?:\*\*|__)?(?=[\s:.,–—-]|\Z)[\s:.,–—-]{0,5}",
    re.IGNORECASE,
)
_PLAIN_OPENING = re.compile(r"deprecated(?:: | alias (?:for|of) )", re.IGNORECASE)
_NESTED = re.compile(
    r"[ \t]+[-*+][ \t]+(?:\*\*|__|@)deprecated[:.]?(?:\*\*|__)?(?=[\s:.,–—-]|\Z)[\s:.,–—-]{0,5}", re.IGNORECASE
)
_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_CALLOUT = re.compile(r"\[![A-Za-z]{1,20}\][^\n]{0,200}\n?")
_CODE_NAME = re.compile(r"`{1,2}([^`\n]{1,200})`")
_KIND = re.compile(
    r"(?:Abstract )?(?:Class|Constructor|Enumeration|Function|Interface|Method|Module|Namespace|Property"
    r"|Type Alias|Variable): "
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_REPLACES = re.compile(
    r"\b(?:instead|use|in favou?r of|replaced (?:by|with)|superseded by|migrate to|prefer|alias (?:for|of))\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|as of)(?: version)? v?(\d{1,6}(?:\.\d{1,6}){1,3})", re.IGNORECASE)
_BREAKS = frozenset(("***", "---", "___"))
_NO_SYMBOL = frozenset(("call signature", "constructors", "methods", "properties"))


@dataclass(frozen=True)
class DeprecatedSymbol:
    """A symbol, without marks of Markdown. `heading` is the plain text of its heading, if `place` is one.

    `text` is what the page says about the deprecation, `replacement` the sentence of it that names what to use; both
    are Markdown, and may be empty. `since` is the number that the text names.
    """

    name: str
    place: DeprecatedPlace
    heading: str = ""
    text: str = ""
    replacement: str = ""
    since: str | None = None


@dataclass
class _MarkedSection:
    """`level` is 0 for the page. `marks` are texts of the deprecation; None if it is not deprecated."""

    level: int
    text: str
    parent: _MarkedSection | None = None
    marks: list[str] | None = None
    blocks: list[NoteBlock] = field(default_factory=list)

    def mark(self, text: str = "") -> None:
        self.marks = [] if self.marks is None else self.marks
        if text and len(self.marks) < _MOST_MARKS:
            self.marks.append(text)

    @property
    def reason(self) -> str:
        """The text about its deprecation, or that of the section around it."""
        own = "\n\n".join(dict.fromkeys(self.marks or ()))
        above = self.parent
        while not own and above is not None:
            own = "\n\n".join(dict.fromkeys(above.marks or ()))
            above = above.parent
        return own[:LONGEST_TEXT]


def deprecated_symbols(text: str, *, title: str | None = None) -> tuple[DeprecatedSymbol, ...]:
    """The deprecated symbols of a page in Markdown, in the order of the page. Takes linear time.

    `title` names the page, if it is deprecated as a whole and has no heading of the first level.
    """
    if "~~" not in text and "deprecated" not in text.lower():
        return ()
    sections = _sections(first_lines(split_front_matter(text)[1], MOST_LINES))
    for section in sections:
        _mark(section)
    found: list[DeprecatedSymbol] = []
    for section in sections:
        if section.marks is not None and (symbol := _symbol(section, title)) is not None:
            found.append(symbol)
        found += (item for block in section.blocks if (item := _deprecated_item(block)) is not None)
    return tuple(found[:MOST_SYMBOLS])


def deprecated_anchors(
    found: Sequence[DeprecatedSymbol], headings: Sequence[Heading]
) -> Mapping[str, DeprecatedSymbol]:
    """The symbols by the id of their heading, of a rendered page."""
    places: dict[str, deque[int]] = {}
    for at, heading in enumerate(headings):
        places.setdefault(heading.text, deque()).append(at)
    anchors: dict[str, DeprecatedSymbol] = {}
    last = -1
    for symbol in found:
        same = places.get(symbol.heading, deque()) if symbol.place == "heading" else deque()
        while same and same[0] <= last:
            same.popleft()
        if same:
            last = same[0]
            anchors[headings[last].id] = symbol
    return anchors


def deprecated_lines(page: MarkdownPage) -> Mapping[str, str]:
    """The ids of headings of what is deprecated, each with a line about it; `""` for the page as a whole."""
    return deprecated_headings(page.text, page.headings, title=page.title)


def deprecated_headings(text: str, headings: Sequence[Heading], *, title: str | None) -> Mapping[str, str]:
    """The same of a text with these headings."""
    found = deprecated_symbols(text, title=title)
    whole = [deprecation_line(symbol) for symbol in found if symbol.place == "page"]
    return ({"": whole[0]} if whole else {}) | {
        id: deprecation_line(symbol) for id, symbol in deprecated_anchors(found, headings).items()
    }


def page_deprecation(text: str) -> str:
    """The line about a page that is deprecated as a whole; empty for any other page. Takes linear time."""
    found = (symbol for symbol in deprecated_symbols(text, title="page") if symbol.place == "page")
    return next(map(deprecation_line, found), "")


def deprecation_line(symbol: DeprecatedSymbol) -> str:
    """A line of plain text, such as `Deprecated since 5.1. Use other instead.`"""
    since = f" since {symbol.since}" if symbol.since else ""
    plain = " ".join(_MARKS.sub("", _LINK.sub(r"\1\2", symbol.replacement)).split())[:LONGEST_LINE]
    return f"Deprecated{since}. {plain[0].upper()}{plain[1:]}" if plain else f"Deprecated{since}."


def _sections(text: str) -> list[_MarkedSection]:
    """The page, and each section with the blocks that are directly in it."""
    sections = [_MarkedSection(0, "")]
    for block in note_blocks(text, lambda words: plain_words(words) == "deprecated"):
        if block.kind != "heading":
            sections[-1].blocks.append(block)
            continue
        above: _MarkedSection | None = sections[-1]
        while above is not None and above.level >= block.level:
            above = above.parent
        sections.append(_MarkedSection(block.level, block.text, above))
    return sections


def _mark(section: _MarkedSection) -> None:
    """Mark the section, or the one that it is about, as deprecated."""
    words = plain_words(section.text)
    if words == "deprecated":
        (section.parent or section).mark(_plain_text(section.blocks))
        return
    if _STRUCK.search(section.text[:LONGEST_HEADING]):
        section.mark()
    if inside := _IN_PARENTHESES.search(section.text[: LONGEST_HEADING * 2]):
        section.mark(inside[2].strip() or sentence_with_replacement(_plain_text(section.blocks)))
    for at, block in enumerate(section.blocks):
        if block.kind == "item" and (opening := _OPENING.match(block.text)) is not None and "\n" not in block.text:
            section.mark(block.text[opening.end() :])
        elif block.kind == "text" and at < _FIRST_BLOCKS:
            _mark_by_text(section, block)


def _mark_by_text(section: _MarkedSection, block: NoteBlock) -> None:
    text = _plain_text([block])
    if (opening := _OPENING.match(text)) is not None:
        section.mark(text[opening.end() :])
    elif _PLAIN_OPENING.match(text) or _SENTENCE.match(text):
        section.mark(text)


def _symbol(section: _MarkedSection, title: str | None) -> DeprecatedSymbol | None:
    is_page = section.level <= 1
    heading = _plain_heading(section.text)
    struck = _STRUCK.search(section.text)
    code = _CODE_NAME.search(section.text)
    written = struck[1] if struck else code[1] if code and not is_page else _IN_PARENTHESES.sub("", section.text)
    name = _KIND.sub("", _plain_heading(written)) if section.level else title or ""
    if not name or name.lower() in _NO_SYMBOL:
        return None
    return _explained(
        DeprecatedSymbol(name, "page" if is_page else "heading", "" if is_page else heading), section.reason
    )


def _deprecated_item(block: NoteBlock) -> DeprecatedSymbol | None:
    """The symbol that an item describes, if an item in it says that it is deprecated."""
    if block.kind != "item" or "deprecated" not in block.text.lower():
        return None
    first, *lines = block.text.split("\n")
    name = _CODE_NAME.search(first)
    at = next((at for at, line in enumerate(lines) if _NESTED.match(line)), None)
    if name is None or at is None:
        return None
    opening = _NESTED.match(lines[at])
    rest = lines[at][opening.end() :] if opening else ""
    others = (line.strip().removeprefix("- ").removeprefix("* ") for line in (*lines[at + 1 :], *lines[:at]))
    text = " ".join(line for line in (rest, *others) if line)
    return _explained(DeprecatedSymbol(name[1].partition(":")[0].strip(), "item"), text[:LONGEST_TEXT])


def _explained(symbol: DeprecatedSymbol, text: str) -> DeprecatedSymbol:
    since = _SINCE.search(text)
    return replace(
        symbol,
        text=text.strip(),
        replacement=sentence_with_replacement(text),
        since=since[1] if since else None,
    )


def sentence_with_replacement(text: str) -> str:
    """The first sentence that names what to use; empty without one."""
    sentences: Iterator[str] = (" ".join(one.split()) for one in _SENTENCE_END.split(text[: LONGEST_TEXT * 4]))
    return next((one.removeprefix("- ") for one in sentences if _REPLACES.search(one)), "")


def _plain_text(blocks: Sequence[NoteBlock]) -> str:
    """The text of blocks without marks of quotes and callouts, up to a block of code."""
    text = "\n\n".join(block.text for block in blocks if block.text not in _BREAKS)[: LONGEST_TEXT * 4].partition(
        "```"
    )[0]
    return _CALLOUT.sub("", _QUOTE.sub("", text)).strip()[:LONGEST_TEXT]


def _plain_heading(text: str) -> str:
    """The text of a heading as an outline shows it."""
    without = text.replace("~~", "").replace("`", "")
    return " ".join(_ESCAPE.sub(r"\1", without).split())

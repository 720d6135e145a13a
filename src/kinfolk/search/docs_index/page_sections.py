"""A rendered page -> its sections, each with plain text, the names in its code and its short code blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import pairwise, takewhile
from textwrap import dedent
from typing import NamedTuple

from kinfolk.content.markdown.extensions.emoji_codes import code_words, may_have_emoji
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.search.docs_index.definitions import defined_in_lists

_HEADING_START = re.compile(r'<h([2-6]) id="')
# Elements inside a sentence: without them, `<code>useQuery</code>s` stays one word.
_INLINE = frozenset("a annotation b code del em i kbd mark math s semantics small span strong sub sup".split())
# Elements that end a sentence. The cells of a row stay together: the first names what the others say.
_BLOCKS = frozenset("blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre summary table tr ul".split())
_TAG_NAME = re.compile(r"/?([a-z]+[1-6]?)(?=\s|$)")
# The beginning and the end of what is not indexed, and what takes its place.
_EXCLUDED = (
    ("<legend", "</legend>", " "),
    ("<p>Defined in: ", "</p>", " "),
    ('<span class="api-', "</span>", " "),
    ("<thead data-api", "</thead>", " "),
    ("<sup data-footnote", "</sup>", ""),
    ('<a href="#user-content-fnref-', "</a>", ""),
    # Of a formula its source is indexed.
    ("<math", '<annotation encoding="application/x-tex">', ""),
)
_TABS = re.compile(r'<fieldset class="tabs"[^<>]{0,80}>|</fieldset>')
_SIGNATURE_START = '<pre class="code api-signature"'
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
# Blanks of one line only: `\s` would make the pattern quadratic in the number of empty lines.
_COMMENT = re.compile(r"^[^\S\n]*(?://|#|\*|/\*).*$", re.MULTILINE)
_PLAIN_LANGUAGES = frozenset(("text", "txt", "plaintext", "diff", "console"))
_DIAGRAM = "mermaid"
# The end of a block, and the marks around the number of a code block. `str.split` removes them from texts of authors.
_BREAK, _CODE = "\x1e", "\x1f"

MAX_SECTION_LENGTH = 6000
"""Characters of a section that are indexed. Longer sections are tables of options, whose names come first."""
MAX_NAMES = 160
"""Names in the code of a section that are indexed."""
MAX_CODE_LINES = 8
"""Lines of a code block that a search result can show. Blocks of up to 8 lines and the breaks add 3 % to the index; all
code would add 7 %."""
MAX_CODE_LENGTH = 600
MAX_CODE_BLOCKS = 6
"""Code blocks of a section that a search result can show."""
MAX_LEAD_LENGTH = 400


@dataclass(frozen=True)
class PageSection:
    """The content from one heading to the next. The first section of a page has no heading.

    `path` are its headings with their levels, its own last. `framework` is set within a panel of a framework block.
    """

    anchor: str
    path: tuple[tuple[int, str], ...]
    content: str
    code: tuple[str, ...]
    framework: str | None = None
    entries: tuple[str, ...] = ()
    """The names with which entries of its lists begin."""
    breaks: tuple[int, ...] = ()
    """The offsets in `content` where a paragraph, an item or a row of a table ends, without the end of the content."""
    code_blocks: tuple[tuple[int, str], ...] = ()
    """The code blocks with at most MAX_CODE_LINES, and short signatures of an API reference, with their offsets in
    `content`: where the text before them ends."""
    lead: str = ""
    """Of a section without content: the first paragraph of the sections below it."""

    @property
    def level(self) -> int:
        """2 to 6, or 1 for the first section."""
        return self.path[-1][0] if self.path else 1

    @property
    def title(self) -> str | None:
        return self.path[-1][1] if self.path else None


def sections(page: MarkdownPage, source: str = "") -> tuple[PageSection, ...]:
    """The sections in order, of all panels. `source` is the text of the page's file, if it is of another dialect."""
    found = tuple(map(_section, _cut(page)))
    if any(may_have_emoji(_shown(one, page)) for one in found):
        words = code_words(f"{page.text}\n{source}")
        found = tuple(_with_emoji_words(one, _shown(one, page), words) for one in found)
    return tuple(replace(one, lead=_lead(found[at + 1 :], one)) for at, one in enumerate(found))


def _shown(section: PageSection, page: MarkdownPage) -> str:
    return f"{section.title or page.title or ''} {section.content}"


def _with_emoji_words(section: PageSection, shown: str, words: Mapping[str, str]) -> PageSection:
    """The section with the words of those codes whose emoji it shows: readers search for `rocket`, not for 🚀."""
    letters = frozenset(shown)
    found = tuple(one for one, emoji in words.items() if emoji[0] in letters and emoji in shown)
    return replace(section, code=(*section.code, *found)) if found else section


def _lead(following: Sequence[PageSection], section: PageSection) -> str:
    """The first text below a section that has only headings."""
    if section.content:
        return ""
    below = takewhile(lambda one: one.level > section.level, following)
    alike = (one for one in below if one.framework in (None, section.framework))
    paragraphs = (
        one.content[start:end] for one in alike for start, end in pairwise((0, *one.breaks, len(one.content)))
    )
    # Not an item of a list, and not the introduction of code.
    return next((text.strip()[:MAX_LEAD_LENGTH] for text in paragraphs if text.endswith((".", "!", "?"))), "")


def _section(part: _Part) -> PageSection:
    text = _plain_text(part.html)
    return PageSection(
        anchor=part.above[-1].id if part.above else "",
        path=tuple((one.level, one.text) for one in part.above),
        content=text.content,
        code=tuple(dict.fromkeys(part.code))[:MAX_NAMES],
        framework=part.above[-1].framework if part.above else None,
        entries=defined_in_lists(part.html),
        breaks=text.breaks,
        code_blocks=tuple((end, part.code_blocks[number]) for number, end in text.code.items())[:MAX_CODE_BLOCKS],
    )


@dataclass
class _Part:
    """What is below a heading: `above` are the headings of its path, its own last."""

    above: list[Heading]
    html: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    code_blocks: list[str] = field(default_factory=list)

    def add(self, html: str) -> None:
        first, *rest = html.replace(_CODE, " ").split(_SIGNATURE_START)
        self.html.append(first)
        found: list[str] = []
        for part in rest:
            signature, _, after = part.partition("</pre>")
            code = unescape(without_tags(signature.partition(">")[2], between=""))
            found += names(code)
            self.add_code(code)
            self.html.append(after)
        self.code += found[: MAX_NAMES * 4]

    def add_code(self, code: str) -> None:
        """Keep a code block that a search result can show."""
        text = dedent(code).strip("\n").rstrip()
        if text and len(text) <= MAX_CODE_LENGTH and text.count("\n") < MAX_CODE_LINES:
            self.html.append(f"{_CODE}{len(self.code_blocks)}{_CODE}")
            self.code_blocks.append(text)


def _cut(page: MarkdownPage) -> list[_Part]:
    headings = {heading.id: heading for heading in page.headings}
    part = _Part([])
    parts = [part]
    around_tabs: list[_Part] = []
    for chunk, snippet in zip(page.chunks, (*page.code_blocks, None), strict=True):
        known = [found for found in headings_in(chunk) if found.id in headings]
        tabs = [HeadingPosition("", found.start(), found.end()) for found in _TABS.finditer(chunk)]
        at = 0
        for found in sorted([*known, *tabs], key=lambda one: one.start):
            if found.start < at:  # within a heading
                continue
            part.add(chunk[at : found.start])
            at = found.end
            if found.id:
                heading = headings[found.id]
                # Headings of a panel are below those before the block, not below those of another panel.
                above = [one for one in part.above if one.level < heading.level]
                part = _Part([one for one in above if one.framework in (None, heading.framework)] + [heading])
                parts.append(part)
            elif chunk[found.start + 1] == "/":
                # What follows tabs belongs to the heading before them.
                part = around_tabs.pop() if around_tabs else part
            else:
                around_tabs.append(part)
        part.add(chunk[at:])
        if snippet is not None and snippet.language != _DIAGRAM:
            part.add_code(snippet.code)
        if snippet is not None and snippet.language not in _PLAIN_LANGUAGES and len(part.code) < MAX_NAMES * 4:
            part.code += names(snippet.code)
    return parts


class HeadingPosition(NamedTuple):
    """A heading in HTML, from its opening to the end of its closing tag."""

    id: str
    start: int
    end: int


def headings_in(html: str) -> Iterator[HeadingPosition]:
    """Each `<h2 id="…">…</h2>`, in linear time, also with unclosed tags."""
    at = 0
    unclosed: set[str] = set()
    while found := _HEADING_START.search(html, at):
        at = found.end()
        level = found[1]
        quote = html.find('"', at)
        tag = html.find(">", quote) if quote >= 0 else -1
        if tag < 0:
            return  # no tag follows
        end = html.find(f"</h{level}>", tag) if level not in unclosed else -1
        if end < 0:
            unclosed.add(level)
            continue
        yield HeadingPosition(unescape(html[at:quote]), found.start(), end + len("</h2>"))
        at = end + len("</h2>")


class SectionText(NamedTuple):
    """The text of a section, and offsets in it: where blocks end, and of code blocks by their number."""

    content: str
    breaks: tuple[int, ...]
    code: dict[int, int]


def _plain_text(html: Sequence[str]) -> SectionText:
    marked = unescape(without_tags(without_excluded(" ".join(html)), between_blocks=_BREAK))
    blocks: list[str] = []
    ends: list[int] = []
    code: dict[int, int] = {}
    for at, part in enumerate(marked.split(_CODE)):
        if at % 2:
            code[int(part)] = ends[-1] if ends else 0
            continue
        for words in filter(None, map(str.split, part.split(_BREAK))):
            blocks.append(" ".join(words))
            ends.append((ends[-1] + 1 if ends else 0) + len(blocks[-1]))
    content = " ".join(blocks)[:MAX_SECTION_LENGTH]
    return SectionText(content, tuple(end for end in ends if end < len(content)), code)


def without_excluded(html: str) -> str:
    """The HTML without elements that are not indexed, in linear time."""
    for opening, closing, between in _EXCLUDED:
        if opening not in html:
            continue
        remaining = []
        at = 0
        while (start := html.find(opening, at)) >= 0:
            end = html.find(closing, start)
            if end < 0:
                break
            remaining += [html[at:start], between]
            at = end + len(closing)
        html = "".join([*remaining, html[at:]])
    return html


def without_tags(html: str, *, between: str = " ", between_blocks: str = " ") -> str:
    """Tags become `between`, those of blocks `between_blocks`, those of inline elements nothing.

    A `<` that opens no tag stays.
    """
    remaining = []
    at = 0
    while (start := html.find("<", at)) >= 0:
        end = html.find(">", start)
        if end < 0:
            break
        found = _TAG_NAME.match(html, start + 1, end)
        name = found[1] if found is not None else ""
        remaining += [html[at:start], "" if name in _INLINE else between_blocks if name in _BLOCKS else between]
        at = end + 1
    return "".join([*remaining, html[at:]])


def names(code: str) -> list[str]:
    """The names in code, `a.b` as one, without comments."""
    return [name for name in _NAME.findall(_COMMENT.sub("", code)) if len(name) > 2]  # noqa: PLR2004 - `i`, `id`, `fn`

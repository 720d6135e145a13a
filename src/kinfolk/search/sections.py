"""A rendered page cut at its headings: what stands below each, as text without marks and as names in code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from kinfolk.markdown.page import Heading, Page

_HEADING_START = re.compile(r'<h([2-6]) id="')
# Elements inside a sentence: without them, `<code>useQuery</code>s` stays one word.
_INLINE = frozenset("a b code del em i kbd mark s small span strong sub sup".split())
_TAG_NAME = re.compile(r"/?([a-z]+)(?=\s|$)")
_UNREAD = (("<legend", "</legend>"), ("<p>Defined in: ", "</p>"))
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
# Blanks of one line only: of many empty lines, each would otherwise be read again from the one before.
_COMMENT = re.compile(r"^[^\S\n]*(?://|#|\*|/\*).*$", re.MULTILINE)
_PLAIN_LANGUAGES = frozenset(("text", "txt", "plaintext", "diff", "console"))

LONGEST_SECTION = 6000
"""Characters of one section that are searched. Longer ones are tables of options, whose names come first."""
MOST_NAMES = 160
"""Names in the code of one section that are searched."""


@dataclass(frozen=True)
class Section:
    """What stands between a heading and the next one. The first has no heading: it begins the page.

    `path` are the headings it stands below, its own the last, each with its level. `framework` is the one whose panel
    of a framework block it stands in.
    """

    anchor: str
    path: tuple[tuple[int, str], ...]
    content: str
    code: tuple[str, ...]
    framework: str | None = None

    @property
    def level(self) -> int:
        """2 to 6, or 1 for the page's beginning."""
        return self.path[-1][0] if self.path else 1

    @property
    def title(self) -> str | None:
        return self.path[-1][1] if self.path else None


def sections(page: Page) -> tuple[Section, ...]:
    """The page's sections in order, of every framework's panel."""
    headings = {heading.id: heading for heading in page.headings}
    found = list(_cut(page, headings))
    above: list[Heading] = []
    sections = []
    for heading, content, code in found:
        if heading is not None:
            # A panel's headings stand below what is above the block, not below another panel's.
            above = [one for one in above if one.level < heading.level and one.framework in (None, heading.framework)]
            above.append(heading)
        sections.append(
            Section(
                anchor=heading.id if heading else "",
                path=tuple((one.level, one.text) for one in above),
                content=content,
                code=code,
                framework=heading.framework if heading else None,
            )
        )
    return tuple(sections)


def _cut(page: Page, headings: Mapping[str, Heading]) -> Iterator[tuple[Heading | None, str, tuple[str, ...]]]:
    """Each heading with the text and the names below it."""
    heading: Heading | None = None
    text: list[str] = []
    code: list[str] = []
    for chunk, snippet in zip(page.chunks, (*page.snippets, None), strict=True):
        starts = [found for found in headings_in(chunk) if found.id in headings]
        ends = [0, *(found.end for found in starts)]
        stops = [*(found.start for found in starts), len(chunk)]
        text.append(chunk[: stops[0]])
        for found, (_, stop), begin in zip(starts, pairwise(stops), ends[1:], strict=True):
            yield heading, _readable(text), tuple(dict.fromkeys(code))[:MOST_NAMES]
            heading, text, code = headings[found.id], [chunk[begin:stop]], []
        if snippet is not None and snippet.language not in _PLAIN_LANGUAGES and len(code) < MOST_NAMES * 4:
            code += names(snippet.code)
    yield heading, _readable(text), tuple(dict.fromkeys(code))[:MOST_NAMES]


class WrittenHeading(NamedTuple):
    """A heading as it stands in HTML, from its tag to the end of the closing one."""

    id: str
    start: int
    end: int


def headings_in(html: str) -> Iterator[WrittenHeading]:
    """Each `<h2 id="…">…</h2>`, in time linear in the HTML, whatever is not closed in it."""
    at = 0
    unclosed: set[str] = set()
    while found := _HEADING_START.search(html, at):
        at = found.end()
        level = found[1]
        quote = html.find('"', at)
        tag = html.find(">", quote) if quote >= 0 else -1
        if tag < 0:
            return  # nothing further is a tag either
        end = html.find(f"</h{level}>", tag) if level not in unclosed else -1
        if end < 0:
            unclosed.add(level)
            continue
        yield WrittenHeading(unescape(html[at:quote]), found.start(), end + len("</h2>"))
        at = end + len("</h2>")


def _readable(html: Sequence[str]) -> str:
    words = without_tags(without_unread(" ".join(html)))
    return " ".join(unescape(words).split())[:LONGEST_SECTION]


def without_unread(html: str) -> str:
    """The HTML without the elements that are not part of the text, in linear time."""
    for opening, closing in _UNREAD:
        kept = []
        at = 0
        while (start := html.find(opening, at)) >= 0:
            end = html.find(closing, start)
            if end < 0:
                break
            kept += [html[at:start], " "]
            at = end + len(closing)
        html = "".join([*kept, html[at:]])
    return html


def without_tags(html: str) -> str:
    """The HTML without its tags: a space for each, but for those within a sentence. A `<` that opens nothing stays."""
    kept = []
    at = 0
    while (start := html.find("<", at)) >= 0:
        end = html.find(">", start)
        if end < 0:
            break
        name = _TAG_NAME.match(html, start + 1, end)
        kept += [html[at:start], "" if name is not None and name[1] in _INLINE else " "]
        at = end + 1
    return "".join([*kept, html[at:]])


def names(code: str) -> list[str]:
    """The names that code uses, `a.b` as one, without what its comments say."""
    return [name for name in _NAME.findall(_COMMENT.sub("", code)) if len(name) > 2]  # noqa: PLR2004 - `i`, `id`, `fn`

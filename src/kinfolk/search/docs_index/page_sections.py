"""A rendered page -> its sections, each with plain text and the names in its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from kinfolk.markdown.markdown_page import Heading, MarkdownPage

_HEADING_START = re.compile(r'<h([2-6]) id="')
# Elements inside a sentence: without them, `<code>useQuery</code>s` stays one word.
_INLINE = frozenset("a b code del em i kbd mark s small span strong sub sup".split())
_TAG_NAME = re.compile(r"/?([a-z]+)(?=\s|$)")
_EXCLUDED = (
    ("<legend", "</legend>"),
    ("<p>Defined in: ", "</p>"),
    ('<span class="api-', "</span>"),
    ("<thead data-api", "</thead>"),
)
_SIGNATURE_START = '<pre class="code api-signature"'
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
# Blanks of one line only: `\s` would make the pattern quadratic in the number of empty lines.
_COMMENT = re.compile(r"^[^\S\n]*(?://|#|\*|/\*).*$", re.MULTILINE)
_PLAIN_LANGUAGES = frozenset(("text", "txt", "plaintext", "diff", "console"))

MAX_SECTION_LENGTH = 6000
"""Characters of a section that are indexed. Longer sections are tables of options, whose names come first."""
MAX_NAMES = 160
"""Names in the code of a section that are indexed."""


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

    @property
    def level(self) -> int:
        """2 to 6, or 1 for the first section."""
        return self.path[-1][0] if self.path else 1

    @property
    def title(self) -> str | None:
        return self.path[-1][1] if self.path else None


def sections(page: MarkdownPage) -> tuple[PageSection, ...]:
    """The sections in order, of all panels."""
    headings = {heading.id: heading for heading in page.headings}
    found = list(_cut(page, headings))
    above: list[Heading] = []
    sections = []
    for heading, content, code in found:
        if heading is not None:
            # Headings of a panel are below those before the block, not below those of another panel.
            above = [one for one in above if one.level < heading.level and one.framework in (None, heading.framework)]
            above.append(heading)
        sections.append(
            PageSection(
                anchor=heading.id if heading else "",
                path=tuple((one.level, one.text) for one in above),
                content=content,
                code=code,
                framework=heading.framework if heading else None,
            )
        )
    return tuple(sections)


def _cut(page: MarkdownPage, headings: Mapping[str, Heading]) -> Iterator[tuple[Heading | None, str, tuple[str, ...]]]:
    """Each heading with the text and names of its section."""
    heading: Heading | None = None
    text: list[str] = []
    code: list[str] = []
    for chunk, snippet in zip(page.chunks, (*page.code_blocks, None), strict=True):
        starts = [found for found in headings_in(chunk) if found.id in headings]
        ends = [0, *(found.end for found in starts)]
        stops = [*(found.start for found in starts), len(chunk)]
        plain, declared = _split_signatures(chunk[: stops[0]])
        text.append(plain)
        code += declared
        for found, (_, stop), begin in zip(starts, pairwise(stops), ends[1:], strict=True):
            yield heading, _plain_text(text), tuple(dict.fromkeys(code))[:MAX_NAMES]
            plain, declared = _split_signatures(chunk[begin:stop])
            heading, text, code = headings[found.id], [plain], declared
        if snippet is not None and snippet.language not in _PLAIN_LANGUAGES and len(code) < MAX_NAMES * 4:
            code += names(snippet.code)
    yield heading, _plain_text(text), tuple(dict.fromkeys(code))[:MAX_NAMES]


def _split_signatures(html: str) -> tuple[str, list[str]]:
    """The HTML without signatures of an API reference, and the names in them."""
    first, *rest = html.split(_SIGNATURE_START)
    remaining, found = [first], []
    for part in rest:
        signature, _, after = part.partition("</pre>")
        found += names(unescape(without_tags(signature.partition(">")[2])))
        remaining.append(after)
    return " ".join(remaining), found[: MAX_NAMES * 4]


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


def _plain_text(html: Sequence[str]) -> str:
    words = without_tags(without_excluded(" ".join(html)))
    return " ".join(unescape(words).split())[:MAX_SECTION_LENGTH]


def without_excluded(html: str) -> str:
    """The HTML without elements that are not indexed, in linear time."""
    for opening, closing in _EXCLUDED:
        remaining = []
        at = 0
        while (start := html.find(opening, at)) >= 0:
            end = html.find(closing, start)
            if end < 0:
                break
            remaining += [html[at:start], " "]
            at = end + len(closing)
        html = "".join([*remaining, html[at:]])
    return html


def without_tags(html: str) -> str:
    """Tags become spaces, except inline elements. A `<` that opens no tag stays."""
    remaining = []
    at = 0
    while (start := html.find("<", at)) >= 0:
        end = html.find(">", start)
        if end < 0:
            break
        name = _TAG_NAME.match(html, start + 1, end)
        remaining += [html[at:start], "" if name is not None and name[1] in _INLINE else " "]
        at = end + 1
    return "".join([*remaining, html[at:]])


def names(code: str) -> list[str]:
    """The names in code, `a.b` as one, without comments."""
    return [name for name in _NAME.findall(_COMMENT.sub("", code)) if len(name) > 2]  # noqa: PLR2004 - `i`, `id`, `fn`

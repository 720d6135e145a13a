"""A rendered page -> its sections, each with plain text and the names in its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.search.docs_index.definitions import defined_in_lists

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
_TABS = re.compile(r'<fieldset class="tabs"[^<>]{0,80}>|</fieldset>')
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
    entries: tuple[str, ...] = ()
    """The names with which entries of its lists begin."""

    @property
    def level(self) -> int:
        """2 to 6, or 1 for the first section."""
        return self.path[-1][0] if self.path else 1

    @property
    def title(self) -> str | None:
        return self.path[-1][1] if self.path else None


def sections(page: MarkdownPage) -> tuple[PageSection, ...]:
    """The sections in order, of all panels."""
    return tuple(
        PageSection(
            anchor=part.above[-1].id if part.above else "",
            path=tuple((one.level, one.text) for one in part.above),
            content=_plain_text(part.html),
            code=tuple(dict.fromkeys(part.code))[:MAX_NAMES],
            framework=part.above[-1].framework if part.above else None,
            entries=defined_in_lists(part.html),
        )
        for part in _cut(page)
    )


@dataclass
class _Part:
    """What is below a heading: `above` are the headings of its path, its own last."""

    above: list[Heading]
    html: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)

    def add(self, html: str) -> None:
        plain, declared = _split_signatures(html)
        self.html.append(plain)
        self.code += declared


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
        if snippet is not None and snippet.language not in _PLAIN_LANGUAGES and len(part.code) < MAX_NAMES * 4:
            part.code += names(snippet.code)
    return parts


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

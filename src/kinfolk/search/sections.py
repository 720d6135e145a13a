"""A rendered page cut at its headings: what stands below each, as text without marks and as names in code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import pairwise

from kinfolk.markdown.page import Heading, Page

_HEADING = re.compile(r'<h([2-6]) id="([^"]*)"[^>]*>.*?</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
# Elements inside a sentence: without them, `<code>useQuery</code>s` stays one word.
_INLINE = re.compile(r"</?(?:a|b|code|del|em|i|kbd|mark|s|small|span|strong|sub|sup)(?:\s[^>]*)?>")
_UNREAD = re.compile(r"<legend[^>]*>.*?</legend>|<p>Defined in: .*?</p>", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_COMMENT = re.compile(r"^\s*(?://|#|\*|/\*).*$", re.MULTILINE)
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
        starts = [found for found in _HEADING.finditer(chunk) if unescape(found[2]) in headings]
        ends = [0, *(found.end() for found in starts)]
        stops = [*(found.start() for found in starts), len(chunk)]
        text.append(chunk[: stops[0]])
        for found, (_, stop), begin in zip(starts, pairwise(stops), ends[1:], strict=True):
            yield heading, _readable(text), tuple(dict.fromkeys(code))[:MOST_NAMES]
            heading, text, code = headings[unescape(found[2])], [chunk[begin:stop]], []
        if snippet is not None and snippet.language not in _PLAIN_LANGUAGES and len(code) < MOST_NAMES * 4:
            code += names(snippet.code)
    yield heading, _readable(text), tuple(dict.fromkeys(code))[:MOST_NAMES]


def _readable(html: Sequence[str]) -> str:
    whole = " ".join(html)
    words = _TAG.sub(" ", _INLINE.sub("", _UNREAD.sub(" ", whole)))
    return " ".join(unescape(words).split())[:LONGEST_SECTION]


def names(code: str) -> list[str]:
    """The names that code uses, `a.b` as one, without what its comments say."""
    return [name for name in _NAME.findall(_COMMENT.sub("", code)) if len(name) > 2]  # noqa: PLR2004 - `i`, `id`, `fn`

"""Since which release each section of a page exists, such as the methods of a reference page.

The sections of a page have marks as the pages of a library have: `page_sections` is the tree of a page.

    marks = SectionMarks()
    for release, pages in releases_in_order:
        marks = marks.extended(release, pages, lambda path: page_sections(rendered(path)))
    marks.of_page("reference/QueryClient.md")["queryclientfetchquery"].since
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Self

from kinfolk.content.changes.page_marks import (
    FORMAT,
    InvalidMarks,
    PageMark,
    PageTree,
    ReleaseDay,
    ReleaseMarks,
    read_json,
)
from kinfolk.content.markdown.html.section_texts import section_texts
from kinfolk.content.markdown.markdown_page import MarkdownPage

SHORTEST_MOVED = 40
"""Letters and digits of a section whose heading may change: shorter texts occur in several sections."""
_DIGITS = 12


def page_sections(page: MarkdownPage) -> PageTree:
    """The id of each heading of the outline or of search -> a digest of the text up to the next heading.

    The heading is not part of it, so that a section with another heading but the same text keeps its marks.
    """
    texts = section_texts(page)
    return {
        heading.id: _digest(heading.id, _letters(texts.get(heading.id, "")).removeprefix(_letters(heading.text)))
        for heading in page.headings
    }


def _digest(section: str, letters: str) -> str:
    own = section if len(letters) < SHORTEST_MOVED else ""
    return sha256(f"{own}\0{letters}".encode(errors="surrogatepass")).hexdigest()[:_DIGITS]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@dataclass(frozen=True)
class SectionMarks:
    """The marks of the sections of all pages up to one release. Immutable."""

    pages: PageTree = field(default_factory=dict)
    """Those of the last release."""
    marks: Mapping[str, ReleaseMarks] = field(default_factory=dict)
    """By the path of the page. The first release of a page is number 0 of its marks."""

    def extended(
        self,
        release: ReleaseDay,
        pages: PageTree,
        sections_of: Callable[[str], PageTree],
        moves: Mapping[str, str] | None = None,
    ) -> Self:
        """The marks with the release that follows the last one. `sections_of` is called for new and changed pages.

        `moves` are pages that moved with changed content: path -> path in the last release; a page that moved without
        a change is found: of several with the same content, the oldest. Raises what `sections_of` raises.
        """
        # The last one of each content stays: the oldest, whatever the order of `pages`.
        newest_first = sorted((path for path in self.pages if path not in pages), key=self._age, reverse=True)
        gone = {self.pages[path]: path for path in newest_first}
        sources = {path: gone[content] for path, content in pages.items() if path not in self.pages and content in gone}
        sources = {**(moves or {}), **sources}
        marks: dict[str, ReleaseMarks] = {}
        for path, content in pages.items():
            source = path if path in self.pages else sources.get(path, "")
            known = self.marks.get(source, ReleaseMarks())
            is_same = self.pages.get(source) == content
            marks[path] = known if is_same else known.extended(release, sections_of(path))
        return type(self)(dict(pages), marks)

    def _age(self, path: str) -> tuple[date, str]:
        """The day of the first release of a page, and its path."""
        return min((release.day for release in self.marks[path].releases.values()), default=date.max), path

    def of_page(self, path: str, sections: PageTree | None = None) -> Mapping[str, PageMark]:
        """The marks of a page's sections by their ids: those of the last release, or `sections` of the branch.

        `is_original` is true for a section that its page always had.
        """
        known = self.marks.get(path)
        return known.page_marks(sections) if known else {}

    def to_json(self) -> str:
        """Everything that `extended` needs, in ASCII."""
        marks = {path: [content, self.marks[path].to_json_object()] for path, content in self.pages.items()}
        return json.dumps({"format": FORMAT, "sections": marks}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Raises InvalidMarks for anything but the text of `to_json`."""
        read = read_json(text)
        try:
            pages = {path: str(content) for path, (content, _) in read["sections"].items()}
            marks = {path: ReleaseMarks.from_json_object(each) for path, (_, each) in read["sections"].items()}
        except (ValueError, TypeError, KeyError, AttributeError) as wrong:
            raise InvalidMarks(f"the stored marks cannot be read: {wrong}") from wrong
        return cls(pages, marks)

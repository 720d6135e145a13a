"""What a Markdown dialect provides, and what one page of it becomes.

A dialect translates the source of a page into the Markdown that the rest of the pipeline reads. So rendering, exports,
descriptions and search need no knowledge of dialects.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kinfolk.config.component import Component
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.content.markdown.markdown_page import PageProblem

GITHUB = "github"
"""The dialect of pages that need no translation."""

MOST_PROBLEMS = 100
"""Problems that one page reports."""


@dataclass(frozen=True)
class PlacedFile:
    """Where a page is: its dialect's name, its path from the repository's root, and its docs root."""

    dialect: str
    path: str
    docs_root: str = "docs"
    components: tuple[tuple[str, Component], ...] = ()
    """Components of the site and of the library, by name."""
    labels: tuple[tuple[str, str, str], ...] = ()
    """Of a dialect with labels for all pages: name, path from the docs root with anchor, and text of a link."""


@dataclass(frozen=True)
class DialectSource:
    """A page to translate. `text` has no front matter and begins at line `first_line` of the file.

    `read` reads a path relative to the repository's root and raises NotFound. With `for_export`, the result is
    Markdown without directives of this site.
    """

    path: str
    docs_root: str
    text: str
    first_line: int
    front: Mapping[str, YamlValue]
    read: Callable[[str], str]
    for_export: bool = False
    components: tuple[tuple[str, Component], ...] = ()
    labels: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class TranslatedMarkdown:
    """`line_numbers` has the line in the page's file of each line of `text`; `heading_ids` ids by index of line."""

    text: str
    line_numbers: tuple[int, ...]
    heading_ids: Mapping[int, str] = field(default_factory=dict)
    problems: tuple[PageProblem, ...] = ()
    title: str | None = None
    """A title for a page whose front matter and headings have none."""


class Dialect(Protocol):
    """A Markdown dialect."""

    @property
    def name(self) -> str:
        """The value of `dialect` in the file of a library."""

    @property
    def front_matter_keys(self) -> frozenset[str]:
        """Known keys of front matter. Others are reported."""

    @property
    def has_definition_lists(self) -> bool: ...

    @property
    def has_math(self) -> bool:
        """Whether dollar signs can enclose formulas."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        """The page as Markdown of this site. Raises OverBudget for a page that becomes too long."""

    def slug(self, text: str, taken: Container[str]) -> str:
        """The id of a heading that is not in `taken`, as the dialect's own renderer makes it."""

"""What a Markdown text becomes: a page, its headings, links and code snippets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from sys import getsizeof
from typing import Protocol, runtime_checkable

from kinfolk.budget import Limit


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page. `framework` names the framework block's panel it stands in, if any."""

    id: str
    text: str
    level: int
    framework: str | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A code block: what the highlighter needs to know.

    `added`/`removed` are 0-based lines marked by `[!code ++]`/`[!code --]`.
    """

    language: str
    code: str
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written and as it stands in the page. `broken` when nothing in the family answers to it."""

    written: str
    href: str
    line: int
    broken: bool = False


@dataclass(frozen=True)
class ListedResource:
    """An entry of a community-resource list in the front matter."""

    title: str
    url: str
    description: str = ""


@dataclass(frozen=True)
class FrontMatter:
    """The keys of the YAML block that mean something to the site; all others are ignored."""

    title: str | None = None
    description: str | None = None
    keywords: str | None = None
    ref: str | None = None
    replace: tuple[tuple[str, str], ...] = ()
    toc: bool = True
    redirect_from: tuple[str, ...] = ()
    resources: tuple[tuple[str, tuple[ListedResource, ...]], ...] = ()


class Resolve(Protocol):
    """Decides where links and images of a page go. Made by the caller, who knows the files and the routes."""

    def link(self, href: str) -> tuple[str, bool]:
        """The href for the page, and whether it is broken."""

    def image(self, src: str) -> str:
        """The src for the page."""


@runtime_checkable
class BatchResolve(Resolve, Protocol):
    """A Resolve that answers at less cost for addresses that it was told of beforehand, all together."""

    def prefetch(self, links: Sequence[str], images: Sequence[str]) -> None:
        """These links and images are going to be asked for."""


class AsWritten:
    """A Resolve that leaves everything where its author sent it, for who does not ask where links lead."""

    def link(self, href: str) -> tuple[str, bool]:
        return href, False

    def image(self, src: str) -> str:
        return src


Highlight = Callable[[Snippet], str | None]
"""A snippet -> the HTML inside its `<code>`, or None while it is not ready."""


@dataclass(frozen=True)
class Page:
    """A rendered text. Its HTML is kept in chunks around the snippets: highlighting may come later."""

    title: str | None
    description: str
    front: FrontMatter
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    snippets: tuple[Snippet, ...]
    chunks: tuple[str, ...]
    text: str = field(repr=False)
    """The composed Markdown without front matter: what `.md` routes answer."""
    anchors: frozenset[str] = frozenset()
    """Every id a link into the page may name: headings, their aliases, the author's own."""
    ref_path: str | None = None
    """The file that the text comes from, when it is not the page's own."""
    limit: Limit | None = None
    """The limit that the page exceeds, for which it is shown as plain text."""

    @property
    def weight(self) -> int:
        """About how many bytes of memory the page takes."""
        parts = len(self.headings) + len(self.links) + len(self.snippets) + len(self.anchors)
        texts = chain(
            (self.text, self.description),
            self.chunks,
            self.anchors,
            (snippet.code for snippet in self.snippets),
            (text for heading in self.headings for text in (heading.id, heading.text)),
            (text for link in self.links for text in (link.written, link.href)),
        )
        return 2_000 + 150 * parts + sum(map(getsizeof, texts))

    def html(self, highlight: Highlight | None = None) -> str:
        """The sanitised body, each snippet highlighted or, until it is ready, plain."""
        parts = [self.chunks[0]]
        for snippet, chunk in zip(self.snippets, self.chunks[1:], strict=True):
            coloured = highlight(snippet) if highlight else None
            parts += (coloured if coloured is not None else escape(snippet.code, quote=False), chunk)
        return "".join(parts)

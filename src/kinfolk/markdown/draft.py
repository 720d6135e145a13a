"""A page while it is being written: what its parts have claimed so far — ids, links, code, open tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from html import escape, unescape

from kinfolk.budget import BUDGETS, OverBudget
from kinfolk.markdown.page import BatchResolve, Heading, Link, Resolve, Snippet
from kinfolk.markdown.slugs import Anchors, Slugs, plain_slug

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED_IN_URLS = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]+")
_PLACE_HERE = re.compile(r'(?<= href=")#[^"<>]+(?=")')
_ANCHOR = re.compile(r"[A-Za-z_][\w:.-]*")
_SAFE_SCHEMES = ("http", "https", "mailto")

LIMITS = BUDGETS["markdown"]
DEEPEST_TAGS = LIMITS.input_depth
"""Levels of tags that an author may open. Cleaning HTML takes time with the square of its depth."""
MOST_ADDRESS_CHARACTERS = 500_000
"""Characters of all addresses together. One long definition may be named by many short links."""


class OpenTags:
    """The tags that an author has opened and not closed, the innermost last."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts: Counter[str] = Counter()

    @property
    def written(self) -> list[str]:
        """Those that stand in the HTML."""
        return self._names[:DEEPEST_TAGS]

    def push(self, name: str) -> bool:
        """Whether the tag is written."""
        self._names.append(name)
        self._counts[name] += 1
        return len(self._names) <= DEEPEST_TAGS

    def pop(self, name: str) -> bool:
        """Close the innermost tag of that name, and all inside it. Whether its end tag is written."""
        if not self._counts[name]:
            return False
        while True:
            closed = self._names.pop()
            self._counts[closed] -= 1
            if closed == name:
                return len(self._names) < DEEPEST_TAGS


class Draft:
    """Collects what the rendered text will answer besides its HTML, and lends out the page's unique names."""

    def __init__(self, text: str, *, resolve: Resolve, first_line: int) -> None:
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.anchors: set[str] = set()
        self.slugs = Slugs()
        self.fills: list[tuple[str, Snippet | None, str]] = []
        self.first_line = first_line
        self._resolve = resolve
        self._open = OpenTags()
        self._shown: set[str] = set()
        self._tab_groups = 0
        self._images = 0
        self._address_characters = 0
        # Holds a place for code and players while the HTML is cleaned. No text can contain its own digest.
        self._seal = f"slot{blake2b(text.encode(errors='replace'), digest_size=16).hexdigest()}"

    # Slots: HTML that must not pass through the cleaner

    def slot(self, before: str, snippet: Snippet | None = None, after: str = "") -> str:
        """A word to put into the HTML in the place of these."""
        check_items(len(self.fills))
        self.fills.append((before, snippet, after))
        return f"{self._seal}n{len(self.fills) - 1};"

    def embed(self, frame: str) -> str:
        return f'<span class="embed">{self.slot(frame)}</span>'

    def fill(self, cleaned: str) -> tuple[tuple[str, ...], tuple[Snippet, ...]]:
        """The cleaned HTML cut at its code: chunks, and the snippets between them."""
        first, *rest = cleaned.split(f"{self._seal}n")
        chunks, snippets = [[first]], []
        for piece in rest:
            number, _, html = piece.partition(";")
            before, snippet, after = self.fills[int(number)]
            chunks[-1].append(before)
            if snippet:
                snippets.append(snippet)
                chunks.append([])
            chunks[-1] += (after, html)
        return tuple(map("".join, chunks)), tuple(snippets)

    # Headings

    def heading(self, heading: Heading, *, listed: bool = True) -> None:
        """Add a heading, whose id becomes an anchor."""
        check_items(len(self.anchors))
        self.anchors.add(heading.id)
        if listed:
            self.headings.append(heading)

    # Links and images

    def prefetch(self, hrefs: Iterable[str], srcs: Iterable[str]) -> None:
        """Have the addresses of links and images that are going to be asked for resolved in one step."""
        if isinstance(self._resolve, BatchResolve):
            links = dict.fromkeys(href for href in hrefs if not href.startswith("#") and is_safe(href))
            images = dict.fromkeys(src for src in srcs if src and is_safe(src))
            check_items(max(len(links), len(images)))
            self._resolve.prefetch(tuple(links), tuple(images))

    def link(self, href: str, line: int) -> dict[str, str]:
        """The attributes of a link to there."""
        where = line + self.first_line
        check_items(len(self.links))
        self._add_address(href)
        if href.startswith("#"):
            self.links.append(Link(href, href, where))
            return {"href": href}
        if not is_safe(href):
            return {}
        target, broken = self._resolve.link(href)
        self.links.append(Link(href, target, where, broken))
        if not is_safe(target):
            return {}
        return {"href": target} | ({"rel": "noopener"} if is_external(target) else {})

    def image_url(self, src: str) -> str:
        check_items(self._images)
        self._images += 1
        self._add_address(src)
        target = self._resolve.image(src) if src and is_safe(src) else ""
        return target if is_safe(target) else ""

    def image(self, src: str) -> dict[str, str]:
        """The attributes of an image from there, without its alt text."""
        return {"src": self.image_url(src), "loading": "lazy", "decoding": "async"}

    def _add_address(self, address: str) -> None:
        self._address_characters += len(address)
        if self._address_characters > MOST_ADDRESS_CHARACTERS:
            raise OverBudget("markdown", "size", "This page's links and images have too long addresses")

    def checked_links(self, anchors: Anchors) -> tuple[Link, ...]:
        """The links, those to places in this page checked against its anchors."""
        return tuple(
            _checked(link, anchors) if len(link.href) > 1 and link.href[0] == "#" else link for link in self.links
        )

    # Ids

    def alias(self, text: str, slug: str) -> str | None:
        """The other id that links to a heading of this text may use, where it differs and is free."""
        other = plain_slug(text)
        if not other or other == slug or other in self.slugs or other in self.anchors:
            return None
        self.anchors.add(other)
        return other

    def own_anchor(self, name: str) -> str | None:
        """An author's id, unless something on the page has it already."""
        if not _ANCHOR.fullmatch(name) or name in self.slugs or name in self.anchors:
            return None
        check_items(len(self.anchors) // 2)
        self.anchors.add(name)
        return name

    def tab_group(self) -> int:
        self._tab_groups += 1
        return self._tab_groups - 1

    # Raw tags: a stray `</div>` must not close what we opened

    def open_tag(self, name: str) -> bool:
        """Whether the tag may be written: not where it would be nested too deeply. Its end tag is left out too."""
        return self._open.push(name)

    def shows(self, name: str, *, ends: bool) -> bool:
        """Whether a tag that is none of ours is shown as characters: not where it ends what never began."""
        if not ends:
            self._shown.add(name)
        return name in self._shown

    def close_tag(self, name: str) -> str:
        return f"</{name}>" if self._open.pop(name) else ""

    def inside(self) -> OpenTags:
        """Begin a container of ours; give the answer back to `leave`."""
        outer, self._open = self._open, OpenTags()
        return outer

    def leave(self, outer: OpenTags) -> str:
        """The end tags of what the container's author left open."""
        ends = "".join(f"</{name}>" for name in reversed(self._open.written))
        self._open = outer
        return ends


def with_places_spelled(html: str, anchors: Anchors) -> str:
    """The HTML, its links to places in the same page spelled as these are."""

    def spelled(found: re.Match[str]) -> str:
        href = unescape(found[0])
        right = anchors.spelled(href)
        return found[0] if right in (None, href) else escape(str(right))

    return _PLACE_HERE.sub(spelled, html)


def _checked(link: Link, anchors: Anchors) -> Link:
    right = anchors.spelled(link.href)
    return replace(link, href=right or link.href, broken=right is None)


def check_items(count: int) -> None:
    """Raises OverBudget when one more of a kind is too many."""
    if count >= LIMITS.input_items:
        raise OverBudget("markdown", "items", f"This page has more than {LIMITS.input_items} parts of one kind")


def is_safe(url: str) -> bool:
    """A URL a page may carry: relative, or of a scheme that runs nothing. Skips blanks as browsers do."""
    plain = url.isascii() and url.isprintable() and " " not in url
    scheme = _SCHEME.match(url if plain else _IGNORED_IN_URLS.sub("", url))
    return not scheme or scheme[1].lower() in _SAFE_SCHEMES


def is_external(url: str) -> bool:
    return url.startswith(("http://", "https://", "//"))


def in_tag(pairs: dict[str, str]) -> str:
    """Attributes as they stand in a tag, each with a space before it."""
    return "".join(f' {key}="{escape(value)}"' for key, value in pairs.items())

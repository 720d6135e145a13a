"""State of one rendering: ids, links, code blocks and open tags collected so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from hashlib import blake2b
from html import escape, unescape

from kinfolk.content.markdown.html.theme_pictures import THEME_ATTRIBUTE, split_theme
from kinfolk.content.markdown.links.link_resolver import BatchLinkResolver, LinkResolver
from kinfolk.content.markdown.links.slugs import Anchors, Slugs, is_reserved, plain_slug
from kinfolk.content.markdown.markdown_page import CodeBlock, Heading, MarkdownLink, PageProblem
from kinfolk.runtime.budget import BUDGETS, OverBudget, check_size

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED_IN_URLS = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]+")
_FRAGMENT = re.compile(r'(?<= href=")#[^"<>]+(?=")')
_ANCHOR = re.compile(r"[A-Za-z_+][\w:.+-]*")
SAFE_SCHEMES = frozenset(("http", "https", "mailto", "tel"))
"""Schemes of links on each site."""

LIMITS = BUDGETS["markdown"]
DEEPEST_TAGS = LIMITS.input_depth
"""Levels of raw tags that an author may open. The time to clean HTML grows with the square of its depth."""
MOST_PROBLEMS = 200
"""Reported parts of one page."""
MOST_ADDRESS_CHARACTERS = 500_000
"""Characters of all addresses together: many short references can use one long link definition."""


class OpenTags:
    """Raw tags that are open, innermost last."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts: Counter[str] = Counter()

    @property
    def written(self) -> list[str]:
        """The open tags that are in the HTML."""
        return self._names[:DEEPEST_TAGS]

    def push(self, name: str) -> bool:
        """Open a tag. Whether it is written to the HTML."""
        self._names.append(name)
        self._counts[name] += 1
        return len(self._names) <= DEEPEST_TAGS

    def pop(self, name: str) -> bool:
        """Close the innermost tag of that name, and all tags inside it. Whether its end tag is written."""
        if not self._counts[name]:
            return False
        while True:
            closed = self._names.pop()
            self._counts[closed] -= 1
            if closed == name:
                return len(self._names) < DEEPEST_TAGS


class RenderContext:
    """Collects headings, links and code blocks of one page, and allocates its ids."""

    def __init__(
        self,
        text: str,
        *,
        resolve: LinkResolver,
        line_number: Callable[[int], int],
        slugs: Slugs | None = None,
        link_schemes: Collection[str] = (),
    ) -> None:
        """`line_number` returns the line in the page's file of a 0-based line of `text`.

        `link_schemes` are schemes of links besides SAFE_SCHEMES.
        """
        self.link_schemes = SAFE_SCHEMES | frozenset(link_schemes)
        self.headings: list[Heading] = []
        self.links: list[MarkdownLink] = []
        self.anchors: set[str] = set()
        self.slugs = slugs or Slugs()
        self.fills: list[tuple[str, CodeBlock | None, str]] = []
        self._line_number = line_number
        self._resolve = resolve
        self._open = OpenTags()
        self._text_tags: Counter[str] = Counter()
        self._dropped: set[str] = set()
        self._problems: dict[PageProblem, None] = {}
        self.unmatched_ends: frozenset[str] = frozenset()
        """Names of end tags of the page whose start tag is in another paragraph."""
        self._tab_groups = 0
        self._images = 0
        self._address_characters = 0
        self._formula_characters = 0
        # Placeholder for code and iframes while the HTML is cleaned. No text can contain its own digest.
        self._placeholder = f"slot{blake2b(text.encode(errors='replace'), digest_size=16).hexdigest()}"

    # Slots: HTML that bypasses the cleaner

    def slot(self, before: str, code_block: CodeBlock | None = None, after: str = "") -> str:
        """A placeholder to write into the HTML; `fill` replaces it with `before`, the code block and `after`."""
        check_item_count(len(self.fills))
        self.fills.append((before, code_block, after))
        return f"{self._placeholder}n{len(self.fills) - 1};"

    def embed(self, frame: str) -> str:
        return f'<span class="embed">{self.slot(frame)}</span>'

    def formula(self, html: str) -> str:
        """A placeholder for the HTML of a formula, which may be many times as long as its source."""
        self._formula_characters += len(html)
        check_size("markdown", self._formula_characters)
        return self.slot(html)

    def fill(self, cleaned: str) -> tuple[tuple[str, ...], tuple[CodeBlock, ...]]:
        """The cleaned HTML with its slots filled: chunks, and the code blocks between them."""
        first, *rest = cleaned.split(f"{self._placeholder}n")
        chunks, code_blocks = [[first]], []
        for piece in rest:
            number, _, html = piece.partition(";")
            before, code_block, after = self.fills[int(number)]
            chunks[-1].append(before)
            if code_block:
                code_blocks.append(code_block)
                chunks.append([])
            chunks[-1] += (after, html)
        return tuple(map("".join, chunks)), tuple(code_blocks)

    # Headings

    def heading(self, heading: Heading, *, listed: bool = True) -> None:
        """Add a heading, whose id becomes an anchor."""
        check_item_count(len(self.anchors))
        self.anchors.add(heading.id)
        if listed:
            self.headings.append(heading)

    # Reports

    def line_in_file(self, line: int) -> int:
        """The line in the page's file of a 0-based line of its text."""
        return self._line_number(line)

    def add_problem(self, line: int, message: str, *, is_warning: bool = False) -> None:
        """Report a part of the page that is not shown as written; `line` is one of its text."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems[PageProblem(self._line_number(line), message, is_warning)] = None

    @property
    def problems(self) -> tuple[PageProblem, ...]:
        return tuple(self._problems)

    # Links and images

    def prefetch(self, hrefs: Iterable[str], srcs: Iterable[str]) -> None:
        """Resolve the addresses of links and images in one batch, if the resolver supports it."""
        if isinstance(self._resolve, BatchLinkResolver):
            links = dict.fromkeys(
                href for href in hrefs if not href.startswith("#") and is_safe_url(href, self.link_schemes)
            )
            images = dict.fromkeys(split_theme(src)[0] for src in srcs if src and is_safe_url(src))
            check_item_count(max(len(links), len(images)))
            self._resolve.prefetch(tuple(links), tuple(images))

    def link(self, href: str, line: int) -> dict[str, str]:
        """The attributes of a link to `href`."""
        where = self._line_number(line)
        check_item_count(len(self.links))
        self._add_address(href)
        if href.startswith("#"):
            self.links.append(MarkdownLink(href, href, where))
            return {"href": href}
        if not is_safe_url(href, self.link_schemes):
            self.add_problem(line, f"the link {href[:200]} is not shown: this site has no links of its scheme")
            return {}
        target, broken = self._resolve.link(href)
        self.links.append(MarkdownLink(href, target, where, broken))
        if not is_safe_url(target, self.link_schemes):
            return {}
        return {"href": target} | ({"rel": "noopener"} if is_external_url(target) else {})

    def type_url(self, href: str) -> str | None:
        """The address of a page of the reference; None if there is no such page."""
        target, broken = self._resolve.link(href) if is_safe_url(href) else ("", True)
        return None if broken or not is_safe_url(target) else target

    def image_url(self, src: str) -> str:
        check_item_count(self._images)
        self._images += 1
        self._add_address(src)
        target = self._resolve.image(src) if src and is_safe_url(src) else ""
        return target if is_safe_url(target) else ""

    def image(self, src: str) -> dict[str, str]:
        """The attributes of an image from `src`, without its alt text."""
        address, theme = split_theme(src)
        shown = {"src": self.image_url(address), "loading": "lazy", "decoding": "async"}
        return {**shown, THEME_ATTRIBUTE: theme} if theme else shown

    def _add_address(self, address: str) -> None:
        self._address_characters += len(address)
        if self._address_characters > MOST_ADDRESS_CHARACTERS:
            raise OverBudget("markdown", "size", "This page's links and images have too long addresses")

    def checked_links(self, anchors: Anchors) -> tuple[MarkdownLink, ...]:
        """The links. Those to anchors of this page are marked as broken if it has no such anchor."""
        return tuple(
            _checked(link, anchors) if len(link.href) > 1 and link.href[0] == "#" else link for link in self.links
        )

    # Ids

    def alias(self, text: str, slug: str) -> str | None:
        """The second id of a heading, which older links use, if it differs from `slug` and is free."""
        other = plain_slug(text)
        if not other or other == slug or other in self.slugs or other in self.anchors or is_reserved(other):
            return None
        self.anchors.add(other)
        return other

    def own_anchor(self, name: str) -> str | None:
        """The id of a raw tag, unless it is invalid or already taken."""
        if not _ANCHOR.fullmatch(name) or name in self.slugs or name in self.anchors or is_reserved(name):
            return None
        check_item_count(len(self.anchors) // 2)
        self.anchors.add(name)
        return name

    def tab_group(self) -> int:
        self._tab_groups += 1
        return self._tab_groups - 1

    # Raw tags: a stray `</div>` must not close an element of the renderer

    def open_tag(self, name: str) -> bool:
        """Whether the tag may be written. A tag that is nested too deeply is left out, with its end tag."""
        return self._open.push(name)

    def text_tag(self, name: str) -> None:
        """A start tag is shown as text; so is its end tag."""
        self._text_tags[name] += 1

    def is_end_text(self, name: str) -> bool:
        """Whether an end tag is shown as text, because its start tag is."""
        if not self._text_tags[name]:
            return False
        self._text_tags[name] -= 1
        return True

    def dropped_tag(self, name: str, line: int, *, is_end: bool = False) -> str:
        """Report a tag that is not shown: of one name, the first on a line; no end of a start that is reported.

        Returns the empty text.
        """
        if not is_end or name not in self._dropped:
            self._dropped.add(name)
            self.add_problem(line, f"the tag <{name}> is not shown", is_warning=True)
        return ""

    def close_tag(self, name: str) -> str:
        return f"</{name}>" if self._open.pop(name) else ""

    def inside(self) -> OpenTags:
        """Begin a container of the renderer. Pass the result to `leave`."""
        outer, self._open = self._open, OpenTags()
        return outer

    def leave(self, outer: OpenTags) -> str:
        """End the container: the end tags of the raw tags that are still open in it."""
        ends = "".join(f"</{name}>" for name in reversed(self._open.written))
        self._open = outer
        return ends


def correct_fragments(html: str, anchors: Anchors) -> str:
    """The HTML, with fragments of links within the page in the spelling of its anchors."""

    def spelled(found: re.Match[str]) -> str:
        href = unescape(found[0])
        right = anchors.spelled(href)
        return found[0] if right in (None, href) else escape(str(right))

    return _FRAGMENT.sub(spelled, html)


def _checked(link: MarkdownLink, anchors: Anchors) -> MarkdownLink:
    right = anchors.spelled(link.href)
    return replace(link, href=right or link.href, broken=right is None)


def check_item_count(count: int) -> None:
    """Raises OverBudget when one more of a kind is too many."""
    if count >= LIMITS.input_items:
        raise OverBudget("markdown", "items", f"This page has more than {LIMITS.input_items} parts of one kind")


def is_safe_url(url: str, schemes: Collection[str] = SAFE_SCHEMES) -> bool:
    """Whether a page may contain the URL: relative, or of a scheme that runs no code. Ignores blanks as browsers do."""
    plain = url.isascii() and url.isprintable() and " " not in url
    scheme = _SCHEME.match(url if plain else _IGNORED_IN_URLS.sub("", url))
    return not scheme or scheme[1].lower() in schemes


def is_external_url(url: str) -> bool:
    return url.startswith(("http://", "https://", "//"))


def format_attributes(pairs: dict[str, str]) -> str:
    """The attributes as HTML, each with a leading space."""
    return "".join(f' {key}="{escape(value)}"' for key, value in pairs.items())

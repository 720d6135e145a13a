"""The words of a rendered block, with the tags between them, to compare two versions of it.

The HTML is sanitized or made by the renderer: `<` and `>` are escaped in its texts and attributes.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kinfolk.content.markdown.markdown_page import CodeBlock, MarkdownPage

_PIECE = re.compile(r"<[^<>]*>|[^<]+")
_WORD = re.compile(r"(?:&#?\w{1,32};|\w+|[^\w\s])\s*|\s+")
_TAG_NAME = re.compile(r"</?([a-z][a-z0-9-]*)")
_SELF_LINK = re.compile(r'<a class="anchor"[^<>]*></a>')
_TAG = re.compile(r"<[^<>]*>")
_ADDRESSED = re.compile(r' (id|for|name|href)="([^"]*)"')

INLINE = frozenset(
    (
        *(
            "a",
            "abbr",
            "b",
            "bdi",
            "bdo",
            "br",
            "cite",
            "code",
            "del",
            "dfn",
            "em",
            "i",
            "input",
            "ins",
            "kbd",
            "label",
        ),
        *("mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    )
)
ATOMS = frozenset(("audio", "iframe", "math", "picture", "svg", "video"))
"""Elements that are compared as a whole. `img` has no content."""
VOID = frozenset(("br", "hr", "input", "source", "track", "wbr"))
CELLS = frozenset(("td", "th"))


@dataclass(frozen=True, slots=True)
class HtmlItem:
    """A tag, a word with the blanks after it, or a code block.

    An atom, such as an image, is a word. `key` is equal for words that look the same and link to the same address;
    None for a tag. `formats` are the names of the inline elements around a word. `before` separates it from the word of
    another block before it.
    """

    kind: Literal["open", "close", "void", "word", "code"]
    html: str = ""
    key: Hashable = None
    is_inline: bool = True
    formats: tuple[str, ...] = ()
    before: Literal["", " ", "<br>"] = ""
    code: CodeBlock | None = None

    @property
    def is_content(self) -> bool:
        return self.kind in ("word", "code")


def cleaned_chunks(page: MarkdownPage, prefix: str, page_address: str) -> tuple[str, ...]:
    """The HTML around the code blocks of a part of a page, which stands beside other parts.

    Headings have neither ids nor links to themselves; links within the page lead to `page_address`. Radio buttons of
    tabs have `prefix` in their ids and names, so that each part has its own.
    """

    def address(tag: str) -> str:
        is_control = tag.startswith(("<input", "<label"))

        def cleaned(found: re.Match[str]) -> str:
            name, value = found.groups()
            if name == "href":
                return f' href="{page_address}{value}"' if value.startswith("#") else found[0]
            return f' {name}="{prefix}{value}"' if is_control else ""

        return _ADDRESSED.sub(cleaned, tag)

    return tuple(_TAG.sub(lambda found: address(found[0]), _SELF_LINK.sub("", chunk)) for chunk in page.chunks)


def html_items(chunks: Sequence[str], code_blocks: Sequence[CodeBlock]) -> list[HtmlItem]:
    """The items of HTML with a code block between each two chunks."""
    reader = _ItemReader()
    items = list(reader.items(chunks[0]))
    for code, chunk in zip(code_blocks, chunks[1:], strict=True):
        items.append(HtmlItem("code", key=code, code=code))
        items += reader.items(chunk)
    return items


class _ItemReader:
    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []
        self._atom: list[str] = []
        self._atom_name = ""
        self._before: Literal["", " ", "<br>"] = ""

    def items(self, html: str) -> Iterator[HtmlItem]:
        for found in _PIECE.finditer(html):
            piece = found[0]
            if self._atom:
                self._atom.append(piece)
                if piece.startswith(f"</{self._atom_name}"):
                    atom, self._atom = "".join(self._atom), []
                    yield self._word(atom, atom)
            elif piece.startswith("<"):
                yield from self._tag(piece)
            else:
                yield from self._words(piece)

    def _tag(self, tag: str) -> Iterator[HtmlItem]:
        named = _TAG_NAME.match(tag)
        name = named[1] if named else ""
        if name == "img":
            yield self._word(tag, tag)
        elif name in ATOMS:
            self._atom, self._atom_name = [tag], name
        elif name in VOID:
            yield HtmlItem("void", tag, is_inline=name in INLINE)
        elif name in INLINE:
            if tag.startswith("</"):
                if self._open:
                    self._open.pop()
                yield HtmlItem("close", tag)
            else:
                self._open.append((name, tag))
                yield HtmlItem("open", tag)
        else:
            if name not in CELLS:
                self._before = "<br>"
            elif not self._before:
                self._before = " "
            yield HtmlItem("close" if tag.startswith("</") else "open", tag, is_inline=False)

    def _words(self, text: str) -> Iterator[HtmlItem]:
        for found in _WORD.finditer(text):
            if found[0].isspace():
                yield HtmlItem("void", found[0], is_inline=True)
            else:
                yield self._word(found[0], found[0].rstrip())

    def _word(self, html: str, key: str) -> HtmlItem:
        formats = tuple(name for name, _ in self._open)
        before, self._before = self._before, ""
        return HtmlItem("word", html, (key, *(tag for _, tag in self._open)), True, formats, before)

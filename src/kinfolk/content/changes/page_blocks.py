"""The top-level blocks of a page's Markdown: paragraphs, items of lists, code blocks and others, as they are written.

A block is rendered alone, so it has the link definitions of the page that it uses. Comments, and so the directives of
tabs and framework blocks, are left out: what they group is compared and shown one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token

from kinfolk.content.markdown.page_parser import page_parser
from kinfolk.content.markdown.source.compose import ComposedMarkdown

_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\]")
_NUMBER = re.compile(r" {0,3}\d{1,9}(?=[.)])")
_NOTE = re.compile(r" {0,3}(?=\[\^)")
_ELEMENTS = {"fence": "code", "code_block": "code", "footnote_reference_open": "footnote"}
MOST_DEFINITIONS = 50
"""Definitions that a block is rendered with, of the first links that it has."""


@dataclass(frozen=True)
class PageBlock:
    """A block of Markdown.

    `element` is `code` for code, `item` for an item of a list, the level of a heading (`h2`), and else the name of the
    parser's token: `paragraph`, `table`, `blockquote`, `html_block`, `hr`.
    """

    element: str
    text: str
    definitions: tuple[str, ...] = ()
    """The link definitions that it uses, as they are written."""
    is_tight: bool = False
    """Whether it is an item that directly follows one of the same list."""

    @cached_property
    def identity(self) -> tuple[str, str, tuple[str, ...]]:
        """Equal for blocks without a difference. The number of an item depends on the items before it."""
        text = _NUMBER.sub("1", self.text, count=1) if self.element == "item" else self.text
        return self.element, text, self.definitions


def page_blocks(page: ComposedMarkdown) -> tuple[PageBlock, ...]:
    """The blocks in their order. Takes linear time; only blocks are parsed, not what is in them."""
    text = page.text
    parser = page_parser(text, page.dialect)
    tokens: list[Token] = []
    env: dict[str, Mapping[str, Mapping[str, list[int]]]] = {}
    parser.block.parse(text, parser, env, tokens)
    lines = text.split("\n")
    definitions = {
        label: "\n".join(lines[one["map"][0] : one["map"][1]]) for label, one in env.get("references", {}).items()
    }
    blocks = []
    last_item: tuple[int, int] | None = None
    for token, list_number in _block_tokens(tokens):
        start, end = token.map or (0, 0)
        while end > start and not lines[end - 1].strip():
            end -= 1
        content = "\n".join(lines[start:end])
        if not content or (token.type == "html_block" and _is_comment(content)):
            continue
        blocks.append(
            PageBlock(
                element=_element(token),
                text=content,
                definitions=_used(content, definitions) if "[" in content and token.type != "fence" else (),
                is_tight=last_item == (list_number, start),
            )
        )
        last_item = (list_number, end) if token.type == "list_item_open" else None
    return tuple(blocks)


def joined_markdown(blocks: Iterable[PageBlock]) -> str:
    """The Markdown to render consecutive blocks with. A footnote is a paragraph: its mark may be in another block."""
    parts: list[str] = []
    for block in blocks:
        text = _NOTE.sub(r"\\", block.text, count=1) if block.element == "footnote" else block.text
        parts += ("\n" if block.is_tight else "\n\n", text)
    definitions = dict.fromkeys(each for block in blocks for each in block.definitions)
    return "".join([*parts[1:], *(f"\n\n{each}" for each in definitions)]) + "\n"


def _block_tokens(tokens: list[Token]) -> Iterator[tuple[Token, int]]:
    """The tokens at which blocks begin, with the number of their list."""
    list_number = 0
    for token in tokens:
        if token.level == 0 and token.type in ("bullet_list_open", "ordered_list_open"):
            list_number += 1
        elif (
            token.map
            and token.nesting >= 0
            and ((token.level == 0 and token.type != "inline") or (token.level == 1 and token.type == "list_item_open"))
        ):
            yield token, list_number


def _element(token: Token) -> str:
    if token.type == "list_item_open":
        return "item"
    return token.tag if token.type == "heading_open" else _ELEMENTS.get(token.type, token.type.removesuffix("_open"))


def _is_comment(content: str) -> bool:
    text = content.strip()
    return text.startswith("<!--") and text.find("-->") == len(text) - 3


def _used(text: str, definitions: Mapping[str, str]) -> tuple[str, ...]:
    if not definitions:
        return ()
    labels = dict.fromkeys(normalizeReference(found[1]) for found in _REFERENCE.finditer(text))
    used = dict.fromkeys(definitions[label] for label in labels if label in definitions)
    return tuple(used)[:MOST_DEFINITIONS]

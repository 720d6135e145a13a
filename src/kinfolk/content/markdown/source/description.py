"""A page's blocks -> the meta description: its first sentences as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_pages import (
    LABELS,
    MEMBERS,
    ROWS,
    SOURCE,
    TABLES,
    declared_kind,
    is_api_reference,
    kind_and_name,
)
from kinfolk.content.markdown.callouts import KINDS
from kinfolk.content.markdown.directives import Node
from kinfolk.content.markdown.html.html_text import html_prose
from kinfolk.content.markdown.html.inline import prose_text
from kinfolk.content.markdown.source.title import Children

LONGEST = 200

# What a parser of blocks leaves in the text: the mark of a callout, of a task and of footnotes.
_MARK = re.compile(r"\s*\[(?:![A-Za-z]+\][+-]?|[ xX]\](?=\s))")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
_WITH_PROSE = frozenset(("Call Signature", "Get Signature", "Remarks", "Set Signature"))
_WITHOUT_PROSE = (TABLES | MEMBERS | ROWS | LABELS) - _WITH_PROSE
_LISTED = {name: name for name in (*MEMBERS, "Parameters")} | {"Type Declaration": "Properties"}
_SECTION_LEVEL = 2
_KIND_WORDS = {"Type Alias": "Type alias"}


def describe(nodes: Sequence[Node], children: Children, title: str | None) -> str:
    """The first 200 characters of prose, with `...` if it continues.

    A page of TypeDoc without prose is described by its title and the names of its members, another page by the text of
    its tables.
    """
    if is_api_reference(nodes):
        tokens = [node for node in nodes if isinstance(node, Token)]
        return _cut(_reference_prose(tokens, children)) or _cut(_reference_names(tokens, children, title))
    return _cut(_prose(nodes, children)) or _cut(_cells(nodes, children))


def describe_beginning(nodes: Sequence[Node], children: Children) -> str | None:
    """The description of a page that begins with these blocks; None if it depends on later ones.

    The page is not one of TypeDoc. Cells of tables describe it only if it has no prose.
    """
    description = _cut(_prose(nodes, children))
    return description if len(description) > LONGEST else None


def _cut(parts: Iterable[str]) -> str:
    words = ""
    for part in parts:
        words = f"{words} {part}" if words and part else words or part
        if len(words) > LONGEST:
            return words[:LONGEST].rstrip() + "..."
    return words


def _prose(nodes: Iterable[Node], children: Children) -> Iterator[str]:
    """The paragraphs, also those of lists, quotes and HTML, and of the first of several alternatives."""
    before = None
    for node in nodes:
        if not isinstance(node, Token):
            yield from _prose(node.panels[0].nodes, children)
        elif node.type == "footnote_block_open":
            return
        elif node.type == "html_block":
            yield html_prose(node.content)
        elif node.type == "inline" and before is not None and before.type in ("paragraph_open", "dt_open", "dd_open"):
            yield _paragraph(before, node, children)
        before = node if isinstance(node, Token) else None


def _paragraph(opening: Token, inline: Token, children: Children) -> str:
    if inline.content.startswith("[^") and "]:" in inline.content:
        return ""  # the text of a footnote
    text = prose_text(children(inline))
    if opening.attrs.get("class") == "callout-title":
        return "" if text.casefold() in KINDS else text
    return _FOOTNOTE.sub("", text[found.end() :] if (found := _MARK.match(text)) else text).strip()


def _cells(nodes: Iterable[Node], children: Children) -> Iterator[str]:
    before = None
    for node in nodes:
        if not isinstance(node, Token):
            yield from _cells(node.panels[0].nodes, children)
        elif node.type == "inline" and before is not None and before.type in ("th_open", "td_open"):
            yield prose_text(children(node))
        before = node if isinstance(node, Token) else None


def _reference_prose(tokens: Sequence[Token], children: Children) -> Iterator[str]:
    """The text about what the page declares, once if it is repeated for each signature."""
    seen: set[str] = set()
    for name, blocks in _sections(tokens):
        if name in _WITHOUT_PROSE:
            continue
        label = "Deprecated: " if name == "Deprecated" else ""
        for text in _prose(blocks, children):
            if text and text not in seen and not text.startswith(SOURCE):
                seen.add(text)
                yield label + text
                label = ""


def _reference_names(tokens: Sequence[Token], children: Children, title: str | None) -> Iterator[str]:
    """`Interface TimerOptions. Properties: wait, leading.`"""
    headings = [(int(token.tag[1]), tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "heading_open"]
    first = next((prose_text(children(inline)) for depth, inline in headings if depth == 1), title or "")
    kind, name = kind_and_name(first)
    kind = kind or declared_kind(next((token.content for token in tokens if token.type == "fence"), ""))
    yield " ".join(filter(None, (_KIND_WORDS.get(kind, kind), name.partition("<")[0]))) + "."
    listed: dict[str, list[str]] = {}
    section, owner, level = "", "", 0
    for depth, inline in headings:
        section = inline.content if depth == _SECTION_LEVEL else section
        if inline.content in _LISTED and (depth == _SECTION_LEVEL or section == "Call Signature"):
            owner, level = _LISTED[inline.content], depth
        elif owner and depth == level + 1:
            listed.setdefault(owner, []).append(prose_text(children(inline)).removesuffix("?"))
        elif depth <= level:
            owner = ""
    for label, names in listed.items():
        yield f"{label}: {', '.join(dict.fromkeys(names))}."


def _sections(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Each heading of the page with the blocks up to the next one; what is below a section without prose is its own."""
    name, level, blocks = "", 0, list[Token]()
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            depth, found = int(token.tag[1]), tokens[at + 1].content.strip()
            if name not in _WITHOUT_PROSE or depth <= level:
                yield name, blocks
                name, level, blocks = found, depth, []
        else:
            blocks.append(token)
    yield name, blocks

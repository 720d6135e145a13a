"""A section of a page, such as its hero: title, description, content, lists and links, from attributes and slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

from kinfolk.content.markdown.dialects.components.marked_elements import Element, MarkedElements
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE, Block
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine
from kinfolk.content.markdown.literals.config_access import entry, text_of
from kinfolk.content.markdown.literals.config_values import ConfigList, ConfigTable, ConfigText, ConfigValue

MOST_ITEMS = 100
"""Items of one list."""
_NAMES = ("title", "label", "name", "text")
_TEXTS = ("description", "content")
_LINKS = ("to", "href", "link", "url")
_NO_ADDRESS = re.compile(r"[\s<>]")
_SPECIAL = re.compile(r"([\\*\[\]<])")


def section_block(element: Element, marks: MarkedElements, evaluate: Callable[[str], ConfigValue | None]) -> Block:
    """The section as blocks within it. Lists whose items have neither a text nor a name are left out."""
    number = element.number
    rows: list[SourceLine] = []

    def add(*lines: SourceLine) -> None:
        rows.extend((*lines, SourceLine("", number)))

    title = element.title or _plain(element.value("title", "heading"))
    if title:
        add(SourceLine(f"## {title}", number))
    if description := element.value(*_TEXTS):
        add(SourceLine(_plain(description), number))
    if element.body:
        add(*element.body)
    for expression in element.expressions.values():
        value = evaluate(expression)
        listed = value.items if isinstance(value, ConfigList) else ()
        items = [item for item in listed if isinstance(item, ConfigTable | ConfigText)]
        lines = list(_list(items[:MOST_ITEMS], marks, number))
        if lines:
            add(*lines)
    address = element.value(*_LINKS)
    if address:
        label = element.value("linkLabel", "linkText", "label") or title or address
        add(SourceLine(_link(label, address), number))
    return Block("plain", element.end, rows, indent=element.indent)


def _list(items: list[ConfigTable | ConfigText], marks: MarkedElements, number: int) -> Iterator[SourceLine]:
    """Texts and links as a list, items with a description as cards."""
    has_cards = any(isinstance(item, ConfigTable) and _first(item, _TEXTS) for item in items)
    if has_cards:
        yield SourceLine(marks.mark(Element("cards", number=number)), number)
    for item in items:
        if isinstance(item, ConfigText):
            if text := text_of(item):
                yield SourceLine(f"- {_plain(text)}", number)
            continue
        name, text, address = (_first(item, keys) for keys in (_NAMES, _TEXTS, _LINKS))
        if has_cards and (name or text):
            keys = {"title": name, "description": text, "to": address}
            card = marks.mark(Element("card", {key: value for key, value in keys.items() if value}, number=number))
            yield SourceLine(card, number)
            yield SourceLine(BLOCK_CLOSE, number)
        elif name and address:
            yield SourceLine(f"- {_link(name, address)}", number)
    if has_cards:
        yield SourceLine(BLOCK_CLOSE, number)


def _first(item: ConfigTable, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := text_of(entry(item, key)))), "")


def _link(label: str, address: str) -> str:
    return f"[{_plain(label)}](<{_NO_ADDRESS.sub(lambda one: quote(one[0]), address)}>)"


def _plain(text: str) -> str:
    """A text as Markdown on one line. Code spans stay."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))

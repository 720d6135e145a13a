"""Tags of components -> marks of their elements, or HTML where they are part of a line."""

from __future__ import annotations

import re
from typing import NamedTuple

from kinfolk.config.component import Component, ComponentShape
from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks
from kinfolk.content.markdown.dialects.components.marked_elements import Element, MarkedElements
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE
from kinfolk.content.markdown.dialects.syntax.component_tags import ComponentTag, string_value

MOST_OPEN = 20
"""Open tags that an end tag is compared with."""

INLINE: frozenset[ComponentShape] = frozenset(("badge", "image", "key", "link", "mark", "reference", "text"))
"""Shapes that are part of a line."""

_LIST_MARK = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


class _OpenTag(NamedTuple):
    name: str
    closing: str


class ComponentRewriter:
    """Rewrites the tags of one page in order."""

    def __init__(self, page: PageTranslation, blocks: ComponentBlocks, marks: MarkedElements) -> None:
        self._page = page
        self._blocks = blocks
        self._marks = marks
        self._open: list[_OpenTag] = []

    def rewrite(self, tag: ComponentTag) -> str:
        if tag.is_end:
            return self._end(tag)
        element = Element(tag.name, *_values(tag), number=tag.number)
        in_line = not tag.is_alone or bool(element.value("href", "to"))
        component = self._blocks.shown(element, f"component <{tag.name}>", in_line=in_line)
        if component.shape in INLINE:
            return self._inline(tag, element, component)
        is_in_table = tag.before.lstrip().startswith("|")
        if is_in_table or (component.shape == "content" and not tag.is_alone):
            return self._inline(tag, element, Component("content"))
        return self._block(tag, element)

    def _inline(self, tag: ComponentTag, element: Element, component: Component) -> str:
        opening, content, closing = self._blocks.inline(element, component)
        if tag.is_empty:
            return opening + content + closing
        self._open.append(_OpenTag(tag.name, closing))
        return opening

    def _block(self, tag: ComponentTag, element: Element) -> str:
        mark = self._marks.mark(element)
        if tag.is_alone:
            pad = tag.before
            opening = mark
        else:
            in_list = _LIST_MARK.fullmatch(tag.before)
            pad = " " * (len(tag.before) if in_list else len(tag.before) - len(tag.before.lstrip(" ")))
            opening = f"\n{pad}{mark}\n{pad}"
        if tag.is_empty:
            return f"{opening.rstrip()}\n{pad}{BLOCK_CLOSE}" + ("" if tag.is_alone else f"\n{pad}")
        self._open.append(_OpenTag(tag.name, BLOCK_CLOSE))
        return opening

    def _end(self, tag: ComponentTag) -> str:
        for at in range(len(self._open) - 1, max(-1, len(self._open) - MOST_OPEN), -1):
            if self._open[at].name == tag.name:
                closing = self._open[at].closing
                inner = sum(one.closing == BLOCK_CLOSE for one in self._open[at + 1 :])
                del self._open[at:]
                if closing != BLOCK_CLOSE:
                    return closing
                pad = " " * (len(tag.before) - len(tag.before.lstrip(" ")))
                marks = BLOCK_CLOSE * (1 + inner)
                return marks if tag.is_alone else f"\n{pad}{marks}\n{pad}"
        return ""


def _values(tag: ComponentTag) -> tuple[dict[str, str], dict[str, str]]:
    """The attributes that are texts, and the expressions of the others. In Vue a colon precedes an expression."""
    texts: dict[str, str] = {}
    expressions = dict(tag.expressions)
    for written, value in tag.attributes.items():
        name = written.removeprefix("v-bind").removeprefix(":")
        literal = string_value(value) if value and name != written else value
        if literal is not None:
            texts.setdefault(name, literal)
        elif name != written and value:
            expressions[name] = value
    return texts, expressions

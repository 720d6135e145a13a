"""What MDC has within a line: components, spans, attributes behind an element, and bindings of data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.readers.mdc.mdc_attributes import front_value, quoted_text, read_attributes
from kinfolk.content.markdown.dialects.readers.mdc.mdc_containers import LABEL
from kinfolk.content.markdown.dialects.syntax.source_lines import LineCounter
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.front_matter import YamlValue

_COMPONENT = re.compile(rf"(?<![^\s\[(*_|>~]):([A-Za-z][\w-]*+)(?!:)(?>(?:{LABEL})?)(?=(\{{)?)")
_ITEM = (
    r"""(?:[.#][^\s{}"'=]++|:?[A-Za-z@_][\w:.@-]*+(?>(?:=(?:"[^"\n]*+"|'[^'\n]*+'|[^\s{}"']++))?))(?:[ \t]++|(?=\}))"""
)
_SPAN = re.compile(rf"(?<![!\]\\])\[([^\[\]\n]++)\](\{{[ \t]*+(?>(?:{_ITEM})*)\}})")
_ATTRIBUTES = re.compile(rf"(?<=[*_~`)\ue011])\{{[ \t]*+(?>(?:{_ITEM})+)\}}")
_BINDING = re.compile(r"\{\{([^{}\n]{1,200})\}\}")


class MdcInline:
    """Rewrites the prose of one page."""

    def __init__(self, page: PageTranslation, blocks: ComponentBlocks, front: Mapping[str, YamlValue]) -> None:
        self._page = page
        self._blocks = blocks
        self._front = front

    def rewrite(self, text: str, number: int) -> str:
        """The prose of some lines, which has no code, as Markdown of this site."""
        if "{{" in text:
            text = self._with_data(text, number)
        if ":" in text:
            text = self._with_components(text, number)
        if "{" in text:
            text = _ATTRIBUTES.sub(_unless_prose, _SPAN.sub(self._span, text))
        return with_emoji(text)

    def _with_data(self, text: str, number: int) -> str:
        lines = LineCounter(text, number)

        def value(binding: re.Match[str]) -> str:
            for part in binding[1].split("||"):
                found = quoted_text(part)
                found = front_value(self._front, part) if found is None else found
                if found is not None:
                    return found
            self._page.report(lines.number_at(binding.start()), f"the expression {binding[0][:80]} is not shown")
            return ""

        return _BINDING.sub(value, text)

    def _with_components(self, text: str, number: int) -> str:
        lines = LineCounter(text, number)
        result: list[str] = []
        done = 0
        for found in _COMPONENT.finditer(text):
            if found.start() < done:
                continue
            attributes = read_attributes(text, found.end(), self._front) if found[3] else None
            component = self._blocks.component(found[1])
            if found[2] is None and attributes is None and (component is None or found[3]):
                continue  # a colon of prose
            place = lines.number_at(found.start())
            element = Element(
                found[1],
                attributes.texts if attributes else {},
                attributes.expressions if attributes else {},
                number=place,
            )
            component = self._blocks.shown(element, f"component {found[1]}", in_line=True)
            opening, content, closing = self._blocks.inline(element, component)
            label = "" if component.shape == "nothing" else found[2]
            result += (text[done : found.start()], opening, label or content, closing)
            done = attributes.end if attributes else found.end()
        return "".join([*result, text[done:]])

    def _span(self, found: re.Match[str]) -> str:
        attributes = read_attributes(found[2], 0, self._front)
        id = attributes.texts.get("id", "") if attributes else ""
        return f'<a id="{escape(id)}"></a>{found[1]}' if id else found[1]


def _unless_prose(found: re.Match[str]) -> str:
    """Nothing for attributes. Words in braces behind a parenthesis, as in `f(x){y}`, stay."""
    is_prose = found.string[found.start() - 1] == ")" and not any(sign in found[0] for sign in ".#=")
    return found[0] if is_prose else ""

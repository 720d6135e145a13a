"""Blocks of Python-Markdown and PyMdown: admonitions, folds and tabs that indent their content, `///` and grids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import yaml

from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.syntax.blocks import Block
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, expand_lines, fence_at, trimmed
from kinfolk.content.markdown.front_matter import UnsupportedYaml, parse_yaml_block

NOTE, FOLD, TAB = "note", "details", "tab"
"""Names of components: a callout of a type that the table does not know is a note."""
OPTION_INDENT = 4
MOST_OPTIONS = 100
"""Lines of options of one block. Further ones are not read."""

_ADMONITION = re.compile(r"( *+)(!!!|\?\?\?\+?)[ \t]*+(?>([\w-]++(?>[ \t]++[\w-]++)*+)?)[ \t]*+(?:\"(.*)\")?")
_TAB = re.compile(r"( *)===[!+]?[ \t]+(?:\"(.*)\"|'(.*)')[ \t]*")
_BLOCK_OPEN = re.compile(r"( *)(/{3,})[ \t]*([A-Za-z][\w-]*)[ \t]*(?:\|(.*))?")
_TOC = re.compile(r"[ \t]*\[TOC\][ \t]*")
_DIRECTIVE = re.compile(r"[ \t]*:::[ \t]*([\w.]+)[ \t]*")
_MARKDOWN_TAG = re.compile(
    r"[ \t]*<(?:div|figure|section|article|details|center|aside|td|tr|table)\b[^<>\n]*\bmarkdown\b[^<>\n]*>[ \t]*"
)
_CLOSING_TAG = re.compile(r"[ \t]*</(?:div|figure|section|article|details|center|aside)>[ \t]*")
_CARDS = re.compile(r"[ \t]*+<div[^<>\n]*?\bclass=\"[^\"\n]*\bgrid[^\"\n]*\bcards\b[^<>\n]*>[ \t]*+")


class MkDocsBlocks:
    """Finds the blocks of one page. What a name means is in the table of the dialect, or is a component of the site."""

    def __init__(self, blocks: ComponentBlocks) -> None:
        self._blocks = blocks

    def block(self, lines: list[SourceLine], at: int) -> Block | None:
        """The block that begins at a line."""
        match lines[at].text.lstrip(" ")[:3]:
            case "!!!" | "???":
                return self._admonition(lines, at)
            case "===":
                return _tabs(lines, at)
            case "///":
                return self._slash_block(lines, at)
            case "<di":
                return _cards(lines, at)
        return None

    def _admonition(self, lines: list[SourceLine], at: int) -> Block | None:
        found = _ADMONITION.fullmatch(lines[at].text.rstrip())
        if found is None:
            return None
        name = (found[3] or NOTE).split()[0]
        body, end = _indented(lines, at)
        title = found[4] if found[4] is not None else self._default_title(name)
        if found[2] != "!!!":
            name = FOLD
        elif self._blocks.component(name) is None:
            name = NOTE
        is_open = {"open": "true"} if found[2].endswith("+") else {}
        return self._blocks.block(Element(name, is_open, {}, body, title, lines[at].number, len(found[1]), end))

    def _slash_block(self, lines: list[SourceLine], at: int) -> Block | None:
        opening = _BLOCK_OPEN.fullmatch(lines[at].text)
        if opening is None:
            return None
        name = opening[3].lower()
        if name == TAB:
            return _slash_tabs(lines, at)
        body, options, end = _until_slashes(lines, at, len(opening[2]))
        title = (opening[4] or "").strip().strip('"')
        element = Element(name, options, {}, body, title, lines[at].number, len(opening[1]), end)
        component = self._blocks.shown(element, f"block {name}")
        if component.shape == "callout" and not title:
            element = replace(element, title=self._default_title(name))
        return self._blocks.block(element)

    def _default_title(self, name: str) -> str:
        component = self._blocks.component(name)
        return "" if component and component.label else name[:1].upper() + name[1:]


def _cards(lines: list[SourceLine], at: int) -> Block | None:
    """A grid of cards: a list whose items are the cards."""
    if not _CARDS.fullmatch(lines[at].text):
        return None
    depth = 0
    for end in range(at, len(lines)):
        text = lines[end].text
        depth += text.count("<div") - text.count("</div>")
        if depth <= 0:
            break
    body = lines[at + 1 : end]
    # The list may begin further left than its tag: its paragraphs then keep their distance from it.
    width = min((line.indent for line in body if not line.is_blank), default=0)
    return Block("cards", end + 1, dedent(body, min(width, lines[at].indent)), indent=lines[at].indent)


def _tabs(lines: list[SourceLine], at: int) -> Block | None:
    found = _TAB.fullmatch(lines[at].text)
    if found is None:
        return None
    indent = len(found[1])
    panels = []
    end = at
    while found is not None and len(found[1]) == indent:
        body, end = _indented(lines, end)
        panels.append((found[2] or found[3] or "Tab", body))
        after = end
        while after < len(lines) and lines[after].is_blank:
            after += 1
        found = _TAB.fullmatch(lines[after].text) if after < len(lines) and "===" in lines[after].text else None
        if found is not None and len(found[1]) == indent and not lines[after].text.lstrip().startswith("===!"):
            end = after
        else:
            found = None
    return Block("tabs", end, indent=indent, panels=panels)


def _indented(lines: list[SourceLine], at: int) -> tuple[list[SourceLine], int]:
    """The lines below line `at` that are indented by 4 more, and the line after them."""
    least = lines[at].indent + 4
    end = at + 1
    last = at + 1
    while end < len(lines) and (lines[end].is_blank or lines[end].indent >= least):
        end += 1
        if not lines[end - 1].is_blank:
            last = end
    return dedent(lines[at + 1 : last], least), last


def _slash_tabs(lines: list[SourceLine], at: int) -> Block:
    """Tabs that follow each other."""
    panels: list[tuple[str, list[SourceLine]]] = []
    indent = lines[at].indent
    end = at
    opening = _BLOCK_OPEN.fullmatch(lines[at].text)
    while opening is not None and opening[3].lower() == TAB:
        body, _, end = _until_slashes(lines, end, len(opening[2]))
        panels.append(((opening[4] or "Tab").strip(), body))
        after = end
        while after < len(lines) and lines[after].is_blank:
            after += 1
        opening = (
            _BLOCK_OPEN.fullmatch(lines[after].text) if after < len(lines) and "///" in lines[after].text else None
        )
        if opening is not None and opening[3].lower() == TAB:
            end = after
    return Block("tabs", end, indent=indent, panels=panels)


def _until_slashes(lines: list[SourceLine], at: int, count: int) -> tuple[list[SourceLine], Mapping[str, str], int]:
    """The content of a block, its options, and the line behind it."""
    end = at + 1
    while end < len(lines):
        fence = fence_at(lines, end)
        if fence is not None:
            end += len(fence.lines)
            continue
        if lines[end].text.strip() == "/" * count:
            break
        end += 1
    body = dedent(lines[at + 1 : end], lines[at].indent)
    content = trimmed(body)
    # Options such as `type: warning` are indented by 4 directly below the first line.
    has_options = bool(body) and not body[0].is_blank
    options = 0
    while has_options and options < len(content) and content[options].indent >= OPTION_INDENT:
        options += 1
    return content[options:], _values(content[:options]), min(len(lines), end + 1)


def _values(options: list[SourceLine]) -> Mapping[str, str]:
    """Those options that are texts; empty for lines that are no YAML."""
    try:
        keys = parse_yaml_block("\n".join(line.text for line in dedent(options[:MOST_OPTIONS])))
    except (yaml.YAMLError, UnsupportedYaml):
        return {}
    return {key: value for key, value in keys.items() if isinstance(value, str)} if isinstance(keys, dict) else {}


def with_separate_tags(page: PageTranslation, lines: list[SourceLine]) -> list[SourceLine]:
    """Empty lines around tags whose content is Markdown; without directives that only a plug-in expands."""
    least_indent: int | None = None  # of the options of such a directive

    def expanded(line: SourceLine) -> list[SourceLine] | None:
        nonlocal least_indent
        empty = line._replace(text="")
        if least_indent is not None:
            if line.is_blank or line.indent >= least_indent:
                return []
            least_indent = None
        directive = _DIRECTIVE.fullmatch(line.text) if ":::" in line.text else None
        if directive:
            page.report_generated(line.number, f"the documentation of {directive[1]}")
            least_indent = line.indent + 4
            return [line._replace(text=f"`{directive[1]}`"), empty]
        if _TOC.fullmatch(line.text):
            return []
        if "<" in line.text and _MARKDOWN_TAG.fullmatch(line.text):
            return [line, empty]
        return [empty, line, empty] if "</" in line.text and _CLOSING_TAG.fullmatch(line.text) else None

    return expand_lines(lines, expanded)

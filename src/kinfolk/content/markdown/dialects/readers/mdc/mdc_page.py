"""A page in MDC -> Markdown of this site."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from kinfolk.content.markdown.dialects.components.component_blocks import escaped
from kinfolk.content.markdown.dialects.components.component_rewriting import ComponentRewriter
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.page_translation import heading_mark, split_attributes
from kinfolk.content.markdown.dialects.readers.mdc.mdc_containers import SLOT, MdcContainers
from kinfolk.content.markdown.dialects.readers.mdc.mdc_inline import MdcInline
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE, BLOCK_OPEN, Block
from kinfolk.content.markdown.dialects.syntax.component_tags import rewrite_tags
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, rewrite_prose
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.content.markdown.links.slugs import github_slug

TITLE_SLOTS = ("title", "label", "header", "headline")
"""Slots that hold the title of a component."""

_ID = re.compile(r"[ \t]*+#([\w:.-]++)[ \t]*+")
_HYPHENS = re.compile(r"-{2,}+")


class Mdc(TableDialect):
    """Reads pages of Nuxt Content."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        return _MdcPage(source, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        """As `@nuxtjs/mdc` makes ids: one hyphen in a row, and an underscore before a digit."""
        slug = _HYPHENS.sub("-", github_slug(text)).strip("-") or "section"
        return free_slug(f"_{slug}" if slug[0].isdecimal() else slug, taken, "-")


class _MdcPage(ComponentPage):
    """One page while it is translated."""

    def translated(self) -> TranslatedMarkdown:
        page, front = self._page, self._source.front
        page.check_front_matter(self._rules.front_matter)
        lines = without_comments(without_elements(page.lines(), ("script", "style")))
        lines = MdcContainers(page, self._blocks, self._marks, front).marked(lines)
        lines = rewrite_tags(lines, ComponentRewriter(page, self._blocks, self._marks).rewrite)
        lines = [_heading(line) for line in lines] if any("{" in line.text for line in lines) else lines
        lines = rewrite_prose(lines, MdcInline(page, self._blocks, front).rewrite)
        writer = BlockWriter(self._block, self._fence, for_export=self._source.for_export)
        return page.finished([*_header_links(front), *writer.write(lines)], _title(front))

    def _block(self, lines: list[SourceLine], at: int) -> Block | None:
        element = self._marks.at(lines, at)
        if element is None:
            return None
        if element.name.startswith(SLOT):
            return Block("plain", element.end, element.body, indent=element.indent)
        return self._blocks.block(self._with_title(element))

    def _with_title(self, element: Element) -> Element:
        """The element with the text of its slot for a title as title, and without that slot."""
        if not any(BLOCK_OPEN in line.text for line in element.body):
            return element
        body: list[SourceLine] = []
        title = element.title
        at = 0
        while at < len(element.body):
            inner = self._marks.at(element.body, at)
            name = inner.name.removeprefix(SLOT) if inner and inner.name.startswith(SLOT) else ""
            if inner is not None and name in TITLE_SLOTS and not title:
                title = _text_of(inner.body)
            else:
                body += element.body[at : inner.end if inner else at + 1]
            at = inner.end if inner else at + 1
        return replace(element, body=body, title=title)


def _text_of(lines: list[SourceLine]) -> str:
    """Lines as one, without the marks of headings and of elements."""
    rows = (line.text.strip().lstrip("#").strip() for line in lines)
    return " ".join(row for row in rows if row and BLOCK_OPEN not in row and BLOCK_CLOSE not in row)


def _heading(line: SourceLine) -> SourceLine:
    split = split_attributes(line.text) if line.text.lstrip(" >").startswith("#") else None
    id = _ID.fullmatch(split[1]) if split else None
    return line._replace(text=f"{split[0]} {heading_mark(id[1])}") if split and id else line


def _header_links(front: Mapping[str, YamlValue]) -> Iterator[SourceLine]:
    """The links beside the title, which `links` of the front matter has."""
    written = []
    listed = front.get("links")
    for one in listed if isinstance(listed, list) else ():
        to, label = (one.get("to"), one.get("label")) if isinstance(one, dict) else (None, None)
        if isinstance(to, str) and isinstance(label, str) and to.strip() and "<" not in to and ">" not in to:
            written.append(f"[{escaped(label)}](<{' '.join(to.split())}>)")
    if written:
        yield SourceLine(" · ".join(written), 1)
        yield SourceLine("", 1)


def _title(front: Mapping[str, YamlValue]) -> str | None:
    """The title for search engines, for a page without another."""
    seo = front.get("seo")
    title = seo.get("title") if isinstance(seo, dict) else None
    return title if isinstance(title, str) else None

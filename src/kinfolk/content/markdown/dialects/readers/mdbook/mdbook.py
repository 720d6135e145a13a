"""The syntax of mdBook: includes, hidden lines, callouts and components of preprocessors by their table."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from kinfolk.content.markdown.code.code_spans import code_spans
from kinfolk.content.markdown.dialects.components.component_rewriting import ComponentRewriter
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.dialect_rules import with_title
from kinfolk.content.markdown.dialects.page_translation import heading_mark, split_attributes
from kinfolk.content.markdown.dialects.readers.mdbook.book_includes import with_includes
from kinfolk.content.markdown.dialects.readers.mdbook.hidden_lines import shown_lines
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE
from kinfolk.content.markdown.dialects.syntax.code_info import parse_code_info, written_fence
from kinfolk.content.markdown.dialects.syntax.component_tags import joined_tags, rewrite_tags
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import IncludedFiles
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    Fence,
    LineCounter,
    SourceLine,
    parts,
    rewrite_chunks,
    rewrite_prose,
)
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect

DEEPEST_FENCE = 6
"""Levels of callouts that are fences within each other."""
DETAILS = "Details"

_ID = re.compile(r"(?:^|[ \t])#([\w:.-]+)")
_ATTRIBUTES = re.compile(r"(?:[ \t]*+[#.][\w:.-]++)+[ \t]*+")
_HELPER = re.compile(r"(?<!\\)\{\{[ \t]*+(?:#[^{}\n]*+|[A-Za-z][\w.-]*+[ \t]++)\}\}")
_MATH = re.compile(r"\\\\\(((?>(?:[^\\\n]|\\(?!\\[()]))+))\\\\\)")
_DISPLAY_START, _DISPLAY_END = "\\\\[", "\\\\]"
_ADMONISH = re.compile(r"admonish(?:[ \t]+([\w-]+)(?![\w=-]))?(.*)")
_OPTION = re.compile(r"""([A-Za-z][\w-]{0,40}+)=(?:"((?:[^"\\]|\\.)*)"|(\w+))""")
_BARE_TITLE = re.compile(r'[ \t]*"((?:[^"\\]|\\.)*)"')
_BLOCK_TAG = re.compile(r"[ \t]*<(div|section|aside)(?:[ \t]+class=\"([\w -]{1,80})\")?[^<>]{0,200}>[ \t]*")
_BLOCK_END = re.compile(r"[ \t]*</(div|section|aside)>[ \t]*")
_NOT_IN_ID = re.compile(r"[^\w\s-]")
_SPACE = re.compile(r"\s")


class MdBook(TableDialect):
    """Reads chapters of mdBook."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        titled = replace(source, text=with_title(source.text, self.rules.files))
        return _Chapter(titled, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        slug = _SPACE.sub("-", _NOT_IN_ID.sub("", text.strip().lower()))
        return free_slug(slug or "section", taken, "-")


class _Chapter(ComponentPage):
    """One chapter while it is translated."""

    def translated(self) -> TranslatedMarkdown:
        page = self._page
        page.check_front_matter(self._rules.front_matter)
        files = IncludedFiles(self._source.read)
        lines = with_includes(page, files, page.lines(), self._source.path)
        lines = self._admonitions(lines, 0)
        lines = without_comments(without_elements(lines, ("script", "style")))
        lines = self._html_callouts(lines)
        rewriter = ComponentRewriter(page, self._blocks, self._marks)
        lines = rewrite_tags(joined_tags(lines), rewriter.rewrite)
        if any("\\{{#" in line.text for line in lines):
            lines = rewrite_chunks(lines, _without_escapes)
        lines = [_heading(line) for line in lines] if any("{" in line.text for line in lines) else lines
        lines = rewrite_prose(lines, self._inline)
        writer = BlockWriter(self._marked_block, self._fence, for_export=self._source.for_export)
        return page.finished(writer.write(lines))

    def _fence(self, fence: Fence) -> list[SourceLine]:
        info = parse_code_info(fence.info, self._rules.code)
        code = [line._replace(text=line.text.replace("\\{{#", "{{#")) for line in fence.code]
        code = shown_lines(code, info.language, fence.info)
        return written_fence(fence, info, code, for_export=self._source.for_export)

    def _inline(self, text: str, number: int) -> str:
        if "{{" in text:
            lines = LineCounter(text, number)

            def dropped(found: re.Match[str]) -> str:
                self._page.report(lines.number_at(found.start()), f"the helper {found[0][:60]} is not evaluated")
                return ""

            text = _HELPER.sub(dropped, text)
        if "\\\\" in text:
            text = _MATH.sub(r"$\1$", text)
            if _DISPLAY_END in text.partition(_DISPLAY_START)[2]:
                text = text.replace(_DISPLAY_START, "$$").replace(_DISPLAY_END, "$$")
        return text

    def _admonitions(self, lines: list[SourceLine], depth: int) -> list[SourceLine]:
        """Fences of mdbook-admonish as marked elements."""
        if depth > DEEPEST_FENCE or not any("admonish" in line.text for line in lines):
            return lines
        result: list[SourceLine] = []
        for part in parts(lines):
            found = _ADMONISH.fullmatch(part.info) if isinstance(part, Fence) else None
            if isinstance(part, SourceLine) or found is None:
                result += [part] if isinstance(part, SourceLine) else part.lines
                continue
            options = {name: quoted or word for name, quoted, word in _OPTION.findall(found[2])}
            bare = _BARE_TITLE.match(found[2])
            title = (options.get("title") or (bare[1] if bare else "")).replace('\\"', '"')
            kind = (found[1] or "note").lower()
            name = kind if kind in self._rules.callouts else "note"
            if options.get("collapsible") == "true":
                title = title or self._rules.callouts[name][1] or name.capitalize()
                name = DETAILS
            first, number = part.lines[0], part.lines[0].number
            mark = self._marks.mark(Element(name, title=title, number=number))
            anchor = [first._replace(text=f'{part.prefix}<a id="{options["id"]}"></a>')] if options.get("id") else []
            inner = self._admonitions(part.code, depth + 1)
            end = part.lines[-1]._replace(text=f"{' ' * len(part.prefix)}{BLOCK_CLOSE}")
            result += [*anchor, first._replace(text=f"{part.prefix}{mark}"), *inner, end]
        return result

    def _html_callouts(self, lines: list[SourceLine]) -> list[SourceLine]:
        """Elements of HTML whose class is that of a callout, such as `<div class="warning">`, as marked elements."""
        if not any("</" in line.text for line in lines):
            return lines
        opened: list[tuple[int, str, str]] = []
        pairs: list[tuple[int, int, str]] = []
        at = 0
        for part in parts(lines):
            if isinstance(part, Fence):
                at += len(part.lines)
                continue
            start = _BLOCK_TAG.fullmatch(part.text) if "<" in part.text else None
            end = _BLOCK_END.fullmatch(part.text) if "</" in part.text else None
            if start:
                kind = next((name for name in (start[2] or "").split() if name in self._rules.callouts), "")
                opened.append((at, start[1], kind))
            elif end and opened and opened[-1][1] == end[1]:
                place, _, kind = opened.pop()
                if kind:
                    pairs.append((place, at, kind))
            at += 1
        result = list(lines)
        for first, last, kind in pairs:
            mark = self._marks.mark(Element(kind, number=lines[first].number))
            result[first] = lines[first]._replace(text=f"{' ' * lines[first].indent}{mark}")
            result[last] = lines[last]._replace(text=f"{' ' * lines[last].indent}{BLOCK_CLOSE}")
        return result


def _without_escapes(text: str, _number: int) -> str:
    """Show an escaped `{{#include` as text."""
    if "\\{{#" not in text:
        return text
    pieces: list[str] = []
    done = 0
    for start, end in code_spans(text):
        pieces += (text[done:start].replace("\\{{#", "&#123;&#123;#"), text[start:end].replace("\\{{#", "{{#"))
        done = end
    return "".join([*pieces, text[done:].replace("\\{{#", "&#123;&#123;#")])


def _heading(line: SourceLine) -> SourceLine:
    if not line.text.lstrip(" >").startswith("#"):
        return line
    split = split_attributes(line.text.rstrip(" #"))
    if split is None or not _ATTRIBUTES.fullmatch(split[1]):
        return line
    id = _ID.search(split[1])
    return line._replace(text=f"{split[0]} {heading_mark(id[1])}" if id else split[0])

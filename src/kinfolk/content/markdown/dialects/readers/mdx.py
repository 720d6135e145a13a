"""MDX, read as Markdown with known components: Docusaurus, Starlight, Nextra and others, by their table."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from html import escape

from kinfolk.content.markdown.dialects.components.component_rewriting import ComponentRewriter
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.dialect_rules import DialectRules
from kinfolk.content.markdown.dialects.page_translation import heading_mark, split_attributes
from kinfolk.content.markdown.dialects.readers.home_page import home_page
from kinfolk.content.markdown.dialects.readers.mdx_expressions import (
    ShownElements,
    not_shown,
    without_computed_lines,
)
from kinfolk.content.markdown.dialects.readers.mdx_statements import Imports, without_mdx_comments, without_statements
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.blocks import Block, WriteFence, colon_container
from kinfolk.content.markdown.dialects.syntax.code_info import (
    parse_code_info,
    tab_groups,
    without_inline_languages,
    written_fence,
)
from kinfolk.content.markdown.dialects.syntax.component_tags import (
    expression_end,
    joined_tags,
    rewrite_tags,
    string_value,
)
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, rebased
from kinfolk.content.markdown.dialects.syntax.npm_commands import command_tabs
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    Fence,
    LineCounter,
    SourceLine,
    chunks,
    expand_lines,
    rewrite_prose,
    with_spaces,
)
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.front_matter import YamlValue, split_front_matter
from kinfolk.content.markdown.links.slugs import github_slug

_ID = re.compile(r"(?:/\*)?[ \t]*+#([\w:.-]++)[ \t]*+(?:\*/)?")
_BRACKETED_ID = re.compile(r"(.*\S)[ \t]+\[#([\w:.-]+)\][ \t]*")
_USE = re.compile(r"[ \t]*<([A-Z]\w*)(?:\s[^<>]*)?/>[ \t]*")
_PROPERTY = re.compile(r"""[ \t]([A-Za-z_]\w*)=(?:\{["'])?["']?([^"'{}\n]*)""")
_USED_PROPERTY = re.compile(r"(=?)\{(?:props\.)?([A-Za-z_]\w*)\}")
_INCLUDE = re.compile(r"[ \t]*<include([^<>]*)>[ \t]*([^<>\s]+)[ \t]*</include>[ \t]*")
_TITLE = re.compile(r"\[(.*)\](?:\{[^{}]*\})?|(.*)")
_BRACE = re.compile(r"\\?\{")
_BLOCK_TAGS = "div|section|figure|figcaption|center|article|details|summary|p|ul|ol|span|aside|main|header|footer"
_LOWER_TAG = re.compile(rf"[ \t]*</?(?:{_BLOCK_TAGS})\b[^<>]*>[ \t]*")
_TAG_WITH_TEXT = re.compile(r"[ \t]*+<(summary|figcaption|center|div|p|aside|section)\b[^<>]*+>(?=\S)")
_MARKUP = re.compile(r"[*_`\[]")
_STYLE = re.compile(r"[ \t][a-zA-Z-]{1,40}=\{\{[^{}<>]{0,500}\}\}")
_ATTRIBUTE_VALUE = re.compile(r"([\s][A-Za-z][\w-]*)=\{([^{}<>]*)\}")
_CLASS_NAME = re.compile(r"\bclassName=(?=[\"'{])")


class Mdx(TableDialect):
    """Reads pages of the dialects whose syntax is MDX."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        return _MdxPage(source, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        return free_slug(github_slug(text) or "section", taken, "-")


class _MdxPage(ComponentPage):
    """One page while it is translated."""

    def __init__(self, source: DialectSource, rules: DialectRules) -> None:
        self._files = IncludedFiles(source.read)
        self._imports = Imports(self._files, source)
        self._elements = ShownElements(self._imports.elements)
        super().__init__(source, rules, self._imports.constant)

    def translated(self) -> TranslatedMarkdown:
        page = self._page
        page.check_front_matter(self._rules.front_matter)
        lines = self._prepared(page.lines(), self._source.path, 0)
        rewriter = ComponentRewriter(page, self._blocks, self._marks)
        lines = [_without_attributes(line) for line in lines]
        if self._rules.code.has_inline_language:
            lines = without_inline_languages(lines)
        lines = _levelled(rewrite_tags(joined_tags(lines), rewriter.rewrite))
        lines = [_heading(line) for line in lines] if any(line.text[-1:] in "}]" for line in lines) else lines
        lines = rewrite_prose(lines, self._inline)
        if self._rules.code.tab:
            lines = tab_groups(lines, self._rules.code, self._marks.tabs)
        writer = BlockWriter(self._block, self._fence_writer(), for_export=self._source.for_export)
        title, opening = home_page(self._source.front) if "hero" in self._source.front else (None, [])
        return page.finished([*_banner(self._source.front), *opening, *writer.write(lines)], title)

    def _prepared(self, lines: list[SourceLine], path: str, depth: int) -> list[SourceLine]:
        """The lines without statements and comments, and with the text of imported Markdown files."""
        lines, imported = without_statements(with_spaces(lines))
        partials = self._imports.add(imported, path)
        lines = without_comments(without_elements(without_mdx_comments(lines, _heading), ("script", "style", "head")))
        lines = without_computed_lines(lines, self._page.report)

        def expanded(line: SourceLine) -> list[SourceLine] | None:
            used = _USE.fullmatch(line.text) if "<" in line.text else None
            included = _INCLUDE.fullmatch(line.text) if "<include" in line.text else None
            shown = self._imports.shown_file(used[1]) if used and used[1] not in partials else None
            if included is None and shown is None and (used is None or used[1] not in partials):
                return self._elements.lines(line)
            written = included[2] if included else partials[used[1]] if used and not shown else ""
            written, _, section = written.partition("#")
            candidates = self._imports.candidates(*(shown or (written, path)))
            read = self._files.read(candidates) if depth < DEEPEST else None
            if read is None:
                self._page.report(line.number, f"the imported file {written} does not exist")
                return []
            if not read[0].endswith((".md", ".mdx")):
                return _code_of_file(read[1], read[0], line, included[1] if included else "")
            body = rebased(split_front_matter(read[1])[1], read[0], self._source.path)
            body = _section(body, section) if section else body
            pad = " " * line.indent
            inner = [SourceLine(row, line.number) for row in body.split("\n")]
            inner = self._prepared(_with_properties(inner, dict(_PROPERTY.findall(line.text))), read[0], depth + 1)
            empty = SourceLine("", line.number)
            return [empty, *(row._replace(text=f"{pad}{row.text}" if row.text else "") for row in inner), empty]

        has_include = any("<include" in line.text for line in lines)
        return expand_lines(lines, expanded) if imported or has_include else lines

    # Inline

    def _inline(self, text: str, number: int) -> str:
        if "<" in text and "=" in text:
            text = _ATTRIBUTE_VALUE.sub(self._attribute, _STYLE.sub("", text))
            text = _CLASS_NAME.sub("class=", text)
        if "{" in text or "\\}" in text:
            text = self._without_expressions(text, number)
        return with_emoji(text)

    def _attribute(self, found: re.Match[str]) -> str:
        value = self._imports.text(found[2])
        if value is None and found[2].strip().isdecimal():
            value = found[2].strip()
        if value is None and "require(" in found[2]:
            required = re.search(r"""require\(\s*["']([^"'\n]+)["']""", found[2])
            value = required[1] if required else None
        return f'{found[1]}="{escape(value)}"' if value is not None else ""

    def _without_expressions(self, text: str, number: int) -> str:
        lines = LineCounter(text, number)
        result: list[str] = []
        done = 0
        for brace in _BRACE.finditer(text):
            if brace.start() < done:
                continue
            if brace[0] == "\\{":
                result += (text[done : brace.start()], "{")
                done = brace.end()
                continue
            end = expression_end(text, brace.start(), min(len(text), brace.start() + 2_000))
            if end is None:
                continue
            result.append(text[done : brace.start()])
            expression = text[brace.start() + 1 : end - 1]
            value = string_value(expression)
            value = self._imports.text(expression) if value is None else value
            if value is not None:
                result.append(value)
            elif expression.strip():
                self._page.report(lines.number_at(brace.start()), not_shown(expression))
            done = end
        return "".join([*result, text[done:]]).replace("\\}", "}")

    # Blocks

    def _block(self, lines: list[SourceLine], at: int) -> Block | None:
        element = self._marks.at(lines, at)
        if element is not None:
            return self._blocks.block(element)
        found = colon_container(lines, at)
        if found is None:
            return None
        name, rest, body, end = found
        title = _TITLE.fullmatch(rest)
        words = ((title[1] or title[2] or "") if title else "").strip()
        number, indent = lines[at].number, lines[at].indent
        element = Element(name, body=body, title=words, number=number, indent=indent, end=end)
        self._blocks.shown(element, f"container {name}")
        return self._blocks.block(element)

    def _fence_writer(self) -> WriteFence:
        rules, for_export = self._rules.code, self._source.for_export

        def write(fence: Fence) -> list[SourceLine]:
            info = parse_code_info(fence.info, rules)
            if info.is_command(rules.commands):
                return command_tabs(fence, for_export=for_export)
            return written_fence(fence, info, fence.code, for_export=for_export)

        return write


def _banner(front: Mapping[str, YamlValue]) -> list[SourceLine]:
    """The banner above a page, as a callout."""
    banner = front.get("banner")
    content = banner.get("content") if isinstance(banner, dict) else None
    text = " ".join(content.split()) if isinstance(content, str) else ""
    return [SourceLine(row, 1) for row in ("> [!NOTE]", f"> {text}", "")] if text else []


def _section(body: str, name: str) -> str:
    """The content of `<section id="name">` of a file; the whole file without it."""
    _, mark, behind = body.partition(f'<section id="{name}">')
    return behind.partition("</section>")[0] if mark else body


def _code_of_file(text: str, path: str, line: SourceLine, attributes: str) -> list[SourceLine]:
    """A file of code as a fence. Its language is in the attributes, else the extension."""
    given = dict(_PROPERTY.findall(attributes))
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    info = f"{given.get('lang') or path.rpartition('.')[2]} {given.get('meta', '')}".strip()
    rows = ["", f"{fence}{info}", *text.removesuffix("\n").split("\n"), fence, ""]
    pad = " " * line.indent
    return [SourceLine(f"{pad}{row}" if row else "", line.number) for row in rows]


def _with_properties(lines: list[SourceLine], values: Mapping[str, str]) -> list[SourceLine]:
    """An imported text with what the tag gives it: `{name}` and `{props.name}`."""

    def value(found: re.Match[str]) -> str:
        text = values.get(found[2])
        if text is None:
            return found[0]
        return f'="{text}"' if found[1] else text

    return rewrite_prose(lines, lambda text, _: _USED_PROPERTY.sub(value, text)) if values else lines


def _without_attributes(line: SourceLine) -> SourceLine:
    """The first line of a container without its attributes, which are no expression of MDX."""
    is_container = ":::" in line.text and "{" in line.text and line.text.lstrip().startswith(":::")
    split = split_attributes(line.text) if is_container else None
    return line._replace(text=split[0]) if split else line


def _levelled(lines: list[SourceLine]) -> list[SourceLine]:
    """Tags of HTML on lines of their own get empty lines around them: in MDX their content is Markdown."""
    if not any("<" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    for chunk in chunks(lines):
        if isinstance(chunk, Fence):
            result += chunk.lines
            continue
        for line in chunk:
            if "<" in line.text and _LOWER_TAG.fullmatch(line.text) and line.indent < 8:  # noqa: PLR2004
                text = line.text if line.indent < 4 else line.text.strip()  # noqa: PLR2004
                result += [line._replace(text=""), line._replace(text=text), line._replace(text="")]
            else:
                result += _opened(line) if "</" in line.text else (line,)
    return result


def _opened(line: SourceLine) -> list[SourceLine]:
    """A tag with text on one line as three: in MDX the text is Markdown, in CommonMark it is not."""
    opening = _TAG_WITH_TEXT.match(line.text)
    closing = f"</{opening[1]}>" if opening else ""
    text = line.text.rstrip()
    if opening is None or not text.endswith(closing) or text.count(closing) > 1:
        return [line]
    inner = text[opening.end() : -len(closing)]
    if not _MARKUP.search(inner):
        return [line]
    pad = " " * line.indent
    rows = ("", opening[0].strip(), "", inner, "", closing, "")
    return [line._replace(text=f"{pad}{row}" if row else "") for row in rows]


def _without_flags(heading: str) -> str:
    """A heading without what Fumadocs reads at its end: whether it is a step, and in the table of contents."""
    for flag in (" [step]", " [toc]", " [!toc]"):
        heading = heading.removesuffix(flag)
    return heading


def _heading(line: SourceLine) -> SourceLine:
    is_heading = line.text.lstrip(" >").startswith("#")
    if is_heading and line.text.endswith("]"):
        line = line._replace(text=_without_flags(line.text))
    bracketed = _BRACKETED_ID.fullmatch(line.text) if is_heading and "[#" in line.text else None
    if bracketed:
        return line._replace(text=f"{bracketed[1]} {heading_mark(bracketed[2])}")
    split = split_attributes(line.text) if is_heading else None
    id = _ID.fullmatch(split[1]) if split else None
    return line._replace(text=f"{split[0].rstrip(chr(92))} {heading_mark(id[1])}") if split and id else line

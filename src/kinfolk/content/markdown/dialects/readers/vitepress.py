"""The dialect of VitePress: containers, code groups, snippets, includes, Vue components."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Container, Mapping
from html import escape

from kinfolk.content.markdown.dialects.components.component_rewriting import ComponentRewriter
from kinfolk.content.markdown.dialects.components.marked_elements import Element
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.page_translation import PageTranslation, heading_mark, split_attributes
from kinfolk.content.markdown.dialects.readers.home_page import home_page
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.blocks import Block, colon_container
from kinfolk.content.markdown.dialects.syntax.component_tags import rewrite_tags
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, rebased, selected_lines
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    LineCounter,
    SourceLine,
    expand_lines,
    fence_at,
    rewrite_prose,
)
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.front_matter import YamlValue, split_front_matter

HEADING_LEVELS = 6

# An atomic group: a possessive repeat of a group fails before Python 3.11.5, as that of Debian 12.
_INCLUDE = re.compile(
    r"[ \t]*+<!--[ \t]*+@include:((?>(?:[^{}#>\n-]|-(?!->))+))(#[\w-]++)?[ \t]*+(?:\{([\d,\s]*+)\})?[ \t]*+-->[ \t]*+"
)
_SNIPPET = re.compile(
    r"([ \t]*+)<<<[ \t]++([^\s{}\[\]#]++)(#[\w-]++)?[ \t]*+(?:\{([^{}\n]*+)\})?[ \t]*+(?:\[([^\[\]\n]*+)\])?[ \t]*+"
)
_ID = re.compile(r"[ \t]*+#([\w:.-]++).*")
_TOC = re.compile(r"[ \t]*\[\[toc\]\][ \t]*", re.IGNORECASE)
_MUSTACHE = re.compile(r"\{\{([^{}\n]{1,300})\}\}")
_FRONT = re.compile(r"\s*\$?frontmatter((?:\.\w+)+)\s*")
_TEXT = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)')\s*""")
_TAB = re.compile(r"[ \t]*(={2,})[ \t]+(\S.*)")
_ANCHOR = re.compile(r"[ \t]*+\{[ \t]*+#([\w:.-]++)[^{}\n]*+\}[ \t]*+")
_ACCENT = re.compile(r"[\u0300-\u036f]")
_CONTROL = re.compile(r"[\u0000-\u001f]")
_SPECIAL = re.compile(r"[\s~`!@#$%^&*()\-_+=[\]{}|\\;:\"'“”‘’<>,.?/]+")


class VitePress(TableDialect):
    """Reads pages of VitePress."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        return _VitePressPage(source, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        return free_slug(_slug(text), taken, "-")


def _slug(text: str) -> str:
    plain = _CONTROL.sub("", _ACCENT.sub("", unicodedata.normalize("NFKD", text)))
    slug = _SPECIAL.sub("-", plain).strip("-")
    if slug[:1].isdecimal():
        slug = f"_{slug}"
    return slug.lower() or "section"


class _VitePressPage(ComponentPage):
    """One page while it is translated."""

    def translated(self) -> TranslatedMarkdown:
        page, source = self._page, self._source
        page.check_front_matter(self._rules.front_matter)
        files = IncludedFiles(source.read)
        lines = _included(page, files, page.lines(), source.path, 0)
        lines = _snippets(page, files, lines)
        lines = without_comments(without_elements(lines, ("script", "style")))
        lines = rewrite_tags(lines, ComponentRewriter(page, self._blocks, self._marks).rewrite)
        lines = [_heading(line) for line in lines] if any("{" in line.text for line in lines) else lines
        lines = rewrite_prose(lines, lambda text, number: _inline(page, text, number))
        writer = BlockWriter(self._block, self._fence, for_export=source.for_export)
        lines = writer.write([line for line in lines if not _TOC.fullmatch(line.text)])
        title = None
        if source.front.get("layout") == "home":
            title, opening = home_page(source.front)
            lines = [*opening, *lines]
        return page.finished(lines, title)

    def _block(self, lines: list[SourceLine], at: int) -> Block | None:
        marked = self._marked_block(lines, at)
        found = colon_container(lines, at) if marked is None else None
        if found is None:
            return marked
        name, rest, body, end = found
        number, indent = lines[at].number, lines[at].indent
        title = rest.split("{")[0].strip() if rest.endswith("}") else rest
        if name.lower() == "tabs":
            panels = _tab_panels(body)
            if panels:
                return Block("tabs", end, indent=indent, panels=panels)
        element = Element(name, body=body, title=title, number=number, indent=indent, end=end)
        self._blocks.shown(element, f"container {name}")
        return self._blocks.block(element)


def resolve_source(written: str, path: str, docs_root: str) -> list[str]:
    """Candidates for the file that a statement names: `@` is the folder of the docs."""
    root = "" if docs_root == "~" else docs_root
    if written.startswith("@"):
        inside = written.removeprefix("@").lstrip("/")
        above = posixpath.dirname(root)  # the folder of all languages, where the docs root is that of one
        return [posixpath.join(root, inside), posixpath.join(above, inside), inside]
    if written.startswith("/"):
        return [posixpath.join(root, written.lstrip("/")), written.lstrip("/")]
    return [posixpath.join(posixpath.dirname(path), written)]


def _included(
    page: PageTranslation, files: IncludedFiles, lines: list[SourceLine], path: str, depth: int
) -> list[SourceLine]:
    """The lines with the files that they include."""

    def expanded(line: SourceLine) -> list[SourceLine] | None:
        found = _INCLUDE.fullmatch(line.text) if "@include" in line.text else None
        if found is None:
            return None
        written = found[1].strip()
        read = files.read(resolve_source(written, path, page.source.docs_root)) if depth < DEEPEST else None
        if read is None:
            page.report(line.number, f"the included file {written} does not exist")
            return []
        text = rebased(split_front_matter(read[1])[1], read[0], page.source.path)
        region = (found[2] or "").removeprefix("#")
        selected = selected_lines(text, region=region, lines=found[3] or "")
        if selected is None:
            selected = _section(text, region)
        if selected is None:
            page.report(line.number, f"the included file {written} has no region {region}")
            return []
        inner = [SourceLine(row, line.number) for row in selected.split("\n")]
        return _included(page, files, inner, read[0], depth + 1)

    return expand_lines(lines, expanded) if any("@include" in line.text for line in lines) else lines


def _section(text: str, slug: str) -> str | None:
    """The section of a heading, by its id."""
    rows = text.split("\n")
    for at, row in enumerate(rows):
        level = len(row) - len(row.lstrip("#"))
        is_named = 0 < level <= HEADING_LEVELS and _slug(row[level:].split("{#")[0]) == slug
        if is_named or f"{{#{slug}}}" in row:
            end = next(
                (
                    end
                    for end in range(at + 1, len(rows))
                    if 0 < len(rows[end]) - len(rows[end].lstrip("#")) <= level and rows[end].lstrip("#")[:1] == " "
                ),
                len(rows),
            )
            return "\n".join(rows[at:end])
    return None


def _snippets(page: PageTranslation, files: IncludedFiles, lines: list[SourceLine]) -> list[SourceLine]:
    """The lines with the code that they include, as fences."""

    def expanded(line: SourceLine) -> list[SourceLine] | None:
        found = _SNIPPET.fullmatch(line.text) if "<<<" in line.text else None
        if found is None:
            return None
        read = files.read(resolve_source(found[2], page.source.path, page.source.docs_root))
        text = selected_lines(read[1], region=(found[3] or "").removeprefix("#")) if read else None
        if read is None or text is None:
            page.report(line.number, f"the snippet {found[2]}{found[3] or ''} does not exist")
            return []
        options = (found[4] or "").split()
        marked = ",".join(one for one in options if one[:1].isdecimal())
        named = [one for one in options if not one[:1].isdecimal() and not one.startswith(":")]
        language = named[0] if named else posixpath.splitext(read[0])[1].removeprefix(".") or "text"
        info = f"{language.split(':')[0]} {{{marked}}} [{found[5] or posixpath.basename(read[0])}]"
        mark = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        rows = [f"{mark}{info}", *text.split("\n"), mark]
        return [SourceLine(f"{found[1]}{row}" if row else "", line.number) for row in rows]

    return expand_lines(lines, expanded) if any("<<<" in line.text for line in lines) else lines


def _heading(line: SourceLine) -> SourceLine:
    if "{" not in line.text or "#" not in line.text:
        return line
    alone = _ANCHOR.fullmatch(line.text)
    if alone:
        return line._replace(text=f'<a id="{alone[1]}"></a>')
    split = split_attributes(line.text)
    id = _ID.fullmatch(split[1]) if split and split[0].lstrip(" >").startswith("#") else None
    return line._replace(text=f"{split[0]} {heading_mark(id[1])}") if split and id else line


def _inline(page: PageTranslation, text: str, number: int) -> str:
    lines = LineCounter(text, number)

    def mustache(found: re.Match[str]) -> str:
        value = _static_value(page.source.front, found[1])
        if value is not None:
            return value
        before = text[max(0, found.start() - 120) : found.start()]
        if "v-pre" not in before.rpartition("<")[2]:
            page.report(lines.number_at(found.start()), f"the expression {found[0][:80]} is shown as text")
        return f"<code>{escape(found[0], quote=False)}</code>"

    if "{{" in text:
        text = _MUSTACHE.sub(mustache, text)
    return with_emoji(text)


def _static_value(front: Mapping[str, YamlValue], expression: str) -> str | None:
    string = _TEXT.fullmatch(expression)
    if string:
        return string[1] if string[1] is not None else string[2]
    found = _FRONT.fullmatch(expression)
    value: YamlValue | None = dict(front) if found else None
    for key in found[1].split(".")[1:] if found else ():
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def _tab_panels(body: list[SourceLine]) -> list[tuple[str, list[SourceLine]]]:
    panels: list[tuple[str, list[SourceLine]]] = []
    signs = ""
    at = 0
    while at < len(body):
        fence = fence_at(body, at)
        rows = fence.lines if fence else [body[at]]
        label = None if fence else _TAB.fullmatch(body[at].text)
        signs = signs or (label[1] if label else "")
        if label and label[1] == signs:  # tabs within tabs have fewer signs
            panels.append((re.sub(r"\{[^{}]*\}", "", label[2]).strip(), []))
        elif panels:
            panels[-1][1].extend(rows)
        at += len(rows)
    return panels

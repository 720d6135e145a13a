"""The dialect of Docusaurus: MDX read as Markdown with known components."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container
from html import escape

from kinfolk.content.markdown.dialects.syntax.blocks import (
    BLOCK_CLOSE,
    Block,
    BlockWriter,
    WriteFence,
    colon_container,
    marked_block,
    open_mark,
)
from kinfolk.content.markdown.dialects.syntax.code_info import CodeInfo, parse_code_info, written_fence
from kinfolk.content.markdown.dialects.syntax.component_tags import ComponentTag, expression_end, rewrite_tags, string_value
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, rebased
from kinfolk.content.markdown.dialects.syntax.npm_commands import command_tabs
from kinfolk.content.markdown.dialects.page_translation import PageTranslation, heading_mark, split_attributes
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    Fence,
    LineCounter,
    SourceLine,
    chunks,
    expand_lines,
    fence_at,
    parts,
    rewrite_prose,
)
from kinfolk.content.markdown.front_matter import split_front_matter
from kinfolk.content.markdown.links.slugs import github_slug

CALLOUTS = {
    "note": ("note", ""),
    "tip": ("tip", ""),
    "info": ("note", "Info"),
    "important": ("important", ""),
    "warning": ("warning", ""),
    "caution": ("caution", ""),
    "danger": ("caution", "Danger"),
    "success": ("tip", "Success"),
    "secondary": ("note", ""),
}
BLOCKS = {"Tabs": "tabs", "TabItem": "tab", "Admonition": "callout", "Details": "fold", "details": "fold"}
"""Components that become blocks."""
SILENT = frozenset(
    ("TOCInline", "DocCardList", "Head", "BrowserOnly", "BrowserWindow", "CodeBlock", "Fragment", "React.Fragment")
)
"""Components of which only the content is shown."""
LONGEST_ESM = 2_000
"""Lines of one `import` or `export`."""

_ESM = re.compile(
    r"import[ \t]++(?:[\"'{*]|[\w$]++(?:[ \t]++from\b|[ \t]*+,[ \t]*+[{*])).*"
    r"|export[ \t]++(?:default|const|let|var|function|class|async|type|interface|\{|\*).*"
)
_PARTIAL = re.compile(r"import\s+([A-Z]\w*)\s+from\s+[\"']([^\"'\n]+\.mdx?)[\"'];?\s*")
_ID = re.compile(r"(?:/\*)?[ \t]*+#([\w:.-]++)[ \t]*+(?:\*/)?")
_USE = re.compile(r"[ \t]*<([A-Z]\w*)(?:\s[^<>]*)?/>[ \t]*")
_TITLE = re.compile(r"\[(.*)\](?:\{[^{}]*\})?|(.*)")
_BRACE = re.compile(r"\\?\{")
_LOWER_TAG = re.compile(
    r"[ \t]*</?(?:div|section|figure|figcaption|center|article|details|summary|p|ul|ol|span|aside|main)\b[^<>]*>[ \t]*"
)
_STYLE = re.compile(r"[ \t][a-zA-Z-]{1,40}=\{\{[^{}<>]{0,500}\}\}")
_ATTRIBUTE_VALUE = re.compile(r"([\s][A-Za-z][\w-]*)=\{([^{}<>]*)\}")
_CLASS_NAME = re.compile(r"\bclassName=(?=[\"'{])")
_MDX_COMMENT = re.compile(r"\{/\*|\*/\}")


class Docusaurus:
    """Reads pages of Docusaurus."""

    name = "docusaurus"
    has_definition_lists = False
    front_matter_keys = frozenset(
        """id title title_meta description keywords image slug sidebar_label sidebar_position sidebar_class_name
        sidebar_custom_props hide_title hide_table_of_contents toc_min_heading_level toc_max_heading_level
        pagination_label pagination_next pagination_prev parse_number_prefixes custom_edit_url tags draft unlisted
        last_update displayed_sidebar sidebar_key original_id hide_sidebar sidebar sidebar_default redirect_from
        date authors author toc format mdx""".split()
    )

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        page = PageTranslation(source)
        page.check_front_matter(self.front_matter_keys)
        files = IncludedFiles(source.read)
        lines = _prepared(page, files, page.lines(), source.path, 0)
        components = _JsxComponents(page)
        lines = _levelled(rewrite_tags(lines, components.rewrite))
        lines = [_heading(line) for line in lines] if any("{" in line.text for line in lines) else lines
        lines = rewrite_prose(lines, lambda text, number: _inline(page, text, number))
        writer = BlockWriter(
            lambda rows, at: _block(page, rows, at), _fence_writer(source), for_export=source.for_export
        )
        return page.finished(writer.write(lines))

    def slug(self, text: str, taken: Container[str]) -> str:
        return free_slug(github_slug(text) or "section", taken, "-")


def resolve_import(written: str, path: str, docs_root: str) -> list[str]:
    """Candidates for a file that `import` names: `@site` is the folder of the site, above that of the docs."""
    if written.startswith("@site/"):
        inside = written.removeprefix("@site/")
        above = posixpath.dirname("" if docs_root == "~" else docs_root)
        return [
            posixpath.join(base, inside) for base in dict.fromkeys((above, "website", posixpath.dirname(above), ""))
        ]
    return [posixpath.join(posixpath.dirname(path), written)]


def _prepared(
    page: PageTranslation, files: IncludedFiles, lines: list[SourceLine], path: str, depth: int
) -> list[SourceLine]:
    """The lines without statements and comments, and with the text of imported Markdown files."""
    lines, partials = _without_esm(lines)
    lines = without_comments(without_elements(_without_mdx_comments(lines), ("script", "style", "head")))

    def expanded(line: SourceLine) -> list[SourceLine] | None:
        used = _USE.fullmatch(line.text) if "<" in line.text else None
        if used is None or used[1] not in partials:
            return None
        written = partials[used[1]]
        read = files.read(resolve_import(written, path, page.source.docs_root)) if depth < DEEPEST else None
        if read is None:
            page.report(line.number, f"the imported file {written} does not exist")
            return []
        body = rebased(split_front_matter(read[1])[1], read[0], page.source.path)
        inner = [SourceLine(row, line.number) for row in body.split("\n")]
        empty = SourceLine("", line.number)
        return [empty, *_prepared(page, files, inner, read[0], depth + 1), empty]

    return expand_lines(lines, expanded) if partials else lines


def _without_esm(lines: list[SourceLine]) -> tuple[list[SourceLine], dict[str, str]]:
    """The lines without `import` and `export`, and the Markdown files that are imported, by component."""
    if not any(line.text.startswith(("import", "export")) for line in lines):
        return lines, {}
    partials: dict[str, str] = {}
    result: list[SourceLine] = []
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence is not None:
            result += fence.lines
            at += len(fence.lines)
            continue
        text = lines[at].text
        if not text.startswith(("import", "export")) or not _ESM.fullmatch(text):
            result.append(lines[at])
            at += 1
            continue
        partial = _PARTIAL.fullmatch(text)
        if partial:
            partials[partial[1]] = partial[2]
        depth = 0
        end = at
        while end < min(len(lines), at + LONGEST_ESM):
            row = lines[end].text
            depth += sum(row.count(c) for c in "{([") - sum(row.count(c) for c in "})]")
            end += 1
            if depth <= 0 and (
                end == len(lines) or lines[end].is_blank or lines[end].text.startswith(("import", "export", "#"))
            ):
                break
        result.append(SourceLine("", lines[at].number))
        at = end
    return result, partials


def _without_mdx_comments(lines: list[SourceLine]) -> list[SourceLine]:
    if not any("{/*" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    is_open = False
    for part in parts(lines):
        if isinstance(part, Fence):
            result += [] if is_open else part.lines
            continue
        text = part.text
        if not is_open and ("{/*" not in text or _heading(part) is not part):
            result.append(part)
            continue
        remaining: list[str] = []
        done = 0
        for mark in _MDX_COMMENT.finditer(text):
            if mark[0] == "{/*" and not is_open:
                remaining.append(text[done : mark.start()])
                is_open = True
            elif mark[0] == "*/}" and is_open:
                is_open, done = False, mark.end()
        if not is_open:
            remaining.append(text[done:])
        rest = "".join(remaining)
        if rest.strip() or (text == part.text and not text.strip()):
            result.append(part._replace(text=rest))
    return result


class _JsxComponents:
    def __init__(self, page: PageTranslation) -> None:
        self._page = page
        self._open: list[tuple[str, str]] = []
        self._labels: list[dict[str, str]] = []

    def rewrite(self, tag: ComponentTag) -> str:
        if tag.is_end:
            return self._end(tag)
        kind = BLOCKS.get(tag.name)
        if kind is not None:
            return "" if tag.is_empty else self._block(tag, kind)
        href = tag.value("to", "href")
        if href is not None:
            text = escape(tag.value("title", "label", "text", "name") or "", quote=False)
            return self._inline(tag, f'<a href="{escape(href)}">', f"{text or escape(href)}</a>", "</a>")
        if tag.name == "Highlight":
            return self._inline(tag, "<mark>", "</mark>", "</mark>")
        if tag.name not in SILENT:
            self._page.report(tag.number, f"the component <{tag.name}> is unknown; only its content is shown")
        return self._inline(tag, "", "", "")

    def _inline(self, tag: ComponentTag, opening: str, rest: str, closing: str) -> str:
        if tag.is_empty:
            return opening + rest
        self._open.append((tag.name, closing))
        return opening

    def _block(self, tag: ComponentTag, kind: str) -> str:
        title = tag.value("title", "label", "summary") or ""
        name = tag.value("type") or ""
        if kind == "tab":
            title = title or tag.value("value") or ""
        elif kind == "callout":
            name, default = CALLOUTS.get(name, ("note", ""))
            title = title or default
        self._open.append((tag.name, BLOCK_CLOSE))
        mark = open_mark(kind, name, title)
        return mark if tag.is_alone else f"\n{mark}\n"

    def _end(self, tag: ComponentTag) -> str:
        for at in range(len(self._open) - 1, max(-1, len(self._open) - 20), -1):
            if self._open[at][0] == tag.name:
                closing = self._open[at][1]
                del self._open[at:]
                return f"\n{closing}\n" if closing == BLOCK_CLOSE and not tag.is_alone else closing
        return ""


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
                result.append(line)
    return result


def _heading(line: SourceLine) -> SourceLine:
    split = split_attributes(line.text)
    id = _ID.fullmatch(split[1]) if split and split[0].lstrip(" >").startswith("#") else None
    return line._replace(text=f"{split[0].rstrip(chr(92))} {heading_mark(id[1])}") if split and id else line


def _inline(page: PageTranslation, text: str, number: int) -> str:
    if "<" in text and "=" in text:
        text = _ATTRIBUTE_VALUE.sub(_attribute, _STYLE.sub("", text))
        text = _CLASS_NAME.sub("class=", text)
    if "{" in text or "\\}" in text:
        text = _without_expressions(page, text, number)
    return with_emoji(text)


def _attribute(found: re.Match[str]) -> str:
    value = string_value(found[2])
    if value is None and found[2].strip().isdecimal():
        value = found[2].strip()
    if value is None and "require(" in found[2]:
        required = re.search(r"""require\(\s*["']([^"'\n]+)["']""", found[2])
        value = required[1] if required else None
    return f'{found[1]}="{escape(value)}"' if value is not None else ""


def _without_expressions(page: PageTranslation, text: str, number: int) -> str:
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
        if value is not None:
            result.append(value)
        elif expression.strip():
            page.report(lines.number_at(brace.start()), f"the expression {{{expression[:60]}}} is not shown")
        done = end
    return "".join([*result, text[done:]]).replace("\\}", "}")


def _block(page: PageTranslation, lines: list[SourceLine], at: int) -> Block | None:
    marked = marked_block(lines, at)
    if marked is not None:
        return marked
    found = colon_container(lines, at)
    if found is None:
        return None
    name, rest, body, end = found
    title = _TITLE.fullmatch(rest)
    words = ((title[1] or title[2] or "") if title else "").strip()
    if name.lower() not in CALLOUTS:
        page.report(lines[at].number, f"the container {name} is unknown; only its content is shown")
        return Block("plain", end, body, indent=lines[at].indent)
    kind, default = CALLOUTS[name.lower()]
    return Block("callout", end, body, words or default, kind, lines[at].indent)


def _fence_writer(source: DialectSource) -> WriteFence:
    def write(fence: Fence) -> list[SourceLine]:
        info = parse_code_info(fence.info)
        if any(flag.startswith("npm2yarn") for flag in info.flags):
            return command_tabs(fence, for_export=source.for_export)
        return written_fence(fence, _without_label(fence, info), fence.code, for_export=source.for_export)

    return write


def _without_label(fence: Fence, info: CodeInfo) -> CodeInfo:
    """Text in brackets is no title here."""
    return info if "title=" in fence.info else CodeInfo(info.language, None, info.highlighted, info.flags)

"""The dialect of MkDocs with Material: Python-Markdown with the extensions of PyMdown."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Container, Mapping
from html import escape

from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.page_translation import PageTranslation, heading_mark, split_attributes
from kinfolk.content.markdown.dialects.readers.mkdocs_blocks import MkDocsBlocks, with_separate_tags
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.blocks import HEADING_ID
from kinfolk.content.markdown.dialects.syntax.code_info import parse_code_info, written_fence
from kinfolk.content.markdown.dialects.syntax.even_tables import even_tables
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, selected_lines
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    Fence,
    LineCounter,
    SourceLine,
    chunks,
    rewrite_prose,
)
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect
from kinfolk.content.markdown.extensions.emoji_codes import with_emoji
from kinfolk.content.markdown.front_matter import split_front_matter

KEYS = {
    "ctrl": "Ctrl",
    "control": "Ctrl",
    "cmd": "Cmd",
    "command": "Cmd",
    "alt": "Alt",
    "option": "Option",
    "shift": "Shift",
    "meta": "Meta",
    "win": "Win",
    "windows": "Win",
    "enter": "Enter",
    "return": "Return",
    "esc": "Esc",
    "escape": "Esc",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Del",
    "del": "Del",
    "arrow-up": "↑",
    "up": "↑",
    "arrow-down": "↓",
    "down": "↓",
    "arrow-left": "←",
    "left": "←",
    "arrow-right": "→",
    "right": "→",
    "page-up": "Page Up",
    "page-down": "Page Down",
    "home": "Home",
    "end": "End",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "plus": "+",
    "minus": "-",
}
MOST_ABBREVIATIONS = 200

_SNIPPET = re.compile(r"([ \t]*);?-{1,8}8<-{1,8}[ \t]*[\"']([^\"'\n]+)[\"'][ \t]*")
_SNIPPET_MARK = re.compile(r"[ \t]*-{1,8}8<-{1,8}[ \t]*")
_INCLUDE = re.compile(r"([ \t]*+)\{!>?([^!{}\n]++)!\}[ \t]*+")
_CODE_INCLUDE = re.compile(r"([ \t]*+)\{\*[ \t]*+([^\s*{}]++)([^*{}\n]*+)\*\}[ \t]*+")
_CODE_INCLUDE_LINES = re.compile(r"\b(ln|hl|title)\[([^\[\]\n]*+)\]")
_VALUE = r"(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{}\"']+)"
_ONE = rf"(?:[.#][\w:.+-]+|[A-Za-z_][\w:-]*={_VALUE}|data-[\w-]+|markdown|loading|download|open)"
_ATTRIBUTES = re.compile(rf"\{{:?[ \t]*({_ONE}(?>[ \t]+{_ONE})*+)[ \t]*\}}")
_ID = re.compile(r"(?:#|\bid=[\"']?)([\w:.+-]+)")
_ICON = re.compile(
    r"(?::(?:material|octicons|fontawesome|simple|custom|zensical|lucide)-[a-z0-9-]+:"
    r"|:(?:material|octicons|fontawesome|simple)/[a-z0-9/-]+:)[ \t]?"
)
# An atomic group: a possessive repeat of a group fails before Python 3.11.5, as that of Debian 12.
_KEY = re.compile(r"(?<!\+)\+\+((?:[\w-]+|\"[^\"\n]*\")(?>(?:\+(?:[\w-]+|\"[^\"\n]*\"))*))\+\+(?!\+)")
_MARK = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]+)==(?![=\w])")
_INSERTED = re.compile(r"\^\^(?=[^\s^])([^^\n]+)\^\^")
_SUBSCRIPT = re.compile(r"(?<!~)~(?=[^\s~])([^~\s]+)~(?!~)")
_SUPERSCRIPT = re.compile(r"(?<![\^\[])\^(?=[^\s^])([^^\s\[\]]+)\^(?!\^)")
_CRITIC = re.compile(r"\{(\+\+|--|==|>>)([^{}]{1,2000}?)(?:\+\+|--|==|<<)\}")
_CRITIC_CHANGE = re.compile(r"\{~~([^{}~]{0,2000})~>([^{}~]{0,2000})~~\}")
_MACRO = re.compile(r"\{\{([^{}\n]{1,300})\}\}|\{%([^{}\n]{1,300})%\}")
_ABBREVIATION = re.compile(r"[ \t]{0,3}\*\[([^\[\]\n]++)\]:[ \t]*+(.*)")
_DEFINITION = re.compile(r"[ \t]*\[([^\[\]\n]+)\]:[ \t]*(?!javascript:)\S")
_MARKED_ID = re.compile(rf"{HEADING_ID}([^{HEADING_ID}\n]+){HEADING_ID}")
_COMMENT_HEADING = re.compile(r"(#{1,6}[ \t]+)<!--[ \t]md:(?:option|setting|flag)[ \t]+([\w.:-]+)[ \t]*-->[ \t]*")
_REFERENCE = re.compile(r"(?<![!\]])\[([^\[\]]*)\]\[([^\[\]\n]*)\]")
_ANNOTATION = re.compile(r"\((\d{1,3})\)!")
_TAG_FLAG = re.compile(r"[ \t]markdown(?:=\"[^\"\n]*+\"|=\d)?(?=[\s>])")
_TAG = re.compile(r"<[a-z][a-z0-9]*+[^<>\n]*+>")
_NOT_ASCII = re.compile(r"[^\w\s-]")
_SPACES = re.compile(r"[-\s]+")


class MkDocs(TableDialect):
    """Reads pages of MkDocs with the theme Material."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        return _MkDocsPage(source, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        slug = _SPACES.sub("-", _NOT_ASCII.sub("", ascii_text).strip().lower())
        if not slug:  # sites in other alphabets keep their letters
            slug = _SPACES.sub("-", _NOT_ASCII.sub("", text).strip().lower())
        return free_slug(slug or "section", taken, "_")


class _MkDocsPage(ComponentPage):
    """One page while it is translated."""

    def translated(self) -> TranslatedMarkdown:
        page = self._page
        page.check_front_matter(self._rules.front_matter)
        lines = _included(page, IncludedFiles(self._source.read), page.lines(), 0)
        lines = [_named_by_comment(line) for line in lines]
        lines = without_comments(without_elements(lines, ("script", "style")))
        lines = self._with_own_tags(lines)
        lines, abbreviations = _without_abbreviations(lines)
        lines = [_heading(line) for line in lines] if any("{" in line.text for line in lines) else lines
        lines = even_tables(with_separate_tags(page, lines))
        names = {found[1].casefold(): "" for line in lines if (found := _DEFINITION.match(line.text))}
        names |= {found[1].casefold(): found[1] for line in lines if (found := _MARKED_ID.search(line.text))}
        lines = rewrite_prose(lines, lambda text, number: _inline(page, text, number, names))
        if abbreviations and not self._source.for_export:
            lines = _with_abbreviations(lines, abbreviations)
        indented = MkDocsBlocks(self._blocks)
        writer = BlockWriter(
            lambda rows, at: self._marked_block(rows, at) or indented.block(rows, at),
            self._fence,
            for_export=self._source.for_export,
        )
        return page.finished(writer.write(lines))

    def _fence(self, fence: Fence) -> list[SourceLine]:
        info = parse_code_info(fence.info, self._rules.code)
        code = [line._replace(text=_ANNOTATION.sub(r"(\1)", line.text)) for line in fence.code]
        return written_fence(fence, info, code, for_export=self._source.for_export)


def _bases(page: PageTranslation) -> list[str]:
    """Folders that included paths may be relative to, the usual one of MkDocs first."""
    root = "" if page.source.docs_root == "~" else page.source.docs_root
    return ["", posixpath.dirname(root), root, posixpath.dirname(page.source.path)]


def _read(page: PageTranslation, files: IncludedFiles, written: str) -> tuple[str, str] | None:
    return files.read(posixpath.join(base, written.lstrip("/")) for base in _bases(page))


def _included(page: PageTranslation, files: IncludedFiles, lines: list[SourceLine], depth: int) -> list[SourceLine]:
    """The lines with the files that they include, also within fences."""
    if not any("8<" in line.text or "{!" in line.text or "{*" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    in_list = False
    for line in lines:
        text = line.text
        if in_list and not _SNIPPET_MARK.fullmatch(text):
            name = text.strip()
            if name and not name.startswith(";"):
                result += _file(page, files, name, line, depth=depth)
            continue
        if "8<" in text and _SNIPPET_MARK.fullmatch(text):
            in_list = not in_list
            continue
        found = (_SNIPPET.fullmatch(text) if "8<" in text else None) or (
            _INCLUDE.fullmatch(text) if "{!" in text else None
        )
        if found:
            if not text.lstrip().startswith(";"):
                result += _file(page, files, found[2].strip(), line, pad=found[1], depth=depth)
            continue
        code = _CODE_INCLUDE.fullmatch(text) if "{*" in text else None
        result += _code_file(page, files, code, line) if code else [line]
    return result


def _file(
    page: PageTranslation, files: IncludedFiles, written: str, line: SourceLine, *, pad: str = "", depth: int
) -> list[SourceLine]:
    if written.startswith(("http://", "https://")):
        page.report(line.number, f"the included file {written} is not in the repository")
        return []
    path, _, selection = written.partition(":")
    read = _read(page, files, path) if depth < DEEPEST else None
    is_region = bool(selection) and not re.fullmatch(r"[\d:,;-]+", selection)
    text = None
    if read:
        body = split_front_matter(read[1])[1] if path.endswith(".md") else read[1]
        text = selected_lines(body, region=selection if is_region else "", lines="" if is_region else selection)
    if text is None:
        page.report(line.number, f"the included file {written} does not exist")
        return []
    inner = [SourceLine(f"{pad}{row}" if row else "", line.number) for row in text.split("\n")]
    return _included(page, files, inner, depth + 1)


def _code_file(page: PageTranslation, files: IncludedFiles, found: re.Match[str], line: SourceLine) -> list[SourceLine]:
    pad, written, options = found[1], found[2], dict(_CODE_INCLUDE_LINES.findall(found[3]))
    read = _read(page, files, written)
    text = selected_lines(read[1], lines=options.get("ln", "").replace(",", ";")) if read else None
    if read is None or text is None:
        page.report(line.number, f"the included file {written} does not exist")
        return []
    language = posixpath.splitext(read[0])[1].removeprefix(".") or "text"
    title = f' title="{options["title"]}"' if options.get("title") else ""
    marked = f' hl_lines="{options["hl"].replace(":", "-")}"' if options.get("hl") else ""
    rows = [f"```{language}{title}{marked}", *text.split("\n"), "```"]
    return [SourceLine(f"{pad}{row}" if row else "", line.number) for row in rows]


def _without_abbreviations(lines: list[SourceLine]) -> tuple[list[SourceLine], dict[str, str]]:
    found: dict[str, str] = {}
    remaining: list[SourceLine] = []
    for chunk in chunks(lines):
        if isinstance(chunk, Fence):
            remaining += chunk.lines
            continue
        for line in chunk:
            one = _ABBREVIATION.fullmatch(line.text) if "*[" in line.text else None
            if one is None:
                remaining.append(line)
            elif len(found) < MOST_ABBREVIATIONS:
                found[one[1]] = one[2].strip()
    return remaining, found


def _with_abbreviations(lines: list[SourceLine], known: dict[str, str]) -> list[SourceLine]:
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w<>/\"'=.\[`-])({names})(?![\w<>/\"'=`-])")

    def wrapped(text: str, _number: int) -> str:
        if "<" in text or "](" in text or text.lstrip().startswith("#"):
            return text  # not within tags, addresses of links and headings
        return pattern.sub(lambda one: f'<abbr title="{escape(known[one[1]])}">{one[1]}</abbr>', text)

    return rewrite_prose(lines, wrapped)


def _heading(line: SourceLine) -> SourceLine:
    if not line.text.lstrip(" >").startswith("#"):
        return line
    split = split_attributes(line.text.rstrip(" #"))
    if split is None or not _ATTRIBUTES.fullmatch(f"{{{split[1]}}}"):
        return line
    id = _ID.search(split[1])
    return line._replace(text=f"{split[0]} {heading_mark(id[1])}" if id else split[0])


def _named_by_comment(line: SourceLine) -> SourceLine:
    """A heading of nothing but a comment that a plug-in replaces: its last word is the name of what it is about."""
    found = _COMMENT_HEADING.fullmatch(line.text) if "<!-- md:" in line.text else None
    return line._replace(text=f"{found[1]}`{found[2]}` {heading_mark(found[2])}") if found else line


def _inline(page: PageTranslation, text: str, number: int, definitions: Mapping[str, str]) -> str:
    if "{" in text:
        text = _ATTRIBUTES.sub(_anchor, text)
        text = _CRITIC_CHANGE.sub(r"<del>\1</del><ins>\2</ins>", text)
        text = _CRITIC.sub(_critic, text)
        lines = LineCounter(text, number)
        text = _MACRO.sub(lambda one: _macro(page, one, lines), text)
    if "++" in text:
        text = _KEY.sub(_keys, text)
    if "==" in text:
        text = _MARK.sub(r"<mark>\1</mark>", text)
    if "^" in text:
        text = _SUPERSCRIPT.sub(r"<sup>\1</sup>", _INSERTED.sub(r"<ins>\1</ins>", text))
    if "~" in text:
        text = _SUBSCRIPT.sub(r"<sub>\1</sub>", text)
    if "][" in text:
        text = _REFERENCE.sub(lambda one: _reference(page, one, number, definitions), text)
    if " markdown" in text:
        text = _TAG.sub(lambda tag: _TAG_FLAG.sub("", tag[0]), text)
    return with_emoji(_ICON.sub("", text)) if ":" in text else text


def _anchor(found: re.Match[str]) -> str:
    id = _ID.search(found[1])
    return f'<a id="{id[1]}"></a>' if id else ""


def _critic(found: re.Match[str]) -> str:
    tag = {"++": "ins", "--": "del", "==": "mark"}.get(found[1])
    return f"<{tag}>{found[2]}</{tag}>" if tag else ""


def _macro(page: PageTranslation, found: re.Match[str], lines: LineCounter) -> str:
    page.report(lines.number_at(found.start()), f"the macro {found[0][:80]} is not evaluated")
    if found[2] or found.string[found.start() - 1 : found.start()] in ('"', "'", "(", "="):
        return ""  # a statement, or a part of an address
    return f"<code>{escape(found[0], quote=False)}</code>"


def _keys(found: re.Match[str]) -> str:
    names = (name.strip('"') for name in re.findall(r"\"[^\"\n]*\"|[\w-]+", found[1]))
    return "+".join(
        f"<kbd>{escape(KEYS.get(name.lower(), name if len(name) > 1 else name.upper()))}</kbd>" for name in names
    )


def _reference(page: PageTranslation, found: re.Match[str], number: int, definitions: Mapping[str, str]) -> str:
    target = found[2] or found[1]
    known = definitions.get(" ".join(target.split()).casefold())
    if known:
        return f"[{found[1]}](#{known})"
    if "\ue010" in target and not any("`" in name for name in definitions):
        return found[1]
    if known is not None or target.startswith("^") or "\ue010" in target or not found[1]:
        return found[0]
    page.report(number, f"the reference {target[:80]} names nothing in this page", is_warning=True)
    return found[1] or target

"""Directives of MyST as marked elements, or as Markdown of this site where no shape of a component has them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects.components.component_blocks import ComponentBlocks, escaped
from kinfolk.content.markdown.dialects.components.marked_elements import Element, MarkedElements
from kinfolk.content.markdown.dialects.dialect_rules import DialectRules
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.readers.myst.directive_reading import Directive, directive_at
from kinfolk.content.markdown.dialects.readers.myst.page_labels import label_id
from kinfolk.content.markdown.dialects.readers.myst.references import References
from kinfolk.content.markdown.dialects.readers.myst.tables_of_data import csv_rows, list_rows, table_of
from kinfolk.content.markdown.dialects.syntax.blocks import BLOCK_CLOSE
from kinfolk.content.markdown.dialects.syntax.included_files import DEEPEST, IncludedFiles, rebased, selected_lines
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, fence_at, trimmed
from kinfolk.content.markdown.front_matter import split_front_matter

DEEPEST_DIRECTIVE = 10
CODE = frozenset("code code-block sourcecode code-cell prompt ipython parsed-literal doctest".split())
QUOTES = frozenset("epigraph highlights pull-quote blockquote".split())
TITLED = frozenset("admonition topic sidebar dropdown details toggle exercise solution theorem proof".split())
"""Directives whose argument is the title."""
VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_WORDS = re.compile(r"(\S++)[ \t]*+(.*)")
_LANGUAGES = {"ipython3": "python", "ipython": "python", "pycon": "python", "pycon3": "python", "none": "text"}
_SPAN = re.compile(r"[^\w.+#-]")


class Directives:
    """Replaces the directives of one page. `inline` writes what a title has of roles."""

    def __init__(
        self,
        page: PageTranslation,
        rules: DialectRules,
        blocks: ComponentBlocks,
        marks: MarkedElements,
        *,
        references: References,
        files: IncludedFiles,
        inline: Callable[[str, int], str],
    ) -> None:
        self._page = page
        self._rules = rules
        self._blocks = blocks
        self._marks = marks
        self._references = references
        self._files = files
        self._inline = inline

    def written(self, lines: list[SourceLine], path: str, depth: int = 0, files: int = 0) -> list[SourceLine]:
        """The lines of the file `path`. `depth` counts directives within others, `files` included files."""
        if not any("{" in line.text or ":::" in line.text for line in lines):
            return lines
        result: list[SourceLine] = []
        at = 0
        while at < len(lines):
            directive = directive_at(lines, at) if depth < DEEPEST_DIRECTIVE else None
            if directive is None:
                fence = fence_at(lines, at)
                result += fence.lines if fence else [lines[at]]
                at += len(fence.lines) if fence else 1
                continue
            rows = self._one(directive, path, depth, files)
            if directive.option("name", "label"):
                anchor = f'<a id="{label_id(directive.option("name", "label"))}"></a>'
                rows = [SourceLine(anchor, directive.number), SourceLine("", directive.number), *rows]
            pad = directive.pad
            for place, row in enumerate(rows):
                result.append(row._replace(text=f"{pad if place else directive.prefix}{row.text}" if row.text else ""))
            at = directive.end
        return result

    def _one(self, one: Directive, path: str, depth: int, files: int) -> list[SourceLine]:
        name = one.name
        if name in CODE:
            return self._code(one, one.argument, one.body)
        match name:
            case "mermaid":
                return _fenced(one, "mermaid", one.body)
            case "literalinclude":
                return self._literal_include(one, path)
            case "include":
                return self._include(one, path, depth, files)
            case "image" | "figure":
                return self._figure(one, path, depth, files)
            case "list-table" | "csv-table" | "table":
                return self._table(one, path, depth, files)
            case "glossary":
                return self.written(_glossary(one), path, depth + 1, files)
        text = self._text(one)
        if text is not None:
            return _apart(text)
        inner = self.written(one.body, path, depth + 1, files)
        if name in QUOTES:
            return _apart([line._replace(text=f"> {line.text}".rstrip()) for line in trimmed(inner)])
        return self._component(one, inner)

    def _text(self, one: Directive) -> list[SourceLine] | None:
        """A directive whose body has no directives; None for others."""
        match one.name:
            case "math":
                body = [*self._rows(one, one.argument), *trimmed(one.body)]
                anchor = one.option("label")
                first = [SourceLine(f'<a id="equation-{label_id(anchor)}"></a>', one.number)] if anchor else []
                return [*first, SourceLine("$$", one.number), *body, SourceLine("$$", one.number)]
            case "raw":
                return one.body if "html" in one.argument else []
            case "rubric" | "centered":
                return self._rows(one, f"**{self._inline(one.argument, one.number)}**")
            case "button-ref" | "button-link":
                return self._rows(one, self._button(one))
        return None

    def _component(self, one: Directive, inner: list[SourceLine]) -> list[SourceLine]:
        if ":" in one.name and self._blocks.component(one.name) is None:
            return self._documented(one, inner)
        named = Element(one.name, number=one.number)
        component = self._blocks.shown(named, f"directive {one.name}", is_warning=True)
        if component.shape in ("generated", "nothing"):
            return []
        if component.shape == "content":
            return _apart(inner)
        title, body = self._titled(one, component, inner)
        name, attributes = one.name, self._attributes(one, component)
        if "dropdown" in one.option("class").split():
            title = title or self._rules.callouts.get(one.name, ("", ""))[1] or one.name.capitalize()
            name = "dropdown"
        mark = self._marks.mark(Element(name, attributes, title=title, number=one.number))
        return _apart([SourceLine(mark, one.number), *body, SourceLine(BLOCK_CLOSE, one.number)])

    def _documented(self, one: Directive, inner: list[SourceLine]) -> list[SourceLine]:
        """A directive of a domain, such as `py:function`: what it documents, and its text."""
        self._page.report(one.number, f"the directive {one.name} is generated, and only its text is shown")
        named = self._rows(one, f"`{one.argument.replace('`', '')}`") if one.argument else []
        return _apart([*named, *self._rows(one, ""), *inner])

    def _titled(self, one: Directive, component: Component, inner: list[SourceLine]) -> tuple[str, list[SourceLine]]:
        """The title and the body: the argument is one or the other."""
        if one.name in VERSIONS:
            words = _WORDS.fullmatch(one.argument)
            title = f"{VERSIONS[one.name]} {words[1]}" if words else ""
            return title, [*self._rows(one, words[2] if words else ""), *inner]
        body = [line for line in inner if component.shape != "card" or line.text.strip() not in ("^^^", "+++")]
        if one.name in TITLED or component.shape in ("tab", "card", "fold"):
            return self._inline(one.argument, one.number), body
        if component.shape == "callout" and one.argument:
            body = [*self._rows(one, one.argument), *self._rows(one, ""), *inner]
        return "", body

    def _attributes(self, one: Directive, component: Component) -> dict[str, str]:
        kind = next((word for word in one.option("class").split() if word in self._rules.callouts), "")
        attributes = dict(one.options) if self._blocks.is_own(one.name) else {}
        attributes |= {"type": kind} if kind else {}
        if "open" in one.options:
            attributes["open"] = "true"
        if component.shape == "card":
            attributes["href"] = self._target(one, one.option("link", "url"), one.option("link-type"))
        if component.shape == "embed":
            attributes["src"] = one.argument
        return attributes

    def _rows(self, one: Directive, text: str) -> list[SourceLine]:
        return [SourceLine(text, one.number)]

    def _target(self, one: Directive, written: str, kind: str) -> str:
        if not written or written.startswith(("https://", "http://")) or kind == "url":
            return written
        bare = written.removeprefix("#")
        found = self._references.page(written) if kind != "ref" else None
        found = found or self._references.label(bare) or self._references.page(written)
        if found is None and kind == "ref":
            self._page.report(one.number, f"the label {written[:80]} is unknown")
            return ""
        return found.address if found else written

    def _button(self, one: Directive) -> str:
        kind = "url" if one.name == "button-link" else one.option("ref-type")
        address = self._target(one, one.argument, kind)
        text = " ".join(line.text.strip() for line in one.body).strip() or escaped(one.argument)
        return f"[{self._inline(text, one.number)}](<{address}>)" if address else text

    def _code(self, one: Directive, language: str, code: list[SourceLine]) -> list[SourceLine]:
        name = _SPAN.sub("", (language or "text").split()[0] if language.split() else "text")
        caption = " ".join(one.option("caption", "filename").lstrip("|>").split()).replace('"', "'").replace("`", "")
        title = f' title="{caption}"' if caption else ""
        marked = one.option("emphasize-lines").replace(" ", "")
        lines = f" {{{marked}}}" if re.fullmatch(r"[\d,-]+", marked) else ""
        return _fenced(one, f"{_LANGUAGES.get(name.lower(), name)}{title}{lines}", code)

    def _read(self, one: Directive, path: str, written: str) -> tuple[str, str] | None:
        root = "" if self._page.source.docs_root == "~" else self._page.source.docs_root
        inside = written.lstrip("/")
        bases = [root] if written.startswith("/") else [posixpath.dirname(path), root]
        read = self._files.read(posixpath.join(base, inside) for base in bases) if inside else None
        if read is None:
            self._page.report(one.number, f"the included file {written[:80]} does not exist")
        return read

    def _literal_include(self, one: Directive, path: str) -> list[SourceLine]:
        read = self._read(one, path, one.argument)
        if read is None:
            return []
        rows = self._selected(one, read[1])
        language = one.option("language") or posixpath.splitext(read[0])[1].removeprefix(".")
        return self._code(one, language, [SourceLine(row, one.number) for row in rows])

    def _selected(self, one: Directive, text: str) -> list[str]:
        rows = text.removesuffix("\n").split("\n")
        for key, offset in (("start-after", 1), ("start-at", 0)):
            if value := one.option(key):
                at = next((at for at, row in enumerate(rows) if value in row), None)
                if at is None:
                    self._page.report(one.number, f"the included file has no text {value[:60]}")
                rows = rows[(at or 0) + (offset if at is not None else 0) :]
        for key, offset in (("end-before", 0), ("end-at", 1)):
            if value := one.option(key):
                at = next((at for at, row in enumerate(rows) if value in row), None)
                rows = rows[: at + offset] if at is not None else rows
        if value := one.option("start-line"):
            rows = rows[int(value) :] if value.isdecimal() else rows
        if value := one.option("end-line"):
            rows = rows[: int(value)] if value.isdecimal() else rows
        if value := one.option("lines"):
            rows = (selected_lines("\n".join(rows), lines=value.replace(" ", "").replace(",", ";")) or "").split("\n")
        if "dedent" in one.options:
            width = int(one.options["dedent"]) if one.options["dedent"].isdecimal() else None
            rows = [line.text for line in dedent([SourceLine(row, 0) for row in rows], width)]
        return rows

    def _include(self, one: Directive, path: str, depth: int, files: int) -> list[SourceLine]:
        if "literal" in one.options or "code" in one.options:
            language = one.option("code")
            read = self._read(one, path, one.argument)
            rows = self._selected(one, read[1]) if read else []
            return self._code(one, language, [SourceLine(row, one.number) for row in rows]) if read else []
        read = self._read(one, path, one.argument) if files < DEEPEST else None
        if read is None:
            return []
        if read[0].endswith((".rst", ".txt")) and "parser" not in one.options and not read[0].endswith(".inc.md"):
            self._page.report(one.number, f"{read[0]} is reStructuredText, which is not supported, and not shown")
            return []
        prefix = one.option("relative-docs")
        text = rebased(split_front_matter(read[1])[1], read[0], self._page.source.path, prefix)
        inner = [SourceLine(row, one.number) for row in self._selected(one, text)]
        return _apart(self.written(inner, read[0], depth + 1, files + 1))

    def _figure(self, one: Directive, path: str, depth: int, files: int) -> list[SourceLine]:
        alt = escaped(one.option("alt"))
        image = f"![{alt}](<{one.argument}>)" if one.argument else ""
        if target := self._target(one, one.option("target"), ""):
            image = f"[{image}](<{target}>)"
        caption = trimmed(self.written(one.body, path, depth + 1, files))
        if one.name == "image" or not caption:
            return _apart([*self._rows(one, image), *caption])
        end = next((at for at, line in enumerate(caption) if line.is_blank), len(caption))
        title = self._inline(" ".join(line.text.strip() for line in caption[:end]), one.number)
        mark = self._marks.mark(Element("figure", title=title, number=one.number))
        return _apart([*self._rows(one, mark), *self._rows(one, image), *self._rows(one, BLOCK_CLOSE), *caption[end:]])

    def _table(self, one: Directive, path: str, depth: int, files: int) -> list[SourceLine]:
        written = one.option("header-rows")
        headers = int(written[:3]) if written.isdecimal() else 0
        if one.name == "table":
            body = self.written(one.body, path, depth + 1, files)
        elif one.name == "list-table":
            body = table_of(list_rows(self.written(one.body, path, depth + 1, files)), headers, one.number)
        else:
            body = self._csv(one, path, headers)
        title = self._inline(one.argument, one.number)
        caption = [*self._rows(one, f"**{title}**"), *self._rows(one, "")] if title else []
        return _apart([*caption, *body])

    def _csv(self, one: Directive, path: str, headers: int) -> list[SourceLine]:
        text = "\n".join(line.text for line in one.body)
        if file := one.option("file"):
            read = self._read(one, path, file)
            text = read[1] if read else ""
        delimiter = {"tab": "\t", "space": " "}.get(one.option("delim"), one.option("delim")[:1] or ",")
        rows = csv_rows(text, delimiter)
        if header := one.option("header"):
            rows, headers = [*csv_rows(header, delimiter), *rows], 1
        return table_of(rows, headers, one.number)


def _apart(rows: list[SourceLine]) -> list[SourceLine]:
    if not rows:
        return []
    return [SourceLine("", rows[0].number), *rows, SourceLine("", rows[-1].number)]


def _fenced(one: Directive, info: str, code: list[SourceLine]) -> list[SourceLine]:
    longest = max((len(run) for line in code for run in re.findall("`{3,}", line.text)), default=2)
    mark = "`" * max(3, longest + 1)
    return [SourceLine(f"{mark}{info}", one.number), *code, SourceLine(mark, one.number)]


def _glossary(one: Directive) -> list[SourceLine]:
    """Terms with their definitions, as a definition list with an anchor for each term."""
    result: list[SourceLine] = []
    is_after_term = False
    for line in trimmed(one.body):
        text = line.text
        if text.startswith(":"):
            result.append(line)
            is_after_term = False
        elif text[:1] in (" ", "\t") or not text.strip():
            bare = text.strip()
            result.append(line._replace(text=f": {bare}" if is_after_term and bare else f"  {bare}" if bare else ""))
            is_after_term = is_after_term and not bare
        else:
            result.append(line._replace(text=f'<a id="term-{label_id(text)}"></a>{text.strip()}'))
            is_after_term = True
    return _apart(result)

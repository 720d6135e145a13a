"""Statements and comments of MDX: they are removed, and what they import is remembered."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kinfolk.content.markdown.dialects.dialect import DialectSource
from kinfolk.content.markdown.dialects.syntax.component_tags import string_value
from kinfolk.content.markdown.dialects.syntax.included_files import IncludedFiles
from kinfolk.content.markdown.dialects.syntax.jsx_text import elements_of
from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, fence_at, numbered, parts
from kinfolk.content.markdown.literals.config_access import entry, table_of
from kinfolk.content.markdown.literals.config_values import ConfigText, ConfigValue
from kinfolk.content.markdown.literals.javascript_config import (
    read_javascript_config,
    read_javascript_expression,
    read_javascript_value,
)

LONGEST_ESM = 2_000
"""Lines of one `import` or `export`."""
LARGEST_MODULE = 100_000
"""Characters of a module whose constants are read."""
MODULE_ENDS = ("", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".json", "/index.ts", "/index.js")

_ESM = re.compile(
    r"import[ \t]++(?:[\"'{*]|[\w$]++(?:[ \t]++from\b|[ \t]*+,[ \t]*+[{*])).*"
    r"|export[ \t]++(?:default|const|let|var|function|class|async|type|interface|\{|\*).*"
)
_IMPORT = re.compile(
    r"import\s++(?:([A-Za-z_$][\w$]*+)\s*+(?:,\s*+)?)?(?:\{([^{}]*+)\}\s*+)?from\s*+[\"']([^\"'\n]++)[\"']"
)
_EXPORT = re.compile(r"export\s+(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(.*?);?\s*", re.DOTALL)
_COMMENT = re.compile(r"\{/\*|\*/\}")
_MEMBER = re.compile(r"\s*([A-Za-z_$][\w$]*)((?:\.[A-Za-z_$][\w$]*){0,4})\s*")
_RAW = "?raw"
_SHOWN = re.compile(
    r"(?<![\w$])([A-Za-z_$][\w$]*+)(?:\s*+=)?\s*+\(\)\s*+(?:=>\s*+)?(?:\{\s*+return\b\s*+)?(?:\(\s*+)?<([A-Z]\w*+)\s*+/>"
)
"""A function without parameters that returns one element without properties."""


class Statement(NamedTuple):
    """What declares a name: a file and the name there, or a value as written."""

    file: str = ""
    name: str = "default"
    value: str = ""


class Imports:
    """What the statements of a page import and declare: Markdown files, and constants of modules."""

    def __init__(self, files: IncludedFiles, source: DialectSource) -> None:
        self._files = files
        self._docs_root = source.docs_root
        self._modules: dict[str, tuple[Statement, str]] = {}
        self._values: dict[str, ConfigValue | None] = {}
        self.elements: dict[str, str] = {}
        """Constants of the page that are elements of JSX -> their source."""
        self._shown: dict[str, tuple[str, str] | None] = {}

    def add(self, statements: Mapping[str, Statement], path: str) -> Mapping[str, str]:
        """Add the statements of a file, by the name that they declare. Returns the Markdown files among them."""
        partials = {}
        for name, statement in statements.items():
            if statement.value:
                self._values[name] = read_javascript_expression(statement.value)
                if (elements := elements_of(statement.value)) is not None:
                    self.elements[name] = elements
            elif statement.file.endswith((".md", ".mdx")) and statement.name == "default":
                partials[name] = statement.file
            else:
                self._modules[name] = (statement, path)
        return partials

    def candidates(self, written: str, path: str) -> list[str]:
        """Paths of a file that `import` names: `@site` and `@` are folders above that of the docs."""
        for prefix in ("@site/", "@/", "~/"):
            if written.startswith(prefix):
                inside = written.removeprefix(prefix)
                return [posixpath.join(base, inside) for base in self._upper()]
        if written.startswith("/"):
            root = "" if self._docs_root == "~" else self._docs_root
            return [posixpath.join(root, written[1:]), written[1:]]
        if written.startswith("@") and "/" in written:  # an alias: `@components/x` for `components/x`
            return [posixpath.join(base, written[1:]) for base in self._upper()]
        return [posixpath.join(posixpath.dirname(path), written)]

    def _upper(self) -> list[str]:
        """Folders above that of the docs, the likeliest first."""
        above = posixpath.dirname("" if self._docs_root == "~" else self._docs_root)
        upper = (above, "website", posixpath.dirname(above), posixpath.dirname(posixpath.dirname(above)), "")
        return list(dict.fromkeys(upper))

    def constant(self, expression: str) -> ConfigValue | None:
        """The value of an expression: a literal, or a constant that the page declares or imports."""
        found = _MEMBER.fullmatch(expression)
        if found is None or found[1] in ("true", "false", "null", "undefined"):
            return read_javascript_expression(expression)
        value = self._named(found[1])
        keys = found[2].split(".")[1:]
        return entry(table_of(value), *keys) if keys else value

    def text(self, expression: str) -> str | None:
        """The value, if it is a text."""
        literal = string_value(expression)
        if literal is not None or not _MEMBER.fullmatch(expression):
            return literal
        value = self.constant(expression)
        return value.text if isinstance(value, ConfigText) and expression.strip() != value.text else None

    def _named(self, name: str) -> ConfigValue | None:
        if name not in self._values:
            self._values[name] = None
            statement, path = self._modules.get(name, (Statement(), ""))
            if read := self._module(statement, path):
                self._values[name] = _value_in(read[1], read[0], statement)
        return self._values[name]

    def _module(self, statement: Statement, path: str) -> tuple[str, str] | None:
        """Path and text of the file of the repository that a statement imports from."""
        file = statement.file.removesuffix(_RAW)
        is_own = file.startswith((".", "/", "@site/", "@/", "~/"))
        bases = self.candidates(file, path) if is_own else []
        read = self._files.read(f"{base}{end}" for base in bases for end in MODULE_ENDS)
        return read if read and len(read[1]) <= LARGEST_MODULE else None

    def shown_file(self, name: str) -> tuple[str, str] | None:
        """The Markdown file that is all that a component of a module shows, as written, and the file of the module."""
        if name not in self._shown:
            self._shown[name] = None
            statement, path = self._modules.get(name, (Statement(), ""))
            read = self._module(statement, path) if statement.file and statement.name != "default" else None
            shown = dict(_SHOWN.findall(read[1])) if read else {}
            inner = _imported(read[1]).get(shown.get(statement.name, "")) if read else None
            if read and inner and inner.file.endswith((".md", ".mdx")):
                self._shown[name] = (inner.file, read[0])
        return self._shown[name]


def _value_in(text: str, path: str, statement: Statement) -> ConfigValue | None:
    """What a statement imports from the text of a file."""
    if statement.file.endswith(_RAW):
        return ConfigText(0, text)
    if path.endswith((".md", ".mdx")):
        declared = without_statements(numbered(text, 1))[1].get(statement.name, Statement())
        return read_javascript_expression(declared.value) if declared.value else None
    if statement.name == "default":
        return read_javascript_config(text, lambda *_: None)
    return read_javascript_value(text, statement.name, lambda *_: None)


def without_statements(lines: list[SourceLine]) -> tuple[list[SourceLine], dict[str, Statement]]:
    """The lines without `import` and `export`, and these statements by the names that they declare."""
    if not any(line.text.startswith(("import", "export")) for line in lines):
        return lines, {}
    declared: dict[str, Statement] = {}
    result: list[SourceLine] = []
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence is not None:
            result += fence.lines
            at += len(fence.lines)
            continue
        text = lines[at].text
        # A line behind one with an open template is a part of it.
        is_template = at > 0 and lines[at - 1].text.count("`") % 2 == 1
        if not text.startswith(("import", "export")) or is_template or not _ESM.fullmatch(text):
            result.append(lines[at])
            at += 1
            continue
        end = _statement_end(lines, at)
        statement = "\n".join(line.text for line in lines[at:end])
        if exported := _EXPORT.fullmatch(statement):
            declared[exported[1]] = Statement(value=exported[2])
        else:
            declared |= _imported(statement)
        result.append(SourceLine("", lines[at].number))
        at = end
    return result, declared


def declared_texts(text: str) -> Mapping[str, str]:
    """The constants of a page that are texts, by name."""
    declared = without_statements(numbered(text, 1))[1] if "export" in text else {}
    values = {name: read_javascript_expression(one.value) for name, one in declared.items() if one.value}
    return {name: value.text for name, value in values.items() if isinstance(value, ConfigText)}


def _statement_end(lines: list[SourceLine], at: int) -> int:
    """The line behind a statement: brackets are closed, and a blank line or another statement follows."""
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
    return end


def _imported(text: str) -> dict[str, Statement]:
    """What the `import` statements of a text declare."""
    declared: dict[str, Statement] = {}
    for found in _IMPORT.finditer(text) if "import" in text else ():
        # Formatters escape an underscore at the start of a name, which JavaScript ignores.
        file = found[3].replace("\\_", "_")
        if found[1]:
            declared[found[1]] = Statement(file)
        for written in (found[2] or "").split(","):
            theirs, _, own = written.partition(" as ")
            if theirs.strip():
                declared[(own or theirs).strip()] = Statement(file, theirs.strip())
    return declared


def without_mdx_comments(lines: list[SourceLine], with_id: Callable[[SourceLine], SourceLine]) -> list[SourceLine]:
    """The lines without comments. One that `with_id` reads as the id of a heading stays."""
    if not any("{/*" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    is_open = False
    for part in parts(lines):
        if isinstance(part, Fence):
            result += [] if is_open else part.lines
            continue
        text = part.text
        if not is_open and ("{/*" not in text or with_id(part) is not part):
            result.append(part)
            continue
        remaining: list[str] = []
        done = 0
        for mark in _COMMENT.finditer(text):
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

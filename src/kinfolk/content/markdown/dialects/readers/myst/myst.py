"""The syntax of MyST: directives, roles, labels, substitutions and attributes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator

from kinfolk.content.markdown.dialects.components.component_blocks import escaped
from kinfolk.content.markdown.dialects.dialect import DialectSource, TranslatedMarkdown
from kinfolk.content.markdown.dialects.dialect_rules import DialectRules
from kinfolk.content.markdown.dialects.readers.myst.directive_writing import Directives
from kinfolk.content.markdown.dialects.readers.myst.page_labels import label_id
from kinfolk.content.markdown.dialects.readers.myst.references import References
from kinfolk.content.markdown.dialects.readers.myst.roles import Roles
from kinfolk.content.markdown.dialects.syntax.block_writer import BlockWriter
from kinfolk.content.markdown.dialects.syntax.html_removal import without_comments, without_elements
from kinfolk.content.markdown.dialects.syntax.included_files import IncludedFiles
from kinfolk.content.markdown.dialects.syntax.slug_suffix import free_slug
from kinfolk.content.markdown.dialects.syntax.source_lines import (
    LineCounter,
    SourceLine,
    expand_lines,
    rewrite_chunks,
    rewrite_prose,
)
from kinfolk.content.markdown.dialects.table_dialect import ComponentPage, TableDialect
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.content.markdown.links.slugs import github_slug
from kinfolk.content.markdown.literals.python_config import read_python_config
from kinfolk.runtime.budget import BUDGETS, OverBudget

_LABEL = re.compile(r"([ \t>]*+)\(([^()\n]++)\)=[ \t]*+")
_BLOCK_ATTRIBUTES = re.compile(r"([ \t>]*+)\{((?>[ \t]*[.#]?[\w][\w=\"'/:.%-]*)*)[ \t]*\}[ \t]*")
_ATTRIBUTES = re.compile(r"(?<=[\])\ue011>])\{([.#][^{}\n]*+|[\w-]++=[^{}\n]*+)\}")
_ID = re.compile(r"(?:^|[ \t])#([\w./:-]++)")
_SPAN = re.compile(r"\[([^\[\]\n]*+)\](?=\ue012)")
_SUBSTITUTION = re.compile(r"\{\{((?>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*))\}\}")
_LINK = re.compile(r"(!?)\[([^\[\]]*+)\]\((?:<([^<>\n]*+)>|([^()\s<>]*+))((?:[ \t]++\"[^\"\n]*+\")?)\)")
_AUTOLINK = re.compile(r"<(project|path|inv|myst):([^<>\s]*+)>")
_DEFINITION = re.compile(r"([ ]{0,3}\[[^\[\]\n]++\]:[ \t]++)(?:project:)?#(\S++)(.*)")
_FIELD = re.compile(r"([ \t>]*+):([A-Za-z][^:\n`]{0,80}+):[ \t]++(\S.*)")
_MARK_OR_OPTION = re.compile(r"[ \t]*+(?:```|:)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


class Myst(TableDialect):
    """Reads pages of Sphinx with MyST-Parser."""

    def translate(self, source: DialectSource) -> TranslatedMarkdown:
        return _MystPage(source, self.rules).translated()

    def slug(self, text: str, taken: Container[str]) -> str:
        return free_slug(github_slug(text) or "section", taken, "-")


class _MystPage(ComponentPage):
    """One page while it is translated."""

    def __init__(self, source: DialectSource, rules: DialectRules) -> None:
        super().__init__(source, rules)
        self._references = References(source)
        self._roles = Roles(self._page, self._references)
        self._left = BUDGETS["markdown"].input_bytes
        self._substitutions = _substitutions(source)

    def translated(self) -> TranslatedMarkdown:
        page = self._page
        page.check_front_matter(self._rules.front_matter)
        directives = Directives(
            page,
            self._rules,
            self._blocks,
            self._marks,
            references=self._references,
            files=IncludedFiles(self._source.read),
            inline=self._title,
        )
        lines = expand_lines(page.lines(), self._substituted_block) if self._substitutions else page.lines()
        lines = directives.written(lines, self._source.path)
        lines = self._with_own_tags(without_comments(without_elements(lines, ("script", "style"))))
        lines = expand_lines(lines, self._line)
        lines = rewrite_chunks(lines, self._roles.rewrite)
        lines = rewrite_prose(lines, self._inline)
        writer = BlockWriter(self._marked_block, self._fence, for_export=self._source.for_export)
        return page.finished(writer.write(lines))

    def _title(self, text: str, number: int) -> str:
        return self._roles.rewrite(text, number)

    def _line(self, line: SourceLine) -> list[SourceLine] | None:
        """Lines that are no text of their own: comments, breaks between blocks, labels and attributes."""
        text = line.text
        bare = text.strip()
        if bare.startswith("%") and text.lstrip(" >").startswith("%"):
            return []
        if bare.startswith("+++") and not text.startswith(" "):
            return [line._replace(text="")]
        empty = line._replace(text="")
        if ")=" in text and (label := _LABEL.fullmatch(text)):
            return [empty, line._replace(text=f'{label[1]}<a id="{label_id(label[2])}"></a>'), empty]
        if bare == ":" * max(3, len(bare)):  # the end of a directive that ended before
            return [empty]
        bare = bare.lstrip("> ")
        if bare.startswith("{") and bare.endswith("}") and (found := _BLOCK_ATTRIBUTES.fullmatch(text)):
            ids = _ID.findall(found[2])
            return [line._replace(text=f'{found[1]}<a id="{label_id(ids[0])}"></a>'), empty] if ids else [empty]
        if ":" in text and (field := _FIELD.fullmatch(text)):
            return [line._replace(text=f"{field[1]}- **{field[2]}**: {field[3]}")]
        return None

    def _inline(self, text: str, number: int) -> str:
        if "{{" in text:
            lines = LineCounter(text, number)
            text = _SUBSTITUTION.sub(lambda one: self._substituted(one, lines), text)
        if "{" in text:
            text = _ATTRIBUTES.sub(_anchor, text)
            text = _SPAN.sub(r"\1", text).replace("\ue012", "")
        if "](" in text:
            text = _LINK.sub(self._link, text)
        if "<" in text and ":" in text:
            text = _AUTOLINK.sub(self._autolink, text)
        if "]:" in text and "#" in text:
            text = "\n".join(_DEFINITION.sub(self._definition, row) for row in text.split("\n"))
        return text

    def _substituted_block(self, line: SourceLine) -> list[SourceLine] | None:
        """The lines of a text that is alone on its line, so that it can have directives."""
        found = _SUBSTITUTION.fullmatch(line.text.strip()) if "{{" in line.text else None
        value = self._value(found[1]) if found else None
        return None if value is None else [line._replace(text=row) for row in value.split("\n")]

    def _value(self, name: str) -> str | None:
        value = self._substitutions.get(name.strip())
        self._left -= len(value or "")
        if self._left < 0:
            raise OverBudget("markdown", "size", "The substitutions of this page are longer than the site formats")
        return value

    def _substituted(self, found: re.Match[str], lines: LineCounter) -> str:
        value = self._value(found[1])
        if value is None:
            number = lines.number_at(found.start())
            self._page.report(number, f"the substitution {found[0][:60]} is not evaluated")
            return ""
        if "{{" in value:
            value = _SUBSTITUTION.sub(lambda one: self._value(one[1]) or "", value)
        return value if "\n" not in value else _one_line(value)

    def _link(self, found: re.Match[str]) -> str:
        target = found[3] if found[3] is not None else found[4]
        if found[1] or target.startswith(("http:", "https:", "mailto:")):
            return found[0] if found[1] or found[2] else f"<{target}>"
        scheme = _SCHEME.match(target)
        if scheme and scheme[0] in ("project:", "path:"):
            target = target[scheme.end() :]
        elif scheme and scheme[0] in ("inv:", "myst:"):
            return found[2] or f"`{target.rpartition('#')[2] or target}`"
        elif scheme:
            return found[0] if found[2] else f"`{target}`"
        address, text = self._resolved(target)
        return f"[{found[2] or text}](<{address}>{found[5]})"

    def _resolved(self, target: str) -> tuple[str, str]:
        """The address and the text of a target."""
        if target.startswith("#"):
            found = self._references.label(target[1:])
            return (found.address, found.text or escaped(target[1:])) if found else (target, escaped(target[1:]))
        found = self._references.page(target)
        if found is None and not posixpath.splitext(target)[1]:
            found = self._references.label(target)
        return (found.address, found.text) if found else (target, escaped(posixpath.basename(target)))

    def _autolink(self, found: re.Match[str]) -> str:
        if found[1] in ("inv", "myst"):
            return f"`{found[2].rpartition('#')[2] or found[2]}`"
        address, text = self._resolved(found[2])
        return f"[{text}](<{address}>)"

    def _definition(self, found: re.Match[str]) -> str:
        resolved = self._references.label(found[2])
        return f"{found[1]}<{resolved.address}>{found[3]}" if resolved else found[0]


def _one_line(value: str) -> str:
    """The text of a block within a line: without the marks and the options of its directives."""
    return " ".join(row.strip() for row in value.split("\n") if not _MARK_OR_OPTION.match(row))


def _anchor(found: re.Match[str]) -> str:
    id = _ID.search(found[1])
    return "\ue012" + (f'<a id="{label_id(id[1])}"></a>' if id else "")


def _substitutions(source: DialectSource) -> dict[str, str]:
    """Texts of the front matter and of `conf.py` that pages name."""
    if "{{" not in source.text:
        return {}
    found: dict[str, str] = {}
    root = "" if source.docs_root == "~" else source.docs_root
    read = IncludedFiles(source.read).read([posixpath.join(root, "conf.py"), posixpath.join(root, "source/conf.py")])
    known = read_python_config(read[1]).get("myst_substitutions") if read else None
    if isinstance(known, dict):
        found |= {str(key): str(value) for key, value in known.items()}
    options = source.front.get("myst")
    nested = options.get("substitutions") if isinstance(options, dict) else None
    for table in (source.front.get("substitutions"), nested):
        found |= dict(_texts(table))
    return found


def _texts(table: YamlValue | None) -> Iterator[tuple[str, str]]:
    if isinstance(table, dict):
        yield from ((key, value) for key, value in table.items() if isinstance(value, str))

"""Roles of MyST, `{name}` before a code span, as Markdown of this site."""

from __future__ import annotations

import re
from html import escape

from kinfolk.content.markdown.code.code_spans import code_spans
from kinfolk.content.markdown.dialects.components.component_blocks import escaped
from kinfolk.content.markdown.dialects.page_translation import PageTranslation
from kinfolk.content.markdown.dialects.readers.myst.page_labels import label_id
from kinfolk.content.markdown.dialects.readers.myst.references import Reference, References
from kinfolk.content.markdown.dialects.syntax.source_lines import LineCounter

LONGEST_NAME = 60

_NAME = re.compile(r"\{([\w:.+-]+)\}")
_TITLED = re.compile(r"(.*\S)[ \t\n]*<([^<>]+)>", re.DOTALL)
_EXPANDED = re.compile(r"(.*\S)[ \t]*\(([^()]+)\)")
_ICON = re.compile(r"octicon|fa[brs]?|material-[a-z]+|fas|far|fab|iconify|emoji")
REFERENCES = frozenset("ref numref any std:ref external:std:ref".split())
CODE = frozenset(
    "code samp file command program option envvar literal class func function meth method mod attr obj exc data const"
    " type token keyword dfn download-code python confval makevar mailheader newsgroup regexp sh bash".split()
)
STRONG = frozenset("guilabel menuselection strong".split())
NOTHING = frozenset("index raw".split())
_DOCS = {"pep": "https://peps.python.org/pep-{:0>4}/", "rfc": "https://datatracker.ietf.org/doc/html/rfc{}"}


class Roles:
    """Writes the roles of one page."""

    def __init__(self, page: PageTranslation, references: References) -> None:
        self._page = page
        self._references = references

    def rewrite(self, text: str, number: int) -> str:
        if "}`" not in text:
            return text
        pieces: list[str] = []
        done = 0
        lines = LineCounter(text, number)
        for start, end in code_spans(text):
            if start < done or text[start - 1 : start] != "}":
                continue
            brace = text.rfind("{", max(done, start - LONGEST_NAME), start)
            found = _NAME.fullmatch(text, brace, start) if brace >= 0 else None
            if found is None:
                continue
            row = text[start:end]
            content = " ".join(row.strip("`").split())
            pieces += (text[done:brace], self._written(found[1].lower(), content, lines.number_at(brace)))
            done = end
        return "".join([*pieces, text[done:]])

    def _written(self, name: str, content: str, number: int) -> str:
        titled = _TITLED.fullmatch(content)
        title, target = (titled[1], titled[2]) if titled else ("", content)
        written = self._reference(name, title, target, number)
        if written is None:
            written = _formatted(name, title, content)
        if written is not None:
            return written
        if name in _DOCS and (digits := re.sub(r"\D.*", "", target)):
            return f"[{escaped(title) or f'{name.upper()} {digits}'}](<{_DOCS[name].format(digits)}>)"
        if _ICON.fullmatch(name) or name in NOTHING:
            return ""
        if name not in CODE and ":" not in name:
            self._page.report(number, f"the role {name} is unknown; its text is shown as code", is_warning=True)
        words = (title or target).lstrip("!")
        words = words[1:].rpartition(".")[2] if words.startswith("~") else words
        mark = "``" if "`" in words else "`"
        return f"{mark}{words}{mark}" if words else ""

    def _reference(self, name: str, title: str, target: str, number: int) -> str | None:
        """A role that leads to a page or label of these docs; None for others."""
        short = name.rpartition(":")[2]
        if name in REFERENCES:
            found = self._references.label(target) or self._references.page(target)
            return self._link(found, title, target, number)
        if short == "doc":
            return self._link(self._references.page(target), title, target, number)
        if short == "term":
            found = self._references.label(f"term-{label_id(target)}")
            return f"[{escaped(title or target)}](<{found.address}>)" if found else escaped(title or target)
        if short in ("eq", "numref"):
            found = self._references.label(target)
            label = f"({escaped(title or target)})"
            return f"[{label}](<{found.address}>)" if found else label
        return f"[{escaped(title or target)}](<{target}>)" if name == "download" else None

    def _link(self, found: Reference | None, title: str, target: str, number: int) -> str:
        if found is None:
            self._page.report(number, f"the label {target[:80]} is unknown")
            return escaped(title or target)
        return f"[{title or found.text or escaped(target)}](<{found.address}>)"


def _formatted(name: str, title: str, content: str) -> str | None:
    """A role that only says how its content looks; None for others."""
    if name == "math":
        return f"${content}$"
    if name in ("sub", "sup", "subscript", "superscript"):
        return f"<{name[:3]}>{escape(content, quote=False)}</{name[:3]}>"
    if name in ("abbr", "abbreviation"):
        parts = _EXPANDED.fullmatch(content)
        return f'<abbr title="{escape(parts[2])}">{escape(parts[1])}</abbr>' if parts else escaped(content)
    if name == "kbd":
        keys = (key.strip() for key in content.split("+"))
        return "+".join(f"<kbd>{escape(key, quote=False)}</kbd>" for key in keys if key)
    if name in STRONG:
        return f"**{escaped(content.replace('&', ''))}**"
    if name in ("emphasis", "title-reference", "title"):
        return f"*{escaped(content)}*"
    return f'<sup data-badge="tip">{escape(title or content, quote=False)}</sup>' if name.startswith("bdg") else None

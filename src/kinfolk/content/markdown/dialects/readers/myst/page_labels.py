"""What other pages of MyST can refer to in a page, and the tables of contents that it has: read from its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_LABELS, MOST_ENTRIES = 1_000, 2_000

_LABEL = re.compile(r"[ \t>]*+\(([^()\n]++)\)=[ \t]*+")
_NAME = re.compile(r"[ \t]*+:(?:name|label):[ \t]++(\S[^\n]*+)")
_BRACED = re.compile(r"\{#([\w./:-]++)")
_HEADING = re.compile(r"[ \t>]*+#{1,6}[ \t]++(.*)")
_DIRECTIVE = re.compile(r"[ \t]*+(?:`{3,}+|:{3,}+|~{3,}+)\{([\w:.-]++)\}[ \t]*+(.*)")
_OPTION = re.compile(r"[ \t]*+:([\w-]++):[ \t]*+(.*)")
_TITLED = re.compile(r"(.*\S)[ \t]*<([^<>]+)>")
_ROLE = re.compile(r"\{[\w:.-]++\}`([^`\n]*+)`")
_NOT_ID = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class PageLabel:
    """`title` is what a link without text shows."""

    name: str
    title: str


@dataclass(frozen=True)
class TocEntry:
    """`target` is a path as written, a pattern or a URL."""

    target: str
    label: str = ""


@dataclass(frozen=True)
class PageToc:
    caption: str
    entries: tuple[TocEntry, ...]
    has_patterns: bool = False


def label_id(label: str) -> str:
    """The id of a label as docutils makes it: `syntax/roles` -> `syntax-roles`."""
    return _NOT_ID.sub("-", label.lower()).strip("-")


def page_labels(text: str) -> tuple[PageLabel, ...]:
    """The labels of a page. Those of the examples in its code are among them."""
    if not any(mark in text for mark in _LABEL_MARKS):
        return ()
    found: dict[str, str] = {}
    reader = _LabelReader()
    for line in text.split("\n"):
        for name, title in reader.labels(line):
            found.setdefault(name, title)
        if len(found) >= MOST_LABELS:
            break
    return tuple(PageLabel(name, title) for name, title in found.items())


_LABEL_MARKS = (")=", ":name:", ":label:", "{#", "{glossary}")


class _LabelReader:
    """Reads the labels of a page line by line. A label before a heading or a directive has its title."""

    def __init__(self) -> None:
        self._pending: list[str] = []
        self._title = ""
        self._glossary = ""
        """The marks that end the open glossary."""

    def labels(self, line: str) -> Iterator[tuple[str, str]]:
        """The labels that are complete with a line, and their titles."""
        if self._glossary:
            yield from self._terms(line)
            return
        label = _LABEL.fullmatch(line) if ")=" in line else None
        if label:
            self._pending.append(label[1].strip())
            return
        if line.strip():
            yield from self._titled(line)
        named = _NAME.fullmatch(line) if ":name:" in line or ":label:" in line else None
        if named:
            yield named[1].strip(), _plain(self._title)
        for braced in _BRACED.finditer(line) if "{#" in line else ():
            yield braced[1], ""

    def _terms(self, line: str) -> Iterator[tuple[str, str]]:
        if line.strip().startswith(self._glossary) and not line.strip(" :`~"):
            self._glossary = ""
        elif line[:1] not in ("", " ", "\t", ":"):
            yield f"term-{label_id(line)}", line.strip()

    def _titled(self, line: str) -> Iterator[tuple[str, str]]:
        heading = _HEADING.fullmatch(line) if "#" in line else None
        directive = _DIRECTIVE.fullmatch(line) if "{" in line else None
        own = heading[1] if heading else directive[2] if directive else None
        if own is not None:
            self._title = own
        if directive and directive[1] == "glossary":
            bare = line.strip()
            self._glossary = bare[: bare.index("{")]
        for name in self._pending:
            yield name, _plain(own or "")
        self._pending = []


def _plain(title: str) -> str:
    return " ".join(_ROLE.sub(r"\1", title).replace("[", "").replace("]", "").split())


def page_tocs(text: str) -> tuple[PageToc, ...]:
    """The tables of contents of a page: its `toctree` directives."""
    if "{toctree}" not in text:
        return ()
    found: list[PageToc] = []
    mark = ""
    is_yaml = False
    caption = ""
    has_patterns = False
    entries: list[TocEntry] = []
    for line in text.split("\n"):
        bare = line.strip()
        if not mark:
            opening = _DIRECTIVE.fullmatch(line) if "{toctree}" in line else None
            if opening and opening[1] == "toctree":
                mark, caption, has_patterns, entries, is_yaml = bare[: bare.index("{")], "", False, [], False
            continue
        if bare.startswith(mark) and not bare.strip(mark[0]):
            found.append(PageToc(caption, tuple(entries), has_patterns))
            mark = ""
            continue
        option = _OPTION.fullmatch(line) if ":" in line else None
        if bare == "---" and not entries:
            is_yaml = not is_yaml
        elif is_yaml or (option and not entries):
            key, _, value = bare.strip(":").partition(":")
            caption = value.strip().strip("\"'") if key.strip() == "caption" else caption
            has_patterns = has_patterns or key.strip() == "glob"
        elif bare and len(entries) < MOST_ENTRIES:
            titled = _TITLED.fullmatch(bare)
            entries.append(TocEntry(titled[2].strip(), titled[1].strip()) if titled else TocEntry(bare))
    return tuple(found)

"""What other pages of MyST can refer to in a page, and the tables of contents that it has: read from its source."""

from __future__ import annotations

import re
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
    if (
        ")=" not in text
        and ":name:" not in text
        and ":label:" not in text
        and "{#" not in text
        and "{glossary}" not in text
    ):
        return ()
    found: dict[str, str] = {}
    pending: list[str] = []
    title = glossary = ""
    for line in text.split("\n"):
        if glossary:
            if line.strip().startswith(glossary) and not line.strip(" :`~"):
                glossary = ""
            elif line[:1] not in ("", " ", "\t", ":"):
                found.setdefault(f"term-{label_id(line)}", line.strip())
            continue
        label = _LABEL.fullmatch(line) if ")=" in line else None
        if label:
            pending.append(label[1].strip())
            continue
        if line.strip():
            heading = _HEADING.fullmatch(line) if "#" in line else None
            directive = _DIRECTIVE.fullmatch(line) if "{" in line else None
            title = heading[1] if heading else directive[2] if directive else title
            if directive and directive[1] == "glossary":
                bare = line.strip()
                glossary = bare[: bare.index("{")]
            for name in pending:
                found.setdefault(name, _plain(heading[1] if heading else directive[2] if directive else ""))
            pending = []
        named = _NAME.fullmatch(line) if ":name:" in line or ":label:" in line else None
        if named:
            found.setdefault(named[1].strip(), _plain(title))
        for braced in _BRACED.finditer(line) if "{#" in line else ():
            found.setdefault(braced[1], "")
        if len(found) >= MOST_LABELS:
            break
    return tuple(PageLabel(name, title) for name, title in found.items())


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

"""Directives of MyST: fences and colon blocks with a name in braces, their options and their content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine, dedent, fence_at
from kinfolk.content.markdown.front_matter import UnsupportedYaml, parse_yaml_block

MOST_OPTIONS = 40

_INFO = re.compile(r"\{([\w:.+-]++)\}[ \t]*+(.*)")
_COLONS = re.compile(r"[ \t]*+(:{3,}+)[ \t]*+(?:\{([\w:.+-]++)\}|([A-Za-z][\w-]*+))[ \t]*+(.*)")
_OPTION = re.compile(r"[ \t]*+:([A-Za-z][\w-]*+):[ \t]*+(.*)")


@dataclass(frozen=True)
class Directive:
    """`body` is its content without indentation, `end` the line behind it, `prefix` what precedes it on its line."""

    name: str
    argument: str
    options: Mapping[str, str]
    body: list[SourceLine]
    number: int
    prefix: str
    end: int

    def option(self, *names: str) -> str:
        return next((found for name in names if (found := self.options.get(name, ""))), "")

    @property
    def pad(self) -> str:
        """What precedes the lines that replace all but the first one."""
        return "".join(" " if mark not in ">\t" else mark for mark in self.prefix)


def directive_at(lines: list[SourceLine], at: int) -> Directive | None:
    """The directive that begins at a line."""
    text = lines[at].text
    if "{" not in text and ":::" not in text:
        return None
    fence = fence_at(lines, at)
    if fence is not None:
        found = _INFO.fullmatch(fence.info)
        if found is None:
            return None
        width = len(fence.prefix)
        code = [line._replace(text=_cut(line.text, fence.prefix, width)) for line in fence.code]
        end = at + len(fence.lines)
        return _directive(found[1], found[2], code, number=lines[at].number, prefix=fence.prefix, end=end)
    opening = _COLONS.fullmatch(text)
    if opening is None:
        return None
    name = opening[2] or "div"  # a class in place of a name
    count, width = len(opening[1]), lines[at].indent
    end = at + 1
    while end < len(lines):
        inner = fence_at(lines, end)
        if inner is not None:
            end += len(inner.lines)
            continue
        row = lines[end].text.strip()
        if len(row) >= count and row == ":" * len(row):
            body = dedent(lines[at + 1 : end], width)
            return _directive(name, opening[4], body, number=lines[at].number, prefix=" " * width, end=end + 1)
        end += 1
    body = dedent(lines[at + 1 :], width)
    return _directive(name, opening[4], body, number=lines[at].number, prefix=" " * width, end=len(lines))


def _cut(text: str, prefix: str, width: int) -> str:
    if ">" in prefix:
        return text[width:] if text[:width].strip(" \t>") == "" else text.lstrip(" \t>")
    return text[min(width, len(text) - len(text.lstrip(" "))) :]


def _directive(name: str, argument: str, body: list[SourceLine], *, number: int, prefix: str, end: int) -> Directive:
    options: dict[str, str] = {}
    start = 0
    if body and body[0].text.strip() == "---":
        closing = next((at for at, line in enumerate(body[1:MOST_OPTIONS], 1) if line.text.strip() == "---"), None)
        if closing is not None:
            options = _yaml_options([line.text for line in body[1:closing]])
            start = closing + 1
    else:
        last = ""
        for line in body[:MOST_OPTIONS]:
            found = _OPTION.fullmatch(line.text)
            if found:
                last = found[1].lower()
                options[last] = found[2].strip()
            elif last and line.text.startswith("  ") and line.text.strip():
                options[last] = f"{options[last]} {line.text.strip()}".strip()
            else:
                break
            start += 1
    while start < len(body) and body[start].is_blank:
        start += 1
    return Directive(name.lower(), argument.strip(), options, body[start:], number, prefix, end)


def _yaml_options(rows: list[str]) -> dict[str, str]:
    try:
        found = parse_yaml_block("\n".join(rows))
    except (yaml.YAMLError, UnsupportedYaml):
        return {}
    return (
        {key.lower(): value for key, value in found.items() if isinstance(value, str)}
        if isinstance(found, dict)
        else {}
    )

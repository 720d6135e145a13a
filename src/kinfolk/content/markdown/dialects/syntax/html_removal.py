"""Removes comments and whole elements, such as scripts, from the prose of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kinfolk.content.markdown.dialects.syntax.source_lines import Fence, SourceLine, fence_at, parts

_COMMENT = re.compile(r"<!--|-->")


def without_elements(lines: list[SourceLine], names: Sequence[str]) -> list[SourceLine]:
    """The lines without these elements. Each begins a line, and ends with the line of its end tag."""
    openings = tuple(f"<{name}" for name in names)
    if not any(line.text.lstrip().startswith(openings) for line in lines):
        return lines
    result: list[SourceLine] = []
    closing = ""
    for part in _flat(lines, openings):
        if isinstance(part, Fence):
            result += part.lines
            continue
        text = part.text.lstrip()
        if not closing:
            name = next(
                (
                    name
                    for name in names
                    if text.startswith(f"<{name}") and not text[len(name) + 1 : len(name) + 2].isalnum()
                ),
                None,
            )
            if name is None:
                result.append(part)
                continue
            closing = f"</{name}>"
            if "/>" in text and closing not in text and ">" not in text.partition("/>")[0]:
                closing = ""
                continue
        if closing in text:
            closing = ""
    return result


def _flat(lines: list[SourceLine], openings: tuple[str, ...]) -> list[Fence | SourceLine]:
    """Fences and lines. Within an element nothing is a fence."""
    last = {
        name: max((at for at, line in enumerate(lines) if f"</{name[1:]}>" in line.text), default=-1)
        for name in openings
    }
    found: list[Fence | SourceLine] = []
    at = 0
    while at < len(lines):
        name = next((one for one in openings if lines[at].text.lstrip().startswith(one)), None)
        if name is not None and at <= last[name]:
            closing = f"</{name[1:]}>"
            end = next(end for end in range(at, len(lines)) if closing in lines[end].text)
            found += lines[at : end + 1]
            at = end + 1
            continue
        fence = fence_at(lines, at)
        found.append(fence or lines[at])
        at += len(fence.lines) if fence else 1
    return found


def without_comments(lines: list[SourceLine]) -> list[SourceLine]:
    """The lines without HTML comments. A line of nothing but a comment is removed."""
    if not any("<!--" in line.text for line in lines):
        return lines
    result: list[SourceLine] = []
    is_open = False
    for part in parts(lines):
        if isinstance(part, Fence):
            if not is_open:
                result += part.lines
            elif any("-->" in line.text for line in part.lines):
                is_open = False
            continue
        remaining, is_open, changed = _kept(part.text, is_open=is_open)
        if remaining.strip() or not changed:
            result.append(part._replace(text=remaining))
        elif not is_open and part.text.lstrip() == part.text:
            result.append(part._replace(text=""))
    return result


def _kept(text: str, *, is_open: bool) -> tuple[str, bool, bool]:
    """The text outside of comments, whether a comment is still open, and whether there was one."""
    if not is_open and "<!--" not in text:
        return text, False, False
    remaining: list[str] = []
    done = 0
    in_code = False
    for mark in _COMMENT.finditer(text):
        in_code = not is_open and text.count("`", 0, mark.start()) % 2 == 1
        if mark[0] == "<!--" and not is_open and not in_code:
            remaining.append(text[done : mark.start()])
            is_open = True
        elif mark[0] == "-->" and is_open:
            is_open = False
            done = mark.end()
    if not is_open:
        remaining.append(text[done:])
    return "".join(remaining), is_open, True

"""Lines of code that mdBook compiles and does not show."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine

_HIDDEN = re.compile(r"([ \t>]*)#(.?)(.*)")
_PREFIX = re.compile(r"hidelines=([^\s,\"]{1,20})")


def shown_lines(code: Iterable[SourceLine], language: str, info: str) -> list[SourceLine]:
    """The lines that readers see: of Rust without `# `, with `##` as `#`; of others without `hidelines=prefix`."""
    if language == "rust":
        return [shown for line in code if (shown := _shown_rust(line)) is not None]
    prefix = _PREFIX.search(info) if "hidelines" in info else None
    return [line for line in code if prefix is None or not line.text.lstrip(" \t>").startswith(prefix[1])]


def _shown_rust(line: SourceLine) -> SourceLine | None:
    found = _HIDDEN.fullmatch(line.text) if "#" in line.text else None
    if found is None:
        return line
    if found[2] == "#":
        return line._replace(text=f"{found[1]}#{found[3]}")
    return None if found[2] in ("", " ") else line

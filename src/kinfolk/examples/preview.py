"""The part of a file that tells at a glance what an example does."""

from __future__ import annotations

import re
from textwrap import dedent

from kinfolk.markdown.page import Snippet

LINES = 12
LONGEST = 2_000
"""Characters: a line of generated code may have thousands."""

_OPENS_IMPORT = re.compile(r"import\b(?!\s*\()")
_CLOSES_IMPORT = re.compile(r"""['"];?\s*$""")
_SAYS_NOTHING = re.compile(r"""\s*(?:$|//|/\*|\*|['"]use \w+['"])""")
_SCRIPT = re.compile(r"\s*<script\b")
_END = re.compile(r"\s*</script>")


def preview_of(snippet: Snippet) -> Snippet:
    """The first lines after what is only imported; the first of all where that is everything.

    What comes first in a component may be its script, which is shown without the element that it stands in.
    """
    lines = snippet.code.split("\n")
    script = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if _SCRIPT.match(lines[script]):
        end = next((number for number, line in enumerate(lines) if _END.match(line)), len(lines))
        inside = _shown(lines[script + 1 : end])
        if inside:
            return Snippet("ts", inside)
        lines = lines[end + 1 :] or lines
    return Snippet(snippet.language, _shown(lines) or "\n".join(lines[:LINES])[:LONGEST])


def _shown(lines: list[str]) -> str:
    begin = _after_imports(lines)
    return dedent("\n".join(lines[begin : begin + LINES]))[:LONGEST].rstrip()


def _after_imports(lines: list[str]) -> int:
    importing = False
    for number, line in enumerate(lines):
        if not importing and _SAYS_NOTHING.match(line):
            continue
        if importing or _OPENS_IMPORT.match(line.lstrip()):
            importing = not _CLOSES_IMPORT.search(line)
            continue
        return number
    return len(lines)

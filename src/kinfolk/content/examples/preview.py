"""The lines of a file that a list of examples shows."""

from __future__ import annotations

import re
from textwrap import dedent

from kinfolk.content.markdown.markdown_page import CodeBlock

LINES = 12
LONGEST = 2_000
"""Characters: a line of generated code may have thousands."""

_OPENS_IMPORT = re.compile(r"import\b(?!\s*\()")
_CLOSES_IMPORT = re.compile(r"""['"];?\s*$""")
_SKIPPED = re.compile(r"""\s*(?:$|//|/\*|\*|['"]use \w+['"])""")
_SCRIPT = re.compile(r"\s*<script\b")
_END = re.compile(r"\s*</script>")


def preview_of(snippet: CodeBlock) -> CodeBlock:
    """The first lines after the imports; the first lines of a file that has only imports.

    Of a component that begins with its script, the content of the `<script>` element.
    """
    lines = snippet.code.split("\n")
    script = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if _SCRIPT.match(lines[script]):
        end = next((number for number, line in enumerate(lines) if _END.match(line)), len(lines))
        inside = _excerpt(lines[script + 1 : end])
        if inside:
            return CodeBlock("ts", inside)
        lines = lines[end + 1 :] or lines
    return CodeBlock(snippet.language, _excerpt(lines) or "\n".join(lines[:LINES])[:LONGEST])


def _excerpt(lines: list[str]) -> str:
    begin = _after_imports(lines)
    return dedent("\n".join(lines[begin : begin + LINES]))[:LONGEST].rstrip()


def _after_imports(lines: list[str]) -> int:
    importing = False
    for number, line in enumerate(lines):
        if not importing and _SKIPPED.match(line):
            continue
        if importing or _OPENS_IMPORT.match(line.lstrip()):
            importing = not _CLOSES_IMPORT.search(line)
            continue
        return number
    return len(lines)

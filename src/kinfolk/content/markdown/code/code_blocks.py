"""Fenced code -> the input of the highlighter and the `<figure>` around it."""

from __future__ import annotations

import re
from html import escape
from typing import cast

from kinfolk.content.markdown.code.code_marks import LINE_KINDS, MOST_LINES, CodeMarks, LineKind
from kinfolk.content.markdown.code.marked_words import spans_of, words_of_info
from kinfolk.content.markdown.code.shell_sessions import commands_of
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.markdown.render_context import RenderContext

_WORD = re.compile(r"\S+")
_NAMED = re.compile(r"""\b(title|file)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_LINES = re.compile(rf"(?<!\S)({'|'.join(LINE_KINDS)})=([\d,-]+)")
_NOT_IN_A_LANGUAGE = re.compile(r"[^a-z0-9+#_-]")


def language_of(info: str) -> str:
    """The first word of a fence's info string; `text` if there is none."""
    word = _WORD.match(info)
    return (_NOT_IN_A_LANGUAGE.sub("", word[0].lower()) if word else "") or "text"


def title_of(info: str) -> str | None:
    """The value of `title="…"` or `file=…`, or the first word with a dot, which is a file name."""
    named = _NAMED.search(info)
    if named:
        return named[2] or named[3] or named[4]
    words = _WORD.findall(info)[1:]
    return next((word for word in words if "." in word and "=" not in word and word[0] != "{"), None)


def parse_code_block(info: str, content: str, line: int = 0) -> CodeBlock:
    """The code without the comments that mark lines, and those lines. Dialects write them into the info string."""
    code = content.removesuffix("\n")
    marks = CodeMarks()
    if "[!code" in code:
        code = "\n".join(line for line in map(marks.take, code.split("\n")) if line is not None)
    for name, written in _LINES.findall(info):
        marks.lines[cast("LineKind", name)].update(_numbers(written))
    marks.lines["highlighted"].update(*(marks.lines[kind] for kind in ("focused", "errors", "warnings")))
    count = code.count("\n") + 1
    lines = {
        kind: tuple(sorted(number for number in numbers if 0 <= number < count)) if numbers else ()
        for kind, numbers in marks.lines.items()
    }
    words = [*words_of_info(info), *marks.words]
    return CodeBlock(language_of(info), code, **lines, words=spans_of(words, code) if words else (), line=line)


def _numbers(written: str) -> list[int]:
    """`1,3-5` -> 0, 2, 3, 4."""
    found: list[int] = []
    for part in written.split(",")[:MOST_LINES]:
        first, _, last = part.partition("-")
        if first.isdecimal():
            start = int(first[:6])
            found += range(start - 1, min(int(last[:6]) if last.isdecimal() else start, MOST_LINES))
    return found


def code_figure(
    context: RenderContext, info: str, content: str, *, titled: bool = True, line: int | None = None
) -> str:
    """The code block. The content of the figure goes into a slot, so that code is never parsed as HTML.

    `line` is the 0-based line of the page's text with the first line of code.
    """
    code_block = parse_code_block(info, content, 0 if line is None else context.line_in_file(line))
    title = title_of(info) if titled else None
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    commands = commands_of(code_block.language, code_block.code)
    copied = "" if commands is None else f' data-copy="{escape(commands)}"'
    before = f'{caption}<pre tabindex="0"><code class="language-{code_block.language}"{copied}>'
    kind = "code mermaid" if code_block.language == "mermaid" else "code"
    slot = context.slot(before, code_block, "</code></pre>")
    return f'<figure class="{kind}" data-lang="{code_block.language}">{slot}</figure>\n'

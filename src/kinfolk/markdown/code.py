"""Fenced code -> what the highlighter needs, and the figure it stands in."""

from __future__ import annotations

import re
from html import escape

from kinfolk.markdown.draft import Draft
from kinfolk.markdown.page import Snippet

_WORD = re.compile(r"\S+")
_NAMED = re.compile(r"""\b(title|file)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_NOT_IN_A_LANGUAGE = re.compile(r"[^a-z0-9+#_-]")
_MARK = re.compile(r"(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*\[!code (\+\+|--)\][ \t]*+(?:(?:-->|\*/\}|\*/)[ \t]*+)?$")


def language_of(info: str) -> str:
    """The first word of a fence's info string; `text` where there is none."""
    word = _WORD.match(info)
    return (_NOT_IN_A_LANGUAGE.sub("", word[0].lower()) if word else "") or "text"


def title_of(info: str) -> str | None:
    """`title="…"`, `file=…`, or a bare word with a dot in it, which is a file's name."""
    named = _NAMED.search(info)
    if named:
        return named[2] or named[3] or named[4]
    words = _WORD.findall(info)[1:]
    return next((word for word in words if "." in word and "=" not in word and word[0] != "{"), None)


def snippet_of(info: str, content: str) -> Snippet:
    """The code without its `[!code ++]` comments, which become line numbers."""
    code = content.removesuffix("\n")
    marked: dict[str, list[int]] = {"++": [], "--": []}
    if "[!code " in code:
        lines = code.split("\n")
        for number, line in enumerate(lines):
            mark = _MARK.search(line)
            if mark:
                marked[mark[1]].append(number)
                lines[number] = line[: mark.start()].rstrip()
        code = "\n".join(lines)
    return Snippet(language_of(info), code, tuple(marked["++"]), tuple(marked["--"]))


def figure(draft: Draft, info: str, content: str, *, titled: bool = True) -> str:
    """The code block. Everything inside the figure waits in a slot, so that code is never parsed as HTML."""
    snippet = snippet_of(info, content)
    title = title_of(info) if titled else None
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    before = f'{caption}<pre tabindex="0"><code class="language-{snippet.language}">'
    kind = "code mermaid" if snippet.language == "mermaid" else "code"
    slot = draft.slot(before, snippet, "</code></pre>")
    return f'<figure class="{kind}" data-lang="{snippet.language}">{slot}</figure>\n'

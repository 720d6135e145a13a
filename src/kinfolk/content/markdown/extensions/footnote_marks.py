"""Marks of footnotes, such as `[^1]`: how they are parsed, and their HTML.

The cache is bounded[^1].

[^1]: By count, not by bytes.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

MOST_FOOTNOTES = 500
"""Marks of footnotes in one page. Above it they stay text."""
MARK = "footnote_ref"
TRUSTED = "trusted_html"
"""Type of an inline token whose content is HTML of the renderer, not of the author."""
_NAME = re.compile(r"\[\^([^\s\[\]]{1,200})\]")


def has_footnotes(text: str) -> bool:
    """Whether a text can have footnotes, and not more than a page may have."""
    return "[^" in text and "]:" in text and text.count("[^") <= MOST_FOOTNOTES


def footnotes(parser: MarkdownIt) -> None:
    """Parse notes and marks. `take_notes` collects the notes from the tokens."""
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    # The rule of the plugin searches the rest of the text for the end of each mark.
    parser.inline.ruler.at("footnote_ref", _mark)


def _mark(state: StateInline, silent: bool) -> bool:
    found = _NAME.match(state.src, state.pos, state.posMax) if state.src.startswith("[^", state.pos) else None
    if found is None or "footnotes" not in state.env:
        return False
    data = state.env["footnotes"]
    if "names" not in data:  # all blocks are parsed before the first paragraph
        data["names"] = frozenset(map(str.casefold, data["refs"]))
    name = found[1].casefold()
    if f":{name}" not in data["names"]:
        return False
    if not silent:
        state.push(MARK, "", 0).meta = {"name": name}
    state.pos = found.end()
    return True


def mark_html(mark: Token) -> str:
    """The number of a mark as a link to its note."""
    number = mark.meta.get("number")
    if number is None:
        return ""
    return (
        f'<sup data-footnote><a id="{escape(mark.meta["id"])}" href="#{escape(mark.meta["note_id"])}"'
        f' role="doc-noteref" aria-label="Footnote {number}">{number}</a></sup>'
    )

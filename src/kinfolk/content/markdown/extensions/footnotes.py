"""Footnotes at the end of a page, as GitHub shows them: numbered, with links back to their marks.

Numbers follow the order of the marks on the page. A name without a note stays text; a note without a mark is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token

from kinfolk.content.markdown.api_reference.api_layout import LAYOUT
from kinfolk.content.markdown.directives import Node
from kinfolk.content.markdown.extensions.footnote_marks import MARK, TRUSTED
from kinfolk.content.markdown.markdown_page import Heading
from kinfolk.content.markdown.render_context import RenderContext

LABEL = "Footnotes"


@dataclass
class _Note:
    tokens: list[Token] = field(default_factory=list)
    number: int = 0
    marks: list[Token] = field(default_factory=list)


class Notes:
    """The notes of one page: `number` finds those that it refers to, `tokens` makes the end of the page."""

    def __init__(self, notes: dict[str, _Note]) -> None:
        self._notes = notes
        self._shown: list[_Note] = []

    @property
    def shown(self) -> list[Token]:
        """The content of the notes that the page refers to, in the order of their numbers."""
        return [token for note in self._shown for token in note.tokens]

    def number(self, nodes: Sequence[Node]) -> None:
        """Number the marks of the page, then those in notes, and the notes by their first marks."""
        if not self._notes:
            return
        self._number(_marks(nodes))
        for note in self._shown:  # grows by the notes that notes refer to
            self._number(_marks(note.tokens))

    def _number(self, marks: Iterable[Token]) -> None:
        for mark in marks:
            note = self._notes[mark.meta["name"]]
            if not note.marks:
                self._shown.append(note)
                note.number = len(self._shown)
            note.marks.append(mark)

    def tokens(self, context: RenderContext) -> list[Token]:
        """The section with the notes. Gives marks and notes their ids: call it after all headings have theirs."""
        if not self._shown:
            return []
        slug = context.slugs.take(LABEL)
        context.heading(Heading(slug, LABEL, 2, outlined=False))
        items: list[Token] = []
        for note in self._shown:
            note_id = _free_id(f"user-content-fn-{note.number}", context)
            for at, mark in enumerate(note.marks, 1):
                id = _free_id(f"user-content-fnref-{note.number}{_times(at)}", context)
                mark.meta |= {"number": note.number, "id": id, "note_id": note_id}
            items += _item(note, note_id)
        start = f'<section data-footnotes>\n<h2 id="{escape(slug)}" class="sr-only">{LABEL}</h2>\n<ol>\n'
        return [_layout(start), *items, _layout("</ol>\n</section>\n")]


def take_notes(tokens: Sequence[Token], env: Mapping[str, object]) -> tuple[Sequence[Token], Notes]:
    """The tokens without the notes, and the notes. The first of a name counts, as on GitHub.

    `env` is the parser's: a text without notes has none there.
    """
    if "footnotes" not in env:
        return tokens, Notes({})
    rest: list[Token] = []
    notes: dict[str, _Note] = {}
    opened: list[_Note] = []
    for token in tokens:
        if token.type == "footnote_reference_open":
            opened.append(_Note())
            notes.setdefault(token.meta["label"].casefold(), opened[-1])
        elif token.type == "footnote_reference_close":
            opened.pop()
        elif opened:
            opened[-1].tokens.append(token)
            if token.type == "heading_open":
                token.meta["unlisted"] = True
        else:
            rest.append(token)
    return rest, Notes(notes)


def _marks(nodes: Iterable[Node]) -> Iterator[Token]:
    """The marks in the order of the page, without those of the title, which the page template shows."""
    is_title = False
    for node in nodes:
        if not isinstance(node, Token):
            for panel in node.panels:
                yield from _marks(panel.nodes)
        elif node.type == "heading_open":
            is_title = "is_title" in node.meta
        elif node.type == "inline" and not is_title:
            yield from (child for child in node.children or () if child.type == MARK)
        elif node.type == "heading_close":
            is_title = False


def _item(note: _Note, id: str) -> list[Token]:
    """The note as an item of the list, with its links back at the end of its last paragraph."""
    back = " ".join(
        f'<a href="#{escape(mark.meta["id"])}" role="doc-backlink"'
        f' aria-label="Back to reference {note.number}{_times(at)}">\u21a9\ufe0e'
        f"{f'<sup>{at}</sup>' if at > 1 else ''}</a>"
        for at, mark in enumerate(note.marks, 1)
    )
    item, end = _layout(f'<li id="{escape(id)}">\n'), _layout("</li>\n")
    if note.tokens and note.tokens[-1].type == "paragraph_close":
        inline = note.tokens[-2]
        inline.children = [*(inline.children or []), Token(TRUSTED, "", 0, content=f" {back}")]
        return [item, *note.tokens, end]
    return [item, *note.tokens, _layout(f"<p>{back}</p>\n"), end]


def _times(at: int) -> str:
    return f"-{at}" if at > 1 else ""


def _free_id(id: str, context: RenderContext) -> str:
    """The id, or one with a number that neither a heading nor an anchor has."""
    free, number = id, 1
    while free in context.slugs or free in context.anchors:
        number += 1
        free = f"{id}.{number}"
    context.anchors.add(free)
    return free


def _layout(html: str) -> Token:
    return Token(LAYOUT, "", 0, content=html, block=True)

"""Sorts the notes of one release into breaking, added, fixed and other, where the text says what they are.

An item is sorted by, in this order: a mark such as `BREAKING CHANGE`; a heading that decides, such as `### Bug Fixes`;
its prefix, such as `feat(core):`; a weak heading (`### Minor Changes`); its first word (`Fixes …`). All else is other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, takewhile

from kinfolk.content.markdown.source.note_blocks import NoteBlock, note_blocks
from kinfolk.content.release_notes.changelog import cut_notes
from kinfolk.content.release_notes.note_words import KINDS, HeadingKind, NotesKind, heading_kind, note_words

# What tools write before the text of an item: links to pull requests and commits, `Thanks …! -`, a scope in bold.
_LINK = re.compile(
    r"(?:\(?\[[^\[\]]{0,300}\]\([^()\s]{0,500}\)\)?|`?\[?[0-9a-f]{7,40}\]?`?(?![0-9a-z]))[ \t]*[,:-]?[ \t]*"
)
_THANKS = re.compile(r"Thanks (?:@|\[@)[^!\n]{1,1000}! - ")
_SCOPE = re.compile(r"(?:\*\*[^*]{1,100}\*\*:?|`[^`]{1,100}`)[ \t]*:?[ \t]*")
_PREFIX = re.compile(r"\*{0,2}(?P<type>[A-Za-z]{2,12})(?:\([^()\n]{0,100}\))?(?P<breaking>!)?:\*{0,2}(?=\s|\Z)")
_WORD = re.compile(r"\*{0,2}(?P<word>[^\s*:]{1,40})")
_ORNAMENTS = "*_[]⚠️ "
_MOST_LINKS = 20
_FULL_CHANGELOG = re.compile(r"(?:\*\*|__)?(?:Full Changelog|View changes on GitHub|Compare)\b", re.IGNORECASE)
_VIEW_CHANGES = "view changes on"
_LONGEST_FIRST_TEXT = 2_000
_LEVELS_BELOW_GROUP = 3
_DEEPEST = 6


@dataclass(frozen=True)
class NotesGroup:
    """`text` is Markdown with headings of the third level and deeper; `items` counts the items of its lists."""

    kind: NotesKind
    items: int
    text: str


@dataclass(frozen=True)
class GroupedNotes:
    """`intro` is the text above the changes, `outro` a link to the full comparison: both Markdown, and often empty.

    `groups` are in the order of KINDS, without empty ones.
    """

    intro: str
    groups: tuple[NotesGroup, ...]
    outro: str

    @property
    def counts(self) -> Mapping[NotesKind, int]:
        """The number of items of each group."""
        return {group.kind: group.items for group in self.groups}

    @property
    def is_sorted(self) -> bool:
        """Whether the text says what at least one change is. Otherwise the only group is other."""
        return any(group.kind != "other" for group in self.groups)


@dataclass(frozen=True)
class _OpenHeading:
    level: int
    text: str
    said: HeadingKind | None
    """What the heading says, or the one above it if it says nothing."""
    is_shown: bool


@dataclass(frozen=True)
class _SortedBlock:
    kind: NotesKind
    block: NoteBlock
    headings: tuple[str, ...]


def group_notes(text: str) -> GroupedNotes:
    """The notes of one release, sorted; those that are too long are cut (`cut_notes`). Takes linear time."""
    blocks = note_blocks(cut_notes(text)[0], lambda words: heading_kind(words) is not None)
    sorter = _NoteSorter(has_headings=any(block.kind == "heading" for block in blocks))
    for block in blocks:
        sorter.add(block)
    return sorter.notes()


class _NoteSorter:
    def __init__(self, *, has_headings: bool) -> None:
        self._has_headings = has_headings
        self._intro: list[NoteBlock] = []
        self._outro: list[NoteBlock] = []
        self._found: dict[NotesKind, list[_SortedBlock]] = {kind: [] for kind in KINDS}
        self._path: list[_OpenHeading] = []
        self._last: _SortedBlock | None = None
        """The last block of a list below the last heading: a paragraph after it stays there."""

    def add(self, block: NoteBlock) -> None:
        if block.kind == "heading" and _VIEW_CHANGES not in block.words.lower():
            _open_heading(self._path, block)
            self._last = None
        elif block.kind == "heading" or (block.kind == "text" and _FULL_CHANGELOG.match(block.words)):
            self._outro.append(block)
        elif not _is_comment(block):
            self._place(block)

    def notes(self) -> GroupedNotes:
        groups = tuple(
            NotesGroup(kind, sum(one.block.kind == "item" for one in blocks), "\n".join(_written(blocks)).strip("\n"))
            for kind, blocks in _without_repeats(self._found).items()
            if blocks
        )
        intro = "\n".join(_joined(self._intro)).strip("\n")
        return GroupedNotes(intro, groups, "\n\n".join(block.text for block in self._outro))

    def _place(self, block: NoteBlock) -> None:
        said = self._path[-1].said if self._path else None
        kind = kind_of_item(block, said) if block.kind == "item" else _kind_of_text(block, said)
        if kind is None and self._last is not None:
            placed = _SortedBlock(self._last.kind, block, self._last.headings)
        elif self._is_intro(kind):
            self._intro.append(block)
            return
        else:
            placed = _SortedBlock(kind or "other", block, _shown_headings(self._path, kind or "other"))
        self._found[placed.kind].append(placed)
        if block.kind == "item":
            self._last = placed

    def _is_intro(self, kind: NotesKind | None) -> bool:
        if kind is None:
            return not any(heading.is_shown for heading in self._path)
        return kind == "other" and not self._path and self._has_headings


def _without_repeats(found: Mapping[NotesKind, list[_SortedBlock]]) -> dict[NotesKind, list[_SortedBlock]]:
    """The blocks without items that repeat others, and without lists of dependencies if there are other items."""
    blocks = [one.block for blocks in found.values() for one in blocks if one.block.kind == "item"]
    has_others = any(not _is_left_out(block) for block in blocks)
    shown: dict[NotesKind, list[_SortedBlock]] = {kind: [] for kind in found}
    seen: set[tuple[NotesKind, str]] = set()
    for one in (one for blocks in found.values() for one in blocks):
        if one.block.kind == "item":
            if (one.kind, one.block.text) in seen or (has_others and _is_left_out(one.block)):
                continue
            seen.add((one.kind, one.block.text))
        shown[one.kind].append(one)
    return shown


def _is_left_out(item: NoteBlock) -> bool:
    return _without_links(item.words).lower().startswith(note_words().left_out)


def kind_of_item(item: NoteBlock, said: HeadingKind | None) -> NotesKind:
    """The kind of an item below a heading that says `said`."""
    words = note_words()
    if any(mark in item.text for mark in words.breaking_marks):
        return "breaking"
    plain = _without_links(item.words)
    start = plain.lstrip(_ORNAMENTS).lower()
    for beginning, kind in words.beginnings.items():
        if start.startswith(beginning):
            return kind
    first = _without_scope(plain)
    prefix = _prefix(first)
    if prefix and prefix["breaking"]:
        return "breaking"
    if said and said.strength == "decides" and said.kind:
        return said.kind
    if prefix:
        return words.prefixes[prefix["type"].lower()]
    if said and said.kind:
        return said.kind
    word = _WORD.match(first)
    return words.first_words.get(word["word"].lower(), "other") if word else "other"


def _without_links(words: str) -> str:
    """The text of an item without the links that tools write before it."""
    text = words[:_LONGEST_FIRST_TEXT].lstrip()
    for _ in range(_MOST_LINKS):
        found = _LINK.match(text) or _THANKS.match(text)
        if found is None:
            break
        text = text[found.end() :]
    return text


def _without_scope(text: str) -> str:
    """The text after its scope, such as `**core:**`. A prefix in bold, as in `**feat:**`, is none."""
    scope = _SCOPE.match(text)
    return text if scope is None or _prefix(text) else text[scope.end() :]


def _prefix(text: str) -> re.Match[str] | None:
    """The type of a conventional commit at the beginning, if it is one of the table."""
    found = _PREFIX.match(text)
    return found if found and found["type"].lower() in note_words().prefixes else None


def _open_heading(path: list[_OpenHeading], block: NoteBlock) -> None:
    while path and path[-1].level >= block.level:
        path.pop()
    above = path[-1] if path else None
    own = heading_kind(block.words)
    inherited = above.said if above and above.said and above.said.strength == "decides" else None
    # The label of the group says the same as a heading of its kind.
    is_shown = own is None or own.kind == "other"
    subject = HeadingKind("other", "weak")
    path.append(_OpenHeading(block.level, block.text, own or inherited or subject, is_shown))


def _shown_headings(path: list[_OpenHeading], kind: NotesKind) -> tuple[str, ...]:
    """The headings above a block that are shown in its group: an item that was moved there leaves its own."""
    said = path[-1].said if path else None
    if said is None or said.kind != kind:
        return ()
    return tuple(heading.text for heading in path if heading.is_shown)


def _kind_of_text(block: NoteBlock, said: HeadingKind | None) -> NotesKind | None:
    """The kind of a paragraph; None for one that belongs to no group."""
    if said is not None and said.strength == "decides":
        return said.kind
    return "breaking" if any(mark in block.text for mark in note_words().breaking_marks) else None


def _is_comment(block: NoteBlock) -> bool:
    return block.text.startswith("<!--") and block.text.endswith("-->") and block.text.count("-->") == 1


def _written(blocks: list[_SortedBlock]) -> Iterator[str]:
    """Lines of a group: first what has no heading, then each heading with what is below it."""
    above: tuple[str, ...] = ()
    in_order = sorted(blocks, key=lambda each: bool(each.headings))
    for headings, below in groupby(in_order, key=lambda each: each.headings):
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(above, headings, strict=False)))
        for depth, heading in enumerate(headings[same:], same):
            yield from ("", f"{'#' * min(_LEVELS_BELOW_GROUP + depth, _DEEPEST)} {heading}")
        yield from _joined(one.block for one in below)
        above = headings


def _joined(blocks: Iterable[NoteBlock]) -> Iterator[str]:
    """Lines of the blocks, with a blank one before each that does not continue a tight list."""
    before: NoteBlock | None = None
    for block in blocks:
        if before is None or before.kind == "text" or block.kind == "text" or "\n\n" in before.text:
            yield ""
        yield block.text
        before = block

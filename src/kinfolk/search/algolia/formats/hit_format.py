"""Hits in Algolia's format: requested attributes, highlights and snippets."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import TypeAlias

import orjson

from kinfolk.search.algolia.call_budget import CallBudget
from kinfolk.search.algolia.formats.parameters import HitDisplay
from kinfolk.search.filters import Json
from kinfolk.search.query import ExcerptSource, Hit, SearchResult, Span
from kinfolk.search.text.answer_excerpt import answer_excerpt

Shape: TypeAlias = "Mapping[str, Shape | None]"
"""A tree of attributes; None for all below."""

ANSWER = "answer"
"""The snippet of the sentences or the code that answer the query: `attributesToSnippet: ["answer:60"]`."""
_WORD = re.compile(r"\w+")
_LONGEST_WORD = 40
"""Length of a word in the search for its start."""
_MAX_SPANS = 60
"""Matches of a text that are compared for the best snippet."""
_MAX_NEAR = 20
_LETTERS = 6
"""Average length of a word with its space."""
_COUNTED_ROUGHLY = 256 << 10
"""Characters of a response up to which its size is estimated; a character has up to six bytes."""
_LONG_TEXT = 2000
"""Characters of a text above which the deadline is checked."""
_VALUE_BYTES = 60
"""Size of a highlighted value besides its text."""


def attribute_names(searchable: Iterable[str]) -> tuple[str, ...]:
    """The attributes of a setting such as `["unordered(title),alias", "content"]`."""
    names = (_attribute_name(name) for tier in searchable for name in tier.split(","))
    return tuple(name for name in names if name)


def _attribute_name(written: str) -> str:
    """`unordered(title)` -> `title`; empty for an invalid name."""
    name = written.strip()
    modifier, bracket, rest = name.partition("(")
    if bracket:
        name = rest.removesuffix(")").strip() if modifier.replace("_", "a").isalnum() else ""
    return "" if "(" in name or ")" in name else name


def shape_of(attributes: Iterable[str]) -> Shape | None:
    """`["hierarchy.lvl1", "content"]` as a tree; None where one of them is `*`."""
    root: dict[str, Shape | None] = {}
    for attribute in attributes:
        if attribute == "*":
            return None
        branch = root
        *above, last = attribute.split(".")
        for name in above:
            inner = branch.setdefault(name, {})
            if inner is None:
                break  # included already
            assert isinstance(inner, dict)  # noqa: S101 - only this function made it
            branch = inner
        else:
            branch[last] = None
    return root


def without(record: Mapping[str, Json], attributes: Iterable[str]) -> dict[str, Json]:
    """The record without these attributes."""
    left = dict(record)
    for attribute in attributes:
        name, dot, rest = attribute.partition(".")
        inner = left.get(name)
        if not dot:
            left.pop(name, None)
        elif isinstance(inner, Mapping):
            left[name] = without(inner, (rest,))
    return left


def picked(value: Json, shape: Shape | None) -> Json:
    """The part of a value that the shape selects; None for nothing."""
    if shape is None:
        return value
    if isinstance(value, (dict, Mapping)):
        found = {
            name: inner
            for name, below in shape.items()
            if (part := value.get(name)) is not None
            and (inner := part if below is None else picked(part, below)) is not None
        }
        return found or None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [inner for item in value if (inner := picked(item, shape)) is not None] or None
    return None


class HitWriter:
    """Writes the hits of one result within the budget of the request."""

    def __init__(
        self,
        answer: SearchResult,
        display: HitDisplay,
        *,
        searchable: Sequence[str],
        hidden: Sequence[str] = (),
        budget: CallBudget | None = None,
    ) -> None:
        self._budget = budget or CallBudget()
        self._answer = answer
        self._display = display
        self._words = frozenset(answer.words)
        self._hidden = tuple(hidden) + tuple(name[1:] for name in display.retrieve if name.startswith("-"))
        self._retrieved = shape_of(name for name in display.retrieve if not name.startswith("-"))
        names = attribute_names(searchable)
        self._highlighted = shape_of(display.highlight if display.highlight is not None else names or ("*",))
        # Records of this site's pages have no attribute of that name.
        has_answers = any(hit.excerpt is not None for hit in answer.hits)
        self._answer_words = next((one.words for one in display.snippets if one.attribute == ANSWER), 0)
        self._snippets = [
            (shape_of((snippet.attribute,)), snippet.words)
            for snippet in display.snippets
            if not (has_answers and snippet.attribute == ANSWER)
        ]
        self._shown: dict[str, tuple[dict[str, object], int]] = {}
        self._roughly = 0
        self._written = 0
        self._room = 0

    def write(self, hit: Hit, *, is_first: bool = False) -> dict[str, object]:
        """One hit, always with its id. Raises OverBudget where it exceeds the rest of the response.

        The first hit of a search of this site's pages has the snippet ANSWER, if that is requested.
        Texts are counted before they are built. Hits of a small response are counted by characters, which is fast,
        those of a larger one by their JSON.
        """
        size = self._budget.size
        self._budget.deadline.check()
        self._written, self._room = 0, size.left
        written = self._hit(hit)
        if is_first and self._answer_words and hit.excerpt is not None:
            self._add_answer(written, hit, hit.excerpt)
        self._roughly += self._written + hit.size
        exact = hit.size == 0 or self._roughly > _COUNTED_ROUGHLY
        size.add(len(orjson.dumps(written)) if exact else self._written + hit.size)
        return written

    def _hit(self, hit: Hit) -> dict[str, object]:
        record = without(hit.record, self._hidden) if self._hidden else hit.record
        shown = picked(record, self._retrieved)
        written: dict[str, object] = dict(shown) if isinstance(shown, Mapping) else {}
        written["objectID"] = hit.id
        snippets: dict[str, object] = {}
        for shape, words in self._snippets:
            cut = self._marked(record, shape, lambda text, words=words: self._snippet(text, words))  # type: ignore[misc]
            _merge(snippets, cut)
        if snippets:
            written["_snippetResult"] = snippets
        highlighted = self._marked(record, self._highlighted, self._highlight)
        if highlighted:
            written["_highlightResult"] = highlighted
        if self._display.ranking:
            written["_rankingInfo"] = {
                "nbTypos": hit.ranking.typos,
                "firstMatchedWord": 0,
                "proximityDistance": 0,
                "userScore": int(hit.ranking.score),
                "geoDistance": 0,
                "geoPrecision": 1,
                "nbExactWords": hit.ranking.exact,
                "words": hit.ranking.words,
                "filters": hit.ranking.filters,
            }
        return written

    def _add_answer(self, written: dict[str, object], hit: Hit, source: ExcerptSource) -> None:
        found = answer_excerpt(
            str(hit.record.get("content") or ""),
            source,
            self._answer.match_finder.spans,
            self._answer.word_weights,
            max_length=self._answer_words * _LETTERS,
        )
        if found is None:
            return
        stop_words = {word for word, weight in self._answer.word_weights.items() if not weight}
        parts = {"text": found.sentences, "code": found.code}
        answer = {
            name: {
                "value": self._rendered(part.text, part.spans, 0, len(part.text)),
                "matchLevel": self._level(part.spans, self._words - stop_words),
            }
            for name, part in parts.items()
            if part is not None
        }
        snippets = written.get("_snippetResult")
        written["_snippetResult"] = {**(snippets if isinstance(snippets, dict) else {}), ANSWER: answer}

    def marked(self, text: str) -> str:
        """A text with its matches highlighted. Raises OverBudget as `write` does."""
        self._written, self._room = 0, self._budget.size.left
        return self._rendered(text, self._spans(text), 0, len(text))

    def _marked(
        self, record: Mapping[str, Json], shape: Shape | None, mark: Callable[[str], dict[str, object]]
    ) -> dict[str, object]:
        chosen = picked(record, shape)
        if not isinstance(chosen, (dict, Mapping)):
            return {}
        named = shape is not None and "objectID" in shape
        return {
            name: marked
            for name, value in chosen.items()
            if (name != "objectID" or named)
            and not name.startswith("_")
            and (marked := self._walk(value, mark)) is not None
        }

    def _walk(self, value: Json, mark: Callable[[str], dict[str, object]]) -> object:
        if isinstance(value, str):
            return mark(value)
        if value is None:
            return None
        if isinstance(value, bool):
            return mark("true" if value else "false")
        if isinstance(value, (int, float)):
            return mark(str(value))
        if isinstance(value, (dict, Mapping)):
            inner = {name: item for name, each in value.items() if (item := self._walk(each, mark)) is not None}
            return inner or None
        items = [item for each in value if (item := self._walk(each, mark)) is not None]
        if self._display.only_marked:
            items = [item for item in items if not isinstance(item, dict) or item.get("matchLevel") != "none"]
        return items

    def _spans(self, text: str) -> tuple[Span, ...]:
        return self._answer.spans(text) if self._words else ()

    def _highlight(self, text: str) -> dict[str, object]:
        """Cached by text: hits share their titles."""
        known = self._shown.get(text)
        if known is not None:
            self._count(known[1])
            return known[0]
        before = self._written
        shown = self._highlighted_text(text)
        self._shown[text] = shown, self._written - before
        return shown

    def _count(self, size: int) -> None:
        """Raises OverBudget where the current hit exceeds the rest of the response."""
        self._written += size
        if self._written > self._room:
            self._budget.size.add(self._written)
        if size > _LONG_TEXT:
            self._budget.deadline.check()

    def _highlighted_text(self, text: str) -> dict[str, object]:
        spans = self._spans(text)
        value = self._rendered(text, spans, 0, len(text))
        if not spans:
            return {"value": value, "matchLevel": "none", "matchedWords": []}
        return {
            "value": value,
            "matchLevel": self._level(spans),
            "matchedWords": list(dict.fromkeys(word for span in spans for word in span.words)),
            "fullyHighlighted": _covers(text, spans),
        }

    def _snippet(self, text: str, words: int) -> dict[str, object]:
        found = self._answer.match_finder.spans(text) if self._words else iter(())
        spans = self._together(found, reach=words * _LETTERS)
        start, end = window(text, spans, words)
        spans += takewhile(lambda span: span.start < end, found)
        value = self._rendered(text, spans, start, end)
        if start > 0:
            value = self._display.ellipsis + value
        if _WORD.search(text, end):
            value += self._display.ellipsis
        return {"value": value, "matchLevel": self._level(spans)}

    def _together(self, found: Iterator[Span], reach: int) -> list[Span]:
        """Matches up to the first place where all words are close together: no other place is better."""
        spans: list[Span] = []
        last: dict[str, int] = {}
        for span in islice(found, _MAX_SPANS):
            spans.append(span)
            for word in span.words:
                last[word] = span.start
            if len(last) >= len(self._words) and min(last.values()) > span.start - reach:
                break
        return spans

    def _level(self, spans: Sequence[Span], words: frozenset[str] | None = None) -> str:
        if not spans:
            return "none"
        return (
            "full"
            if (self._words if words is None else words) <= {word for span in spans for word in span.words}
            else "partial"
        )

    def _rendered(self, text: str, spans: Sequence[Span], start: int, end: int) -> str:
        before, after = self._display.before, self._display.after
        # The size is known before the text is built.
        self._count(_VALUE_BYTES + (end - start) + len(spans) * (len(before) + len(after)))
        if not spans and not self._display.escaped:
            return text[start:end]
        safe = html.escape if self._display.escaped else str
        pieces: list[str] = []
        at = start
        for span in spans:
            first, last = max(span.start, at), min(span.end, end)
            if first < last:
                pieces += (safe(text[at:first]), before, safe(text[first:last]), after)
                at = last
        pieces.append(safe(text[at:end]))
        return "".join(pieces)


def window(text: str, spans: Sequence[Span], words: int) -> tuple[int, int]:
    """Start and end of a snippet: around the place with most words, or at the beginning."""
    anchor = _densest(spans[:_MAX_SPANS], reach=words * _LETTERS)
    before = _starts(text, anchor, words // 3)
    start = before[0] if before else anchor
    end, missing = _ahead(text, start, words)
    if missing and before:
        # At the end of a text, extend the snippet to the left.
        start = next(iter(_starts(text, start, missing)), start)
        end, _ = _ahead(text, start, words)
    if start and start <= _LONGEST_WORD and start == _first_word(text):
        start = 0
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return start, end


def _densest(spans: Sequence[Span], reach: int) -> int:
    if len(spans) == 1:
        return spans[0].start
    best, most = 0, 0
    for at, first in enumerate(spans):
        near: set[str] = set()
        for span in spans[at : at + _MAX_NEAR]:
            if span.start > first.start + reach:
                break
            near.update(span.words)
        if len(near) > most:
            best, most = first.start, len(near)
    return best


def _starts(text: str, end: int, most: int) -> list[int]:
    """The starts of the last words before `end`."""
    if not end or not most:
        return []
    begin = max(0, end - min(most * _LONGEST_WORD, most * _LETTERS + _LONGEST_WORD))
    return [word.start() for word in _WORD.finditer(text, begin, end)][-most:]


def _ahead(text: str, start: int, words: int) -> tuple[int, int]:
    """The end of the given number of words after `start`, and the number of missing words."""
    ends = [word.end() for word in islice(_WORD.finditer(text, start), words)]
    return (ends[-1] if ends else len(text)), words - len(ends)


def _first_word(text: str) -> int:
    found = _WORD.search(text)
    return found.start() if found else 0


def _covers(text: str, spans: Sequence[Span]) -> bool:
    at = 0
    for span in spans:
        if _WORD.search(text, at, span.start):
            return False
        at = span.end
    return _WORD.search(text, at) is None


def _merge(into: dict[str, object], more: Mapping[str, object]) -> None:
    for name, value in more.items():
        known = into.get(name)
        if isinstance(known, dict) and isinstance(value, Mapping) and "matchLevel" not in value:
            _merge(known, value)
        else:
            into[name] = value

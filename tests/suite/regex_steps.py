"""Counts the steps that a backtracking regular expression engine takes: a measure of time that is the same in each run.

The counter runs the tree that `re` parses, in the order in which `re` tries alternatives and repeats. `re` skips some
of these steps (it looks for a literal before it starts a match) but takes no others, so that what is linear here is
linear there. A test compares the matches of both.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

parser: Any = importlib.import_module("re._parser")

Node = tuple[Any, Any]
Matcher = Callable[[int], int | None]
"""Matches at an index, followed by the rest of the pattern: the index of the match's end, or None."""

RunLength = Callable[[int, int], int]
"""From an index and the most characters: how many characters there match."""

SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
DEEPEST = 1_000_000
"""Calls. Each repeat of a group is some calls deeper; Python functions take no stack of the process."""


class TooManySteps(Exception):
    """The match takes more steps than the limit."""


def nodes_of(tree: Any) -> Iterator[Node]:
    """Each node of a tree of `re._parser`, parents first."""
    for op, argument in tree:
        yield op, argument
        for inner in children_of(op, argument):
            yield from nodes_of(inner)


def children_of(op: Any, argument: Any) -> list[Any]:
    """The trees below a node."""
    match str(op):
        case "SUBPATTERN":
            return [argument[-1]]
        case "BRANCH":
            return list(argument[1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
        case "ATOMIC_GROUP":
            return [argument]
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "GROUPREF_EXISTS":
            return [one for one in argument[1:] if one is not None]
    return []


def accepts(node: Node, flags: int) -> Callable[[str], bool]:
    """Whether a character matches a node of `SINGLE`."""
    op, argument = node
    match str(op):
        case "LITERAL":
            wanted = chr(argument)
            if flags & re.IGNORECASE:
                return lambda c: c.lower() == wanted.lower()
            return lambda c: c == wanted
        case "NOT_LITERAL":
            same = accepts((parser.LITERAL, argument), flags)
            return lambda c: not same(c)
        case "ANY":
            return lambda c: bool(flags & re.DOTALL) or c != "\n"
    return lambda c: _in_class(argument, c, flags)


def _in_class(items: Sequence[Node], c: str, flags: int) -> bool:
    folded = {c, c.lower(), c.upper()} if flags & re.IGNORECASE else {c}
    negated = found = False
    for op, argument in items:
        match str(op):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found = found or chr(argument) in folded
            case "RANGE":
                found = found or any(argument[0] <= ord(one) <= argument[1] for one in folded if len(one) == 1)
            case "CATEGORY":
                found = found or _is_category(str(argument), c, flags)
    return found != negated


def _is_category(name: str, c: str, flags: int) -> bool:
    source = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.rpartition("_")[2]]
    source = source.upper() if "NOT" in name else source
    return re.match(source, c, flags & re.ASCII) is not None


class Accepted(dict[int, str]):
    """Which characters a node of `SINGLE` accepts: a table for `str.translate`, filled by its use."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        super().__init__()
        self._test = test

    def __missing__(self, code: int) -> str:
        found = self[code] = "\1" if self._test(chr(code)) else "\0"
        return found


class First(NamedTuple):
    """The first characters of the matches of a matcher, and the steps in which it fails at another one."""

    accepted: Accepted
    steps: int


class Times(NamedTuple):
    """How many times a part is repeated."""

    least: int
    most: int


class StepCounter:
    """Runs one pattern on one text after another and counts the steps of each run."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._tree = parser.parse(pattern.pattern, pattern.flags)
        self._referenced = {argument for op, argument in nodes_of(self._tree) if str(op) == "GROUPREF"}
        self._accepted: dict[tuple[str, str, int], Accepted] = {}
        self._tables: list[Accepted] = []
        """Those of alternatives, which no other node shares. Tables live as long as their identities are used."""
        self._masks: dict[int, bytes] = {}
        """By the identity of a table: 1 for each character of the text that it accepts, and a 0 at the end."""
        self._first: dict[Matcher, First] = {}
        self._text = ""
        self._full = False
        self._not_empty_at: int | None = None
        self._spans: dict[int, tuple[int, int] | None] = {}
        self._left = 0
        self._match = self._sequence(list(self._tree), self._tree.state.flags, self._accept)

    def steps(self, operation: str, text: str, limit: int) -> int:
        """The steps of an operation such as "search" or "sub" on a text.

        Raises TooManySteps as soon as there are more than `limit`.
        """
        list(self._matches(operation, text, limit))
        return limit - self._left

    def spans(self, operation: str, text: str, limit: int) -> list[tuple[int, int]]:
        """Start and end of each match that the operation finds. Raises TooManySteps."""
        return list(self._matches(operation, text, limit))

    def _matches(self, operation: str, text: str, limit: int) -> Iterator[tuple[int, int]]:
        self._text, self._full, self._left = text, operation == "fullmatch", limit
        self._masks.clear()
        self._not_empty_at = None
        start = 0
        first = self._first.get(self._match) if operation not in ("match", "fullmatch") else None
        with _recursion_limit(DEEPEST):
            while start <= len(text):
                if first is not None:
                    # Where the next character does not match, a step here and those of the pattern show it.
                    possible = self._mask(first.accepted).find(1, start)
                    end_of_skipped = len(text) + 1 if possible < 0 else possible
                    self._step((1 + first.steps) * (end_of_skipped - start))
                    if possible < 0:
                        return
                    start = possible
                self._step()
                self._spans.clear()
                end = self._match(start)
                if end is not None:
                    yield start, end
                    if operation in ("search", "match", "fullmatch"):
                        return
                    # Two empty matches in one place would be found forever.
                    self._not_empty_at = end if end == start else None
                    start = end
                elif operation in ("match", "fullmatch"):
                    return
                else:
                    start += 1

    def _step(self, number: int = 1) -> None:
        self._left -= number
        if self._left < 0:
            raise TooManySteps

    def _accept(self, at: int) -> int | None:
        """The end of the whole pattern."""
        if (self._full and at != len(self._text)) or at == self._not_empty_at:
            return None
        return at

    def _sequence(self, nodes: list[Node], flags: int, then: Matcher) -> Matcher:
        for op, argument in reversed(nodes):
            then = self._node(op, argument, flags, then)
        return then

    def _node(self, op: Any, argument: Any, flags: int, then: Matcher) -> Matcher:
        match str(op):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._single((op, argument), flags, then)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(str(op), argument, flags, then)
            case "BRANCH":
                return self._branch([self._sequence(list(one), flags, then) for one in argument[1]])
            case "SUBPATTERN":
                group, added, removed, inner = argument
                return self._group(group, list(inner), (flags | added) & ~removed, then)
            case "ATOMIC_GROUP":
                return self._atomic(self._sequence(list(argument), flags, _end), then)
            case "ASSERT" | "ASSERT_NOT":
                return self._assertion(str(op) == "ASSERT", argument, flags, then)
            case "AT":
                return self._position(str(argument), flags, then)
            case "GROUPREF":
                return self._reference(argument, flags, then)
            case "FAILURE":
                return _fail
        raise NotImplementedError(f"the step counter knows no {op}")

    def _table(self, node: Node, flags: int) -> Accepted:
        """The characters that match, in a table that all equal nodes of the pattern share."""
        return self._accepted.setdefault((str(node[0]), repr(node[1]), flags), Accepted(accepts(node, flags)))

    def _mask(self, table: Accepted) -> bytes:
        """Which characters of the text match. Searching it counts many steps at once."""
        mask = self._masks.get(id(table))
        if mask is None:
            mask = self._masks[id(table)] = self._text.translate(table).encode("latin-1") + b"\0"
        return mask

    def _single(self, node: Node, flags: int, then: Matcher) -> Matcher:
        table = self._table(node, flags)

        def single(at: int) -> int | None:
            self._step()
            return then(at + 1) if self._mask(table)[at] else None

        self._first[single] = First(table, 1)
        return single

    def _repeat(self, kind: str, argument: Any, flags: int, then: Matcher) -> Matcher:
        least, most, inner = argument
        times = Times(least, most)
        if len(inner) == 1 and str(inner[0][0]) in SINGLE:
            table = self._table(inner[0], flags)
            length = self._run_length(table)
            match kind:
                case "MAX_REPEAT":
                    return self._greedy_characters(times, length, then)
                case "MIN_REPEAT":
                    return self._lazy_characters(times, table, then)
            return self._possessive_characters(times, length, then)
        if kind == "POSSESSIVE_REPEAT":
            return self._possessive_groups(times, self._sequence(list(inner), flags, _end), then)
        groups = _Groups(self._step, times, kind == "MAX_REPEAT", then)
        groups.body = self._sequence(list(inner), flags, groups.after)
        return groups.enter

    def _run_length(self, table: Accepted) -> RunLength:
        def length(at: int, most: int) -> int:
            number = min(self._mask(table).index(0, at) - at, most)
            self._step(1 + number)
            return number

        return length

    def _greedy_characters(self, times: Times, length: RunLength, then: Matcher) -> Matcher:
        first = self._first.get(then)

        def greedy(at: int) -> int | None:
            here, least = at + length(at, times.most), at + times.least
            while here >= least:
                if first is not None:
                    # Where the next character does not match, a step here and those of `then` show it.
                    possible = self._mask(first.accepted).rfind(1, least, here + 1)
                    self._step((1 + first.steps) * (here - max(possible, least - 1)))
                    if possible < 0:
                        return None
                    here = possible
                self._step()
                end = then(here)
                if end is not None:
                    return end
                here -= 1
            return None

        return greedy

    def _lazy_characters(self, times: Times, table: Accepted, then: Matcher) -> Matcher:
        length, first = self._run_length(table), self._first.get(then)

        def lazy(at: int) -> int | None:
            number = length(at, times.least)
            if number < times.least:
                return None
            while True:
                if first is not None and number < times.most:
                    # Where the next character does not match, a step here and those of `then` show it. Two repeat.
                    here, most = at + number, at + times.most
                    possible = self._mask(first.accepted).find(1, here, most)
                    skipped = min(possible if possible >= 0 else most, self._mask(table).index(0, here)) - here
                    self._step((3 + first.steps) * skipped)
                    number += skipped
                self._step()
                end = then(at + number)
                if end is not None or number >= times.most or not length(at + number, 1):
                    return end
                number += 1

        return lazy

    def _possessive_characters(self, times: Times, length: RunLength, then: Matcher) -> Matcher:
        def possessive(at: int) -> int | None:
            number = length(at, times.most)
            return then(at + number) if number >= times.least else None

        return possessive

    def _possessive_groups(self, times: Times, body: Matcher, then: Matcher) -> Matcher:
        def possessive(at: int) -> int | None:
            number = 0
            while number < times.most:
                self._step()
                end = body(at)
                if end is None:
                    break
                number += 1
                if end == at and number >= times.least:
                    break
                at = end
            return then(at) if number >= times.least else None

        return possessive

    def _branch(self, branches: list[Matcher]) -> Matcher:
        firsts = [self._first.get(one) for one in branches]
        tried: dict[str, tuple[list[tuple[int, Matcher]], int]] = {}

        def alternatives(c: str) -> tuple[list[tuple[int, Matcher]], int]:
            """What may match at a character, after how many steps, and the steps at the end.

            An alternative that begins with another character takes a step here and those in which it fails.
            """
            found: list[tuple[int, Matcher]] = []
            number = 0
            for one, first in zip(branches, firsts, strict=True):
                number += 1
                if first is not None and (not c or first.accepted[ord(c)] == "\0"):
                    number += first.steps
                else:
                    found.append((number, one))
                    number = 0
            return found, number

        def branch(at: int) -> int | None:
            c = self._text[at : at + 1]
            if c not in tried:
                tried[c] = alternatives(c)
            possible, rest = tried[c]
            for number, one in possible:
                self._step(number)
                end = one(at)
                if end is not None:
                    return end
            self._step(rest)
            return None

        known = [first for first in firsts if first is not None]
        if len(known) == len(branches):
            accepted = Accepted(lambda c: any(first.accepted[ord(c)] == "\1" for first in known))
            self._tables.append(accepted)
            self._first[branch] = First(accepted, sum(1 + first.steps for first in known))
        return branch

    def _group(self, group: int | None, inner: list[Node], flags: int, then: Matcher) -> Matcher:
        if group is None or group not in self._referenced:
            return self._sequence(inner, flags, then)
        starts: list[int] = []

        def close(at: int) -> int | None:
            before = self._spans.get(group)
            start = starts.pop()
            self._spans[group] = (start, at)
            end = then(at)
            starts.append(start)
            if end is None:
                self._spans[group] = before
            return end

        def open_(at: int) -> int | None:
            starts.append(at)
            end = body(at)
            starts.pop()
            return end

        body = self._sequence(inner, flags, close)
        return open_

    def _atomic(self, body: Matcher, then: Matcher) -> Matcher:
        def atomic(at: int) -> int | None:
            self._step()
            end = body(at)
            return None if end is None else then(end)

        return atomic

    def _assertion(self, wanted: bool, argument: Any, flags: int, then: Matcher) -> Matcher:
        direction, inner = argument
        back = inner.getwidth()[0] if direction < 0 else 0
        body = self._sequence(list(inner), flags, _end)

        def assertion(at: int) -> int | None:
            self._step()
            found = at >= back and body(at - back) is not None
            return then(at) if found == wanted else None

        return assertion

    def _position(self, name: str, flags: int, then: Matcher) -> Matcher:
        lines = bool(flags & re.MULTILINE)
        word = self._table((parser.IN, [(parser.CATEGORY, parser.CATEGORY_WORD)]), flags)

        def holds(at: int) -> bool:
            text = self._text
            size = len(text)
            match name:
                case "AT_BEGINNING":
                    return at == 0 or (lines and text[at - 1] == "\n")
                case "AT_BEGINNING_STRING":
                    return at == 0
                case "AT_END":
                    return at == size or (text[at] == "\n" and (lines or at == size - 1))
                case "AT_END_STRING":
                    return at == size
                case "AT_BOUNDARY" | "AT_NON_BOUNDARY":
                    is_word = self._mask(word)
                    before, after = at > 0 and is_word[at - 1] == 1, is_word[at] == 1
                    # In an empty text `re` finds neither.
                    return size > 0 and (before != after) == (name == "AT_BOUNDARY")
            raise NotImplementedError(f"the step counter knows no {name}")

        def position(at: int) -> int | None:
            self._step()
            return then(at) if holds(at) else None

        return position

    def _reference(self, group: int, flags: int, then: Matcher) -> Matcher:
        folds = bool(flags & re.IGNORECASE)

        def reference(at: int) -> int | None:
            span = self._spans.get(group)
            if span is None:
                return None
            wanted = self._text[slice(*span)]
            found = self._text[at : at + len(wanted)]
            self._step(1 + len(wanted))
            same = found.lower() == wanted.lower() if folds else found == wanted
            return then(at + len(wanted)) if same else None

        return reference


class _Groups:
    """A greedy or lazy repeat of more than one character, with the state of the repeat that runs."""

    body: Matcher

    def __init__(self, step: Callable[[], None], times: Times, greedy: bool, then: Matcher) -> None:
        self._step = step
        self._times = times
        self._greedy = greedy
        self._then = then
        self._number = 0
        self._last = -1

    def enter(self, at: int) -> int | None:
        return self._with_state(0, -1, self.after, at)

    def after(self, at: int) -> int | None:
        """After `_number` repeats: one more, or what follows. An empty repeat is the last one."""
        self._step()
        number, last = self._number, self._last
        if number < self._times.least:
            return self._with_state(number + 1, last, self.body, at)
        may_repeat = number < self._times.most and at != last
        if self._greedy:
            end = self._with_state(number + 1, at, self.body, at) if may_repeat else None
            return self._then(at) if end is None else end
        end = self._then(at)
        return self._with_state(number + 1, at, self.body, at) if end is None and may_repeat else end

    def _with_state(self, number: int, last: int, matcher: Matcher, at: int) -> int | None:
        before = self._number, self._last
        self._number, self._last = number, last
        end = matcher(at)
        self._number, self._last = before
        return end


def _fail(_at: int) -> None:
    """A part that matches nothing, such as `(?!)`."""


def _end(at: int) -> int:
    """The end of a lookaround, or of an atomic group."""
    return at


@contextmanager
def _recursion_limit(calls: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)

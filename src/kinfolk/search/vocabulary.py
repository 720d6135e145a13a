"""Every term of an index: which there are, which begin so, and which were perhaps meant.

Finding the words first and their records second keeps typos cheap: one look at the vocabulary instead of an automaton
for each field, and a mistyped word can be inflected too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kinfolk.search.tokens import STEM, stem
from kinfolk.throttle import unthrottled

MOST_NEAR = 60
"""Terms that a mistyped word may stand for, the likeliest ones."""
MOST_LETTERS = 30
"""Letters that a wrong or missing one may have been."""
LONGEST_START = 24
"""Letters of a term by which its beginnings are known; nobody mistypes a beginning longer than that."""
_LAST = "\U0010ffff"


class Vocabulary:
    """Terms with a bit for each tier of attributes that has them. Never changes.

    `throttle` is called between the steps of its construction, each of which takes some 10 ms for 3,000 pages.
    """

    def __init__(self, tiers: Iterable[Iterable[tuple[str, int]]], throttle: Callable[[], None] = unthrottled) -> None:
        where: dict[str, int] = {}
        often: dict[str, int] = {}
        for tier, terms in enumerate(tiers):
            for term, records in terms:
                where[term] = where.get(term, 0) | 1 << tier
                often[term] = max(often.get(term, 0), records)
            throttle()
        self.where: Mapping[str, int] = where
        self.often: Mapping[str, int] = often
        self._sorted = sorted(where)
        by_length: dict[int, list[str]] = defaultdict(list)
        for term in self._sorted:
            if not term.startswith(STEM) and not term.isdigit():
                by_length[len(term)].append(term)
        self._by_length = dict(by_length)
        throttle()
        self._starts = frozenset(
            term[:end] for term in self._sorted for end in range(1, min(len(term), LONGEST_START) + 1)
        )
        throttle()
        letters = Counter(letter for term in where for letter in term)
        self._letters = tuple(letter for letter, _ in letters.most_common(MOST_LETTERS) if letter.isalnum())

    def __len__(self) -> int:
        return len(self._sorted)

    def __contains__(self, term: object) -> bool:
        return term in self.where

    def beginning(self, start: str, most: int) -> list[str]:
        """Terms that begin with `start`, no more than `most`, in order."""
        at = bisect_left(self._sorted, start)
        end = min(bisect_left(self._sorted, start + _LAST, at), at + most)
        return self._sorted[at:end]

    def begins(self, start: str) -> bool:
        if len(start) <= LONGEST_START:
            return start in self._starts
        return bool(self.beginning(start, 1))

    def near(self, term: str, most_typos: int, *, begun: bool) -> dict[str, int]:
        """Terms within so many typos of `term`, and how many; where it is only `begun`, of their beginnings.

        A typo is a letter too many, missing, wrong, or changed with its neighbour. Two are looked for only where none
        and one lead nowhere: most of what is two letters away was not meant.
        """
        if most_typos == 0:
            return {}
        found: dict[str, int] = {}
        slips = self._one_off(term)
        for other in slips & self._starts if len(term) < LONGEST_START else slips:
            if other in self.where:
                found[other] = 1
            if begun:
                found |= dict.fromkeys(self.beginning(other, MOST_NEAR), 1)
        # Mistyped and inflected: the stem is what was mistyped.
        for other in self._one_off(root) if (root := stem(term)) else ():
            if STEM + other in self.where:
                found.setdefault(STEM + other, 1)
        found.pop(term, None)
        if most_typos > 1 and not found and term not in self.where and not (begun and self.begins(term)):
            found = self._two_off(term, begun=begun)
        if len(found) > MOST_NEAR:
            likely = sorted(found, key=lambda other: (abs(len(other) - len(term)), -self.often[other], other))
            found = {other: found[other] for other in likely[:MOST_NEAR]}
        return found

    def _one_off(self, term: str) -> set[str]:
        """Everything that one typo could have been made of: far fewer than there are terms to compare with."""
        cuts = [(term[:at], term[at:]) for at in range(len(term) + 1)]
        tails = [(left, right[1:]) for left, right in cuts if right]
        found = {left + tail for left, tail in tails}
        found |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
        for left, right in (*cuts, *tails):
            found.update([left + letter + right for letter in self._letters])
        found.discard(term)
        return found

    def _two_off(self, term: str, *, begun: bool) -> dict[str, int]:
        size = len(term)
        choices = [other for length in range(size - 2, size + 3) for other in self._by_length.get(length, ())]
        near = process.extract(term, choices, scorer=OSA.distance, score_cutoff=2, limit=MOST_NEAR)
        found = {other: int(typos) for other, typos, _ in near}
        if begun and not found:
            # Of longer terms, the first letter at least has to be right.
            longer = [other for other in self.beginning(term[0], len(self)) if len(other) > size + 2]
            starts = [other[:size] for other in longer]
            near = process.extract(term, starts, scorer=OSA.distance, score_cutoff=2, limit=MOST_NEAR)
            found = {longer[at]: int(typos) for _, typos, at in near}
        return found


def inflections(terms: Iterable[str], vocabulary: Vocabulary) -> set[str]:
    """The marked stems of these terms that the index has."""
    return {marked for term in terms if (root := stem(term)) and (marked := STEM + root) in vocabulary}

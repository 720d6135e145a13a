"""All terms of an index, in memory: membership, completions of prefixes, and corrections of typos.

Corrections come from the vocabulary instead of an automaton for each field: it is faster, and a correction can be an
inflected form.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kinfolk.runtime.services.throttle import unthrottled
from kinfolk.search.text.tokens import STEM, stem

MAX_CORRECTIONS = 60
"""Corrections of one word, the likeliest ones."""
MAX_LETTERS = 30
"""Letters that corrections insert or substitute: the most frequent ones."""
MAX_PREFIX_LENGTH = 24
"""Length of the prefixes that are stored. Typos in longer prefixes are not corrected."""
_LAST_CHARACTER = "\U0010ffff"


class Vocabulary:
    """Terms with a bit for each tier that has them. Immutable.

    `throttle` is called between the steps of the construction, each of which takes about 10 ms for 3,000 pages.
    """

    def __init__(self, tiers: Iterable[Iterable[tuple[str, int]]], throttle: Callable[[], None] = unthrottled) -> None:
        in_tiers: dict[str, int] = {}
        frequency: dict[str, int] = {}
        for tier, terms in enumerate(tiers):
            for term, records in terms:
                in_tiers[term] = in_tiers.get(term, 0) | 1 << tier
                frequency[term] = max(frequency.get(term, 0), records)
            throttle()
        self.tiers: Mapping[str, int] = in_tiers
        self.frequency: Mapping[str, int] = frequency
        self._sorted = sorted(in_tiers)
        by_length: dict[int, list[str]] = defaultdict(list)
        for term in self._sorted:
            if not term.startswith(STEM) and not term.isdigit():
                by_length[len(term)].append(term)
        self._by_length = dict(by_length)
        throttle()
        self._prefixes = frozenset(
            term[:end] for term in self._sorted for end in range(1, min(len(term), MAX_PREFIX_LENGTH) + 1)
        )
        throttle()
        letters = Counter(letter for term in in_tiers for letter in term)
        self._letters = tuple(letter for letter, _ in letters.most_common(MAX_LETTERS) if letter.isalnum())

    def __len__(self) -> int:
        return len(self._sorted)

    def __contains__(self, term: object) -> bool:
        return term in self.tiers

    def completions(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with `prefix`, in order."""
        at = bisect_left(self._sorted, prefix)
        end = min(bisect_left(self._sorted, prefix + _LAST_CHARACTER, at), at + limit)
        return self._sorted[at:end]

    def has_completion(self, prefix: str) -> bool:
        if len(prefix) <= MAX_PREFIX_LENGTH:
            return prefix in self._prefixes
        return bool(self.completions(prefix, 1))

    def corrections(self, term: str, max_typos: int, *, is_prefix: bool) -> dict[str, int]:
        """Terms within `max_typos` of `term` with their number of typos; for a prefix, terms with such a prefix too.

        A typo is an added, missing, wrong or transposed letter. Two typos are tried only where one has no result: most
        terms at distance two are unrelated.
        """
        if max_typos == 0:
            return {}
        found: dict[str, int] = {}
        edits = self._one_edit(term)
        for other in edits & self._prefixes if len(term) < MAX_PREFIX_LENGTH else edits:
            if other in self.tiers:
                found[other] = 1
            if is_prefix:
                found |= dict.fromkeys(self.completions(other, MAX_CORRECTIONS), 1)
        # The term may be an inflected form of a word with a typo.
        for other in self._one_edit(root) if (root := stem(term)) else ():
            if STEM + other in self.tiers:
                found.setdefault(STEM + other, 1)
        found.pop(term, None)
        if max_typos > 1 and not found and term not in self.tiers and not (is_prefix and self.has_completion(term)):
            found = self._two_edits(term, is_prefix=is_prefix)
        if len(found) > MAX_CORRECTIONS:
            likeliest = sorted(found, key=lambda other: (abs(len(other) - len(term)), -self.frequency[other], other))
            found = {other: found[other] for other in likeliest[:MAX_CORRECTIONS]}
        return found

    def _one_edit(self, term: str) -> set[str]:
        """All strings at distance one: fewer than there are terms to compare with."""
        cuts = [(term[:at], term[at:]) for at in range(len(term) + 1)]
        tails = [(left, right[1:]) for left, right in cuts if right]
        found = {left + tail for left, tail in tails}
        found |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
        for left, right in (*cuts, *tails):
            found.update([left + letter + right for letter in self._letters])
        found.discard(term)
        return found

    def _two_edits(self, term: str, *, is_prefix: bool) -> dict[str, int]:
        size = len(term)
        choices = [other for length in range(size - 2, size + 3) for other in self._by_length.get(length, ())]
        close = process.extract(term, choices, scorer=OSA.distance, score_cutoff=2, limit=MAX_CORRECTIONS)
        found = {other: int(typos) for other, typos, _ in close}
        if is_prefix and not found:
            # Of longer terms, only those with the same first letter are compared.
            longer = [other for other in self.completions(term[0], len(self)) if len(other) > size + 2]
            prefixes = [other[:size] for other in longer]
            close = process.extract(term, prefixes, scorer=OSA.distance, score_cutoff=2, limit=MAX_CORRECTIONS)
            found = {longer[at]: int(typos) for _, typos, at in close}
        return found


def inflections(terms: Iterable[str], vocabulary: Vocabulary) -> set[str]:
    """The stems of these terms that the index has."""
    return {marked for term in terms if (root := stem(term)) and (marked := STEM + root) in vocabulary}

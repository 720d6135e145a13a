"""What the ranking reads from an index: its settings, its terms and its facet values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import tantivy

from kinfolk.search.filters import Equals
from kinfolk.search.ranking.scores import PHRASE_SHARE, TIER_SHARES
from kinfolk.search.ranking_config import IndexSettings
from kinfolk.search.text.tokens import read_words
from kinfolk.search.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class SearchScope:
    """`index` parses the few queries for which tantivy has no constructor."""

    settings: IndexSettings
    vocabulary: Vocabulary
    index: tantivy.Index
    schema: tantivy.Schema
    facet_values: Mapping[str, frozenset[str]]
    """The values of the facets that boost records."""
    headings: Mapping[str, frozenset[str]]
    """All normalized headings, by their field, without phrases and defined names."""
    records: int
    """The number of records."""

    @cached_property
    def boosting_values(self) -> frozenset[str]:
        """The values of all boosting facets."""
        return frozenset(value for values in self.facet_values.values() for value in values)

    @cached_property
    def variant_attributes(self) -> frozenset[str]:
        """The facets whose values records need not name."""
        return frozenset(one.attribute for one in self.settings.facet_boosts if one.matches_without_text)

    @cached_property
    def variant_values(self) -> frozenset[str]:
        """The values of facets whose records need not name them: the frameworks for which a text is written."""
        return frozenset().union(*(self.facet_values[attribute] for attribute in self.variant_attributes))

    @cached_property
    def generic_parts(self) -> frozenset[str]:
        """Parts of identifiers that carry no topic."""
        prefixes = (part for aliases in self.settings.prefix_aliases for part in aliases)
        return frozenset((*self.settings.heading_suffixes, *prefixes))

    @cached_property
    def tier_shares(self) -> tuple[float, ...]:
        """The share of a word's weight in each tier of a question."""
        has_phrases = [self.settings.phrases in tier for tier in self.settings.tiers or ((),)]
        others = iter((*TIER_SHARES, *(TIER_SHARES[-1] for _ in has_phrases)))
        return tuple(PHRASE_SHARE if phrases else next(others) for phrases in has_phrases)

    @cached_property
    def intents(self) -> tuple[tuple[Equals, tuple[str, ...]], ...]:
        """The records of each intent, and the words that ask for them, between blanks."""
        return tuple(
            (Equals(one.attribute, one.value), tuple(f" {' '.join(_terms(text))} " for text in one.says))
            for one in self.settings.intents
        )

    @cached_property
    def synonyms(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """A word, or several joined by spaces -> the terms of each of its synonyms."""
        found: dict[str, dict[tuple[str, ...], None]] = {}
        for synonym in self.settings.synonyms:
            heads = synonym.words if synonym.input is None else (synonym.input,)
            for head in heads:
                others = (_terms(other) for other in synonym.words if other != head)
                found.setdefault(" ".join(_terms(head)), {}).update(dict.fromkeys(others))
        return {head: tuple(others) for head, others in found.items()}


def _terms(text: str) -> tuple[str, ...]:
    return tuple(word.term for word in read_words(text))

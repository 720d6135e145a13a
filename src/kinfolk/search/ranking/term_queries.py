"""A word of the query -> tantivy queries: which records match it, and with which score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import tantivy
from tantivy import Query

from kinfolk.search.filters import Equals
from kinfolk.search.ranking.filter_queries import filter_query
from kinfolk.search.ranking.index_schema import ALL_TIERS, TIERS
from kinfolk.search.ranking.scores import (
    FACET_ONLY_TIERS,
    FACET_SHARE,
    INEXACT,
    INEXACT_SHARE,
    SYNONYM,
    SYNONYM_SHARE,
    TIER,
    TYPO,
    TYPO_SHARE,
    WORD,
)
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking.term_expansion import QueryTerm

MAX_SINGLE_TERMS = 60
"""Terms that are looked up one by one. Above this number tantivy makes a set of them."""


def any_of(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def any_term_query(schema: tantivy.Schema, field: str, terms: Iterable[str]) -> Query:
    """For a few terms: tantivy's term set is an automaton, which is slow to build."""
    return any_of(Query.term_query(schema, field, term, "basic") for term in terms)


def match_query(term: QueryTerm, tiers: Sequence[int], scope: SearchScope, *, all_attributes: bool) -> Query:
    """The records that contain the word or one of its alternatives, without a score."""
    fields = [ALL_TIERS] if all_attributes else [TIERS[tier] for tier in tiers]
    mask = sum(1 << tier for tier in tiers)
    found = [query for field in fields for queries, _ in _alternatives(term, field, mask, scope) for query in queries]
    found += list(_facet_queries(term, scope))
    return Query.const_score_query(any_of(found) if found else Query.empty_query(), 0.0)


def score_query(term: QueryTerm, tiers: Sequence[int], scope: SearchScope) -> Query:
    """The score of the best alternative over all tiers."""
    found = [
        Query.const_score_query(query, WORD - TIER * tier - penalty)
        for tier in tiers
        for queries, penalty in _alternatives(term, TIERS[tier], 1 << tier, scope)
        for query in queries
    ]
    found += [Query.const_score_query(query, WORD - TIER * FACET_ONLY_TIERS) for query in _facet_queries(term, scope)]
    return Query.disjunction_max_query(found) if found else Query.empty_query()


def weighted_query(term: QueryTerm, weight: float, tiers: Sequence[int], scope: SearchScope) -> Query:
    """The best share of the word's weight over all tiers."""
    found = [
        Query.const_score_query(query, weight * scope.tier_shares[tier] * _share(penalty))
        for tier in tiers
        for queries, penalty in _alternatives(term, TIERS[tier], 1 << tier, scope)
        for query in queries
    ]
    found += [Query.const_score_query(query, weight * FACET_SHARE) for query in _facet_queries(term, scope)]
    return Query.disjunction_max_query(found) if found else Query.empty_query()


def _share(penalty: float) -> float:
    if penalty >= TYPO / 2:
        return TYPO_SHARE
    if penalty >= SYNONYM:
        return SYNONYM_SHARE
    return 1 if penalty == 0 else INEXACT_SHARE


def _facet_queries(term: QueryTerm, scope: SearchScope) -> Iterator[Query]:
    """Records with the word as a facet value, for facets that match without the text."""
    for boost in scope.settings.facet_boosts:
        if boost.matches_without_text and term.term in scope.facet_values[boost.attribute]:
            yield filter_query(Equals(boost.attribute, term.term), scope)


def _alternatives(
    term: QueryTerm, field: str, mask: int, scope: SearchScope
) -> Iterator[tuple[Sequence[Query], float]]:
    """The word and its alternatives in one field, each with its penalty. `mask` has the bits of the field's tiers."""
    schema, vocabulary = scope.schema, scope.vocabulary

    def queries(terms: Iterable[str]) -> Sequence[Query]:
        present = [one for one in terms if vocabulary.tiers.get(one, 0) & mask]
        if len(present) > MAX_SINGLE_TERMS:
            return (Query.term_set_query(schema, field, present),)
        return [Query.term_query(schema, field, one, "basic") for one in present]

    yield queries((term.term,)), 0
    yield queries(term.inexact), INEXACT
    yield queries(term.synonyms), SYNONYM
    if term.has_many_completions:
        yield (Query.fuzzy_term_query(schema, field, term.term, distance=0, prefix=True),), INEXACT
    for terms, penalty in term.phrases:
        if len(terms) == 1:
            yield queries(terms), penalty
        elif all(vocabulary.tiers.get(one, 0) & mask for one in terms):
            yield (Query.phrase_query(schema, field, list(terms)),), penalty
    for typos, corrected in term.corrected_forms:
        yield queries(corrected), INEXACT + TYPO * typos

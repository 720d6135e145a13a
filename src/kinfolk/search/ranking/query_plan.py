"""A search query -> the queries that tantivy runs. The ranking is one number per record.

Records are compared criterion by criterion, as in DocSearch. A criterion decides only between records that are equal
in all criteria before it: words, typos, optional filters, full heading, attribute, proximity, exactness, custom order.
All but the custom ranking are packed into one score: each alternative of a word has a constant score, the best one
counts, and the scores of the words are added. `scores` has the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tantivy import Occur, Query

from kinfolk.runtime.budget import Deadline
from kinfolk.search.filters import AllOf
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking.boost_queries import demotions, preferences, text_boosts
from kinfolk.search.ranking.filter_queries import filter_query
from kinfolk.search.ranking.scores import OPTIONAL_WORD, PREFERRED, SLIGHT_DEMOTION, WEAK_DEMOTION, WORD
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking.term_expansion import QueryTerm, QueryTermReader
from kinfolk.search.ranking.term_queries import any_of, match_query, score_query
from kinfolk.search.ranking_config import Demotion, IndexSettings
from kinfolk.search.text.match_finder import WordMatchFinder
from kinfolk.search.text.tokens import STEM, stem


@dataclass(frozen=True)
class QueryPlan:
    """`match` selects the records, `ranked` selects and scores them."""

    terms: tuple[QueryTerm, ...]
    match: Query
    ranked: Query
    clauses: tuple[Query, ...]
    """One for each word that is not optional."""
    filter: Query
    """The query's filter, with the score of a record that is not demoted."""
    boosts: tuple[Query, ...]

    def with_any_word(self, weights: Sequence[float]) -> tuple[Query, Query]:
        """`match` and `ranked` for records with at least one of the words. Each word scores its weight."""
        match = [(Occur.Must, self.filter), (Occur.Must, Query.const_score_query(any_of(self.clauses), 0.0))]
        weighted = zip(self.clauses, weights, strict=True)
        scores = [Query.const_score_query(clause, WORD * weight) for clause, weight in weighted]
        ranked = [(Occur.Should, query) for query in (*scores, *self.boosts)]
        return Query.boolean_query(match), Query.boolean_query([*match, *ranked])

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(term.term for term in self.terms))

    @cached_property
    def match_finder(self) -> WordMatchFinder:
        terms: dict[str, dict[str, None]] = {}
        stems: dict[str, dict[str, None]] = {}
        prefixes: dict[str, str] = {}
        for one in (term for term in self.terms if not term.is_stop_word):
            terms.setdefault(one.term, {})[one.term] = None
            in_phrases = (term for phrase, _ in one.phrases for term in phrase)
            for term in (*one.inexact, *one.synonyms, *one.corrections, *in_phrases):
                if term.startswith(STEM):
                    stems.setdefault(term.removeprefix(STEM), {})[one.term] = None
                elif not (one.is_prefix and term.startswith(one.term)):  # only the prefix of a completion matches
                    terms.setdefault(term, {})[one.term] = None
            for root in (one.word.stem, *(stem(term) for term in one.corrections)):
                if root:
                    stems.setdefault(root, {})[one.term] = None
            if one.is_prefix:
                prefixes[one.term] = one.term
        return WordMatchFinder(
            {term: tuple(words) for term, words in terms.items()},
            {root: tuple(words) for root, words in stems.items()},
            prefixes,
        )


def plan_query(query: SearchQuery, scope: SearchScope, deadline: Deadline, *, typo_fallback: bool = True) -> QueryPlan:
    """Without `typo_fallback`, words that the index has are taken as correct.

    Raises Invalid for an invalid filter, OverBudget after the deadline.
    """
    tiers = searched_tiers(query, scope.settings)
    terms = QueryTermReader(query, scope, deadline, typo_fallback=typo_fallback).terms()
    deadline.check()
    all_attributes = query.restrict_attributes is None
    clauses = tuple(
        match_query(term, tiers, scope, all_attributes=all_attributes) for term in terms if not term.optional
    )
    demoted = [(each, _penalty(demotion)) for each, demotion in demotions(terms, scope)]
    base = sum(penalty for _, penalty in demoted)
    condition = Query.const_score_query(filter_query(query.where or AllOf(()), scope), base)
    scores = [_word_score(term, tiers, scope) for term in terms]
    boosted = [Query.const_score_query(each, PREFERRED * points) for each, points in preferences(query, terms, scope)]
    boosted += [Query.const_score_query(each, score) for each, score in text_boosts(query, terms, tiers, scope)]
    # Few records are demoted: subtracting from them is faster than adding to all others.
    boosted += [Query.const_score_query(demotion, -penalty) for demotion, penalty in demoted]
    # A query without a word that the index could have, such as a comma, matches nothing.
    nothing = () if terms or not query.text.strip() else (Query.empty_query(),)
    required = [(Occur.Must, each) for each in (condition, *clauses, *nothing)]
    return QueryPlan(
        terms=terms,
        match=Query.boolean_query(required),
        ranked=Query.boolean_query([*required, *((Occur.Should, each) for each in (*scores, *boosted))]),
        clauses=clauses,
        filter=condition,
        boosts=tuple(boosted),
    )


def _penalty(demotion: Demotion) -> float:
    if demotion.slight:
        return SLIGHT_DEMOTION
    return WEAK_DEMOTION if demotion.weak else PREFERRED


def _word_score(term: QueryTerm, tiers: Sequence[int], scope: SearchScope) -> Query:
    score = score_query(term, tiers, scope)
    return Query.boost_query(score, OPTIONAL_WORD / WORD) if term.optional else score


def searched_tiers(query: SearchQuery, settings: IndexSettings) -> tuple[int, ...]:
    """The tiers that contain one of the attributes to which the query is restricted."""
    tiers = settings.tiers or ((),)
    if query.restrict_attributes is None or not settings.tiers:
        return tuple(range(len(tiers)))
    wanted = query.restrict_attributes

    def is_wanted(path: str) -> bool:
        return any(path == attribute or path.startswith(f"{attribute}.") for attribute in wanted)

    return tuple(at for at, tier in enumerate(tiers) if any(is_wanted(path) for path in tier))

"""Questions: queries of so many words that a record may lack some of them.

Records are not compared criterion by criterion. Each word has a weight, the rarer the more, and a record has a share
of it by the place where it has the word. `scores` has the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tantivy import Occur, Query

from kinfolk.search.filters import AllOf
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking.boost_queries import definition_query, demotions, identifiers, preferences, text_boosts
from kinfolk.search.ranking.filter_queries import filter_query
from kinfolk.search.ranking.index_schema import SUBHEADING
from kinfolk.search.ranking.query_plan import QueryPlan
from kinfolk.search.ranking.scores import (
    NAME_SHARE,
    QUESTION,
    QUESTION_ALL_WORDS,
    QUESTION_DEFINITION,
    QUESTION_DEMOTION,
    QUESTION_PREFERRED,
    QUESTION_SLIGHT_DEMOTION,
    QUESTION_SUBHEADING,
    QUESTION_TEXT_BOOST,
    QUESTION_WEAK_DEMOTION,
)
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking.term_expansion import QueryTerm, removes_words, term_frequency
from kinfolk.search.ranking.term_queries import weighted_query
from kinfolk.search.ranking.word_weights import word_weight
from kinfolk.search.ranking_config import Demotion, IndexSettings
from kinfolk.search.text.tokens import squash

MIN_REQUIRED_WORDS = 2
"""Words of a question that are no stop words."""
FINISHED_LENGTH = 4
"""Letters from which an unfinished word counts as a finished one."""


@dataclass(frozen=True)
class QuestionQuery:
    """`match` selects the records with at least half of the words, `ranked` selects and scores them."""

    match: Query
    ranked: Query


def is_question(plan: QueryPlan, query: SearchQuery, settings: IndexSettings) -> bool:
    """Whether the query has so many words that a record may lack some. Stop words count, two others are required."""
    least = settings.optional_word_from
    required = len(plan.clauses)
    is_long = required >= least or (required >= MIN_REQUIRED_WORDS and len(plan.terms) > least)
    return least > 0 and is_long and removes_words(query, settings)


def question_query(plan: QueryPlan, query: SearchQuery, tiers: Sequence[int], scope: SearchScope) -> QuestionQuery:
    """The queries of a question. `tiers` are the searched tiers. Raises Invalid for an invalid filter."""
    required = [term for term in plan.terms if not term.optional]
    weights = list(_weights(required, scope))
    total = sum(weights) or 1.0
    demoted = [(each, _penalty(demotion)) for each, demotion in demotions(plan.terms, scope, question=True)]
    base = sum(penalty for _, penalty in demoted)
    condition = Query.const_score_query(filter_query(query.where or AllOf(()), scope), base)
    known = sum(term_frequency(term, scope.vocabulary) > 0 for term in required)
    half = Query.boolean_query(
        [(Occur.Should, clause) for clause in plan.clauses], minimum_number_should_match=max(1, (known + 1) // 2)
    )
    must = [(Occur.Must, condition), (Occur.Must, half)]
    scores = [
        weighted_query(term, QUESTION * weight / total, tiers, scope)
        for term, weight in zip(required, weights, strict=True)
    ]
    entire = Query.boolean_query([(Occur.Must, clause) for clause in plan.clauses])
    scores.append(Query.const_score_query(entire, QUESTION_ALL_WORDS))
    scores += [
        Query.const_score_query(each, QUESTION_PREFERRED * points)
        for each, points in preferences(query, plan.terms, scope)
    ]
    scores += [
        Query.const_score_query(each, score * QUESTION_TEXT_BOOST)
        for each, score in text_boosts(query, plan.terms, tiers, scope)
    ]
    names = [term.term for term in identifiers(required)]
    if len(names) > 1 and scope.settings.defines:
        scores.append(Query.const_score_query(definition_query(names, scope), QUESTION_DEFINITION))
    if plan.terms[-1].is_prefix:
        headings = Query.fuzzy_term_query(scope.schema, SUBHEADING, squash(query.text), distance=0, prefix=True)
    else:
        headings = Query.term_query(scope.schema, SUBHEADING, squash(query.text), "basic")
    scores.append(Query.const_score_query(headings, QUESTION_SUBHEADING))
    scores += [Query.const_score_query(each, -penalty) for each, penalty in demoted]
    return QuestionQuery(
        match=Query.boolean_query(must),
        ranked=Query.boolean_query([*must, *((Occur.Should, each) for each in scores)]),
    )


def _penalty(demotion: Demotion) -> float:
    if demotion.slight:
        return QUESTION_SLIGHT_DEMOTION
    return QUESTION_WEAK_DEMOTION if demotion.weak else QUESTION_DEMOTION


def _weights(terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[float]:
    """Inverse document frequency of each word; less for names of libraries and frameworks."""
    for term in terms:
        share = NAME_SHARE if term.term in scope.boosting_values else 1.0
        if term.is_prefix:
            share *= min(1.0, len(term.term) / FINISHED_LENGTH)
        yield share * word_weight(term, scope)

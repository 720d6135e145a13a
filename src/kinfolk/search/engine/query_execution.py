"""One query against one commit: correct words first, then typo fallback, then records that lack a word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import orjson
import tantivy
from tantivy import Query

from kinfolk.runtime.budget import BUDGETS, Deadline, OverBudget
from kinfolk.runtime.telemetry.spans import span
from kinfolk.search.engine.commit_view import Address, CommitView
from kinfolk.search.engine.facet_counts import count_facets, facet_stats, requested_facets
from kinfolk.search.engine.hit_order import best_of_groups, in_order
from kinfolk.search.query import Hit, RankingInfo, SearchQuery, SearchResult
from kinfolk.search.ranking.query_plan import QueryPlan, plan_query, searched_tiers
from kinfolk.search.ranking.question_query import is_question, question_query
from kinfolk.search.ranking.scores import PREFERRED, QUESTION_RANK, TYPO, WORD
from kinfolk.search.ranking.term_expansion import removes_words, split_unknown_words
from kinfolk.search.ranking.word_weights import word_weights

MIN_RANKED = 240
"""Records that are ranked at least: enough for twenty groups of several records."""
TYPO_FALLBACK_BELOW = 10
"""Hits below which words that the index has are treated as possible typos."""
MAX_READ_BYTES = 4 * BUDGETS["search"].answer_bytes
"""JSON of records that one search may read. As objects it takes several times the memory."""


@dataclass(frozen=True)
class RankedMatches:
    """Addresses in ranked order, and the query that selects all of them.

    `total` counts hits after grouping. Where it is not `exact`, it counts records.
    """

    addresses: Sequence[Address]
    match: Query
    total: int
    exact: bool


def execute(view: CommitView, query: SearchQuery, deadline: Deadline) -> tuple[SearchResult, int]:
    """The result, and the bytes of JSON that were read for its hits."""
    with span("search query"):
        return _Execution(view, query, deadline).result()


class _Execution:
    """The deadline is checked before each call of tantivy, which cannot be interrupted."""

    def __init__(self, view: CommitView, query: SearchQuery, deadline: Deadline) -> None:
        self._view = view
        self._query = query
        self._deadline = deadline
        self._distinct = view.distinct(query)
        self._needed = query.offset + query.length

    def result(self) -> tuple[SearchResult, int]:
        view, query = self._view, self._query
        plan, found = self._matches()
        facets = requested_facets(view, query)
        count_groups = self._distinct > 0 and not found.exact
        self._deadline.check()
        counted, groups = count_facets(
            view, found.match, facets, query.max_values_per_facet, self._distinct, count_groups=count_groups
        )
        hits, read_bytes = self._hits(plan, found)
        result = SearchResult(
            hits=tuple(hits),
            total=found.total if groups is None else groups,
            exhaustive=not count_groups,
            facets=counted,
            stats=facet_stats(view, found.match, facets, counted),
            words=plan.words,
            match_finder=plan.match_finder,
            word_weights=word_weights(plan.terms, view.scope),
        )
        return result, read_bytes

    def _matches(self) -> tuple[QueryPlan, RankedMatches]:
        query, scope = self._query, self._view.scope
        # Most queries have enough results without typo fallback, which makes every word a possible typo.
        plan = plan_query(query, scope, self._deadline, typo_fallback=False)
        if is_question(plan, query, scope.settings):
            found = self._answers(plan)
            if found.total:
                return plan, found
        found = self._run(plan)
        if plan.terms and not self._has_enough(found.total):
            plan, found = self._with_typo_fallback(query)
            if not found.total and (split := split_unknown_words(query, scope)) is not None:
                plan, found = self._with_typo_fallback(split)
        return plan, found

    def _answers(self, plan: QueryPlan) -> RankedMatches:
        """Records with some of the words of a question. The custom ranking counts before the order of records."""
        view, query = self._view, self._query
        question = question_query(plan, query, searched_tiers(query, view.settings), view.scope)
        return self._ranked(
            question.ranked if query.length else question.match, question.match, self._needed, QUESTION_RANK
        )

    def _has_enough(self, total: int) -> bool:
        """Whether typo fallback is not needed.

        A filter has none where the same search without filters has none: it then has as many hits as its facet value
        was counted.
        """
        if total >= TYPO_FALLBACK_BELOW or not total or self._query.where is None:
            return total >= TYPO_FALLBACK_BELOW
        plan = plan_query(replace(self._query, where=None), self._view.scope, self._deadline, typo_fallback=False)
        return self._run(plan).total >= TYPO_FALLBACK_BELOW

    def _run(self, plan: QueryPlan) -> RankedMatches:
        return self._ranked(plan.ranked if self._query.length else plan.match, plan.match, self._needed)

    def _ranked(self, ranked: Query, match: Query, needed: int, rank_score: float = 0) -> RankedMatches:
        """The best matches, at least `needed`. The number of groups is known only after their records are ranked.

        `rank_score` is the score of one point of the custom ranking.
        """
        # Tantivy allocates memory for the limit, also where the index has fewer records.
        most = max(1, self._view.count)
        limit = min(most, max(MIN_RANKED, needed + 1) if self._distinct == 0 else max(MIN_RANKED, needed * 4))
        while True:
            self._deadline.check()
            result = self._view.searcher.search(ranked, limit, count=True)
            total = _count(result)
            scored = [(float(score), address) for score, address in result.hits]
            ordered, groups = in_order(self._view, scored, self._distinct, rank_score)
            if self._distinct == 0:
                return RankedMatches(ordered, match, total, exact=True)
            best = best_of_groups(ordered, groups, self._distinct)
            if total <= limit:
                return RankedMatches(best, match, len(best), exact=True)
            if len(best) >= needed:
                return RankedMatches(best, match, total, exact=False)
            limit = min(most, limit * 4)

    def _with_typo_fallback(self, query: SearchQuery) -> tuple[QueryPlan, RankedMatches]:
        """Every word may be a typo. Where few records match, records with only some of the words follow."""
        plan = plan_query(query, self._view.scope, self._deadline)
        found = self._run(plan)
        settings = self._view.settings
        if removes_words(query, settings) and len(plan.clauses) > 1 and found.total < settings.min_results:
            found = self._with_some_words(plan, found)
        return plan, found

    def _with_some_words(self, plan: QueryPlan, full: RankedMatches) -> RankedMatches:
        """Records with all words, then records with the rarest of them."""
        weights = self._word_weights(plan)
        largest = max(weights)
        match, ranked = plan.with_any_word([weight / largest for weight in weights])
        some = self._ranked(ranked, match, self._needed + len(full.addresses))
        first = {_key(address) for _, address in full.addresses}
        rest = [each for each in some.addresses if _key(each[1]) not in first]
        addresses = [*full.addresses, *rest]
        if self._distinct:
            addresses = best_of_groups(addresses, self._view.groups(addresses), self._distinct)
        return RankedMatches(addresses, match, some.total, some.exact)

    def _word_weights(self, plan: QueryPlan) -> list[float]:
        """Inverse document frequency of each word."""
        records = max(1, self._view.count)
        matches = []
        for clause in plan.clauses:
            self._deadline.check()
            matches.append(_count(self._view.searcher.search(clause, 1, count=True)))
        return [math.log(1 + records / (1 + count)) for count in matches]

    def _hits(self, plan: QueryPlan, found: RankedMatches) -> tuple[list[Hit], int]:
        hits = []
        read_bytes = 0
        for score, address in found.addresses[self._query.offset : self._needed]:
            self._deadline.check()
            json = self._view.json(address)
            read_bytes += len(json)
            if read_bytes > MAX_READ_BYTES:
                raise OverBudget("search", "size", f"The hits of this search have more than {MAX_READ_BYTES} bytes")
            record = orjson.loads(json)
            hits.append(Hit(record["objectID"], record, _ranking_info(len(plan.terms), score), len(json)))
        return hits, read_bytes


def _count(result: tantivy.SearchResult) -> int:
    return cast("int", getattr(result, "count"))  # noqa: B009 - missing in tantivy's stubs


def _key(address: tantivy.DocAddress) -> tuple[int, int]:
    return address.segment_ord, address.doc


def _ranking_info(words: int, score: float) -> RankingInfo:
    """Computed from the score: penalties of typos and boosts of filters are far apart from all others."""
    lost = words * WORD - score
    typos = max(0, math.ceil((lost - PREFERRED / 2) / TYPO)) if words else 0
    filters = max(0, round((typos * TYPO - lost) / PREFERRED))
    return RankingInfo(words=words, typos=typos, filters=filters, exact=max(0, words - typos), score=score)

"""How much each word of a query says about the topic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking.term_expansion import QueryTerm, term_frequency


def word_weight(term: QueryTerm, scope: SearchScope) -> float:
    """Inverse document frequency of the word, by its most frequent alternative."""
    return math.log(1 + scope.records / (1 + term_frequency(term, scope.vocabulary)))


def word_weights(terms: Sequence[QueryTerm], scope: SearchScope) -> Mapping[str, float]:
    """Inverse document frequency of each word. Stop words weigh nothing, unless the query has no other words."""
    weights = {one.term: 0.0 if one.term in scope.settings.stop_words else word_weight(one, scope) for one in terms}
    return weights if any(weights.values()) else dict.fromkeys(weights, 1.0)

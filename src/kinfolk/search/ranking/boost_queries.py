"""Queries that raise or lower the score of a record and exclude none: optional filters, headings, adjacent words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tantivy import Occur, Query

from kinfolk.search.filters import AllOf, Equals, Not
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking.filter_queries import filter_query
from kinfolk.search.ranking.index_schema import DEFINED, HEADING, PHRASE, SUBHEADING, TIERS, VERBATIM
from kinfolk.search.ranking.scores import (
    ADJACENT_WORDS,
    DEFINITION,
    EXACT_CASE,
    FULL_HEADING,
    FULL_PHRASE_HEADING,
    FULL_SUBHEADING,
    HEADING_PREFIX,
    INEXACT,
    MAX_FILTER_SCORE,
    SYNONYM,
    TITLE_PART,
    TITLE_SUBJECT,
)
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking.term_expansion import QueryTerm
from kinfolk.search.ranking.term_queries import any_of, any_term_query
from kinfolk.search.ranking_config import Demotion
from kinfolk.search.text.tokens import STEM, phrase_key, squash, stem, stems_of
from kinfolk.search.text.vocabulary import Vocabulary

INTENT_POINTS = 2
"""Points of what a query asks for: twice those of an optional filter."""
MIN_TITLE_PART_LENGTH = 4
MAX_CORRECTED_HEADINGS = 40


def preferences(query: SearchQuery, terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[tuple[Query, int]]:
    """Optional filters, facet values that the query names, and what it asks for, with the points of each."""
    for equals in query.optional_filters:
        yield filter_query(equals, scope), max(0, min(equals.score, MAX_FILTER_SCORE))
    for boost in scope.settings.facet_boosts:
        for term in terms:
            if boost.boost and term.term in scope.facet_values[boost.attribute]:
                yield filter_query(Equals(boost.attribute, term.term), scope), boost.boost
    for equals in intended(terms, scope):
        yield filter_query(equals, scope), INTENT_POINTS


def text_boosts(
    query: SearchQuery, terms: Sequence[QueryTerm], tiers: Sequence[int], scope: SearchScope
) -> Iterator[tuple[Query, float]]:
    """Queries for headings and adjacent words with the score that each adds."""
    if not terms:
        return
    yield from _heading_boosts(query, terms, scope)
    yield from _title_part_boosts(terms, scope)
    if all(term.term in scope.boosting_values for term in terms):
        return  # the words only name facets: their adjacency in a text says nothing
    for left, right in pairwise(terms):
        adjacent = list(_adjacent(left, right, tiers, scope))
        if adjacent:
            yield Query.disjunction_max_query(adjacent), ADJACENT_WORDS


def demotions(
    terms: Sequence[QueryTerm], scope: SearchScope, *, question: bool = False
) -> list[tuple[Query, Demotion]]:
    """Queries for demoted records. A query that is a name does not demote its definition, unless weakly."""
    words = {word for term in terms for word in (term.term, *term.corrections)}
    excluded = [Not(equals) for equals in intended(terms, scope)]
    defined = definition_query([" ".join(term.term for term in terms)], scope) if _defines(terms, scope) else None
    found = []
    for each in scope.settings.demotions:
        if terms and (question or not each.questions) and words.isdisjoint(each.unless):
            demoted = filter_query(AllOf((Equals(each.attribute, each.value), *excluded)), scope)
            if defined is not None and not each.slight and not each.weak:
                demoted = Query.boolean_query([(Occur.Must, demoted), (Occur.MustNot, defined)])
            found.append((demoted, each))
    return found


def _defines(terms: Sequence[QueryTerm], scope: SearchScope) -> bool:
    """Whether a section may define the query."""
    return bool(terms) and scope.settings.defines is not None and len(identifiers(terms)) == len(terms)


def intended(terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[Equals]:
    """What the query asks for by its words, or by several in a row. Two names are asked for by themselves."""
    if len(identifiers(terms)) > 1:
        return
    said = f" {' '.join(term.term for term in terms)} "
    for equals, texts in scope.intents:
        if any(text in said for text in texts):
            yield equals


def identifiers(terms: Sequence[QueryTerm]) -> list[QueryTerm]:
    """The terms that are names in code."""
    return [term for term in terms if term.word.parts]


def definition_query(names: Iterable[str], scope: SearchScope) -> Query:
    """Sections that define one of the names."""
    return any_term_query(scope.schema, HEADING, [DEFINED + squash(name) for name in names])


def _title_part_boosts(terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[tuple[Query, float]]:
    """Titles with a part of an identifier: for `cacheTime`, the page `Caching` ranks above pages that mention it.

    Titles with its subject rank higher: for `createServerFn`, the page `Server Functions`.
    """
    for subject in _identifier_subjects(terms, scope):
        stems = [STEM + stem for stem in subject.split()]
        if len(stems) > 1 and all(scope.vocabulary.tiers.get(stem, 0) & 1 for stem in stems):
            yield Query.phrase_query(scope.schema, TIERS[0], [*stems]), TITLE_SUBJECT
    for part in (part for term in terms for part in term.word.parts):
        indexed = STEM + part.stem if part.stem else part.term
        is_topic = len(part.term) >= MIN_TITLE_PART_LENGTH and part.term not in scope.generic_parts
        if is_topic and scope.vocabulary.tiers.get(indexed, 0) & 1:
            yield Query.term_query(scope.schema, TIERS[0], indexed, "basic"), TITLE_PART


def _heading_boosts(
    query: SearchQuery, terms: Sequence[QueryTerm], scope: SearchScope
) -> Iterator[tuple[Query, float]]:
    """Records whose heading is the query, or the query without the words that only name a facet value."""
    yield Query.term_query(scope.schema, HEADING, VERBATIM + query.text.strip()), EXACT_CASE
    if any(term.word.marked or term.word.is_operator for term in terms):
        return  # normalized headings have no symbols
    topic = [term for term in terms if not term.optional and term.term not in scope.boosting_values] or list(terms)
    texts = {query.text, " ".join(term.term for term in topic), *_equivalent_names(topic)}
    corrected = {*_corrected_headings(topic, scope.vocabulary), *_corrected_headings(terms, scope.vocabulary)}
    subjects = {STEM + subject for subject in _identifier_subjects(terms, scope)}
    for field, score in ((HEADING, FULL_HEADING), (SUBHEADING, FULL_SUBHEADING)):
        for keys, added in (
            ({squash(text) for text in texts}, score / 2),
            ({STEM + stems_of(text) for text in texts} | subjects, score / 2),
            (corrected, score - INEXACT),
        ):
            existing = keys & scope.headings[field]
            if existing:
                yield any_term_query(scope.schema, field, existing), added
    if _defines(terms, scope):
        yield definition_query([query.text], scope), DEFINITION
    prefixes = list(_heading_prefixes(topic, terms, scope))
    if prefixes:
        yield any_of(prefixes), HEADING_PREFIX
    phrases = {
        PHRASE + phrase_key([term.word for term in words], scope.settings.stop_words) for words in (topic, terms)
    }
    if scope.settings.phrases:
        yield any_term_query(scope.schema, HEADING, phrases), FULL_HEADING
    phrase = {squash(query.text), *_corrected_headings(terms, scope.vocabulary)} & scope.headings[HEADING]
    if len(terms) > 1 and phrase:
        yield any_term_query(scope.schema, HEADING, phrase), FULL_PHRASE_HEADING


def _equivalent_names(topic: Sequence[QueryTerm]) -> Iterator[str]:
    """What a name is called in other frameworks, if the query names one: `injectQuery` for `angular useQuery`."""
    if len(topic) == 1 and topic[0].word.parts:
        yield from (terms[0] for terms, penalty in topic[0].phrases if len(terms) == 1 and penalty == SYNONYM)


def _identifier_subjects(terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[str]:
    """What an identifier is about, by stems: `createServerFn` is about `server function`."""
    if len(terms) != 1:
        return
    parts = terms[0].word.parts
    if not any(parts and parts[0].term in aliases for aliases in scope.settings.prefix_aliases):
        return
    subject = [part.stem or part.term for part in parts[1:]]
    yield " ".join(subject)
    for at, part in enumerate(parts[1:]):
        for synonym in scope.synonyms.get(part.term, ()):
            yield " ".join([*subject[:at], *(stem(term) or term for term in synonym), *subject[at + 1 :]])


def _heading_prefixes(topic: Sequence[QueryTerm], terms: Sequence[QueryTerm], scope: SearchScope) -> Iterator[Query]:
    """Records whose heading begins with the query or with its topic, while the last word is a prefix."""
    if not terms[-1].is_prefix:
        return
    start, entire = (squash(" ".join(term.term for term in words)) for words in (topic, terms))
    has_topic = bool(start) and not all(term.term in scope.boosting_values for term in topic)
    if has_topic:
        yield _prefix_query(start, scope)
    if not (has_topic and entire == start):
        # Weakly demoted records match only by their whole heading.
        excluded = [
            (Occur.MustNot, filter_query(Equals(each.attribute, each.value), scope))
            for each in scope.settings.demotions
            if each.weak
        ]
        yield Query.boolean_query([(Occur.Must, _prefix_query(entire, scope)), *excluded])


def _prefix_query(start: str, scope: SearchScope) -> Query:
    return Query.fuzzy_term_query(scope.schema, HEADING, start, distance=0, prefix=True)


def _corrected_headings(terms: Sequence[QueryTerm], vocabulary: Vocabulary) -> Iterator[str]:
    """The words joined, with one of them corrected: the only unknown one, or any if all are known."""
    words = [term.term for term in terms]
    unknown = [at for at, term in enumerate(terms) if term.term not in vocabulary]
    if len(unknown) > 1:
        return
    for at in unknown or range(len(words)):
        corrections = {
            word: typos for word, typos in terms[at].corrections.items() if abs(len(word) - len(words[at])) <= typos
        }
        likeliest = sorted(corrections, key=lambda word: (corrections[word], -vocabulary.frequency.get(word, 0)))
        for word in likeliest[:MAX_CORRECTED_HEADINGS]:
            yield squash("".join([*words[:at], word, *words[at + 1 :]]))


def _adjacent(left: QueryTerm, right: QueryTerm, tiers: Sequence[int], scope: SearchScope) -> Iterator[Query]:
    in_tiers = scope.vocabulary.tiers
    for tier in tiers:
        if in_tiers.get(left.term, 0) & 1 << tier:
            if right.is_prefix:
                yield Query.phrase_prefix_query(scope.schema, TIERS[tier], [left.term, right.term])
            elif in_tiers.get(right.term, 0) & 1 << tier:
                yield Query.phrase_query(scope.schema, TIERS[tier], [left.term, right.term])

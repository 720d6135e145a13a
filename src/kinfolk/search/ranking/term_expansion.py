"""The words of a search query -> the terms of the index that each may match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kinfolk.runtime.budget import Deadline
from kinfolk.search.filters import required_values
from kinfolk.search.query import MAX_QUERY_LENGTH, SearchQuery
from kinfolk.search.ranking.scores import SPLIT_IDENTIFIER, SYNONYM, TYPO
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking_config import IndexSettings
from kinfolk.search.text.tokens import STEM, Word, fold, read_operators, read_words, stem
from kinfolk.search.text.vocabulary import Vocabulary, inflections

MAX_WORDS = 14
"""Words of a query that are searched for. Further words cost time without better results."""
MAX_COMPLETIONS = 8
"""Completions of a prefix that are looked up one by one. Above this number an automaton finds them."""
MAX_COUNTED_COMPLETIONS = 200
"""Completions whose frequency is looked at."""
MAX_JOINED_COMPLETIONS = 48
"""Completions of a prefix of several joined words."""
MAX_JOINED_WORDS = 4
"""Adjacent words that may be one word in the index."""
MAX_SYNONYM_WORDS = 3
"""Adjacent words that may be one entry of the synonyms."""
MAX_STOP_WORD_START = 2
"""Letters of an unfinished word that may become a stop word."""
MIN_HALF_LENGTH = 2
"""Letters of each half of a word that is split into two."""


@dataclass(frozen=True)
class QueryTerm:
    """One word of a query with the terms that it may match."""

    word: Word
    is_prefix: bool
    optional: bool
    is_stop_word: bool
    """Whether it says nothing about a topic. It is not marked in texts."""
    inexact: frozenset[str]
    """Completions, inflected forms, and the word joined with its neighbors."""
    synonyms: frozenset[str]
    has_many_completions: bool
    """More than MAX_COMPLETIONS terms begin with the word: `inexact` has none of them."""
    phrases: tuple[tuple[tuple[str, ...], float], ...]
    """Sequences of terms that replace the word, each with its penalty."""
    corrections: Mapping[str, int]
    """Term that the word may be a typo of -> number of typos."""
    corrected_forms: tuple[tuple[int, frozenset[str]], ...]
    """Number of typos and its corrections with their inflected forms."""

    @property
    def term(self) -> str:
        return self.word.term


def removes_words(query: SearchQuery, settings: IndexSettings) -> bool:
    """Whether records with only some of the words may follow."""
    chosen = query.remove_words_if_no_results
    return settings.remove_words_if_no_results if chosen is None else chosen


class QueryTermReader:
    """Reads the words of one query against one index.

    With `typo_fallback`, words that the index has may be typos too.
    """

    def __init__(self, query: SearchQuery, scope: SearchScope, deadline: Deadline, *, typo_fallback: bool) -> None:
        self._query = query
        self._deadline = deadline
        self._typo_fallback = typo_fallback
        self._scope = scope
        self._settings = scope.settings
        self._vocabulary = scope.vocabulary
        text = query.text[:MAX_QUERY_LENGTH]
        # Operators are searched for where the query has nothing else.
        words = read_words(text) or read_operators(text)
        self._words = words[:MAX_WORDS]
        self._names_variant = any(word.term in scope.variant_values for word in self._words) or any(
            required_values(query.where, scope.variant_attributes)
        )
        self._last_is_open = bool(text) and not text[-1].isspace() and len(words) <= MAX_WORDS

    def terms(self) -> tuple[QueryTerm, ...]:
        optional = self._optional_positions()
        terms = [self._term(at, optional=at in optional) for at in range(len(self._words))]
        may_skip = self._typo_fallback and removes_words(self._query, self._settings)
        if may_skip and any(self._is_known(term) for term in terms if not term.optional):
            # A word that no record has would leave no result.
            terms = [term if self._is_known(term) else replace(term, optional=True) for term in terms]
        return tuple(terms)

    def _is_known(self, term: QueryTerm) -> bool:
        """Whether any record has the word or one of its alternatives."""
        if term.term in self._scope.boosting_values or term.has_many_completions or term.phrases or term.corrections:
            return True
        return term.term in self._vocabulary or any(other in self._vocabulary for other in term.inexact | term.synonyms)

    def _term(self, at: int, *, optional: bool) -> QueryTerm:
        self._deadline.check()
        is_prefix = self._is_prefix(at)
        word = self._with_symbols(self._words[at], is_prefix=is_prefix)
        synonyms = tuple(self._synonyms(at))
        inexact = set(self._joined(at))
        completions = self._vocabulary.completions(word.term, MAX_COMPLETIONS + 1) if is_prefix else []
        if len(completions) <= MAX_COMPLETIONS:
            inexact.update(completions)
        if word.stem:
            inexact.add(STEM + word.stem)
        single = (terms[0] for terms in synonyms if len(terms) == 1)
        has_symbols = word.is_operator or word.marked is not None
        corrections = {} if optional or has_symbols else self._corrections(word.term, is_prefix=is_prefix)
        by_typos = {
            typos: [term for term, count in corrections.items() if count == typos]
            for typos in set(corrections.values())
        }
        return QueryTerm(
            word=word,
            is_prefix=is_prefix,
            optional=optional,
            is_stop_word=optional and word.term in self._settings.stop_words,
            inexact=frozenset(inexact - {word.term}),
            synonyms=frozenset(self._inflected(single) - inexact - {word.term}),
            has_many_completions=len(completions) > MAX_COMPLETIONS,
            phrases=(
                *self._split(word),
                *self._without_symbols(at, word),
                *((terms, SYNONYM) for terms in synonyms if len(terms) > 1),
            ),
            corrections=corrections,
            corrected_forms=tuple((typos, frozenset(self._inflected(terms))) for typos, terms in by_typos.items()),
        )

    def _with_symbols(self, word: Word, *, is_prefix: bool) -> Word:
        """The word with its symbols, if the index has it: `C++` ranks before other words of one letter."""
        marked = word.marked
        if marked is None or word.is_operator:
            return word
        known = marked.term in self._vocabulary or (is_prefix and self._vocabulary.has_completion(marked.term))
        return Word(marked, (), marked) if known else Word(word.whole, word.parts)

    def _is_prefix(self, at: int) -> bool:
        """Whether longer terms match the word as well."""
        mode = self._query.prefix_mode
        return mode == "all" or (mode == "last" and self._is_open(at))

    def _is_open(self, at: int) -> bool:
        """Whether it is the last word and may continue."""
        return self._last_is_open and at == len(self._words) - 1

    def _corrections(self, term: str, *, is_prefix: bool) -> dict[str, int]:
        found = self._vocabulary.corrections(term, self._max_typos(term, is_prefix=is_prefix), is_prefix=is_prefix)
        if len(term) < self._settings.one_typo_from:
            return {other: typos for other, typos in found.items() if len(other) > len(term)}
        return found

    def _max_typos(self, term: str, *, is_prefix: bool) -> int:
        known = term in self._vocabulary or (is_prefix and self._vocabulary.has_completion(term))
        # An unknown word may lack one letter: it is measured as if it had that letter.
        missing = self._typo_fallback and not known
        if term.isdigit() or len(term) < self._settings.one_typo_from - missing:
            return 0
        if not self._typo_fallback and known:
            return 0
        return min(self._query.max_typos, 1 if len(term) < self._settings.two_typos_from else 2)

    def _optional_positions(self) -> set[int]:
        """Positions of words that a record need not contain. If all words are such, none is optional."""
        chosen = self._query.remove_stop_words
        removes = self._settings.remove_stop_words if chosen is None else chosen
        stop_words = self._settings.stop_words if removes else ()
        texts = (*self._settings.optional_words, *self._query.optional_words)
        optional_words = {fold(one) for text in texts for one in text.split()}
        found = {
            at
            for at, word in enumerate(self._words)
            if word.term in optional_words
            or word.term in stop_words
            or (self._is_open(at) and _begins_one(word.term, stop_words))
        }
        return found if len(found) < len(self._words) else set()

    def _joined(self, at: int) -> Iterator[str]:
        """`use query` matches `usequery`: the word joined with its neighbors, where the index has that term."""
        for start, end in self._sequences(at, MAX_JOINED_WORDS):
            if end - start > 1:
                joined = "".join(word.term for word in self._words[start:end])
                if joined in self._vocabulary:
                    yield joined
                if self._is_prefix(end - 1):
                    yield from self._vocabulary.completions(joined, MAX_JOINED_COMPLETIONS)

    def _synonyms(self, at: int) -> Iterator[tuple[str, ...]]:
        """Synonyms of the word and of sequences that contain it, except those that the query has as another word.

        Otherwise a record with only `mutation` would match both words of `update mutation`.
        """
        if not self._query.synonyms:
            return
        for start, end in self._sequences(at, MAX_SYNONYM_WORDS):
            found = self._scope.synonyms.get(" ".join(word.term for word in self._words[start:end]), ())
            if found:
                others = {word.stem or word.term for word in (*self._words[:start], *self._words[end:])}
                yield from (terms for terms in found if others.isdisjoint(stem(term) or term for term in terms))

    def _sequences(self, at: int, longest: int) -> Iterator[tuple[int, int]]:
        """Start and end of each sequence of words that contains this one."""
        for start in range(max(0, at - longest + 1), at + 1):
            for end in range(at + 1, min(len(self._words), start + longest) + 1):
                yield start, end

    def _inflected(self, terms: Iterable[str]) -> set[str]:
        given = set(terms)
        return given | inflections(given, self._vocabulary)

    def _split(self, word: Word) -> Iterator[tuple[tuple[str, ...], float]]:
        """The parts of an identifier as adjacent words, or the halves of two words written as one."""
        known = self._vocabulary
        if word.parts:
            parts = tuple(part.term for part in word.parts)
            if all(part in known for part in parts):
                yield parts, SPLIT_IDENTIFIER
            penalty = SYNONYM if self._names_variant else TYPO / 2
            yield from (((alias,), penalty) for alias in self._prefix_aliases(parts))
        elif word.term not in known:
            for cut in range(MIN_HALF_LENGTH, len(word.term) - MIN_HALF_LENGTH + 1):
                if word.term[:cut] in known and word.term[cut:] in known:
                    yield (word.term[:cut], word.term[cut:]), TYPO / 2

    def _without_symbols(self, at: int, word: Word) -> Iterator[tuple[tuple[str, ...], float]]:
        """`C++` finds `C` as well, after all that has the symbols."""
        plain = self._words[at].term
        if word.term != plain:
            yield (plain,), TYPO / 2

    def _prefix_aliases(self, parts: tuple[str, ...]) -> Iterator[str]:
        """`usequery`, `createquery` and `injectquery` are the same function in three frameworks."""
        rest = "".join(parts[1:])
        for aliases in self._settings.prefix_aliases:
            if parts[0] in aliases:
                yield from (first + rest for first in aliases if first != parts[0] and first + rest in self._vocabulary)


def _begins_one(start: str, stop_words: Sequence[str]) -> bool:
    """Whether so few letters begin a stop word: `th` is likelier to become `the` than a word of the docs."""
    return len(start) <= MAX_STOP_WORD_START and any(word.startswith(start) for word in stop_words)


def term_frequency(term: QueryTerm, vocabulary: Vocabulary) -> int:
    """Records with the most frequent alternative of a word. 0 if no record has one."""
    completions = vocabulary.completions(term.term, MAX_COUNTED_COMPLETIONS) if term.has_many_completions else ()
    single = (term.term, *term.inexact, *term.synonyms, *term.corrections, *completions)
    records = max(vocabulary.frequency.get(one, 0) for one in single)
    sequences = (min(vocabulary.frequency.get(one, 0) for one in terms) for terms, _ in term.phrases)
    return max(records, *sequences, 0)


MIN_SPLIT_LENGTH = 3
"""Letters of each word that an unknown word is split into."""


def split_unknown_words(query: SearchQuery, scope: SearchScope) -> SearchQuery | None:
    """The query with its unknown words split into two known ones; None where no word can be split.

    Records may have both halves apart from each other.
    """
    words = [word.term for word in read_words(query.text[:MAX_QUERY_LENGTH])]
    split = [" ".join(_halves(word, scope.vocabulary)) for word in words]
    return replace(query, text=" ".join(split)) if removes_words(query, scope.settings) and split != words else None


def _halves(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The word itself, or two known words: the pair whose shorter word is longest."""
    if word in vocabulary:
        return (word,)
    cuts = [(word[:at], word[at:]) for at in range(MIN_SPLIT_LENGTH, len(word) - MIN_SPLIT_LENGTH + 1)]
    known = [halves for halves in cuts if all(half in vocabulary for half in halves)]
    return max(known, key=lambda halves: min(map(len, halves)), default=(word,))

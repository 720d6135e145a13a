"""A question -> what tantivy is asked: the ranking, as one number.

Records that match are told apart as DocSearch does, criterion by criterion, each deciding only where all before it are
even: words found, typos, preferences, whole heading, attribute, proximity, exactness, custom ranking. All but the last
are packed into one score: every alternative for a word has a constant score, the best one counts, and the words' scores
add up. All are whole numbers below 2**24, so that 32-bit floats hold them exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

import tantivy
from tantivy import Occur, Query

from kinfolk.budget import Deadline
from kinfolk.errors import Invalid
from kinfolk.search.document import (
    AS_WRITTEN,
    EVERYWHERE,
    FACETS,
    HEADING,
    ID,
    NUMBERS,
    SUBHEADING,
    TAGS,
    TIERS,
    path_key,
    roots,
)
from kinfolk.search.marker import WordMarker
from kinfolk.search.query import LONGEST_TEXT, All, Between, Either, Equals, Filter, Not, Question
from kinfolk.search.rules import IndexSettings
from kinfolk.search.tokens import STEM, Word, fold, read_words, squash, stem
from kinfolk.search.vocabulary import Vocabulary, inflections

WORD = 200_000.0
"""A word that is found. What follows is taken away from it, or added to the sum."""
TYPO = 58_000.0
PREFERRED = 14_000.0
WHOLE = 4_600.0
"""The question is the whole heading of a page; half of it where only the stems are the same."""
ENTIRE = 12_000.0
"""The same, word for word, of a heading of several words: it may name a library and mean none."""
BEGUN = 2_400.0
"""The question is how the heading of a page begins."""
SLIGHT = 3_200.0
"""A record that is not of a kind which few people look for."""
TIER = 80.0
"""Each step from the most important attributes to the least."""
WHOLE_SUBHEADING = 200.0
STANDS = 2
"""Tiers that a word is further away which only a facet has, and no text."""
WRITTEN_SO = 40.0
"""The whole heading is written like the question, down to its capitals."""
NEXT = 170.0
"""Two words of the question that stand next to each other."""
INEXACT = 20.0
"""A word that is not written so: begun or inflected. Less than a tier."""
MEANT = INEXACT + 1
"""Another word that means the same: behind the word itself, where all else is equal."""
IN_PARTS = 600.0
"""An identifier of which only the parts are found: more than all tiers, so that it itself comes first."""
HINTED = 40.0
"""A part of an identifier that the title of the page has."""
SPARE = 5.0
"""A word that need not be found and is."""

SHARES = (1.0, 0.8, 0.7, 0.6, 0.25, 0.2)
"""What a word is worth by its tier, where a record may lack another: in a heading four times as much as in a text."""
MISTYPED = 0.5
ALIKE = 0.95
"""The share that is left of a word that is begun, inflected or means the same."""

MOST_WORDS = 10
"""Words of a question that are looked for: more make it slower, not better."""
MOST_APART = 60
"""Terms that are looked up one by one; of more, tantivy makes a set."""
MOST_BEGUN = 8
"""Terms with one beginning that are looked up one by one; where there are more, an automaton finds them."""
MOST_BEGUN_JOINED = 48
"""Terms with one beginning that words run together may stand for."""
MOST_JOINED = 4
"""Neighbouring words that may be one in the index."""
MOST_SYNONYM = 3
"""Words in a row that may be an entry of the synonyms."""
SHORTEST_HALF = 2
SHORTEST_CUT = 3
"""Letters of a half that may stand by itself."""
SHORTEST_HINT = 4
MOST_CORRECTED = 40
MOST_PREFERRED = 3
"""What one preference's score may be, so that it does not outweigh a typo."""


@dataclass(frozen=True)
class Reach:
    """What an index offers to a plan: its rules, its terms, and how to ask for what tantivy has no constructor for."""

    settings: IndexSettings
    vocabulary: Vocabulary
    index: tantivy.Index
    schema: tantivy.Schema
    facet_values: Mapping[str, frozenset[str]]
    """The values of those facets that a question may name."""
    headings: Mapping[str, frozenset[str]]
    """What headings there are, by their field."""

    @cached_property
    def named(self) -> frozenset[str]:
        """Every word that names something the records are about."""
        return frozenset(value for values in self.facet_values.values() for value in values)

    @cached_property
    def general(self) -> frozenset[str]:
        """Parts of identifiers that say nothing of what they are about."""
        first = (part for several in self.settings.sisters for part in several)
        return frozenset((*self.settings.heading_suffixes, *first))

    @cached_property
    def synonyms(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """What a word, or a few, may be found by instead."""
        meant: dict[str, dict[tuple[str, ...], None]] = {}
        for synonym in self.settings.synonyms:
            heads = synonym.words if synonym.input is None else (synonym.input,)
            for head in heads:
                others = (_words(other) for other in synonym.words if other != head)
                meant.setdefault(" ".join(_words(head)), {}).update(dict.fromkeys(others))
        return {head: tuple(others) for head, others in meant.items()}


@dataclass(frozen=True)
class Asked:
    """One word of the question, and everything it may stand for.

    `inexact` are terms that are the word but for its ending, `meant` such as mean the same; where too many begin with
    it, `begins_many`. `phrases` are several terms that mean the same, with what that costs. `near` are terms it may be
    a typo of, and how many typos that takes; `mistyped` has their inflections too.
    """

    word: Word
    begun: bool
    optional: bool
    inexact: frozenset[str]
    meant: frozenset[str]
    begins_many: bool
    phrases: tuple[tuple[tuple[str, ...], float], ...]
    near: Mapping[str, int]
    mistyped: tuple[tuple[int, frozenset[str]], ...]

    @property
    def term(self) -> str:
        return self.word.term


@dataclass(frozen=True)
class Plan:
    """`match` finds what is asked for, `ranked` gives it its scores. `some` finds what has only some of the words."""

    asked: tuple[Asked, ...]
    match: Query
    ranked: Query
    clauses: tuple[Query, ...]
    """For each word that has to be found, what finds it."""
    where: Query
    """What is let through, with the score of a record that nothing speaks against."""
    preferences: tuple[Query, ...]
    demoted: tuple[Query, ...]

    def some(self, weights: Sequence[float]) -> tuple[Query, Query]:
        """Like `match` and `ranked`, for records that have any of the words, each counting by its weight."""
        any_word = Query.boolean_query([(Occur.Should, clause) for clause in self.clauses])
        match = [(Occur.Must, self.where), (Occur.Must, Query.const_score_query(any_word, 0.0))]
        several = zip(self.clauses, weights, strict=True)
        scores = [Query.const_score_query(clause, WORD * weight) for clause, weight in several]
        ranked = [(Occur.Should, query) for query in (*scores, *self.preferences)]
        return Query.boolean_query(match), Query.boolean_query([*match, *ranked])

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.term for one in self.asked))

    @cached_property
    def marker(self) -> WordMarker:
        meant: dict[str, tuple[str, ...]] = {}
        stems: dict[str, tuple[str, ...]] = {}
        begun: dict[str, str] = {}

        def add(where: dict[str, tuple[str, ...]], key: str, word: str) -> None:
            if word not in where.get(key, ()):
                where[key] = (*where.get(key, ()), word)

        for one in self.asked:
            add(meant, one.term, one.term)
            phrased = (term for terms, _ in one.phrases for term in terms)
            for term in (*one.inexact, *one.meant, *one.near, *phrased):
                if term.startswith(STEM):
                    add(stems, term.removeprefix(STEM), one.term)
                elif not (one.begun and term.startswith(one.term)):  # of such a one only the beginning is marked
                    add(meant, term, one.term)
            for root in (one.word.stem, *(stem(term) for term in one.near)):
                if root:
                    add(stems, root, one.term)
            if one.begun:
                begun[one.term] = one.term
        return WordMarker(meant, stems, begun)


def plan(question: Question, reach: Reach, deadline: Deadline, *, doubting: bool = True) -> Plan:
    """Where it is not `doubting`, a word that there is was not mistyped.

    Raises Invalid for a filter that cannot be, OverBudget after the deadline.
    """
    tiers = searched_tiers(question, reach.settings)
    asked = _Reader(question, reach, deadline, doubting=doubting).asked()
    deadline.check()
    found = tuple(_found(one, tiers, reach, whole=question.fields is None) for one in asked if not one.optional)
    demoted = _demoted(asked, reach)
    where = Query.const_score_query(lowered(question.where or All(()), reach), sum(worth for _, worth in demoted))
    scores = [
        # Of words that need not be found it counts less than any criterion that they are.
        Query.boost_query(_scored(one, tiers, reach), SPARE / WORD) if one.optional else _scored(one, tiers, reach)
        for one in asked
    ]
    wished = [Query.const_score_query(query, worth) for query, worth in _preferences(question, asked, tiers, reach)]
    # Few records are demoted: it is cheaper to take from them than to give to all others.
    wished += [Query.const_score_query(query, -worth) for query, worth in demoted]
    must = [(Occur.Must, query) for query in (where, *found)]
    return Plan(
        asked=asked,
        match=Query.boolean_query(must),
        ranked=Query.boolean_query([*must, *((Occur.Should, query) for query in (*scores, *wished))]),
        clauses=found,
        where=where,
        preferences=tuple(wished),
        demoted=tuple(query for query, _ in demoted),
    )


def lowered(wanted: Filter, reach: Reach) -> Query:
    """The filter as a query. What names no facet and no number passes nothing."""
    match wanted:
        case Equals(attribute, value):
            if attribute == "objectID":
                return Query.term_query(reach.schema, ID, value)
            if attribute in reach.settings.facets or attribute == TAGS:
                return Query.term_query(reach.schema, f"{FACETS}.{path_key(attribute)}", value)
            number = _number(value)
            return Query.empty_query() if number is None else lowered(Between(attribute, number, number), reach)
        case Between(attribute, low, high):
            if math.isnan(low) or math.isnan(high):
                raise Invalid(f"{attribute} cannot be compared with what is no number")
            if low > high:
                return Query.empty_query()
            # One bound at a time: where one is a whole number and the other is not, tantivy panics.
            field = f"{NUMBERS}.{path_key(attribute)}"
            bounds = [f"{field}:[{_exact(low)} TO *]"] if low > -math.inf else []
            bounds += [f"{field}:[* TO {_exact(high)}]"] if high < math.inf else []
            several = [(Occur.Must, reach.index.parse_query(bound, [ID])) for bound in bounds]
            return Query.boolean_query(several) if several else Query.exists_query(field, json_subpaths=True)
        case Not(part):
            every = (Occur.Must, Query.all_query())
            return Query.boolean_query([every, (Occur.MustNot, lowered(part, reach))])
        case All(parts):
            several = [(Occur.Must, lowered(part, reach)) for part in parts]
            return Query.boolean_query(several) if several else Query.all_query()
        case Either(parts):
            several = [(Occur.Should, lowered(part, reach)) for part in parts]
            return Query.boolean_query(several) if several else Query.empty_query()


def searched_tiers(question: Question, settings: IndexSettings) -> tuple[int, ...]:
    """The tiers that are looked into: those with one of the attributes that the question is restricted to."""
    tiers = settings.tiers or ((),)
    if question.fields is None or not settings.tiers:
        return tuple(range(len(tiers)))
    wanted = question.fields

    def chosen(path: str) -> bool:
        return any(path == field or path.startswith(f"{field}.") for field in wanted)

    return tuple(at for at, tier in enumerate(tiers) if any(chosen(path) for path in tier))


def may_resort(question: Question, settings: IndexSettings) -> bool:
    """Whether a record that has only some of the words is better than none."""
    return settings.last_resort if question.last_resort is None else question.last_resort


def cut_apart(question: Question, reach: Reach) -> Question | None:
    """The question with its unknown words cut into two known ones, as far as that is possible; None where it is not.

    What finds nothing as one word, and as two in a row, may still find a record that has both.
    """
    words = [word.term for word in read_words(question.text[:LONGEST_TEXT])]
    cut = [" ".join(_halves(word, reach.vocabulary)) for word in words]
    return replace(question, text=" ".join(cut)) if may_resort(question, reach.settings) and cut != words else None


def _halves(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The word, or the two that it was perhaps made of: those of which the shorter is longest."""
    if word in vocabulary:
        return (word,)
    cuts = [(word[:at], word[at:]) for at in range(SHORTEST_CUT, len(word) - SHORTEST_CUT + 1)]
    known = [halves for halves in cuts if all(half in vocabulary for half in halves)]
    return max(known, key=lambda halves: min(map(len, halves)), default=(word,))


class _Reader:
    """Finds out what each word of a question may stand for in this index."""

    def __init__(self, question: Question, reach: Reach, deadline: Deadline, *, doubting: bool) -> None:
        self._question = question
        self._deadline = deadline
        self._doubting = doubting
        self._reach = reach
        self._settings = reach.settings
        self._vocabulary = reach.vocabulary
        text = question.text[:LONGEST_TEXT]
        every = read_words(text)
        self._words = every[:MOST_WORDS]
        self._open = bool(text) and not text[-1].isspace() and len(every) <= MOST_WORDS

    def asked(self) -> tuple[Asked, ...]:
        optional = self._optional()
        asked = [self._asked(at, optional=at in optional) for at in range(len(self._words))]
        some = may_resort(self._question, self._settings)
        if some and self._doubting and any(self._is_known(one) for one in asked if not one.optional):
            # A word that is nowhere would leave nothing; what the others say is the better answer.
            asked = [one if self._is_known(one) else replace(one, optional=True) for one in asked]
        return tuple(asked)

    def _is_known(self, one: Asked) -> bool:
        """Whether any record has the word, or something that it may stand for."""
        if one.term in self._reach.named or one.begins_many or one.phrases or one.near:
            return True
        return one.term in self._vocabulary or any(term in self._vocabulary for term in one.inexact | one.meant)

    def _asked(self, at: int, *, optional: bool) -> Asked:
        self._deadline.check()
        word, known = self._words[at], self._vocabulary
        begun = self._begun(at)
        synonyms = tuple(self._synonyms(at))
        alike = set(self._joined(at))
        beginning = known.beginning(word.term, MOST_BEGUN + 1) if begun else []
        if len(beginning) <= MOST_BEGUN:
            alike.update(beginning)
        if word.stem:
            alike.add(STEM + word.stem)
        near = {} if optional else known.near(word.term, self._most_typos(word.term, begun=begun), begun=begun)
        if len(word.term) < self._settings.one_typo_from:
            near = {term: typos for term, typos in near.items() if len(term) > len(word.term)}
        by_typos = {typos: [term for term, count in near.items() if count == typos] for typos in set(near.values())}
        return Asked(
            word=word,
            begun=begun,
            optional=optional,
            inexact=frozenset(alike - {word.term}),
            meant=frozenset(self._inflected(terms[0] for terms in synonyms if len(terms) == 1) - alike - {word.term}),
            begins_many=len(beginning) > MOST_BEGUN,
            phrases=(*self._taken_apart(word), *((terms, MEANT) for terms in synonyms if len(terms) > 1)),
            near=near,
            mistyped=tuple((typos, frozenset(self._inflected(terms))) for typos, terms in by_typos.items()),
        )

    def _begun(self, at: int) -> bool:
        """Whether the word may be the beginning of what is meant."""
        beginnings = self._question.beginnings
        return beginnings == "all" or (beginnings == "last" and self._open and at == len(self._words) - 1)

    def _most_typos(self, term: str, *, begun: bool) -> int:
        if term.isdigit() or len(term) < self._settings.one_typo_from - self._lacks(term, begun=begun):
            return 0
        if not self._doubting and (term in self._vocabulary or (begun and self._vocabulary.begins(term))):
            return 0
        return min(self._question.most_typos, 1 if len(term) < self._settings.two_typos_from else 2)

    def _lacks(self, term: str, *, begun: bool) -> bool:
        """Whether a letter may be missing from it: nothing is called so, and nothing that may still be typed."""
        known = term in self._vocabulary or (begun and self._vocabulary.begins(term))
        return self._doubting and not known

    def _optional(self) -> set[int]:
        """Words that need not be found. Where all are such, they are what is looked for."""
        chosen = self._question.stop_words
        stop = self._settings.stop_words if (self._settings.remove_stop_words if chosen is None else chosen) else ()
        spare = {
            fold(one)
            for text in (*self._settings.optional_words, *self._question.optional_words)
            for one in text.split()
        }
        found = {
            at
            for at, word in enumerate(self._words)
            if word.term in spare or (word.term in stop and not self._begun(at))
        }
        return found if len(found) < len(self._words) else set()

    def _joined(self, at: int) -> Iterator[str]:
        """`use query` is `usequery` too: the word run together with its neighbours, where the index has that."""
        for start, end in self._rows(at, MOST_JOINED):
            if end - start > 1:
                joined = "".join(word.term for word in self._words[start:end])
                if joined in self._vocabulary:
                    yield joined
                if self._begun(end - 1):
                    yield from self._vocabulary.beginning(joined, MOST_BEGUN_JOINED)

    def _synonyms(self, at: int) -> Iterator[tuple[str, ...]]:
        """What the word, or a row that it is in, may be called instead, unless another word of the question says that.

        Of `update` and `mutation`, a record that has but the latter would otherwise have both.
        """
        if not self._question.synonyms:
            return
        for start, end in self._rows(at, MOST_SYNONYM):
            meant = self._reach.synonyms.get(" ".join(word.term for word in self._words[start:end]), ())
            if meant:
                said = {word.stem or word.term for word in (*self._words[:start], *self._words[end:])}
                yield from (terms for terms in meant if said.isdisjoint(stem(term) or term for term in terms))

    def _rows(self, at: int, most: int) -> Iterator[tuple[int, int]]:
        """Where rows of words begin and end that this one is in."""
        for start in range(max(0, at - most + 1), at + 1):
            for end in range(at + 1, min(len(self._words), start + most) + 1):
                yield start, end

    def _inflected(self, terms: Iterable[str]) -> set[str]:
        kept = set(terms)
        return kept | inflections(kept, self._vocabulary)

    def _taken_apart(self, word: Word) -> Iterator[tuple[tuple[str, ...], float]]:
        """An identifier's parts in a row, as prose has them; the halves of two words that were run together."""
        known = self._vocabulary
        if word.parts:
            parts = tuple(part.term for part in word.parts)
            if all(part in known for part in parts):
                yield parts, IN_PARTS
            yield from (((sister,), TYPO / 2) for sister in self._sisters(parts))
        elif word.term not in known:
            for cut in range(SHORTEST_HALF, len(word.term) - SHORTEST_HALF + 1):
                if word.term[:cut] in known and word.term[cut:] in known:
                    yield (word.term[:cut], word.term[cut:]), TYPO / 2

    def _sisters(self, parts: tuple[str, ...]) -> Iterator[str]:
        """`usequery`, `createquery` and `injectquery` are the same thing in three frameworks."""
        for several in self._settings.sisters:
            if parts[0] in several:
                rest = "".join(parts[1:])
                yield from (first + rest for first in several if first != parts[0] and first + rest in self._vocabulary)


def _found(one: Asked, tiers: Sequence[int], reach: Reach, *, whole: bool) -> Query:
    """Everything the word may stand for, wherever that is; without a score."""
    fields = [EVERYWHERE] if whole else [TIERS[tier] for tier in tiers]
    mask = sum(1 << tier for tier in tiers)
    found = [query for field in fields for queries, _ in _alternatives(one, field, mask, reach) for query in queries]
    found += list(_stood_for(one, reach))
    union = Query.boolean_query([(Occur.Should, query) for query in found]) if found else Query.empty_query()
    return Query.const_score_query(union, 0.0)


def _scored(one: Asked, tiers: Sequence[int], reach: Reach) -> Query:
    """The same by tier, each with its score, of which the best counts."""
    found = [
        Query.const_score_query(query, WORD - TIER * tier - cost)
        for tier in tiers
        for queries, cost in _alternatives(one, TIERS[tier], 1 << tier, reach)
        for query in queries
    ]
    found += [Query.const_score_query(query, WORD - TIER * STANDS) for query in _stood_for(one, reach)]
    return Query.disjunction_max_query(found) if found else Query.empty_query()


def is_long(made: Plan, question: Question, settings: IndexSettings) -> bool:
    """Whether so many words are asked for that a record may lack one."""
    return 0 < settings.forgiving_from <= len(made.clauses) and may_resort(question, settings)


def partly(made: Plan, weights: Sequence[float], reach: Reach) -> Query:
    """Records that have any of the words: each counts by its weight and by where it stands."""
    words = []
    for one, weight in zip((one for one in made.asked if not one.optional), weights, strict=True):
        found = [
            Query.const_score_query(
                query, weight * share * (MISTYPED if cost >= TYPO / 2 else 1 if cost == 0 else ALIKE)
            )
            for tier, share in zip(range(len(reach.settings.tiers)), SHARES, strict=False)
            for queries, cost in _alternatives(one, TIERS[tier], 1 << tier, reach)
            for query in queries
        ]
        found += [Query.const_score_query(query, weight * SHARES[1]) for query in _stood_for(one, reach)]
        if found:
            words.append(Query.disjunction_max_query(found))
    where = Query.const_score_query(made.where, 0.0)
    any_word = Query.boolean_query([(Occur.Should, word) for word in words])
    demoted = [(Occur.Should, Query.const_score_query(query, -1.0)) for query in made.demoted]
    return Query.boolean_query([(Occur.Must, where), (Occur.Must, any_word), *demoted])


def _stood_for(one: Asked, reach: Reach) -> Iterator[Query]:
    """The word as what a record is about, though its text may not say so."""
    for named in reach.settings.named:
        if named.stands and one.term in reach.facet_values[named.attribute]:
            yield lowered(Equals(named.attribute, one.term), reach)


def _alternatives(one: Asked, field: str, mask: int, reach: Reach) -> Iterator[tuple[Sequence[Query], float]]:
    """The word in one field: as it is written, begun, inflected, taken apart, mistyped; and what each costs."""
    schema, vocabulary = reach.schema, reach.vocabulary

    def any_of(terms: Iterable[str]) -> Sequence[Query]:
        here = [term for term in terms if vocabulary.where.get(term, 0) & mask]
        if len(here) > MOST_APART:
            return (Query.term_set_query(schema, field, here),)
        return [Query.term_query(schema, field, term, "basic") for term in here]

    yield any_of((one.term,)), 0
    yield any_of(one.inexact), INEXACT
    yield any_of(one.meant), MEANT
    if one.begins_many:
        yield (Query.fuzzy_term_query(schema, field, one.term, distance=0, prefix=True),), INEXACT
    for terms, cost in one.phrases:
        if len(terms) == 1:
            yield any_of(terms), cost
        elif all(vocabulary.where.get(term, 0) & mask for term in terms):
            yield (Query.phrase_query(schema, field, list(terms)),), cost
    for typos, mistyped in one.mistyped:
        yield any_of(mistyped), INEXACT + TYPO * typos


def _preferences(
    question: Question, asked: Sequence[Asked], tiers: Sequence[int], reach: Reach
) -> Iterator[tuple[Query, float]]:
    """What puts a record in front and leaves none out, and how far."""
    settings = reach.settings
    for equals in question.preferred:
        yield lowered(equals, reach), PREFERRED * max(0, min(equals.score, MOST_PREFERRED))
    if not asked:
        return
    for named in settings.named:
        for one in asked:
            if named.boost and one.term in reach.facet_values[named.attribute]:
                yield lowered(Equals(named.attribute, one.term), reach), PREFERRED * named.boost
    yield from _headings(question, asked, reach)
    yield from _hints(asked, reach)
    if all(one.term in reach.named for one in asked):
        return  # they say where it stands; that a text has them together says nothing
    for left, right in pairwise(asked):
        near = list(_neighbours(left, right, tiers, reach))
        if near:
            yield Query.disjunction_max_query(near), NEXT


def _hints(asked: Sequence[Asked], reach: Reach) -> Iterator[tuple[Query, float]]:
    """Titles with a part of an identifier: where many texts have `cacheTime`, `Caching` is the page about it."""
    for part in (part for one in asked for part in one.word.parts):
        marked = STEM + part.stem if part.stem else part.term
        telling = len(part.term) >= SHORTEST_HINT and part.term not in reach.general
        if telling and reach.vocabulary.where.get(marked, 0) & 1:
            yield Query.term_query(reach.schema, TIERS[0], marked, "basic"), HINTED


def _demoted(asked: Sequence[Asked], reach: Reach) -> list[tuple[Query, float]]:
    """Records that come after those that match as well, and how far."""
    said = {term for one in asked for term in (one.term, *one.near)}
    return [
        (lowered(Equals(demoted.attribute, demoted.value), reach), SLIGHT if demoted.slight else PREFERRED)
        for demoted in reach.settings.demoted
        if asked and said.isdisjoint(demoted.unless)
    ]


def _headings(question: Question, asked: Sequence[Asked], reach: Reach) -> Iterator[tuple[Query, float]]:
    """Records whose heading is what was asked for, apart from words that only say where it stands."""
    named = reach.named
    core = [one for one in asked if not one.optional and one.term not in named] or list(asked)
    texts = {question.text, " ".join(one.term for one in core)}
    corrected = {*_corrected(core, reach.vocabulary), *_corrected(asked, reach.vocabulary)}
    for field, worth in ((HEADING, WHOLE), (SUBHEADING, WHOLE_SUBHEADING)):
        for wanted, score in (
            ({squash(text) for text in texts}, worth / 2),
            ({STEM + roots(text) for text in texts}, worth / 2),
            (corrected, worth - INEXACT),
        ):
            there = wanted & reach.headings[field]
            if there:
                yield any_term(reach.schema, field, there), score
    yield Query.term_query(reach.schema, HEADING, AS_WRITTEN + question.text.strip()), WRITTEN_SO
    start, entire = (squash(" ".join(one.term for one in words)) for words in (core, asked))
    nameless = bool(start) and not all(one.term in named for one in core)
    begun = [_beginning(start, reach)] if nameless and asked[-1].begun else []
    if asked[-1].begun and not (nameless and entire == start):
        # What is only for those who know its name has to be named in full.
        few = [
            (Occur.MustNot, lowered(Equals(d.attribute, d.value), reach)) for d in reach.settings.demoted if d.slight
        ]
        begun.append(Query.boolean_query([(Occur.Must, _beginning(entire, reach)), *few]))
    if begun:
        yield Query.boolean_query([(Occur.Should, one) for one in begun]), BEGUN
    whole = {squash(question.text), *_corrected(asked, reach.vocabulary)} & reach.headings[HEADING]
    if len(asked) > 1 and whole:
        yield any_term(reach.schema, HEADING, whole), ENTIRE


def _beginning(start: str, reach: Reach) -> Query:
    return Query.fuzzy_term_query(reach.schema, HEADING, start, distance=0, prefix=True)


def _corrected(asked: Sequence[Asked], vocabulary: Vocabulary) -> Iterator[str]:
    """The words run together, one of them as it was perhaps meant: the one that there is not, else any."""
    words = [one.term for one in asked]
    unknown = [at for at, one in enumerate(asked) if one.term not in vocabulary]
    if len(unknown) > 1:
        return
    for at in unknown or range(len(words)):
        near = {term: typos for term, typos in asked[at].near.items() if abs(len(term) - len(words[at])) <= typos}
        for term in sorted(near, key=lambda term: (near[term], -vocabulary.often.get(term, 0)))[:MOST_CORRECTED]:
            yield squash("".join([*words[:at], term, *words[at + 1 :]]))


def _neighbours(left: Asked, right: Asked, tiers: Sequence[int], reach: Reach) -> Iterator[Query]:
    where = reach.vocabulary.where
    for tier in tiers:
        if where.get(left.term, 0) & 1 << tier:
            if right.begun:
                yield Query.phrase_prefix_query(reach.schema, TIERS[tier], [left.term, right.term])
            elif where.get(right.term, 0) & 1 << tier:
                yield Query.phrase_query(reach.schema, TIERS[tier], [left.term, right.term])


def any_term(schema: tantivy.Schema, field: str, terms: Iterable[str]) -> Query:
    """Any of a few terms. Tantivy's own set of terms is an automaton: made for many, and slow to make."""
    return Query.boolean_query([(Occur.Should, Query.term_query(schema, field, term, "basic")) for term in terms])


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.term for word in read_words(text))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _exact(number: float) -> str:
    """Without an exponent, which the query language does not have."""
    return f"{Decimal(number):f}"

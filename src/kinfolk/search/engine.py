"""An index of any JSON records: tantivy finds and ranks them, as the rules of the index say.

Everyone reads from a `_View`, which is one commit and never changes; a write makes the next one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import orjson
import tantivy
from tantivy import Query

from kinfolk.budget import BUDGETS, Deadline, OverBudget
from kinfolk.cache import SharedRecent
from kinfolk.errors import Invalid, Unavailable
from kinfolk.search.document import (
    FACETS,
    GROUP,
    HEADING,
    ID,
    NUMBERS,
    RANKS,
    RECORD,
    SUBHEADING,
    TIERS,
    document,
    path_key,
    ranks,
    schema,
)
from kinfolk.search.plan import PREFERRED, TYPO, WORD, Plan, Reach, cut_apart, is_long, may_resort, partly, plan
from kinfolk.search.query import (
    EVERY_FACET,
    MOST_CONDITIONS,
    Answer,
    Hit,
    Question,
    Ranking,
    Record,
    Stats,
    conditions,
    weight,
)
from kinfolk.search.rules import IndexSettings
from kinfolk.search.tokens import fold, read_words
from kinfolk.search.vocabulary import Vocabulary
from kinfolk.throttle import unthrottled

WRITER_MEMORY = 60_000_000
"""Bytes that a writer gathers before it writes a segment: the whole family's docs fit, so they are one."""
FIRST_LOOK = 240
"""Records that are ranked exactly at least: enough for twenty groups of several."""
FEW = 10
"""Hits below which words that there are may be slips for others."""
MOST_BETTER = 3
"""Records that lack a word and may come before others that have all."""
ALL_WORDS = 1.4
"""How much more a record is worth for having every word."""
FINER = 20
"""Steps of a word's weight that are told apart."""
MOST_FACET_VALUES = 10_000
MOST_TYPOS = 2
MOST_DISTINCT = 1_000
LONGEST_ID = 4_096
"""Bytes of an id. The longest ones are paths of pages; tantivy keeps no term above 64 kB."""
LONGEST_CURSOR = 200
READ_BYTES = 4 * BUDGETS["search"].answer_bytes
"""JSON of records that one search may read. As objects it takes several times as much memory."""
MOST_NAMED = 1_000
KEPT_VIEWS = 4
"""Older commits that somebody may still be browsing."""
KEPT_ANSWERS = 12 << 20
"""Bytes of the answers kept, of all indexes together."""
AN_ANSWER = 2_000
"""What an answer weighs without its hits."""
PER_BYTE = 4
"""What a byte of JSON weighs once it is read, as measured."""
A_WORD = 1_000
"""What a word of its question adds to that: the terms that it may stand for."""

Answers = SharedRecent[tuple[str, Question], Answer]
"""By the generation of an index, which no other index has, and by what was asked."""


@dataclass(frozen=True)
class _View:
    """One commit: what is in it, and what to call it."""

    searcher: tantivy.Searcher
    reach: Reach
    generation: str


@dataclass(frozen=True)
class _Found:
    """Places of records in ranked order, the score of each, and what finds all of them.

    `total` counts hits as they are shown. Where it is not `exact`, not all were looked at: then it counts records.
    """

    places: Sequence[tuple[float, tantivy.DocAddress]]
    match: Query
    total: int
    exact: bool


class TantivyIndex:
    """A folder of tantivy's, read and written in this process. One process writes; readers of others call `refresh`."""

    def __init__(
        self,
        folder: Path,
        settings: IndexSettings,
        answers: Answers | None = None,
        *,
        throttle: Callable[[], None] = unthrottled,
    ) -> None:
        """Open what `create` made. Raises Unavailable where there is no index, or a broken one.

        Several indexes may share `answers`. `throttle` is called between the steps of opening
        (0.1 s together).
        """
        self.folder = folder
        self.settings = settings
        self._writing = threading.RLock()
        self._looking = threading.Lock()
        self._older: dict[str, _View] = {}
        self._answers: Answers = SharedRecent(KEPT_ANSWERS) if answers is None else answers
        try:
            self._index = tantivy.Index.open(str(folder))
            self._view = self._look(throttle)
        except (ValueError, OSError) as broken:
            raise Unavailable(f"The search index cannot be opened: {broken}") from broken

    @classmethod
    def create(cls, folder: Path, settings: IndexSettings, records: Iterable[Record] = ()) -> TantivyIndex:
        """A new index in an empty folder, which is made. Ranked by the records' own worth where all else is even."""
        folder.mkdir(parents=True, exist_ok=True)
        sorting = RANKS[0] if settings.ranks else None
        tantivy.Index(schema(), path=str(folder), reuse=False, sort_by_field=sorting, sort_order=tantivy.Order.Desc)
        index = cls(folder, settings)
        index.replace_all(records)
        return index

    @property
    def generation(self) -> str:
        return self._view.generation

    @property
    def count(self) -> int:
        return int(self._view.searcher.num_docs)

    def refresh(self) -> None:
        """See what another process has committed. Raises Unavailable where it is broken, or gone."""
        with self._looking:
            try:
                self._index.reload()
                self._view = self._look()
            except (ValueError, OSError) as broken:
                raise Unavailable(f"The search index cannot be read again: {broken}") from broken

    def write(self, puts: Iterable[Record], deletes: Iterable[str] = ()) -> None:
        """Put these records in place of those with their ids, and take out others, in one commit or not at all."""
        with self._writing, self._writer() as writer:
            for id in deletes:
                writer.delete_documents_by_term(ID, id)
            for record in self._ranked({str(record.get("objectID")): record for record in puts}.values()):
                made = document(record, self.settings)
                writer.delete_documents_by_term(ID, record["objectID"])
                writer.add_document(made)
        self.refresh()

    def replace_all(self, records: Iterable[Record]) -> None:
        """Nothing but these records, in one commit or not at all."""
        with self._writing, self._writer() as writer:
            writer.delete_all_documents()
            for record in self._ranked({str(record.get("objectID")): record for record in records}.values()):
                writer.add_document(document(record, self.settings))
        self.refresh()

    def reshape(self, settings: IndexSettings) -> None:
        """Read and rank the same records by other rules."""
        with self._writing:
            self.settings = settings
            self.replace_all(list(self.records()))

    def records(self) -> Iterator[Record]:
        """Every record there is, as of now."""
        view = self._view
        found = view.searcher.search(Query.all_query(), max(1, self.count), count=False)
        for _, place in found.hits:
            yield _record(view, place)

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:
        view = self._view
        question = _bounded(question, int(view.searcher.num_docs))
        key = (view.generation, question)
        known = self._answers.get(key)
        if known is not None:
            return known
        with _calm():
            answer, read = _search(view, question, deadline or Deadline("search"))
        weighs = AN_ANSWER + PER_BYTE * read + weight(question) + len(answer.words) * A_WORD
        self._answers.put(key, answer, weight=weighs)
        return answer

    def facet_values(
        self, attribute: str, text: str, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        deadline = deadline or Deadline("search")
        if self.settings.facets.get(attribute) != "searchable":
            raise Invalid(
                f"Cannot search in `{attribute}` attribute, you need to add `searchable({attribute})` to"
                " attributesForFaceting."
            )
        view = self._view
        question = _bounded(question, int(view.searcher.num_docs))
        with _calm():
            made = plan(question, view.reach, deadline)
            counted, _ = _facets(view, made.match, (attribute,), MOST_FACET_VALUES, _distinct(view, question))
        wanted = fold(text).split()

        def fits(value: str) -> bool:
            deadline.check()
            words = [word for read in read_words(value) for word in (read.term, *(part.term for part in read.parts))]
            return all(any(word.startswith(start) for word in words) for start in wanted)

        # A value such as `a b` may be asked for by a beginning that runs over its words.
        found = [
            (value, count)
            for value, count in counted.get(attribute, {}).items()
            if fold(value).startswith(fold(text).strip()) or fits(value)
        ]
        return tuple(found[: max(0, most)])

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        deadline = deadline or Deadline("search")
        view = self._view
        found: list[Record | None] = []
        for id in ids:
            deadline.check()
            if len(id.encode("utf-8", "replace")) > LONGEST_ID:
                found.append(None)
                continue
            hits = view.searcher.search(Query.term_query(view.reach.schema, ID, id), 1, count=False).hits
            found.append(_record(view, hits[0][1]) if hits else None)
        return tuple(found)

    def browse(
        self, cursor: str | None, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        """A cursor goes on with the commit it began with, as long as that is not many commits ago.

        Fewer than `most` records come where they would be larger than an answer: the cursor leads to the next ones.
        """
        deadline = deadline or Deadline("search")
        generation, offset = _read_cursor(cursor) if cursor is not None else (self.generation, 0)
        view = self._older.get(generation, self._view)
        count = int(view.searcher.num_docs)
        offset, most = min(offset, count), max(1, min(most, count))
        with _calm():
            made = plan(replace(question, preferred=()), view.reach, deadline)
            match = Query.const_score_query(made.match, 1.0)
            hits = view.searcher.search(match, most + 1, count=False, offset=offset).hits
        records: list[Record] = []
        room = BUDGETS["search"].answer_bytes * 3 // 4
        for _, place in hits[:most]:
            deadline.check()
            packed = _packed(view, place)
            room -= len(packed)
            if records and room < 0:
                break
            records.append(orjson.loads(packed))
        return tuple(records), _cursor(view.generation, offset + len(records)) if len(hits) > len(records) else None

    def _look(self, throttle: Callable[[], None] = unthrottled) -> _View:
        searcher = self._index.searcher()
        meta = (self.folder / "meta.json").read_bytes()
        generation = hashlib.blake2s(meta, digest_size=8).hexdigest()
        settings = self.settings
        tiers = TIERS[: max(1, len(settings.tiers))]
        vocabulary = Vocabulary((searcher.terms_with_prefix(tier, "") for tier in tiers), throttle)
        throttle()
        facet_values = {
            named.attribute: frozenset(_terms(searcher, Query.all_query(), named.attribute, MOST_NAMED))
            for named in settings.named
        }
        throttle()
        headings = {
            field: frozenset(term for term, _ in searcher.terms_with_prefix(field, ""))
            for field in (HEADING, SUBHEADING)
        }
        reach = Reach(settings, vocabulary, self._index, self._index.schema, facet_values, headings)
        view = _View(searcher, reach, generation)
        self._older[generation] = view
        while len(self._older) > KEPT_VIEWS:
            del self._older[next(iter(self._older))]
        return view

    def _ranked(self, records: Iterable[Record]) -> list[Record]:
        """The best first: of records that are even in everything, tantivy finds what was added first."""
        return sorted(records, key=lambda record: [-rank for rank in ranks(record, self.settings)])

    def _writer(self) -> _Writing:
        return _Writing(self._index)


class _Writing:
    """A writer for one commit: what fails within leaves the index as it was."""

    def __init__(self, index: tantivy.Index) -> None:
        self._index = index

    def __enter__(self) -> tantivy.IndexWriter:
        try:
            self._writer = self._index.writer(heap_size=WRITER_MEMORY, num_threads=1)
        except ValueError as busy:
            raise Unavailable(f"The search index is being written to: {busy}") from busy
        return self._writer

    def __exit__(self, kind: object, wrong: object, trace: object) -> None:
        if kind is None:
            self._writer.commit()
        else:
            self._writer.rollback()
        # Also lets go of the lock.
        self._writer.wait_merging_threads()


@contextmanager
def _calm() -> Iterator[None]:
    """A panic within tantivy is no error that servers expect, and would end them: here it becomes one."""
    try:
        yield
    except BaseException as wrong:
        if type(wrong).__name__ != "PanicException":
            raise
        raise Unavailable("The search index could not answer that") from wrong


def copy_index(source: Path, target: Path) -> None:
    """The same index in another folder. Tantivy never changes a file it has written, so the two may share them."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.suffix == ".lock":
            continue
        try:
            (target / file.name).hardlink_to(file)
        except OSError:
            shutil.copyfile(file, target / file.name)


def _bounded(question: Question, records: int) -> Question:
    """The question without numbers that tantivy would allocate memory for: none is larger than what the index has.

    Raises Invalid for more conditions than a search can look at in time.
    """
    sent = len(question.preferred) + (conditions(question.where) if question.where else 0)
    if sent > MOST_CONDITIONS:
        raise Invalid(f"More than {MOST_CONDITIONS} conditions in all filters together")
    offset = min(max(0, question.offset), records)
    return replace(
        question,
        offset=offset,
        length=min(max(0, question.length), records - offset),
        values_per_facet=min(max(1, question.values_per_facet), MOST_FACET_VALUES),
        most_typos=min(max(0, question.most_typos), MOST_TYPOS),
        distinct=None if question.distinct is None else min(max(0, question.distinct), MOST_DISTINCT),
    )


def _search(view: _View, question: Question, deadline: Deadline) -> tuple[Answer, int]:
    """The answer, and how many bytes of JSON its hits were read from.

    The deadline is checked before each call of tantivy, which cannot be interrupted.
    """
    distinct = _distinct(view, question)
    needed = question.offset + question.length
    # Most questions are well answered by what they say. Only where they are not, every word may be a slip.
    made = plan(question, view.reach, deadline, doubting=False)
    found = _ranked_places(
        view, made.ranked if question.length else made.match, made.match, needed, distinct, deadline=deadline
    )
    if made.asked and found.total < FEW:
        made, found = _doubted(view, question, needed, distinct, deadline=deadline)
        if not found.total and (cut := cut_apart(question, view.reach)) is not None:
            made, found = _doubted(view, cut, needed, distinct, deadline=deadline)
    if question.length and distinct and is_long(made, question, view.reach.settings):
        deadline.check()
        found = _with_better(view, made, found, distinct, deadline)
    facets = _asked_facets(view, question)
    count_groups = distinct > 0 and not found.exact
    deadline.check()
    counted, groups = _facets(view, found.match, facets, question.values_per_facet, distinct, count_groups=count_groups)
    words = len(made.asked)
    hits = []
    read = 0
    for score, place in found.places[question.offset : needed]:
        deadline.check()
        packed = _packed(view, place)
        read += len(packed)
        if read > READ_BYTES:
            raise OverBudget("search", "size", f"The hits of this search have more than {READ_BYTES} bytes")
        record = orjson.loads(packed)
        hits.append(Hit(record["objectID"], record, _ranking(words, score), len(packed)))
    answer = Answer(
        hits=tuple(hits),
        total=found.total if groups is None else groups,
        exhaustive=not count_groups,
        facets=counted,
        stats=_stats(view, found.match, facets, counted),
        words=made.words,
        marker=made.marker,
    )
    return answer, read


def _doubted(view: _View, question: Question, needed: int, distinct: int, *, deadline: Deadline) -> tuple[Plan, _Found]:
    """What is found where every word may be a slip; where that is little, what has only some of the words too."""
    made = plan(question, view.reach, deadline)
    found = _ranked_places(
        view, made.ranked if question.length else made.match, made.match, needed, distinct, deadline=deadline
    )
    settings = view.reach.settings
    if may_resort(question, settings) and len(made.clauses) > 1 and found.total < settings.enough:
        found = _with_some(view, made, found, needed, distinct, deadline=deadline)
    return made, found


def _distinct(view: _View, question: Question) -> int:
    settings = view.reach.settings
    if settings.attribute_for_distinct is None:
        return 0
    return max(0, settings.distinct) if question.distinct is None else question.distinct


def _ranked_places(
    view: _View, ranked: Query, match: Query, needed: int, distinct: int, *, deadline: Deadline
) -> _Found:
    """The best places, as many as are needed: groups are only known once their records are there."""
    # Tantivy allocates memory for as many hits as are asked for, also where the index has fewer.
    most = max(1, int(view.searcher.num_docs))
    look = min(most, max(FIRST_LOOK, needed + 1) if distinct == 0 else max(FIRST_LOOK, needed * 4))
    while True:
        deadline.check()
        result = view.searcher.search(ranked, look, count=True)
        hits = [(float(score), place) for score, place in result.hits]
        total = _count(result)
        ordered, groups = _in_order(view, hits, distinct)
        if distinct == 0:
            return _Found(ordered, match, total, exact=True)
        kept = _apart(ordered, groups, distinct)
        if total <= look:
            return _Found(kept, match, len(kept), exact=True)
        if len(kept) >= needed:
            return _Found(kept, match, total, exact=False)
        look = min(most, look * 4)


def _count(result: tantivy.SearchResult) -> int:
    return cast("int", getattr(result, "count"))  # noqa: B009 - tantivy's stubs do not know it


def _in_order(
    view: _View, hits: list[tuple[float, tantivy.DocAddress]], distinct: int
) -> tuple[list[tuple[float, tantivy.DocAddress]], list[object]]:
    """By score, then by the custom ranking, and the group of each. Tantivy's own order is that of each segment.

    A group of which several records match is about what was asked for rather than one that mentions it once.
    """
    if not hits:
        return hits, []
    groups = _groups(view, hits) if distinct else [None] * len(hits)
    places = [place for _, place in hits]
    columns = [
        [math.inf if value is None else -value for value in view.searcher.fast_field_values(name, places)]
        for name, _ in zip(RANKS, view.reach.settings.ranks, strict=False)
    ]
    repeated = view.reach.settings.repeated
    if distinct and repeated and columns:
        often = Counter(groups)
        columns[0] = [rank - min(often[group], repeated) for rank, group in zip(columns[0], groups, strict=True)]
    keys = list(zip([-math.floor(score) for score, _ in hits], *columns, strict=True))
    order = sorted(range(len(hits)), key=keys.__getitem__)
    return [hits[at] for at in order], [groups[at] for at in order]


def _apart(
    hits: list[tuple[float, tantivy.DocAddress]], groups: list[object], distinct: int
) -> list[tuple[float, tantivy.DocAddress]]:
    """The best records of each group."""
    seen: dict[object, int] = {}
    kept = []
    for hit, group in zip(hits, groups, strict=True):
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= distinct:
            kept.append(hit)
    return kept


def _with_better(view: _View, made: Plan, full: _Found, distinct: int, deadline: Deadline) -> _Found:
    """What has all words; among it a few that lack one, and have the others where they say more.

    Somebody who asks in a sentence does not know every word of the page, and a long page has every word somewhere.
    """
    weights = _weights(view, made, deadline)
    found = view.searcher.search(partly(made, weights, view.reach), FIRST_LOOK, count=False).hits
    hits = [(float(score) * FINER, place) for score, place in found]
    least = hits[-1][0] if len(hits) == FIRST_LOOK else 0.0
    worth = {_spot(place): score for score, place in hits}
    places = list(full.places)
    worths = [ALL_WORDS * worth.get(_spot(place), least) for _, place in places]
    groups = _groups(view, places)
    better = _apart(*_in_order(view, hits, distinct), distinct)[:MOST_BETTER]
    more = 0
    for (score, place), group in zip(better, _groups(view, better), strict=True):
        at = next((at for at, other in enumerate(worths) if other < score), len(worths))
        old = groups.index(group) if group in groups else len(groups)
        if old <= at and old < len(groups):
            continue
        if old < len(groups):
            del places[old], worths[old], groups[old]
        else:
            more += 1
        places.insert(at, (WORD, place))
        worths.insert(at, score)
        groups.insert(at, group)
    return _Found(places, full.match, full.total + more, full.exact)


def _spot(place: tantivy.DocAddress) -> tuple[int, int]:
    return place.segment_ord, place.doc


def _groups(view: _View, hits: Sequence[tuple[float, tantivy.DocAddress]]) -> list[object]:
    return list(view.searcher.fast_field_values(GROUP, [place for _, place in hits])) if hits else []


def _weights(view: _View, made: Plan, deadline: Deadline) -> list[float]:
    """How much each word tells: a rare one more than one that is everywhere."""
    records = max(1, view.searcher.num_docs)
    often = []
    for clause in made.clauses:
        deadline.check()
        often.append(_count(view.searcher.search(clause, 1, count=True)))
    return [math.log(1 + records / (1 + times)) for times in often]


def _with_some(view: _View, made: Plan, full: _Found, needed: int, distinct: int, *, deadline: Deadline) -> _Found:
    """What has all words, then what has the rarest of them."""
    weights = _weights(view, made, deadline)
    most = max(weights)
    match, ranked = made.some([weight / most for weight in weights])
    some = _ranked_places(view, ranked, match, needed + len(full.places), distinct, deadline=deadline)
    first = {_spot(place) for _, place in full.places}
    rest = [hit for hit in some.places if _spot(hit[1]) not in first]
    places = [*full.places, *rest]
    kept = _apart(places, _groups(view, places), distinct) if distinct else places
    return _Found(kept, match, some.total, some.exact)


def _ranking(words: int, score: float) -> Ranking:
    """Read back from the score: typos and preferences are so far apart from the rest that they can be told."""
    lost = words * WORD - score
    typos = max(0, math.ceil((lost - PREFERRED / 2) / TYPO)) if words else 0
    preferred = max(0, round((typos * TYPO - lost) / PREFERRED))
    return Ranking(words=words, typos=typos, filters=preferred, exact=max(0, words - typos), score=score)


def _asked_facets(view: _View, question: Question) -> tuple[str, ...]:
    known = {name for name, modifier in view.reach.settings.facets.items() if modifier != "filterOnly"}
    if EVERY_FACET[0] in question.facets:
        return tuple(name for name in view.reach.settings.facets if name in known)
    return tuple(dict.fromkeys(name for name in question.facets if name in known))


def _facets(
    view: _View, match: Query, facets: Sequence[str], most: int, distinct: int, *, count_groups: bool = False
) -> tuple[dict[str, dict[str, int]], int | None]:
    """How many hits have each value, the largest first; and how many groups there are, where that is asked.

    Where one record stands for several, groups are counted: by a sketch, which is exact for the few and within a
    hundredth for the many.
    """
    group = {"cardinality": {"field": GROUP}}
    inner = {"aggs": {"groups": group}} if distinct else {}
    wanted: dict[str, object] = {
        f"f{at}": {"terms": {"field": f"{FACETS}.{path_key(name)}", "size": max(1, most)}, **inner}
        for at, name in enumerate(facets)
    }
    if count_groups:
        wanted["groups"] = group
    if not wanted:
        return {}, None
    answered = view.searcher.aggregate(match, wanted)
    counted = {}
    for at, name in enumerate(facets):
        buckets = answered.get(f"f{at}", {}).get("buckets", [])
        counts = [(b["key"], round(b["groups"]["value"]) if distinct else b["doc_count"]) for b in buckets]
        if counts:
            counted[name] = dict(sorted(counts, key=lambda one: (-one[1], one[0])))
    return counted, round(answered["groups"]["value"]) if count_groups else None


def _terms(searcher: tantivy.Searcher, match: Query, attribute: str, most: int) -> list[str]:
    field = f"{FACETS}.{path_key(attribute)}"
    answered = searcher.aggregate(match, {"values": {"terms": {"field": field, "size": most}}})
    return [bucket["key"] for bucket in answered["values"]["buckets"]]


def _stats(view: _View, match: Query, facets: Sequence[str], counted: dict[str, dict[str, int]]) -> dict[str, Stats]:
    """Of the facets whose values are numbers."""
    numeric = [name for name in facets if name in counted and _is_number(next(iter(counted[name])))]
    if not numeric:
        return {}
    wanted = {f"s{at}": {"stats": {"field": f"{NUMBERS}.{path_key(name)}"}} for at, name in enumerate(numeric)}
    answered = view.searcher.aggregate(match, wanted)
    found = {}
    for at, name in enumerate(numeric):
        stats = answered.get(f"s{at}", {})
        if stats.get("count"):
            found[name] = Stats(stats["min"], stats["max"], stats["avg"], stats["sum"])
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _record(view: _View, place: tantivy.DocAddress) -> Record:
    return cast("Record", orjson.loads(_packed(view, place)))


def _packed(view: _View, place: tantivy.DocAddress) -> bytes:
    return cast("bytes", view.searcher.doc(place).get_first(RECORD))


def _cursor(generation: str, offset: int) -> str:
    return base64.urlsafe_b64encode(f"{generation}:{offset}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[str, int]:
    if len(cursor) > LONGEST_CURSOR:
        raise Invalid("Invalid cursor")
    try:
        generation, _, offset = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
        return generation, max(0, int(offset))
    except (ValueError, binascii.Error):
        raise Invalid("Invalid cursor") from None

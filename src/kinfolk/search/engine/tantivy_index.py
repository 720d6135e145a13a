"""An index of JSON records in a folder: tantivy stores, finds and ranks them by the settings of the index.

Readers use a CommitView, which never changes. A write makes the next one.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import orjson
import tantivy
from tantivy import Query

from kinfolk.runtime.budget import BUDGETS, Deadline
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.runtime.services.throttle import unthrottled
from kinfolk.search.engine.browse_cursor import read_cursor, write_cursor
from kinfolk.search.engine.commit_view import CommitView, panics_as_unavailable, view_commit
from kinfolk.search.engine.facet_counts import count_facets
from kinfolk.search.engine.indexed_document import indexed_document
from kinfolk.search.engine.query_execution import execute
from kinfolk.search.engine.ranked_records import ranked_records
from kinfolk.search.filters import MAX_CONDITIONS, Record, count_conditions
from kinfolk.search.query import SearchQuery, SearchResult, query_bytes
from kinfolk.search.ranking.index_schema import ID, RANKS, schema
from kinfolk.search.ranking.query_plan import plan_query
from kinfolk.search.ranking_config import IndexSettings
from kinfolk.search.text.tokens import fold, read_words
from kinfolk.search.text.vocabulary import Vocabulary

WRITER_MEMORY = 60_000_000
"""Bytes that a writer buffers before it writes a segment: enough for 15,000 records in one segment."""
MAX_FACET_VALUES = 10_000
MAX_TYPOS = 2
MAX_DISTINCT = 1_000
MAX_ID_BYTES = 4_096
"""Bytes of an id. Tantivy stores no term above 64 kB."""
MAX_VIEWS = 4
"""Commits that stay open for cursors of `browse`."""
RESULT_CACHE_BYTES = 4 << 20
"""Bytes of cached results, of all indexes together."""
RESULT_BYTES = 2_000
"""Memory of a cached result without its hits."""
MEMORY_PER_JSON_BYTE = 4
"""Measured memory of a parsed byte of JSON."""
WORD_BYTES = 1_000
"""Memory of a word of the query with the terms that it matches."""

ResultCache = ThreadSafeLRUCache[tuple[str, SearchQuery], SearchResult]
"""Keyed by the generation, which is unique among all indexes, and the query."""


class TantivyIndex:
    """A tantivy folder, open in this process. One process writes; readers in other processes call `refresh`."""

    def __init__(
        self,
        folder: Path,
        settings: IndexSettings,
        results: ResultCache | None = None,
        *,
        throttle: Callable[[], None] = unthrottled,
    ) -> None:
        """Open an existing index. Raises Unavailable where there is none, or a damaged one.

        Several indexes may share `results`. `throttle` is called between the steps of opening (0.1 s in total).
        """
        self.folder = folder
        self.settings = settings
        self._write_lock = threading.RLock()
        self._refresh_lock = threading.Lock()
        self._recent_views: dict[str, CommitView] = {}
        self._results: ResultCache = ThreadSafeLRUCache(RESULT_CACHE_BYTES) if results is None else results
        try:
            self._index = tantivy.Index.open(str(folder))
            self._view = self._open_view(throttle)
        except (ValueError, OSError) as broken:
            raise Unavailable(f"The search index cannot be opened: {broken}") from broken

    @classmethod
    def create(cls, folder: Path, settings: IndexSettings, records: Iterable[Record] = ()) -> TantivyIndex:
        """A new index in an empty folder, sorted by the custom ranking."""
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
        return self._view.count

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of the current commit."""
        return self._view.scope.vocabulary

    def refresh(self) -> None:
        """Load the last commit of another process. Raises Unavailable where the index is damaged or deleted."""
        with self._refresh_lock:
            try:
                self._index.reload()
                self._view = self._open_view()
            except (ValueError, OSError) as broken:
                raise Unavailable(f"The search index cannot be read again: {broken}") from broken

    def write(self, puts: Iterable[Record], deletes: Iterable[str] = ()) -> None:
        """Add or replace records by their ids, and delete others, in one commit or not at all."""
        with self._write_lock, _committing(self._index) as writer:
            for id in deletes:
                writer.delete_documents_by_term(ID, id)
            for record in ranked_records(puts, self.settings):
                document = indexed_document(record, self.settings)
                writer.delete_documents_by_term(ID, record["objectID"])
                writer.add_document(document)
        self.refresh()

    def replace_all(self, records: Iterable[Record]) -> None:
        """Replace all records in one commit or not at all."""
        with self._write_lock, _committing(self._index) as writer:
            writer.delete_all_documents()
            for record in ranked_records(records, self.settings):
                writer.add_document(indexed_document(record, self.settings))
        self.refresh()

    def apply_settings(self, settings: IndexSettings) -> None:
        """Index the same records with other settings."""
        with self._write_lock:
            self.settings = settings
            self.replace_all(self.records())

    def records(self) -> Iterator[Record]:
        """All records of the current commit."""
        view = self._view
        found = view.searcher.search(Query.all_query(), max(1, view.count), count=False)
        for _, address in found.hits:
            yield view.record(address)

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        view = self._view
        query = _bounded(query, view.count)
        key = (view.generation, query)
        cached = self._results.get(key)
        if cached is not None:
            return cached
        with panics_as_unavailable():
            result, read_bytes = execute(view, query, deadline or Deadline("search"))
        memory = RESULT_BYTES + MEMORY_PER_JSON_BYTE * read_bytes + query_bytes(query) + len(result.words) * WORD_BYTES
        self._results.put(key, result, weight=memory)
        return result

    def facet_values(
        self, attribute: str, text: str, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        deadline = deadline or Deadline("search")
        if self.settings.facets.get(attribute) != "searchable":
            raise Invalid(
                f"Cannot search in `{attribute}` attribute, you need to add `searchable({attribute})` to"
                " attributesForFaceting."
            )
        view = self._view
        query = _bounded(query, view.count)
        with panics_as_unavailable():
            plan = plan_query(query, view.scope, deadline)
            counted, _ = count_facets(view, plan.match, (attribute,), MAX_FACET_VALUES, view.distinct(query))
        prefixes = fold(text).split()

        def matches(value: str) -> bool:
            deadline.check()
            words = [word for read in read_words(value) for word in (read.term, *(part.term for part in read.parts))]
            return all(any(word.startswith(prefix) for word in words) for prefix in prefixes)

        # `fold(value)` matches a prefix of several words, such as `a b`.
        found = [
            (value, count)
            for value, count in counted.get(attribute, {}).items()
            if fold(value).startswith(fold(text).strip()) or matches(value)
        ]
        return tuple(found[: max(0, limit)])

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        deadline = deadline or Deadline("search")
        view = self._view
        found: list[Record | None] = []
        for id in ids:
            deadline.check()
            if len(id.encode("utf-8", "replace")) > MAX_ID_BYTES:
                found.append(None)
                continue
            hits = view.searcher.search(Query.term_query(view.scope.schema, ID, id), 1, count=False).hits
            found.append(view.record(hits[0][1]) if hits else None)
        return tuple(found)

    def browse(
        self, cursor: str | None, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        """A cursor continues in the commit in which it began, while that is among the last MAX_VIEWS.

        The result has fewer than `limit` records where they would exceed the size of a response.
        """
        deadline = deadline or Deadline("search")
        generation, offset = read_cursor(cursor) if cursor is not None else (self.generation, 0)
        view = self._recent_views.get(generation, self._view)
        offset, limit = min(offset, view.count), max(1, min(limit, view.count))
        with panics_as_unavailable():
            plan = plan_query(replace(query, optional_filters=()), view.scope, deadline)
            match = Query.const_score_query(plan.match, 1.0)
            hits = view.searcher.search(match, limit + 1, count=False, offset=offset).hits
        records: list[Record] = []
        room = BUDGETS["search"].answer_bytes * 3 // 4
        for _, address in hits[:limit]:
            deadline.check()
            json = view.json(address)
            room -= len(json)
            if records and room < 0:
                break
            records.append(orjson.loads(json))
        has_more = len(hits) > len(records)
        return tuple(records), write_cursor(view.generation, offset + len(records)) if has_more else None

    def _open_view(self, throttle: Callable[[], None] = unthrottled) -> CommitView:
        view = view_commit(self._index, self.folder, self.settings, throttle)
        self._recent_views[view.generation] = view
        while len(self._recent_views) > MAX_VIEWS:
            del self._recent_views[next(iter(self._recent_views))]
        return view


@contextmanager
def _committing(index: tantivy.Index) -> Iterator[tantivy.IndexWriter]:
    """A writer for one commit. An exception leaves the index as it was."""
    try:
        writer = index.writer(heap_size=WRITER_MEMORY, num_threads=1)
    except ValueError as busy:
        raise Unavailable(f"The search index is being written to: {busy}") from busy
    try:
        yield writer
    except BaseException:
        writer.rollback()
        raise
    else:
        writer.commit()
    finally:
        # Releases tantivy's lock.
        writer.wait_merging_threads()


def copy_index(source: Path, target: Path) -> None:
    """Copy an index by hard links where possible: tantivy never changes a file that it has written."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.suffix == ".lock":
            continue
        try:
            (target / file.name).hardlink_to(file)
        except OSError:
            shutil.copyfile(file, target / file.name)


def _bounded(query: SearchQuery, records: int) -> SearchQuery:
    """The query with its numbers limited to the size of the index: tantivy allocates memory for them.

    Raises Invalid for more than MAX_CONDITIONS.
    """
    sent = len(query.optional_filters) + (count_conditions(query.where) if query.where else 0)
    if sent > MAX_CONDITIONS:
        raise Invalid(f"More than {MAX_CONDITIONS} conditions in all filters together")
    offset = min(max(0, query.offset), records)
    return replace(
        query,
        offset=offset,
        length=min(max(0, query.length), records - offset),
        max_values_per_facet=min(max(1, query.max_values_per_facet), MAX_FACET_VALUES),
        max_typos=min(max(0, query.max_typos), MAX_TYPOS),
        distinct=None if query.distinct is None else min(max(0, query.distinct), MAX_DISTINCT),
    )

"""Indexes that clients push: stored in SQLite, searched with the engine of the docs.

record_database   the SQLite file, recovery from damage
record_store      records, settings, synonyms, rules and tasks
operations        operations on records, partial updates
pushed_index      the engine folders that follow the store, and one index of them
"""

from __future__ import annotations

from kinfolk.search.pushed_indexes.pushed_index import PushedIndex, PushedIndexes
from kinfolk.search.pushed_indexes.record_store import IndexSummary, RecordStore

__all__ = ["IndexSummary", "PushedIndex", "PushedIndexes", "RecordStore"]

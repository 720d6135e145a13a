"""Indexes that clients push: stored in SQLite, searched with the engine of the docs.

`record_store` has records, settings, synonyms, rules, tasks and a log of changes that the engine has not applied; one
process at a time applies them (`pushed_index`). A damaged folder is built again from the records. `record_database`
is the SQLite file, `operations` has partial updates.
"""

from __future__ import annotations

from kinfolk.search.pushed_indexes.pushed_index import PushedIndex, PushedIndexes
from kinfolk.search.pushed_indexes.record_store import IndexSummary, RecordStore

__all__ = ["IndexSummary", "PushedIndex", "PushedIndexes", "RecordStore"]

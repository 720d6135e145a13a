"""Indexes that clients push: kept in SQLite, searched through the same engine as the docs."""

from __future__ import annotations

from kinfolk.search.pushed.indexes import PushedIndex, PushedIndexes
from kinfolk.search.pushed.store import Store, Summary

__all__ = ["PushedIndex", "PushedIndexes", "Store", "Summary"]

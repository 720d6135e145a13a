"""Stars in a database, stored as the webhook of another process stores them."""

from __future__ import annotations

from kinfolk.db.database import Database
from kinfolk.statistics.figures.figure_store import FigureKey, repository_subject
from kinfolk.statistics.open_statistics import open_figure_store


class StoredStars:
    """The stars of one repository."""

    def __init__(self, database: Database, repository: str) -> None:
        self.database = database
        self._store = open_figure_store(database)
        self._key = FigureKey(repository_subject(repository), "stars")

    def put(self, count: int) -> None:
        """Store a count, and notify all processes of the site."""
        self._store.put_pushed(self._key, count)

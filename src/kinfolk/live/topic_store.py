"""The current state of stored topics, in the database: any process publishes, all of them notice.

Versions come from one sequence, so "what changed since" is one query. With PostgreSQL, a notification follows
the commit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import structlog
from sqlalchemy import Row, func, select, text

from kinfolk.db.database import Database, utc_now
from kinfolk.db.tables import live_topics
from kinfolk.live.topics import topic_key
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHANNEL = "kinfolk_live"
"""The channel of PostgreSQL's notifications. Their payload is empty: listeners read what is new."""
DATA_CHANGED = "data.changed"
"""The topic of changes of a source: a table whose rows pages show. Its data is the number of the last change."""
MAX_DATA = 16_000
"""Characters of the JSON of a topic."""

Json = str | int | float | bool | None
TopicData = Mapping[str, Json]
"""A flat object: a patch names its members."""


@dataclass(frozen=True)
class StoredTopic:
    """The state of a topic. `version` rises with each change of any topic."""

    key: str
    version: int
    data: TopicData
    as_of: datetime


class TopicStore:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now

    def publish(self, key: str, data: TopicData) -> bool:
        """Store the state of a topic. False if it is the same as before."""
        return self._put(key, data, None) == "stored"

    def publish_after(self, key: str, data: TopicData, seen: int) -> bool:
        """Store a state that follows from the version `seen` of its topic.

        False, without storing it, if the topic has changed since: the state would replace a newer one.
        """
        return self._put(key, data, seen) != "outdated"

    def _put(self, key: str, data: TopicData, seen: int | None) -> Literal["stored", "same", "outdated"]:
        encoded = json.dumps(data, sort_keys=True, separators=(",", ":"))
        if len(encoded) > MAX_DATA:
            raise ValueError(f"the data of {key} has more than {MAX_DATA} characters")
        columns = live_topics.c
        with self.database.transaction() as connection:
            self.database.serialize(connection, "live topics")
            current = connection.execute(select(columns.data, columns.version).where(columns.topic == key)).first()
            if current is not None and current.data == encoded:
                return "same"
            if current is not None and seen is not None and current.version > seen:
                return "outdated"
            version = (connection.scalar(select(func.max(columns.version))) or 0) + 1
            values = {"version": version, "data": encoded, "as_of": self._now()}
            insert = self.database.insert(live_topics).values(topic=key, **values)
            connection.execute(insert.on_conflict_do_update(index_elements=["topic"], set_=values))
            if self.database.is_postgresql:
                connection.execute(text(f"NOTIFY {CHANNEL}"))
        return "stored"

    def announce(self, source: str, revision: int) -> None:
        """Notify all processes that rows of a source changed. A failure is logged: each process also polls."""
        try:
            self.publish(topic_key(DATA_CHANGED, source=source), {"revision": revision})
        except Unavailable as failure:
            log.warning("change not announced", source=source, reason=failure.message)

    def get(self, key: str) -> StoredTopic | None:
        with self.database.reading() as connection:
            row = connection.execute(select(live_topics).where(live_topics.c.topic == key)).one_or_none()
        return None if row is None else _stored(row)

    def states_of(self, name: str) -> list[StoredTopic]:
        """The states of all topics of a name, in the order of their changes."""
        columns = live_topics.c
        query = select(live_topics).where(columns.topic.startswith(f"{name}?", autoescape=True))
        with self.database.reading() as connection:
            return [_stored(row) for row in connection.execute(query.order_by(columns.version))]

    def last_version(self) -> int:
        """The version of the last change; 0 before the first."""
        with self.database.reading() as connection:
            return connection.scalar(select(func.max(live_topics.c.version))) or 0

    def changed_since(self, version: int) -> list[StoredTopic]:
        """The topics that changed after a version, in the order of their changes."""
        columns = live_topics.c
        query = select(live_topics).where(columns.version > version).order_by(columns.version)
        with self.database.reading() as connection:
            return [_stored(row) for row in connection.execute(query)]


def announcer(database: Database, source: str) -> Callable[[int], None]:
    """Notifies all processes of a change of rows that pages show, by its number."""
    topics = TopicStore(database, now=utc_now)
    return lambda revision: topics.announce(source, revision)


def _stored(row: Row[tuple[str, int, str, datetime]]) -> StoredTopic:
    return StoredTopic(row.topic, row.version, json.loads(row.data), row.as_of)

"""Stores highlighted snippets across restarts, in one SQLite file for all processes of a site.

The file is a cache. Without it each process highlights all snippets itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

from kinfolk.content.highlight.code_snippet import HighlightedCode
from kinfolk.db.cache_file import REOPEN_S, CacheFile

VERSION = 1
"""Version of the schema below. A file of another version is deleted."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS snippets (key BLOB PRIMARY KEY, pipeline TEXT NOT NULL, html BLOB NOT NULL, fault TEXT);
CREATE TABLE IF NOT EXISTS walked (name TEXT NOT NULL, pipeline TEXT NOT NULL, PRIMARY KEY (name, pipeline));
"""


class SnippetStore:
    """Snippets of one pipeline; opening deletes those of others. Readers do not block on the writer.

    Thread-safe for any number of readers and one writer.
    """

    def __init__(self, file: Path, pipeline: str, *, reopen_s: float = REOPEN_S) -> None:
        self.file = file
        self.pipeline = pipeline
        other = [(pipeline,)]
        self._rows = CacheFile(
            file,
            _SCHEMA,
            version=VERSION,
            contents="highlighted snippets",
            cleanup=[
                ("DELETE FROM snippets WHERE pipeline != ?", other),
                ("DELETE FROM walked WHERE pipeline != ?", other),
            ],
            reopen_s=reopen_s,
        )

    def get(self, key: bytes) -> HighlightedCode | None:
        """The snippet stored under this key."""
        row = self._rows.row("SELECT html, fault FROM snippets WHERE key = ?", key)
        if row is None:
            return None
        try:
            # zlib's checksum detects corruption on the disk.
            return HighlightedCode(zlib.decompress(row[0]).decode("utf-8", "surrogatepass"), row[1])
        except (zlib.error, TypeError, ValueError):
            return None

    def has(self, key: bytes) -> bool:
        return self._rows.row("SELECT 1 FROM snippets WHERE key = ?", key) is not None

    def put(self, snippets: Mapping[bytes, HighlightedCode]) -> None:
        """Store these in one transaction. Only for the writing thread."""
        rows = [
            (key, self.pipeline, zlib.compress(one.html.encode("utf-8", "surrogatepass"), 6), one.fault)
            for key, one in snippets.items()
        ]
        self._rows.write(("INSERT OR REPLACE INTO snippets VALUES (?, ?, ?, ?)", rows))

    def is_complete(self, name: str) -> bool:
        """Whether all snippets of the section with this name are stored."""
        query = "SELECT 1 FROM walked WHERE name = ? AND pipeline = ?"
        return self._rows.row(query, name, self.pipeline) is not None

    def mark_complete(self, name: str) -> None:
        """Record that all snippets of the section with this name are stored. Only for the writing thread."""
        self._rows.write(("INSERT OR REPLACE INTO walked VALUES (?, ?)", [(name, self.pipeline)]))

    def faults(self) -> dict[str, int]:
        """Number of snippets without colors by reason, among those of known languages."""
        found = self._rows.rows("SELECT fault, count(*) FROM snippets WHERE fault IS NOT NULL GROUP BY fault")
        return {fault: count for fault, count in found}  # noqa: C416 a sqlite3.Row is not a pair

    def __len__(self) -> int:
        found = self._rows.row("SELECT count(*) FROM snippets")
        return int(found[0]) if found else 0

    def close(self) -> None:
        self._rows.close()

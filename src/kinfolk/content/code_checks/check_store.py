"""Stores the checks of pages and the symbols of packages, in one SQLite file for all processes of a site.

The file is a cache: what is not in it is checked again.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from kinfolk.content.code_checks.check_report import VersionReport
from kinfolk.content.code_checks.check_results import ExportedSymbol, PageCheck, ReleaseNames
from kinfolk.db.cache_file import REOPEN_S, CacheFile

VERSION = 5
"""Version of the schema below. A file of another version is deleted."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS page_checks (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, library TEXT NOT NULL, version TEXT NOT NULL, path TEXT NOT NULL,
  blocks BLOB NOT NULL, types TEXT NOT NULL, result BLOB NOT NULL, UNIQUE (library, version, path)
);
CREATE TABLE IF NOT EXISTS symbols (
  library TEXT NOT NULL, version TEXT NOT NULL, name TEXT NOT NULL, module TEXT NOT NULL, owner TEXT NOT NULL,
  symbol BLOB NOT NULL, PRIMARY KEY (library, version, name, module, owner)
);
CREATE TABLE IF NOT EXISTS release_names (
  scope TEXT NOT NULL, number TEXT NOT NULL, commit_id TEXT NOT NULL, names BLOB NOT NULL,
  PRIMARY KEY (scope, number)
);
CREATE TABLE IF NOT EXISTS runs (
  library TEXT NOT NULL, version TEXT NOT NULL, result BLOB NOT NULL, PRIMARY KEY (library, version)
);
CREATE TABLE IF NOT EXISTS reports (
  revision INTEGER PRIMARY KEY AUTOINCREMENT, library TEXT NOT NULL, version TEXT NOT NULL, result BLOB NOT NULL,
  UNIQUE (library, version)
);
"""
# Revisions increase with each write, also after rows with the highest ones were deleted.

_INSERT_PAGE = "INSERT OR REPLACE INTO page_checks (library, version, path, blocks, types, result)"

T = TypeVar("T")
_PAGE = TypeAdapter(PageCheck)
_SYMBOL = TypeAdapter(ExportedSymbol)
_NAMES = TypeAdapter(ReleaseNames)


@dataclass(frozen=True, slots=True)
class CheckRun:
    """The last complete check of a version of a library.

    `key` changes with what was checked: the revision of the docs, the packages and the checker; `types` with the last
    two only, `revision` with the first. `imported` are the packages that the code imports. `finished` is a time in
    ISO 8601, UTC. `packages` are the library's own with their releases, `problems` what could not be checked and why.
    """

    key: str
    finished: str
    types: str = ""
    packages: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    revision: str = ""
    imported: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PreviewState:
    """`key` names the check of a commit; None before its base was checked, when it cannot be checked."""

    key: str | None
    is_checked: bool


_RUN = TypeAdapter(CheckRun)
_REPORT = TypeAdapter(VersionReport)


class CheckStore:
    """Versions are named as in the catalog (`v5`), pages by their path below the docs. Thread-safe; one thread writes.

    Reads take less than a millisecond, and find nothing where the file cannot be read.
    """

    def __init__(self, file: Path, *, reopen_s: float = REOPEN_S) -> None:
        self._rows = CacheFile(file, _SCHEMA, version=VERSION, contents="checks of code", reopen_s=reopen_s)

    def page(self, library: str, version: str, path: str, blocks: bytes) -> PageCheck | None:
        """The check of the page, if it is of these blocks: `blocks` is their digest."""
        query = "SELECT result FROM page_checks WHERE library = ? AND version = ? AND path = ? AND blocks = ?"
        row = self._rows.row(query, library, version, path, blocks)
        return _read(_PAGE, row[0]) if row is not None else None

    def pages(self, library: str, version: str) -> Iterator[tuple[str, PageCheck]]:
        """All checked pages of a version by their paths."""
        query = "SELECT path, result FROM page_checks WHERE library = ? AND version = ? ORDER BY path"
        for path, stored in self._rows.rows(query, library, version):
            check = _read(_PAGE, stored)
            if check is not None:
                yield path, check

    def is_checked(self, library: str, version: str, path: str, *, blocks: bytes, types: str) -> bool:
        """Whether these blocks were checked with these types."""
        query = "SELECT 1 FROM page_checks WHERE library = ? AND version = ? AND path = ? AND blocks = ? AND types = ?"
        return self._rows.row(query, library, version, path, blocks, types) is not None

    def put_page(self, library: str, version: str, path: str, check: PageCheck, *, blocks: bytes, types: str) -> None:
        """Store the check of a page. `types` is the digest of the types and of the checker."""
        row = (library, version, path, blocks, types, _written(_PAGE, check))
        self._rows.write((f"{_INSERT_PAGE} VALUES (?, ?, ?, ?, ?, ?)", [row]))

    def replace_result(self, library: str, version: str, path: str, check: PageCheck) -> None:
        """Replace the stored check of a page by one of the same code and types."""
        same = "SELECT library, version, path, blocks, types, ? FROM page_checks"
        where = "library = ? AND version = ? AND path = ?"
        self._rows.write((f"{_INSERT_PAGE} {same} WHERE {where}", [(_written(_PAGE, check), library, version, path)]))

    def changed_since(self, revision: int) -> tuple[int, tuple[tuple[str, str, str], ...]]:
        """The number of the last change, and library, version and path of the pages that changed after this one."""
        last, rows = self._rows_since("page_checks", "library, version, path", revision)
        return last, tuple((row[0], row[1], row[2]) for row in rows)

    def keep_pages(self, library: str, version: str, paths: Collection[str]) -> None:
        """Delete the checks of all other pages of the version."""
        stored = self._rows.rows("SELECT path FROM page_checks WHERE library = ? AND version = ?", library, version)
        removed = [(library, version, path) for (path,) in stored if path not in paths]
        self._rows.write(("DELETE FROM page_checks WHERE library = ? AND version = ? AND path = ?", removed))

    def symbols(self, library: str, version: str, name: str) -> tuple[ExportedSymbol, ...]:
        """The symbols with this name, exports before members."""
        where = "library = ? AND version = ? AND name = ?"
        query = f"SELECT symbol FROM symbols WHERE {where} ORDER BY owner != '', module, owner"  # noqa: S608
        found = (_read(_SYMBOL, row[0]) for row in self._rows.rows(query, library, version, name))
        return tuple(one for one in found if one is not None)

    def exported_names(self, library: str, version: str) -> tuple[str, ...]:
        """The names of all exports of a version's packages."""
        return self.member_names(library, version, "")

    def all_symbols(self, library: str, version: str) -> Iterator[ExportedSymbol]:
        """All symbols of a version."""
        query = "SELECT symbol FROM symbols WHERE library = ? AND version = ?"
        found = (_read(_SYMBOL, row[0]) for row in self._rows.rows(query, library, version))
        return (one for one in found if one is not None)

    def member_names(self, library: str, version: str, owner: str) -> tuple[str, ...]:
        """The names of the members of a type; with an empty `owner`, of all exports."""
        query = "SELECT DISTINCT name FROM symbols WHERE library = ? AND version = ? AND owner = ? ORDER BY name"
        return tuple(name for (name,) in self._rows.rows(query, library, version, owner))

    def put_symbols(self, library: str, version: str, symbols: Sequence[ExportedSymbol]) -> None:
        """Replace the symbols of a version."""
        rows = [
            (library, version, one.symbol.name, one.module, one.symbol.owner, _written(_SYMBOL, one)) for one in symbols
        ]
        self._rows.write(
            ("DELETE FROM symbols WHERE library = ? AND version = ?", [(library, version)]),
            ("INSERT OR REPLACE INTO symbols VALUES (?, ?, ?, ?, ?, ?)", rows),
        )

    def release_names(self, scope: str, number: str, commit: str) -> ReleaseNames | None:
        """The names in the packages of a release, if they were read at this commit.

        `scope` names the packages: those of a library, for a framework.
        """
        query = "SELECT names FROM release_names WHERE scope = ? AND number = ? AND commit_id = ?"
        row = self._rows.row(query, scope, number, commit)
        return _read(_NAMES, row[0]) if row is not None else None

    def named_releases(self, scope: str) -> frozenset[tuple[str, str]]:
        """The number and the commit of each release whose names are stored."""
        rows = self._rows.rows("SELECT number, commit_id FROM release_names WHERE scope = ?", scope)
        return frozenset((str(number), str(commit)) for number, commit in rows)

    def put_release_names(self, scope: str, number: str, commit: str, names: ReleaseNames) -> None:
        """Store the names in the packages of a release."""
        row = (scope, number, commit, _written(_NAMES, names))
        self._rows.write(("INSERT OR REPLACE INTO release_names VALUES (?, ?, ?, ?)", [row]))

    def run(self, library: str, version: str) -> CheckRun | None:
        """The last complete check of the version."""
        row = self._rows.row("SELECT result FROM runs WHERE library = ? AND version = ?", library, version)
        return _read(_RUN, row[0]) if row is not None else None

    def put_run(self, library: str, version: str, run: CheckRun) -> None:
        self._rows.write(("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", [(library, version, _written(_RUN, run))]))

    def report(self, library: str, version: str) -> VersionReport | None:
        """What the last complete check of the version found."""
        row = self._rows.row("SELECT result FROM reports WHERE library = ? AND version = ?", library, version)
        return _read(_REPORT, row[0]) if row is not None else None

    def put_report(self, report: VersionReport) -> None:
        row = (report.library, report.version, _written(_REPORT, report))
        self._rows.write(("INSERT OR REPLACE INTO reports (library, version, result) VALUES (?, ?, ?)", [row]))

    def preview_state(self, library: str, preview: str, *, base: str, commit: str) -> PreviewState:
        """How far the code of a preview at this commit is checked. `base` is the version that it changes."""
        known, before = self.run(library, preview), self.run(library, base)
        key = sha256(f"{commit} {before.key}".encode()).hexdigest()[:24] if before is not None else None
        return PreviewState(key, is_checked=known is not None and known.key == key)

    def checked_versions(self) -> tuple[tuple[str, str], ...]:
        """Library and version of all stored runs."""
        return tuple((row[0], row[1]) for row in self._rows.rows("SELECT library, version FROM runs"))

    def remove(self, library: str, version: str) -> None:
        """Delete all about a version."""
        tables = ("page_checks", "symbols", "runs", "reports")
        statements = (f"DELETE FROM {table} WHERE library = ? AND version = ?" for table in tables)  # noqa: S608
        self._rows.write(*((statement, [(library, version)]) for statement in statements))

    def reports_since(self, revision: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """The number of the last report, and library and version of the reports after this one."""
        last, rows = self._rows_since("reports", "library, version", revision)
        return last, frozenset((row[0], row[1]) for row in rows)

    def _rows_since(self, table: str, columns: str, revision: int) -> tuple[int, list[sqlite3.Row]]:
        """The number of the last write, and the rows after this one: all rows of a file that was created again."""
        row = self._rows.row("SELECT seq FROM sqlite_sequence WHERE name = ?", table)
        last = int(row[0]) if row is not None else 0
        if last == revision:
            return last, []
        after = revision if revision < last else 0
        query = f"SELECT {columns} FROM {table} WHERE revision > ? ORDER BY revision"  # noqa: S608
        return last, self._rows.rows(query, after)

    def close(self) -> None:
        self._rows.close()


def _written(adapter: TypeAdapter[T], value: T) -> bytes:
    return zlib.compress(adapter.dump_json(value), 6)


def _read(adapter: TypeAdapter[T], stored: bytes) -> T | None:
    try:
        return adapter.validate_json(zlib.decompress(stored))
    except (zlib.error, TypeError, ValidationError):
        return None

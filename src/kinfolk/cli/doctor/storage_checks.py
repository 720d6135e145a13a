"""Checks of what a site stores: the database, the mirror and the search index."""

from __future__ import annotations

import os
import re
import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pygit2
from sqlalchemy import text

from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.cli.doctor.machine_checks import folder_bytes
from kinfolk.config.settings import Settings
from kinfolk.content.sources.git.published_commits import PUBLISHED_FILE, read_published
from kinfolk.db.database import Database
from kinfolk.db.schema import current, newest
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.search.docs_index.generations import index_folder, published, published_at_s
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking_config import load_ranking_config

SLOW_DATABASE_S = 0.05
NETWORK_DISKS = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "glusterfs", "fuse.sshfs", "afs"})
OLD_S = 3600.0
"""Of the mirror and the index, at least; else three times the interval of refreshes."""
_HOLDER = re.compile(r"process (\d{1,9})")


def check_database(database: Database) -> list[CheckFinding]:
    """Whether it can be reached and written, its version and its latency. Does not write."""
    return _check_postgresql(database) if database.is_postgresql else _check_sqlite(Path(database.url.database or ""))


def _check_postgresql(database: Database) -> list[CheckFinding]:
    try:
        revision = current(database)
        with database.reading() as connection:
            took_s = []
            for _ in range(3):
                began = time.perf_counter()
                connection.execute(text("SELECT 1"))
                took_s.append(time.perf_counter() - began)
            query = "SELECT pg_is_in_recovery(), has_schema_privilege(current_schema(), 'CREATE'), clock_timestamp()"
            is_replica, may_create, now = connection.execute(text(query)).one()
            here = datetime.now(UTC)
    except Unavailable as failure:
        return [
            fault("database", f"{database.address}: {failure.message}", "Start it, or correct KINFOLK_DATABASE_URL")
        ]
    latency_s = statistics.median(took_s)
    clock = CheckFinding(
        "database", "ok", f"{database.address}, {latency_s * 1000:.1f} ms", "", (here - now).total_seconds()
    )
    found = list(_revision(revision))
    if is_replica:
        found.append(fault("database", "It is a replica that only reads", "Name the primary in KINFOLK_DATABASE_URL"))
    elif not may_create:
        found.append(fault("database", "Its user must not create tables", "Make the user the owner of the database"))
    if latency_s > SLOW_DATABASE_S:
        advice = "Place the server near its database"
        found.append(warning("database", f"A query takes {latency_s * 1000:.0f} ms", advice))
    return [clock, *found]


def _check_sqlite(file: Path) -> list[CheckFinding]:
    disk = _file_system(file)
    if disk in NETWORK_DISKS:
        message = f"{file} is on a network disk ({disk}), where SQLite damages files"
        return [fault("database", message, "Move it to a local disk, or use PostgreSQL")]
    if not file.exists():
        return [warning("database", f"{file} does not exist yet", "The first start creates it")]
    if not os.access(file, os.W_OK) or not os.access(file.parent, os.W_OK):
        return [fault("database", f"{file} cannot be written", "Let the user of the server write to it and its folder")]
    advice = "Stop the server, move the file away, and restore a backup with `kinfolk restore`"
    try:
        began = time.perf_counter()
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as connection:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            tables = connection.execute("SELECT name FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if tables else None
    except sqlite3.OperationalError as failure:
        return [fault("database", f"{file}: {failure}", "Find the process that locks it")]
    except sqlite3.DatabaseError as failure:
        return [fault("database", f"{file}: {failure}", advice)]
    if verdict != "ok":
        return [fault("database", f"{file} is damaged: {str(verdict)[:100]}", advice)]
    took = f"{file.stat().st_size / 1e6:,.1f} MB, checked in {time.perf_counter() - began:.1f} s"
    return [*_revision(row[0] if row else None)] or [ok("database", f"{file} is sound: {took}")]


def _revision(revision: str | None) -> Iterator[CheckFinding]:
    if revision == newest():
        return
    if revision is not None and revision > newest():
        advice = "Run the newer version of Kinfolk, or downgrade the database with it"
        yield fault("database", f"It has version {revision}, newer than {newest()} of this Kinfolk", advice)
    else:
        advice = "`kinfolk backup`, then `kinfolk db upgrade`; the next start upgrades it, too"
        yield warning("database", f"It has version {revision or 'none'}; the newest is {newest()}", advice)


def _file_system(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The type of the file system of a path; empty where it is unknown."""
    real = path.resolve()
    found: tuple[int, str] = (-1, "")
    try:
        lines = mounts.read_text().splitlines()
    except OSError:
        return ""
    for line in lines:
        fields, _, rest = line.partition(" - ")
        place = Path(fields.split()[4].replace("\\040", " "))
        if real.is_relative_to(place) and len(place.parts) >= found[0]:
            found = len(place.parts), rest.split()[0]
    return found[1]


def check_mirror(settings: Settings, *, now_s: float) -> list[CheckFinding]:
    """Whether it is there and recent, its size, the commits that are served, and its lock."""
    root = settings.mirror
    if root is None:
        return [ok("mirror", "KINFOLK_MIRROR is off: bundled docs are served")]
    if not (root / PUBLISHED_FILE).exists():
        return [warning("mirror", f"{root} has no docs yet", "Run `kinfolk sync`")]
    commits = read_published(root)
    broken = [str(ref) for ref, commit in commits.items() if not _has_commit(root / f"{ref.repo}.git", commit)]
    found = list(_lock(root))
    if broken:
        message = f"{len(broken)} commits cannot be read, such as that of {broken[0]}"
        found.append(fault("mirror", message, "Delete the repository in the mirror, and run `kinfolk sync`"))
    synced_s = max((root / "sync.lock").stat().st_mtime if (root / "sync.lock").exists() else 0.0, _changed_s(root))
    age_s, old_s = now_s - synced_s, max(OLD_S, 3 * settings.refresh_s)
    if settings.refresh_s and age_s > old_s:
        message = f"The last sync began {age_s / 3600:,.0f} hours ago"
        found.append(warning("mirror", message, "Start the server, or run `kinfolk sync`, and read its log"))
    message = (
        f"{len(commits)} branches, {folder_bytes(root) / 1e6:,.0f} MB, last sync {max(age_s, 0) / 60:,.0f} minutes ago"
    )
    return found or [ok("mirror", message)]


def _changed_s(root: Path) -> float:
    return (root / PUBLISHED_FILE).stat().st_mtime


def _has_commit(repository: Path, commit: str) -> bool:
    """Whether the commit and all folders at its top can be read."""
    try:
        opened = pygit2.Repository(str(repository))
        found = opened[commit]
        return isinstance(found, pygit2.Commit) and all(
            entry.id in opened for entry in found.tree if entry.type_str == "tree"
        )
    except (KeyError, ValueError, pygit2.GitError, OSError):
        return False


def _lock(root: Path, locks: Path = Path("/proc/locks")) -> Iterator[CheckFinding]:
    """A lock that outlives the process that took it: a child of it runs on."""
    try:
        inode = (root / "sync.lock").stat().st_ino
        holder = _HOLDER.search((root / "sync.lock").read_text(errors="replace")[:100])
        is_held = any(f":{inode} " in line for line in locks.read_text().splitlines())
    except OSError:
        return
    if is_held and holder is not None and not Path(f"/proc/{holder[1]}").exists():
        message = f"The lock is held, and process {holder[1]}, which took it, has ended"
        yield warning("mirror", message, f"Find its child with `fuser {root / 'sync.lock'}`, and end it")


def check_search(settings: Settings, *, now_s: float) -> list[CheckFinding]:
    """Whether the index is there, its age, and whether a query works in it."""
    if not settings.search:
        return [ok("search", "KINFOLK_SEARCH is off")]
    folder = index_folder(settings.var)
    generation = published(folder)
    if generation is None:
        advice = "The server builds it after its start; `kinfolk index` builds it now"
        return [warning("search", f"{folder} has no index", advice)]
    try:
        index = TantivyIndex(folder / generation.generation, load_ranking_config(settings.site).settings)
        index.search(SearchQuery("install"))
    except SiteError as failure:
        return [fault("search", f"The index does not work: {failure.message}", "Delete var/search: it is built again")]
    age_s = max(now_s - published_at_s(folder), 0)
    return [ok("search", f"{index.count:,} records, built {age_s / 3600:,.1f} hours ago")]

"""A database that is read-only, locked by another program, or damaged in the middle."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from contextlib import closing

from tests.faults.outages.disk_faults import small_disk
from tests.faults.outages.family_site import family_site
from tests.faults.outages.readers import named, reading, seconds, send_feedback, status_of, until
from tests.faults.site import Site, expect, fault

LOCKED_S, DAMAGED_S = 30.0, 15.0


@fault("F2a", "Another program locks the database for 30 s")
def locked(site: Site) -> str:
    with family_site(site) as running:
        server = running.server
        with reading(server) as requested:
            with closing(sqlite3.connect(running.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                began = time.monotonic()
                status_of(server, "/nowhere/at/all")
                during = [send_feedback(server, "during")]
                until(lambda: False, within_s=LOCKED_S - (time.monotonic() - began))
                other.execute("ROLLBACK")
            after = until(lambda: send_feedback(server, "after", 1) == 200)
        # A search counts when its reader pauses, so the readers have ended.
        counted = until(lambda: _misses(running.database) > 0 and _searches(running.database) > 0)
        logged = named(server, "database is locked")
    figure = (
        f"{requested}; an answer gets {during[0]}; stored {seconds(after)} after the lock; counts of the time written"
        f" {seconds(counted)}; log {'names' if logged else 'does not name'} it"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and during == [503]
    return expect(fine and after is not None and counted is not None and logged, figure)


def _misses(file: object) -> int:
    with closing(sqlite3.connect(str(file))) as database:
        return int(database.execute("SELECT coalesce(sum(count), 0) FROM missed_requests").fetchone()[0])


def _searches(file: object) -> int:
    with closing(sqlite3.connect(str(file))) as database:
        return int(database.execute("SELECT coalesce(sum(count), 0) FROM search_queries").fetchone()[0])


@fault("F2b", "No file of `var` can be opened for writing for 10 s")
def read_only(site: Site) -> str:
    with small_disk(site.folder / "disk", 400) as disk, family_site(site, var=disk / "var") as running:
        server = running.server
        before = send_feedback(server, "before")
        with reading(server) as requested:
            # Unlike a remount, this also works while files are open for writing.
            subprocess.run(["mount", "--bind", str(disk), str(disk)], check=True)
            subprocess.run(["mount", "-o", "remount,bind,ro", str(disk)], check=True)
            during = send_feedback(server, "during", 2)
            pushed = running.push(2)
            until(lambda: False, within_s=10)
            subprocess.run(["umount", "--lazy", str(disk)], check=True)
            after = until(lambda: send_feedback(server, "after", 1) == 200)
            shown = running.shown(2)
        notes = running.notes()
        logged = named(server, "ead-only")
    accepted = [before, during].count(200) + (after is not None)
    figure = (
        f"{requested}; an answer gets {during}, push {pushed}; afterwards stored {seconds(after)}, shown {shown};"
        f" {len(set(notes))} of {accepted} accepted answers are stored; log {'names' if logged else 'does not name'} it"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and shown != "never" and len(set(notes)) == accepted
    return expect(fine and after is not None and logged, figure)


@fault("F2c", "Pages in the middle of the database are overwritten")
def damaged(site: Site) -> str:
    with family_site(site) as running:
        server = running.server
        for number in range(20):
            send_feedback(server, f"{number} {'words ' * 300}", number % 5)
        with closing(sqlite3.connect(running.database)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = running.database.stat().st_size
        sound = running.database.read_bytes()
        with reading(server) as requested:
            with running.database.open("r+b") as file:
                file.seek(size // 3)
                file.write(os.urandom(size // 3))
            during = [send_feedback(server, "during") for _ in range(3)]
            until(lambda: False, within_s=DAMAGED_S)
            logged = named(server, "malformed") or named(server, "not a database") or named(server, "database failed")
            restored = running.database.with_name("restored")
            restored.write_bytes(sound)
            for end in ("-wal", "-shm"):
                running.database.with_name(running.database.name + end).unlink(missing_ok=True)
            restored.rename(running.database)
            after = until(lambda: send_feedback(server, "after the restore", 1) == 200)
    figure = (
        f"{requested}; answers get {during}; log {'names' if logged else 'does not name'} it; with the restored file an"
        f" answer is stored {seconds(after)}, without a restart"
    )
    fine = requested.failed == 0 and requested.unanswered == 0
    return expect(fine and logged and after is not None, figure)

"""Files that can be made again, damaged while the server runs: the search index, the mirror, and files of results."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
from tests.faults.outages.family_site import FamilySite, family_site
from tests.faults.outages.readers import named, reading, search_status, seconds, send_feedback, status_of, until
from tests.faults.site import Server, Site, expect, fault

HIGHLIGHTED = "/query/latest/docs/framework/react/quick-start"
"""A page with highlighted code."""
COLORED = '<span class="line"><span'


def scramble(file: Path) -> None:
    """Overwrite the middle third of a file with random bytes, in place: open files and memory maps see them."""
    size = file.stat().st_size
    file.chmod(0o644)
    with file.open("r+b") as opened:
        opened.seek(size // 3)
        opened.write(os.urandom(max(size // 3, 1)))


def listed_pages(server: Server, library: str) -> list[str]:
    """The addresses of the pages of a library's latest version, from its sitemap."""
    text = httpx.get(f"{server.url}/sitemap-{library}-latest.xml", timeout=20).text
    return [re.sub("^https?://[^/]+", "", found) for found in re.findall("<loc>([^<]+)</loc>", text)]


def indexes(var: Path) -> list[Path]:
    """The folders of published search indexes."""
    return sorted(file.parent for file in (var / "search").rglob("meta.json") if "-" not in file.parent.name)


@fault("F3a", "The files of the search index are overwritten, and a worker is killed")
def damaged_index(site: Site) -> str:
    with family_site(site) as running:
        server = running.server
        with reading(server) as requested:
            # The histories of files may cause another build after the first one.
            until(lambda: len(indexes(running.var)) == 1)
            (before,) = indexes(running.var)
            for file in before.iterdir():
                if file.stat().st_size > 64:
                    scramble(file)
            until(lambda: requested.searches.total() > 20)
            during = requested.unanswered
            killed = server.workers()[0]
            os.kill(killed, signal.SIGKILL)
            replaced = until(lambda: len(server.workers()) == 2 and killed not in server.workers())
            rebuilt = until(lambda: indexes(running.var) not in ([], [before]))
            found = until(lambda: all(search_status(server) == 200 for _ in range(12)))
            description = before.parent / "current.json"
            description.write_text("{")
            described = until(lambda: _is_json(description))
        logged = named(server, "search index not opened")
    figure = (
        f"{requested}, {during} of them before a worker was killed; replaced {seconds(replaced)}, the index is built"
        f" again {seconds(rebuilt)}, all searches answered {seconds(found)}; a damaged description is replaced"
        f" {seconds(described)}; log {'names' if logged else 'does not name'} it"
    )
    fine = requested.failed == 0 and during == 0 and rebuilt is not None and found is not None
    return expect(fine and described is not None and logged, figure)


def _is_json(file: Path) -> bool:
    return file.exists() and len(file.read_bytes()) > 2


@fault("F3b", "Packs of the mirror are overwritten in the middle")
def damaged_packs(site: Site) -> str:
    with family_site(site) as running:
        server = running.server
        table, query = listed_pages(server, "table"), listed_pages(server, "query")
        with reading(server) as requested:
            for name in ("ranger", "query", "table"):
                for pack in (running.mirror / "TanStack" / f"{name}.git").glob("objects/pack/*.pack"):
                    scramble(pack)
            cold = [status_of(server, f"{path}?cold") for path in table]
            healed = until(lambda: all(status_of(server, f"{path}?healed") == 200 for path in table))
            pushed = running.push(2)
            shown = running.shown(2)
            every = {status_of(server, f"{path}?later") for path in query}
        logged = named(server, "mirror damaged") or named(server, "mirror rebuilding")
    figure = (
        f"{requested}; {len(cold) - cold.count(200)} of {len(cold)} pages that were not read before failed;"
        f" fetched again {seconds(healed)}; push {pushed}, shown {shown}; pages of another"
        f" damaged repository then {sorted(every)}; log {'names' if logged else 'does not name'} it"
    )
    # A page whose files nothing in memory has is refused until they are fetched again.
    fine = set(requested.pages) | set(cold) <= {200, 503} and requested.failed <= 10 and every == {200}
    return expect(fine and requested.unanswered == 0 and healed is not None and shown != "never" and logged, figure)


@fault("F3c", "Refs, lists and histories of the mirror are overwritten")
def damaged_refs(site: Site) -> str:
    with family_site(site) as running:
        server, folder = running.server, running.mirror / "TanStack"
        with reading(server) as requested:
            damaged = 0
            for file in folder.rglob("*"):
                name = file.relative_to(folder).as_posix()
                if file.is_file() and (
                    "/refs/" in name
                    or name.endswith((".json", "/packed-refs", "/HEAD", "/shallow", "/config"))
                    or (".history.git/" in name and name.endswith(".pack"))
                ):
                    file.chmod(0o644)
                    file.write_bytes(os.urandom(file.stat().st_size))
                    damaged += 1
            (running.mirror / "published.json").write_bytes(os.urandom(200))
            pushed = running.push(2)
            shown = running.shown(2)
            healed = until(lambda: _published(running))
            again = running.push(3)
            shown_again = running.shown(3)
            every = {status_of(server, f"{path}?later") for path in listed_pages(server, "query")}
        logged = named(server, "mirror unreadable")
    figure = (
        f"{damaged} files; {requested}; push {pushed}, shown {shown}; list of commits written again {seconds(healed)};"
        f" another push {again}, shown {shown_again}; pages {sorted(every)};"
        f" log {'names' if logged else 'does not name'} it"
    )
    fine = set(requested.pages) <= {200, 503} and requested.failed <= 10 and requested.unanswered == 0
    fine = fine and shown != "never" and shown_again != "never"
    return expect(fine and every == {200} and healed is not None and logged, figure)


def _published(running: FamilySite) -> bool:
    return (running.mirror / "published.json").read_bytes().startswith(b"{\n")


@fault("F3d", "The file of highlighted code is overwritten in the middle")
def damaged_results(site: Site) -> str:
    environment = {"KINFOLK_HIGHLIGHT": "on"}
    with family_site(site, environment) as running:
        server, file = running.server, running.var / "highlight.sqlite"
        stored = until(lambda: _snippets(file) > 300)
        with reading(server) as requested:
            sent = send_feedback(server, "before")
            with closing(sqlite3.connect(file)) as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            scramble(file)
            colored = _colored(server, "?first")
            killed = server.workers()[0]
            os.kill(killed, signal.SIGKILL)
            until(lambda: len(server.workers()) == 2 and killed not in server.workers())
            healed = until(lambda: _snippets(file) > 300, within_s=90)
            colored_again = until(lambda: all(_colored(server, f"?again={n}") for n in range(6)))
        logged = named(server, "cache file")
        notes = running.notes()
    figure = (
        f"{requested}; a page read then {'has' if colored else 'lacks'} colors; stored again {seconds(healed)} and"
        f" all pages have colors {seconds(colored_again)} more; {len(notes)} of {int(sent == 200)} answers are stored;"
        f" log {'names' if logged else 'does not name'} it"
    )
    # A killed worker does not answer the requests that it was answering.
    fine = requested.wrong == 0 and requested.failed <= 2 and notes == ["before"] and stored is not None
    return expect(fine and healed is not None and colored_again is not None and logged, figure)


def _snippets(file: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=5)) as database:
            (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
            return int(database.execute("SELECT count(*) FROM snippets").fetchone()[0]) if verdict == "ok" else 0
    except sqlite3.Error:
        return 0


def _colored(server: Server, query: str) -> bool:
    return COLORED in httpx.get(server.url + HIGHLIGHTED + query, timeout=20).text

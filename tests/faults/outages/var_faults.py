"""The folder `var` deleted while the server runs, and two servers that share one."""

from __future__ import annotations

import subprocess

from tests.faults.outages.family_site import family_site
from tests.faults.outages.readers import named, reading, search_status, seconds, send_feedback, until
from tests.faults.site import Site, expect, fault


@fault("F8a", "`var` is deleted while the server runs")
def deleted_folder(site: Site) -> str:
    with family_site(site) as running:
        server = running.server
        accepted = [
            f"before {number}" for number in range(3) if send_feedback(server, f"before {number}", number) == 200
        ]
        with reading(server) as requested:
            subprocess.run(["rm", "-rf", str(running.var)], check=False)
            stored = until(lambda: send_feedback(server, "after", 3) == 200)
            pushed = running.push(2)
            shown = running.shown(2)
            database = until(lambda: {*accepted, "after"} <= set(running.notes()))
            index = until(lambda: any((running.var / "search").glob("*/*/meta.json")) and search_status(server) == 200)
        logged = named(server, "database file was deleted")
        notes = running.notes()
        lost = {*accepted, "after"} - set(notes)
    figure = (
        f"{requested}; push {pushed}, shown {shown}; an answer stored {seconds(stored)}, {len(lost)} of"
        f" {len(accepted) + 1} accepted answers lost; index built {seconds(index)};"
        f" log {'names' if logged else 'does not name'} it"
    )
    fine = not lost and shown != "never" and index is not None and logged and database is not None
    return expect(fine and requested.failed == 0 and requested.unanswered == 0, figure)


@fault("F8b", "Two servers on one `var`")
def shared_folder(site: Site) -> str:
    with family_site(site) as running:
        first = running.server
        with site.serving("--workers", "2", environment=running.environment) as second:
            both = (first, second)
            ready = until(lambda: all(search_status(server) == 200 for server in both))
            with reading(first) as one, reading(second) as other:
                notes = {
                    f"{at} {page}": send_feedback(both[at], f"{at} {page}", page) for page in range(5) for at in (0, 1)
                }
                wanted = {f"1 {page}" for page in range(5)} if set(notes.values()) == {200} else {"refused"}
                pushed = running.push(2)
                shown = running.shown(2)
                other_shown = until(lambda: running.shows(2, second))
            lost = wanted - set(running.notes())
            trouble = [line for server in both for line in server.log.splitlines() if '"error"' in line]
    figure = (
        f"first: {one}; second: {other}; {len(lost)} of {len(wanted)} answers lost; a push ({pushed}) to the first"
        f" shown {shown}, by the second {seconds(other_shown)}; {len(trouble)} errors in both logs"
    )
    fine = one.failed + other.failed + one.unanswered + other.unanswered == 0 and not lost and not trouble
    return expect(fine and ready is not None and shown != "never" and other_shown is not None, figure)

"""A site with a mirror of local repositories, a search index and two workers, for faults of its files."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
from tests.faults.outages.readers import search_status, seconds, until
from tests.faults.site import DefectPresent, Server, Site
from tests.processes.family import RANGER, Family, mirrored_family, revisions

SECRET = "a shared secret"
WORKERS = ("--workers", "2")


@dataclass(frozen=True)
class FamilySite:
    """A running server, its folder `var` with the mirror, and its upstreams."""

    server: Server
    family: Family
    var: Path
    environment: Mapping[str, str]

    @property
    def database(self) -> Path:
        return self.var / "kinfolk.sqlite"

    @property
    def mirror(self) -> Path:
        return self.var / "mirror"

    def push(self, revision: int) -> int:
        """Commit a revision and send the webhook for it. Returns the status of the webhook."""
        self.family.push(revision)
        return self.announce()

    def announce(self) -> int:
        """The status of a signed webhook for a push; 0 without a response."""
        event = {"ref": f"refs/heads/{RANGER.branch}", "repository": {"full_name": RANGER.repo}}
        body = json.dumps(event).encode()
        proof = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"x-github-event": "push", "x-hub-signature-256": f"sha256={proof}"}
        try:
            return httpx.post(f"{self.server.url}/_hooks/github", content=body, headers=headers, timeout=20).status_code
        except httpx.HTTPError:
            return 0

    def shows(self, revision: int, server: Server | None = None) -> bool:
        """Whether all pages with a revision have this one, several times: both workers answer."""
        try:
            return all(set(revisions(server or self.server).values()) == {revision} for _ in range(4))
        except (AssertionError, ValueError, httpx.HTTPError):
            return False

    def shown(self, revision: int, *, within_s: float = 60.0) -> str:
        """When a revision is shown, in words."""
        return seconds(until(lambda: self.shows(revision), within_s=within_s))

    def notes(self) -> list[str]:
        """The notes of the feedback in the database file; none if it cannot be read."""
        try:
            with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=5)) as database:
                return [note for (note,) in database.execute("SELECT note FROM feedback_entries ORDER BY created_at")]
        except sqlite3.Error:
            return []


@contextlib.contextmanager
def family_site(
    site: Site, environment: Mapping[str, str] | None = None, var: Path | None = None
) -> Iterator[FamilySite]:
    """Serve a family whose pages have revision 1, until search answers and the block ends."""
    site.folder.mkdir(parents=True, exist_ok=True)
    family = mirrored_family(site.folder / "family")
    var = var or site.folder / "var"
    var.mkdir(parents=True, exist_ok=True)
    shutil.move(family.folder / "mirror", var / "mirror")
    own = {
        "KINFOLK_MIRROR": str(var / "mirror"),
        "KINFOLK_VAR": str(var),
        "KINFOLK_UPSTREAM": family.upstreams.url_template,
        "KINFOLK_REFRESH_S": "2",
        "KINFOLK_WEBHOOK_SECRET": SECRET,
        "KINFOLK_SEARCH_RATE": "0",
        "KINFOLK_HIGHLIGHT": "off",
        **(environment or {}),
    }
    with site.serving(*WORKERS, environment=own) as server:
        # Several times: both workers answer.
        if until(lambda: all(search_status(server) == 200 for _ in range(12)), within_s=120) is None:
            raise DefectPresent(f"no search after the start: {server.log[-2000:]}")
        yield FamilySite(server, family, var, own)

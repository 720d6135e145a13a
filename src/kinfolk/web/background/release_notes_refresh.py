"""Fetches the releases of code hosts, and purges the pages that show them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from kinfolk.content.open_content import open_release_refresher
from kinfolk.live.topic_store import announcer
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site
from kinfolk.web.background.revision_purge import RevisionPurge

SOURCE = "releases"
"""The name under which processes notify each other of changes."""

OnDataChange = Callable[[str, Callable[[], Coroutine[Any, Any, None]]], None]
"""Registers a call after each change of a source of data, which any process may have made."""


def start_release_notes(site: Site, supervisor: Supervisor, on_data_change: OnDataChange) -> None:
    """Start both services, unless the settings turn them off."""
    refresher = open_release_refresher(
        site.settings, site.catalog, site.database, on_revision=announcer(site.database, SOURCE)
    )
    if refresher is None:
        return
    purge = RevisionPurge(site.release_notes.stale_since, site.content.publisher.purge)
    on_data_change(SOURCE, purge.check)
    supervisor.start_task("releases purge", purge.run)
    supervisor.start_task("releases", refresher.run)

"""The service that fetches the heads of pull requests: one at a time, the last one that changed first.

A webhook only wakes it. It reads the table each time, so several pushes to a pull request are one fetch of the last
one. It has a thread and a lock of its own, so it delays no sync of the mirror.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.content.pull_requests.known_previews import KnownPreview, KnownPreviews
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site
from kinfolk.web.background.previews.preview_comments import open_comments

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

OnDataChange = Callable[[str, Callable[[], Coroutine[Any, Any, None]]], None]
LOOK_SOON_S = 5.0
LOOK_S = 300.0
"""Seconds between two looks at the table without a webhook: other servers receive some of them, and rows expire."""


class PreviewQueue:
    """`purge` gets the dependencies of pages that are stale.

    `after` gets all previews of each pull request that is ready, each time that the queue has looked at the table, and
    returns whether it waits for something. `on_fetched` is called after a head was fetched; it must not block.
    """

    def __init__(
        self,
        previews: KnownPreviews,
        releases: ReleaseDocs,
        *,
        purge: Callable[[frozenset[Dependency]], None],
        after: Callable[[Sequence[KnownPreview]], bool] = lambda _: False,
        on_fetched: Callable[[], None] = lambda: None,
    ) -> None:
        self._previews = previews
        self._releases = releases
        self._purge = purge
        self._after = after
        self._on_fetched = on_fetched
        self._woken = threading.Event()
        self._stopped = False
        self._failed: set[Ref] = set()
        """Heads that could not be fetched. They are not tried again before the next event or the first reader."""
        self._ready: dict[tuple[str, str], KnownPreview] = {}

    def wake(self) -> None:
        """Look at the table as soon as possible. Thread-safe; does not block."""
        self._woken.set()

    async def notice(self) -> None:
        """Another process has received an event."""
        self.wake()

    def stop(self) -> None:
        """Stop `run`. A running fetch is aborted by `ReleaseDocs.stop`. Does not block."""
        self._stopped = True
        self._woken.set()

    def run(self) -> None:
        """The service. Raises Unavailable when the database fails."""
        while not self._stopped:
            self._woken.clear()
            is_waiting = self.update()
            self._woken.wait(LOOK_SOON_S if is_waiting else LOOK_S)

    def update(self) -> bool:
        """Read the table, and fetch all heads that are not here. Whether `after` waits for something. Blocks."""
        while not self._stopped:
            stale = self._previews.update()
            if stale:
                self._purge(stale)
            due = self._next()
            if due is None:
                break
            self._fetch(due)
        waiting = [self._after(previews) for previews in self._ready_requests() if not self._stopped]
        return any(waiting)

    def _ready_requests(self) -> Iterable[Sequence[KnownPreview]]:
        """The previews of each pull request, of those that are all ready."""
        requests: dict[tuple[str, int], list[KnownPreview]] = {}
        for each in self._previews.all():
            requests.setdefault((each.pull_request.repository, each.pull_request.number), []).append(each)
        ready = set(self._ready)
        return [
            found for found in requests.values() if ready.issuperset((one.library.id, one.version) for one in found)
        ]

    def _next(self) -> KnownPreview | None:
        known = {(each.library.id, each.version): each for each in self._previews.all()}
        self._ready = {name: each for name, each in self._ready.items() if known.get(name) == each}
        refs = {each.ref for each in known.values()}
        self._failed &= refs
        waiting = (each for name, each in known.items() if name not in self._ready and each.ref not in self._failed)
        return next(waiting, None)

    def _fetch(self, preview: KnownPreview) -> None:
        try:
            if not self._releases.is_fetched(preview.ref):
                self._releases.fetch(preview.ref)
        except SiteError as failure:
            self._failed.add(preview.ref)
            log.warning("pull request not fetched", ref=str(preview.ref), reason=failure.message)
            return
        self._ready[preview.library.id, preview.version] = preview
        self._on_fetched()


def start_previews(
    site: Site,
    supervisor: Supervisor,
    on_data_change: OnDataChange,
    *,
    on_fetched: Callable[[], None] = lambda: None,
) -> None:
    """Start the service, on a site that shows previews. `on_fetched` is called when a preview can be read."""
    publisher = site.content.publisher
    releases = publisher.docs.releases
    if site.previews is None or releases is None:
        return
    comments = open_comments(site)
    after = comments.put if comments is not None else lambda _: False
    queue = PreviewQueue(site.previews, releases, purge=publisher.purge, after=after, on_fetched=on_fetched)
    site.previews.on_request(queue.wake)
    on_data_change("previews", queue.notice)
    supervisor.start("previews", queue.run, stop=queue.stop)

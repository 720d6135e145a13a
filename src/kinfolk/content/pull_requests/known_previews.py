"""Makes the stored pull requests versions of the libraries whose docs they change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.releases import PullRequestHead, Release
from kinfolk.config.docs_address import Ref, preview_name
from kinfolk.content.dependencies import Dependency, preview_of
from kinfolk.content.pull_requests.pull_request import PullRequest, head_ref
from kinfolk.content.pull_requests.pull_request_store import PullRequestStore, StoredPullRequest


@dataclass(frozen=True)
class KnownPreview:
    """A pull request as the version of a library. `updated_at` is in UTC, without a time zone."""

    library: Library
    pull_request: PullRequest
    updated_at: datetime

    @property
    def ref(self) -> Ref:
        """The commit that has its docs."""
        return Ref(self.library.content_repo, self.pull_request.head)

    @property
    def version(self) -> str:
        return preview_name(self.pull_request.number)


class KnownPreviews:
    """The previews of one process. Thread-safe."""

    def __init__(self, catalog: Catalog, store: PullRequestStore) -> None:
        self.store = store
        self._catalog = catalog
        self._lock = threading.Lock()
        self._known: Mapping[tuple[str, str], KnownPreview] = {}
        self._listeners: list[Callable[[], None]] = []

    def on_request(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the table may have changed. It must not block."""
        self._listeners.append(listener)

    def request_update(self) -> None:
        """Read the table as soon as possible. Does not block."""
        for listener in self._listeners:
            listener()

    def all(self) -> tuple[KnownPreview, ...]:
        """The last one that changed first."""
        return tuple(self._known.values())

    def find(self, library: str, version: str) -> KnownPreview | None:
        return self._known.get((library, version))

    def base_branches(self, pull_request: PullRequest) -> tuple[Library, ...]:
        """The libraries that have docs of a version on the branch which a pull request changes."""
        return tuple(
            library
            for library in self._catalog.libraries_of(pull_request.repository)
            if _base_version(library, pull_request.base) is not None
        )

    def update(self) -> frozenset[Dependency]:
        """Read the table, and return the dependencies that are stale. Blocks. Raises Unavailable."""
        with self._lock:
            stored = self.store.read()
            known = {(each.library.id, each.version): each for each in self._previews(stored)}
            before, self._known = self._known, known
            for library in self._catalog.libraries:
                previews = [_as_release(each) for (id, _), each in known.items() if id == library.id]
                if previews or library.releases.table.previews:
                    library.releases.replace_previews(previews)
        names = before.keys() | known.keys()
        return frozenset(preview_of(*name) for name in names if before.get(name) != known.get(name))

    def _previews(self, stored: tuple[StoredPullRequest, ...]) -> Iterator[KnownPreview]:
        for each in stored:
            for library in self.base_branches(each.pull_request):
                yield KnownPreview(library, each.pull_request, each.updated_at)


def _base_version(library: Library, branch: str) -> str | None:
    """The version with the docs of a branch: of several, the latest one, else the first."""
    names = [name for name in library.version_names if library.ref(name).branch == branch]
    return library.latest_version if library.latest_version in names else next(iter(names), None)


def _as_release(preview: KnownPreview) -> Release:
    library, request = preview.library, preview.pull_request
    base = _base_version(library, request.base) or library.latest_version
    kind = library.code_host.kind if library.code_host else "github"
    return Release(
        number=preview.version,
        tag=request.head,
        commit=request.head,
        day=preview.updated_at.date(),
        numbers={},
        docs_root=library.docs_facts(base).docs_root,
        docs_tree="",
        pull_request=PullRequestHead(request.number, base, head_ref(kind, request.number)),
    )

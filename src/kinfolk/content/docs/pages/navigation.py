"""The navigation of a library, without the entries that have no target.

In a copy of the docs without example files, entries of examples lead to their folders on the code host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import structlog

from kinfolk.config.catalog import Catalog
from kinfolk.config.code_hosts import CodeHost
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency
from kinfolk.content.docs.branch_reader import BranchReader, BranchReaders
from kinfolk.content.docs.menus.menu_config import DocsConfig, path_of_target
from kinfolk.content.docs.pages.location import EXAMPLE, home_of
from kinfolk.content.redirects import Redirects
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import InvalidFile, Refused, Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_LOGGED = 10
"""Entries of a navigation that one log line names."""


MOST_RELEASES = 20
"""Releases whose navigation stays in memory: 0.1 MB each."""


@dataclass(frozen=True)
class _CachedNavigation:
    config: DocsConfig
    deprecated: Mapping[str, str]
    dependencies: frozenset[Dependency]


class Navigations:
    """The navigations of one docs snapshot, cached. Thread-safe: two threads may compute the same one."""

    def __init__(self, catalog: Catalog, redirects: Redirects, before: Navigations | None = None) -> None:
        """`before` are those of the previous one, whose log lines are not repeated."""
        self._catalog = catalog
        self._redirects = redirects
        self._cache: dict[tuple[Ref, str], _CachedNavigation] = {}
        self._of_releases: ThreadSafeLRUCache[tuple[Ref, str], _CachedNavigation] = ThreadSafeLRUCache(MOST_RELEASES)
        self._logged: dict[tuple[Ref, str], frozenset[str]] = before._logged if before else {}  # noqa: SLF001

    def find(self, branches: BranchReaders, ref: Ref, docs_root: str) -> DocsConfig | None:
        """A navigation that is in the cache. Does not block."""
        known = self._cache.get((ref, docs_root)) or self._of_releases.get((ref, docs_root))
        if known is None:
            return None
        branches.record(known.dependencies)
        return known.config

    def get(self, branches: BranchReaders, ref: Ref, docs_root: str) -> DocsConfig:
        """Raises what `config_of` raises."""
        known = self.find(branches, ref, docs_root)
        if known is not None:
            return known
        with branches.nested() as (nested, recorder):
            config = self._without_dead_entries(nested.branch(ref), docs_root)
            # Pages of releases are not read for it: their first reader is waiting.
            paths = (link.path for link in config.links()) if ref in self._catalog.refs else ()
            deprecated = nested.branch(ref).deprecated_pages(docs_root, paths)
        found = _CachedNavigation(config, deprecated, recorder.dependencies)
        if ref in self._catalog.refs:
            self._cache[ref, docs_root] = found
        else:
            self._of_releases.put((ref, docs_root), found)
        return config

    def deprecated(self, ref: Ref, docs_root: str) -> Mapping[str, str]:
        """The deprecated pages of a navigation that `get` or `find` returned before, each with a line about it."""
        known = self._cache.get((ref, docs_root))
        return {} if known is None else known.deprecated

    def _without_dead_entries(self, branch: BranchReader, docs_root: str) -> DocsConfig:
        config = config_of(self._catalog, branch, docs_root)
        library, segment = home_of(self._catalog, branch.ref, docs_root)
        dead = frozenset(
            link.to
            for link in config.links()
            if not branch.has_entry(docs_root, link.path)
            and not self._redirects.match(f"/{library.id}/{segment}/docs/{link.path}", missing=True)
        )
        if branch.ref in self._catalog.refs:
            self._log_dead(branch.ref, docs_root, dead)
        found = config.only(lambda link: link.to not in dead) if dead else config
        host = self._catalog.host_of(branch.ref.repo)
        return found if branch.examples or host is None else found.with_targets(partial(_target_on_host, branch, host))

    def _log_dead(self, ref: Ref, docs_root: str, dead: frozenset[str]) -> None:
        """Log the entries without a target, unless the last log line named the same ones."""
        if dead == self._logged.get((ref, docs_root), frozenset()):
            return
        self._logged[ref, docs_root] = dead
        if dead:
            file, first = f"{docs_root}/config.json", [to[:200] for to in sorted(dead)[:MOST_LOGGED]]
            log.warning("navigation entries without target", ref=str(ref), file=file, entries=len(dead), first=first)


def _target_on_host(branch: BranchReader, host: CodeHost, to: str) -> str:
    """The folder of an example, for an entry of one; other targets stay."""
    example = EXAMPLE.fullmatch(path_of_target(to))
    folder = branch.missing_example_folder(example[1], example[2]) if example else None
    return host.folder(branch.ref.repo, branch.ref.branch, folder) if folder else to


def config_of(catalog: Catalog, branch: BranchReader, docs_root: str) -> DocsConfig:
    """The whole navigation below a docs root.

    Raises Refused for a folder that is no docs root, NotFound where the file is missing, Unavailable where it is wrong.
    """
    if catalog.docs_root(branch.ref, docs_root) != docs_root:
        raise Refused(f"{docs_root!r} is not a docs root of {branch.ref}")
    try:
        return branch.config(docs_root)
    except InvalidFile as wrong:
        raise Unavailable(wrong.message) from wrong

"""Where the docs come from: checkouts on this machine, git mirrors, and the bundled docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import structlog

from kinfolk.catalog import WHOLE_REPOSITORY, Catalog
from kinfolk.docs import parse_config
from kinfolk.docs_address import Ref
from kinfolk.errors import Invalid, Unavailable
from kinfolk.reports.content_syncs import ContentSyncs
from kinfolk.settings import Settings
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.layered import LayeredSource
from kinfolk.sources.mirror import BranchRequirements, MirrorSource
from kinfolk.sources.published_commits import PUBLISHED_FILE as PUBLISHED
from kinfolk.sources.snapshot import ContentSource
from kinfolk.sources.sync_progress import RepoDone, SyncEvent

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def mirror_source(
    settings: Settings, catalog: Catalog, *, on_progress: Callable[[SyncEvent], None] | None = None
) -> MirrorSource:
    """The git mirrors of all libraries. Raises Invalid when mirrors are turned off."""
    if settings.mirror is None:
        raise Invalid("KINFOLK_MIRROR is off: name a folder for the mirrors")
    in_folders = checkouts(settings, catalog)
    fetched = (ref for ref in catalog.refs if ref not in in_folders and ref.repo in catalog.hosts)
    roots: dict[Ref, list[str]] = {ref: [] for ref in fetched}
    for library in catalog.libraries:
        for version in library.versions:
            ref = Ref(library.content_repo, version.branch)
            if ref in roots:
                roots[ref].append(library.docs_root)

    # In docs of other programs, a file of this name may be anything.
    checked = {
        f"{library.docs_root}/config.json".removeprefix(f"{WHOLE_REPOSITORY}/")
        for library in catalog.libraries
        if library.dialect == "github"
    }

    def validate(path: str, content: bytes) -> None:
        if path in checked:
            parse_config(path, content)

    return MirrorSource(
        settings.mirror,
        {ref: BranchRequirements(tuple(dict.fromkeys(docs_roots))) for ref, docs_roots in roots.items()},
        validate,
        url_template=settings.upstream,
        url_templates={} if settings.upstream else {repo: host.clone_template for repo, host in catalog.hosts.items()},
        timeout_s=settings.fetch_timeout_s,
        on_progress=on_progress,
    )


def record_sync(syncs: ContentSyncs, fetched: set[str], event: SyncEvent) -> None:
    """Store how the sync of a repository ended. Docs are served without the database, so a failure is only logged."""
    if isinstance(event, RepoDone) and event.updated:
        fetched.add(event.repo)
    try:
        match event:
            case RepoDone(repo=repo, outcome="failed", reason=reason):
                syncs.failed(repo, reason)
            case RepoDone(repo=repo, outcome=outcome):
                syncs.succeeded(repo, changed=outcome == "updated")
    except Unavailable as failure:
        log.warning("sync not recorded", reason=failure.message)


def checkouts(settings: Settings, catalog: Catalog) -> Mapping[Ref, Path]:
    """The folders of the libraries that name one, by the branch whose docs they have."""
    return {
        Ref(library.content_repo, library.latest_branch): (settings.site / library.folder).resolve()
        for library in catalog.libraries
        if library.folder is not None
    }


def default_source(
    settings: Settings, catalog: Catalog, *, on_progress: Callable[[SyncEvent], None] | None = None
) -> ContentSource:
    """The mirrored branches, and the bundled docs for all other branches."""
    bundled = DirectorySource(
        settings.content, catalog.refs, "the bundled docs", checkouts=checkouts(settings, catalog)
    )
    if settings.mirror is None:
        return bundled
    published = settings.mirror / PUBLISHED
    return LayeredSource(
        mirror_source(settings, catalog, on_progress=on_progress),
        bundled,
        # A site with bundled docs is mirrored by `kinfolk sync` only.
        lambda: published.exists() or not settings.content.is_dir(),
    )

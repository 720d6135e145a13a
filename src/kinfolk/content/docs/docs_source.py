"""Where the docs come from: checkouts on this machine, git mirrors, and the bundled docs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from kinfolk.config.catalog import LATEST, WHOLE_REPOSITORY, Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.docs import parse_config
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.git.git_tree import GitTree
from kinfolk.content.sources.git.mirror import BranchRequirements, MirrorSource, repository_url
from kinfolk.content.sources.git.published_commits import PUBLISHED_FILE as PUBLISHED
from kinfolk.content.sources.git.sync_progress import SyncEvent
from kinfolk.content.sources.git.tags.head_contents import HeadContents
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.content.sources.layered import LayeredSource
from kinfolk.content.sources.snapshot import ContentSource, Snapshot
from kinfolk.runtime.errors import Invalid


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
            facts = library.docs_facts(version.name)
            if facts.ref in roots:
                roots[facts.ref].append(facts.docs_root)

    # In docs of other programs, a file of this name may be anything.
    checked = {
        f"{facts.docs_root}/config.json".removeprefix(f"{WHOLE_REPOSITORY}/")
        for library in catalog.libraries
        for facts in map(library.docs_facts, library.version_names)
        if facts.dialect == "github"
    }

    def validate(path: str, content: bytes) -> None:
        if path in checked:
            parse_config(path, content)

    return MirrorSource(
        settings.mirror,
        {
            ref: BranchRequirements(
                tuple(dict.fromkeys(docs_roots)), catalog.examples_rule(ref).layout(()).root or "examples"
            )
            for ref, docs_roots in roots.items()
        },
        validate,
        url_template=settings.upstream,
        url_templates={} if settings.upstream else {repo: host.clone_template for repo, host in catalog.hosts.items()},
        timeout_s=settings.fetch_timeout_s,
        on_progress=on_progress,
    )


def tag_contents(settings: Settings, catalog: Catalog) -> TagContents | None:
    """The docs of releases; None without mirrors."""
    if settings.mirror is None or not settings.releases_mb:
        return None
    return TagContents(
        settings.mirror,
        _addresses(settings, catalog),
        timeout_s=settings.fetch_timeout_s,
        limit_bytes=settings.releases_mb << 20,
    )


def head_contents(settings: Settings, catalog: Catalog) -> HeadContents | None:
    """The docs of pull requests; None on a site that shows none."""
    if settings.mirror is None or not settings.previews:
        return None
    return HeadContents(
        settings.mirror,
        _addresses(settings, catalog),
        timeout_s=settings.fetch_timeout_s,
        limit_bytes=settings.previews_mb << 20,
    )


def _addresses(settings: Settings, catalog: Catalog) -> Callable[[str], str]:
    """Gives the address that a repository is fetched from."""
    return lambda repo: repository_url(settings.upstream or catalog.hosts[repo].clone_template, repo)


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
    return LayeredSource(
        mirror_source(settings, catalog, on_progress=on_progress),
        bundled,
        lambda: _is_mirrored(settings, catalog),
    )


def mirrored_refs(settings: Settings, catalog: Catalog) -> frozenset[Ref]:
    """The branches that `kinfolk sync` mirrors: those without a folder on this machine."""
    return frozenset(catalog.refs) - checkouts(settings, catalog).keys()


def refreshed_refs(settings: Settings, catalog: Catalog, refs: Collection[Ref], shown: Snapshot) -> list[Ref]:
    """Those of the branches that a refresh fetches, or reads again from a folder on this machine. Reads the disk.

    A process that shows branches of a mirror fetches them also after the mirror was deleted.
    """
    in_folders = checkouts(settings, catalog)
    is_mirrored = _is_mirrored(settings, catalog) or any(isinstance(tree, GitTree) for tree in shown.trees.values())
    mirrored = mirrored_refs(settings, catalog) if is_mirrored else frozenset()
    return [ref for ref in refs if ref in in_folders or ref in mirrored]


def damaged_refs(source: ContentSource) -> frozenset[Ref]:
    """The branches of a mirror that a reader found damaged since the last refresh."""
    if isinstance(source, LayeredSource) and isinstance(source.upper, MirrorSource):
        return source.upper.damaged_refs()
    return frozenset()


def docs_fault(settings: Settings, catalog: Catalog, snapshot: Snapshot) -> str | None:
    """Why a server with this snapshot should get no requests yet; None for a server that may. Reads nothing.

    A server that fetches nothing depends on a mirror that another process keeps. Until it is there, the bundled docs
    are older than those of the other servers.
    """
    if not snapshot.trees:
        return "no docs have been fetched yet"
    fetches = settings.mirror is None or settings.refresh_s > 0
    if fetches or not mirrored_refs(settings, catalog):
        return None
    if any(isinstance(tree, GitTree) for tree in snapshot.trees.values()):
        return None
    return "the mirror is empty, and KINFOLK_REFRESH_S is 0: run kinfolk sync"


def _is_mirrored(settings: Settings, catalog: Catalog) -> bool:
    """Whether the mirror is served. A site with bundled docs is mirrored by `kinfolk sync` only."""
    if settings.mirror is None or not mirrored_refs(settings, catalog):
        return False
    return (settings.mirror / PUBLISHED).exists() or not settings.content.is_dir()


def missing_copies(settings: Settings, catalog: Catalog, copies: Collection[Ref]) -> Mapping[str, tuple[Ref, ...]]:
    """The libraries with branches that the mirror should have and that have no copy here -> these branches.

    Of a site that serves its bundled docs, only the latest version of each library must be there.
    """
    if settings.mirror is None:
        return {}
    is_mirrored = _is_mirrored(settings, catalog)
    missing: dict[str, tuple[Ref, ...]] = {}
    for library in catalog.libraries:
        refs = dict.fromkeys(map(library.ref, library.version_names if is_mirrored else (LATEST,)))
        if without := tuple(ref for ref in refs if ref not in copies):
            missing[library.id] = without
    return missing

"""Dependencies of responses, their cache tags, and the dependencies that a change of content makes stale.

Readers of content record a dependency for each read. A response carries the cache tags of its dependencies; after a
change the publisher purges the cache tags of the stale ones:

    FileContent        acme/query@main:docs/overview.md    one file: its bytes, size, blob id and history
    DirectoryListing   acme/query@main#files               which files the branch has, or that it has no copy
    BranchFrontMatter  acme/query@main#front-matter        titles, redirects and menu entries of all pages
    BranchDates        acme/query@main#dates               the dates of the last changes of all pages
    ExampleContents    acme/query@main#examples            all files of its examples
    BranchRevision     acme/query@main#revision            anything in the branch
    PendingHighlight   code:5d41402abc4b                       code that is shown plain until it is highlighted
    Collection         blog                                    content outside the repositories
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from kinfolk.docs_address import Ref

MOST_FILES = 100
"""Most files that the tags of a response name. A Cache-Tag header of more would exceed 8 kB, which proxies refuse;
such a response depends on the revisions of branches instead."""


@dataclass(frozen=True, slots=True)
class FileContent:
    ref: Ref
    path: str


@dataclass(frozen=True, slots=True)
class DirectoryListing:
    ref: Ref


@dataclass(frozen=True, slots=True)
class BranchFrontMatter:
    ref: Ref


@dataclass(frozen=True, slots=True)
class BranchDates:
    ref: Ref


@dataclass(frozen=True, slots=True)
class ExampleContents:
    ref: Ref


@dataclass(frozen=True, slots=True)
class BranchRevision:
    ref: Ref


@dataclass(frozen=True, slots=True)
class PendingHighlight:
    """`key` is a digest of the code."""

    key: str


@dataclass(frozen=True, slots=True)
class Collection:
    name: str


Dependency: TypeAlias = (
    FileContent
    | DirectoryListing
    | BranchFrontMatter
    | BranchDates
    | ExampleContents
    | BranchRevision
    | PendingHighlight
    | Collection
)

BLOG = Collection("blog")
SPONSORS = Collection("sponsors")
PROMOTIONS = Collection("promotions")
"""The promotions that maintainers set."""
DAY = Collection("day")
"""The current date in UTC."""
PAGE_LIST = Collection("pages")
"""Which pages the site has of its own, and the menus that list them."""
BLOG_EXISTS = Collection("blog-exists")
"""Whether the blog has posts."""
NPM = Collection("npm")
"""Which npm statistics are stored at all."""


def prose_page(name: str) -> Collection:
    """One of the site's own pages."""
    return Collection(f"page:{name}")


def npm_package(name: str) -> Collection:
    """The stored downloads of a package, and the state of its import."""
    return Collection(f"npm:{name}")


def library_figures(library: str) -> Collection:
    """The stars, contributors and dependents of a library, by its id."""
    return Collection(f"figures:{library}")


class DependencyRecorder:
    """Collects the dependencies of one response."""

    def __init__(self) -> None:
        self._recorded: set[Dependency] = set()

    def record(self, dependency: Dependency) -> None:
        self._recorded.add(dependency)

    def update(self, dependencies: Iterable[Dependency]) -> None:
        self._recorded.update(dependencies)

    @property
    def dependencies(self) -> frozenset[Dependency]:
        return frozenset(self._recorded)

    @property
    def cache_tags(self) -> frozenset[str]:
        """The tags of a response with these dependencies."""
        return response_tags(self._recorded)


def response_tags(dependencies: Iterable[Dependency]) -> frozenset[str]:
    """Cache tags of a response. Above MOST_FILES files, the branches with the most files become their revisions."""
    known = tuple(dependencies)
    files = Counter(one.ref for one in known if isinstance(one, FileContent))
    revisions: set[Ref] = set()
    count = files.total()
    for ref, of_branch in files.most_common():
        if count <= MOST_FILES:
            break
        revisions.add(ref)
        count -= of_branch
    others = (one for one in known if not (isinstance(one, FileContent) and one.ref in revisions))
    return frozenset(map(_tag, (*others, *map(BranchRevision, revisions))))


def purge_tags(stale: Iterable[Dependency]) -> frozenset[str]:
    """Cache tags to purge, one for each stale dependency."""
    return frozenset(map(_tag, stale))


def _tag(dependency: Dependency) -> str:
    match dependency:
        case FileContent(ref, path):
            return f"{ref.repo}@{ref.branch}:{path}"
        case DirectoryListing(ref):
            return f"{ref.repo}@{ref.branch}#files"
        case BranchFrontMatter(ref):
            return f"{ref.repo}@{ref.branch}#front-matter"
        case BranchDates(ref):
            return f"{ref.repo}@{ref.branch}#dates"
        case ExampleContents(ref):
            return f"{ref.repo}@{ref.branch}#examples"
        case BranchRevision(ref):
            return f"{ref.repo}@{ref.branch}#revision"
        case PendingHighlight(key):
            return f"code:{key}"
        case Collection(name):
            return name


@dataclass(frozen=True)
class Change:
    """The difference between two snapshots in one branch.

    `paths` are the files that were added, removed or changed, and those whose history changed. `listing` says whether
    a file was added or removed, `front_matter` whether titles, redirects or menu entries can be others, `dates`
    whether the history of a file changed.
    """

    ref: Ref
    paths: frozenset[str]
    listing: bool
    front_matter: bool
    dates: bool


def stale_dependencies(changes: Iterable[Change]) -> frozenset[Dependency]:
    """The dependencies that these changes make stale."""
    stale: set[Dependency] = set()
    for change in changes:
        stale.add(BranchRevision(change.ref))
        stale.update(FileContent(change.ref, path) for path in change.paths)
        if change.listing:
            stale.add(DirectoryListing(change.ref))
        if change.front_matter:
            stale.add(BranchFrontMatter(change.ref))
        if change.dates:
            stale.add(BranchDates(change.ref))
        if any(path.startswith("examples/") for path in change.paths):
            stale.add(ExampleContents(change.ref))
    return frozenset(stale)

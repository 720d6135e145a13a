"""Dependencies of responses, and their cache tags.

Readers of content record a dependency for each read. A response carries the cache tags of its dependencies; after a
change the publisher purges the cache tags of the stale ones (`docs.stale_dependencies`):

    FileContent        acme/query@main:docs/overview.md    one file: its bytes, size, blob id and history
    DirectoryListing   acme/query@main#files               which files the branch has, or that it has no copy
    BranchFrontMatter  acme/query@main#front-matter        titles, redirects and menu entries of all pages
    FrameworkTitles    acme/query@main#titles:react        the titles of the pages of a framework: of its guides, or of
                       acme/query@main#titles:react/api    its API reference
    DeprecatedPages    acme/query@main#deprecated          which pages are deprecated, and what replaces them
    ApiNames           acme/query@main#api-names           which page or section of its API reference is about a symbol
    BranchDates        acme/query@main#dates               the dates of the last changes of all pages
    ExampleContents    acme/query@main#examples            all files of its examples
    BranchRevision     acme/query@main#revision            anything in the branch
    PendingHighlight   code:5d41402abc4b                       code that is shown plain until it is highlighted
    Collection         blog                                    content outside the repositories

Caches of this process are purged by these tags. The Cache-Tag header has digests of them (`cache_tag_header`), and
`cdn_purge_tags` are the digests by which a CDN is purged: few ones stand for all of a branch (`few_purge_tags`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kinfolk.config.docs_address import Ref

PENDING_CODE = "code:"
"""The beginning of the tag of a PendingHighlight."""
MOST_FILES = 100
"""Most files that the tags of a response name. A response with more depends on the revisions of branches instead."""
MOST_TAGS = 48
"""Most tags of a Cache-Tag header: 0.5 kB. A docs page has up to 22, and nginx holds 4 kB of headers by default."""
TAG_LENGTH = 10
"""Hexadecimal digits of a tag in the header. Two tags of 10,000 have the same digest with a probability of 0.00005, and
a purge then drops one response too many."""
ALL_CONTENT = "*"
"""The tag of a response that depends on more branches than a header can name."""
MOST_BROAD_TAGS = 16
"""Most branches and kinds whose broad tags are in a header. A response with more has MANY_BROAD instead of them."""
MANY_BROAD = "**"
"""The tag of a response whose broad tags are too many for a header."""
_OF_BRANCH = re.compile(r"[^@:/]+/[^@:/]+@[^:#]+")


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
class FrameworkTitles:
    ref: Ref
    framework: str
    is_reference: bool


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
class DeprecatedPages:
    ref: Ref


@dataclass(frozen=True, slots=True)
class ApiNames:
    ref: Ref


@dataclass(frozen=True, slots=True)
class Collection:
    name: str


Dependency: TypeAlias = (
    FileContent
    | DirectoryListing
    | BranchFrontMatter
    | FrameworkTitles
    | DeprecatedPages
    | ApiNames
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


def preview_of(library: str, version: str) -> Collection:
    """The preview of a pull request, by the library's id and the name of the version that it is."""
    return Collection(f"preview:{library}/{version}")


def code_check_of(library: str, version: str, path: str) -> Collection:
    """The check of the code of a page, by the library's id, the version's name and the path below the docs."""
    return Collection(f"code-check:{library}/{version}/{path}")


def code_checks_of_library(library: str) -> Collection:
    """The reports of the checked code of all versions of a library, by its id."""
    return Collection(f"code-checks:{library}")


def releases_of_library(library: str) -> Collection:
    """The list of known releases of a library, by its id."""
    return Collection(f"releases:{library}")


def marks_of_library(library: str) -> Collection:
    """Which pages of a library's latest docs are new or were updated in its releases, by its id."""
    return Collection(f"marks:{library}")


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


def cache_tag_header(tags: Iterable[str]) -> str:
    """The value of Cache-Tag. Above MOST_TAGS, the tags of the branches or kinds with the most become one of each.

    The broad tags of all branches and kinds are added: after a change of many files, a CDN is purged by one of them.
    """
    shown = frozenset(tags)
    broad = frozenset(filter(None, map(broad_tag, shown)))
    if len(broad) > MOST_BROAD_TAGS:
        broad = frozenset({MANY_BROAD})
    for group_of in (_group_of, _all_content):
        for group, _ in Counter(map(group_of, shown)).most_common():
            if len(shown) + len(broad) <= MOST_TAGS:
                break
            shown = frozenset(group if group_of(tag) == group else tag for tag in shown)
    return ",".join(sorted(set(map(cdn_tag, shown | broad))))


def cdn_purge_tags(tags: Iterable[str]) -> frozenset[str]:
    """The tags in Cache-Tag headers of all responses that a purge of these tags concerns."""
    stale = frozenset(tags)
    if not stale:
        return frozenset()
    groups = (_group_of(tag) for tag in stale if not tag.endswith(MANY_BROAD))
    return frozenset(map(cdn_tag, (*stale, *groups, ALL_CONTENT)))


def few_purge_tags(tags: Iterable[str], *, most: int) -> frozenset[str] | None:
    """`cdn_purge_tags`, but at most `most`; None if everything has to be purged.

    The tags of the branches or kinds with the most become the broad tag of each.
    """
    stale = frozenset(tags)
    found = cdn_purge_tags(stale)
    for broad, _ in Counter(filter(None, map(broad_tag, stale))).most_common():
        if len(found) <= most:
            break
        stale = frozenset(tag for tag in stale if broad_tag(tag) != broad) | {broad, MANY_BROAD}
        found = cdn_purge_tags(stale)
    return found if len(found) <= most else None


def broad_tag(tag: str) -> str | None:
    """The tag of all responses that depend on anything of the branch (`acme/query@main:**`) or of the kind (`npm:**`).

    None for a tag of neither, and for that of plain code, which a CDN keeps for a second only.
    """
    if tag.startswith(PENDING_CODE):
        return None
    group = _group_of(tag)
    return f"{group}*" if group.endswith(":*") else None


def cdn_tag(tag: str) -> str:
    """A tag as the header has it: CDNs do not distinguish cases, and allow neither spaces nor commas.

    All code that is shown plain has one, because most of it is shown so for less than a second.
    """
    if tag.startswith(PENDING_CODE):
        tag = f"{PENDING_CODE}*"
    return hashlib.sha256(tag.encode(errors="surrogatepass")).hexdigest()[:TAG_LENGTH]


def _group_of(tag: str) -> str:
    """The tag for all of a branch (`acme/query@main:*`) or of a kind (`npm:*`); the tag itself if it is of neither."""
    branch = _OF_BRANCH.match(tag)
    kind, colon, _ = tag.partition(":")
    return f"{branch[0]}:*" if branch else f"{kind}:*" if colon else tag


def _all_content(_: str) -> str:
    return ALL_CONTENT


def _tag(dependency: Dependency) -> str:
    match dependency:
        case FileContent(ref, path):
            return f"{ref.repo}@{ref.branch}:{path}"
        case FrameworkTitles(ref, framework, is_reference):
            return f"{ref.repo}@{ref.branch}#titles:{framework}{'/api' if is_reference else ''}"
        case PendingHighlight(key):
            return f"{PENDING_CODE}{key}"
        case Collection(name):
            return name
        case _:
            return f"{dependency.ref.repo}@{dependency.ref.branch}#{_PARTS[type(dependency)]}"


_PARTS: Mapping[type[Dependency], str] = {
    DirectoryListing: "files",
    BranchFrontMatter: "front-matter",
    DeprecatedPages: "deprecated",
    ApiNames: "api-names",
    BranchDates: "dates",
    ExampleContents: "examples",
    BranchRevision: "revision",
}
"""What the tag of a dependency on a whole branch ends with."""

"""Builds the index of the site: completely at first, then only changed pages.

Records are made by group. A group is one page in all frameworks, since text that they share is one record. A group is
indexed again when the digest of its sources changes.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import orjson
import structlog

import kinfolk
from kinfolk.config.catalog import LATEST, Library
from kinfolk.content.blog import BlogPost
from kinfolk.content.docs.pages.location import framework_of
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, latest_frameworks, list_version_docs
from kinfolk.content.markdown.front_matter import parse_front_matter, split_front_matter
from kinfolk.content.pages.prose_pages import ProsePage
from kinfolk.content.release_notes.library_notes import LibraryNotes
from kinfolk.content.release_notes.release_page import FoundNotes
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.search.docs_index.generations import (
    Generation,
    build_folder,
    is_whole,
    own_copy,
    publish,
    published,
    rename_revisions,
)
from kinfolk.search.docs_index.meanings import NO_MEANINGS, Meanings
from kinfolk.search.docs_index.page_records import (
    IndexablePage,
    NavigationEntry,
    examples,
    group_name,
    indexable_page,
    landing_records,
    listed_page_records,
    named_section,
    navigation,
    post_records,
    prose_records,
    records,
    release_records,
)
from kinfolk.search.engine.tantivy_index import TantivyIndex, copy_index
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import RankingConfig, RankingWeights

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

GROUPS = "groups.json"
"""A file beside the index: the digest of each group and the ids of its records."""
_RECORD_MODULES = (
    "docs_index/definitions",
    "docs_index/excerpt_attribute",
    "docs_index/index_build",
    "docs_index/page_records",
    "docs_index/page_sections",
    "engine/indexed_document",
    "ranking/index_schema",
    "text/tokens",
)
"""Modules below `search` that decide what an index contains. A change to one rebuilds the index."""
_LOCK = "lock"
MOST_RELEASES = 3_000
"""Releases of a library that search finds by their numbers. The largest known library has 1,300."""
MOST_NOTES = 300
"""Releases of a library that search finds by the text of their notes: those of the last years."""
MAX_REPORTED = 10
"""Meanings without a section that the log names."""
_MAX_REFERENCES = 2
"""Length of a chain of pages that take their text from another page."""


Manifest: TypeAlias = dict[str, tuple[str, list[str]]]
"""Group -> the digest of its sources, and the ids of its records."""


@dataclass(frozen=True)
class RecordGroup:
    """Records that are made together, with a digest of their sources."""

    name: str
    digest: str
    make: Callable[[], Iterable[Record]]


@dataclass(frozen=True)
class SearchableContent:
    """All searchable content at one moment."""

    docs: DocsSnapshot
    posts: Sequence[BlogPost]
    rules: RankingConfig
    pages: Sequence[ProsePage] = ()
    """The site's own pages."""
    meanings: Meanings = NO_MEANINGS
    notes: LibraryNotes | None = None
    """The notes of releases; None for a site without any."""

    @property
    def revisions(self) -> dict[str, str]:
        """The revision of each branch, of the blog, of the site's own pages and of releases. Raises Unavailable."""
        trees = self.docs.snapshot.trees
        return {
            **{str(ref): trees[ref].revision for ref in sorted(trees)},
            "blog": _digest([_post_sources(post) for post in self.posts]),
            "pages": _digest([_prose_sources(page) for page in self.pages]),
            **({"releases": self.notes.revision(ContentReader(self.docs))} if self.notes else {}),
        }

    @property
    def form(self) -> str:
        """Changes with the code, the ranking, the meanings and the catalog: then all records are made again."""
        catalog = self.docs.catalog
        facts = repr((self.rules, self.meanings.digest, catalog.libraries, catalog.frameworks)).encode()
        return hashlib.blake2s(facts + _code(), digest_size=8).hexdigest()


@cache
def _code() -> bytes:
    """A digest of the modules that make records. This process runs them as they were at its start."""
    root = Path(kinfolk.__file__).parent
    digest = hashlib.blake2s()
    folders = (root / "content" / name for name in ("docs", "markdown", "release_notes"))
    content = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    for path in (*content, *(root / "search" / f"{name}.py" for name in _RECORD_MODULES)):
        digest.update(path.read_bytes())
    return digest.digest()


def is_current(folder: Path, content: SearchableContent) -> bool:
    """Whether the published index is of this content."""
    one = published(folder)
    return one is not None and one.form == content.form and one.revisions == content.revisions and is_whole(folder, one)


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Blocks while another process builds. The system releases the lock of a killed process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class BuildProgress:
    """Callbacks: `on_start` with the number of groups to make, `on_group` after each."""

    on_start: Callable[[int], None] = lambda _: None
    on_group: Callable[[], None] = lambda: None


NO_PROGRESS = BuildProgress()


def build(folder: Path, content: SearchableContent, progress: BuildProgress = NO_PROGRESS) -> Generation:
    """Build and publish the index of this content. The previous generation stays current until then.

    Call it within `only_builder`.
    """
    one = published(folder)
    if one is not None and is_current(folder, content):
        return one
    if one is not None and one.form == content.form:
        try:
            return _renewed(folder, content, one, progress)
        except Unavailable as damaged:
            log.warning("search index rebuilt", reason=damaged.message)
    wanted = {group.name: group for group in groups(content)}
    progress.on_start(len(wanted))
    with build_folder(folder) as place:
        manifest: Manifest = {}
        made = _made(wanted.values(), manifest, progress)
        TantivyIndex.create(place, content.rules.settings, made)
        _report_unknown(content.meanings, manifest)
        return _publish(folder, place, content, manifest)


def _renewed(
    folder: Path,
    content: SearchableContent,
    one: Generation,
    progress: BuildProgress,
) -> Generation:
    """A copy of the current generation with changed groups replaced. Raises Unavailable where it is damaged."""
    revisions = content.revisions
    unchanged = frozenset(ref for ref, revision in one.revisions.items() if revisions.get(ref) == revision)
    with own_copy(folder) as (_, copy), build_folder(folder) as place:
        manifest: Manifest = orjson.loads((copy / GROUPS).read_bytes())
        wanted = {group.name: group for group in groups(content, unchanged)}
        unread = {
            f"{version.library.id}:{version.segment}"
            for version in list_version_docs(ContentReader(content.docs))
            if str(version.ref) in unchanged
        }
        stale = [group for name, group in wanted.items() if manifest.get(name, ("", []))[0] != group.digest]
        gone = [name for name in manifest if name not in wanted and ":".join(name.split(":", 2)[:2]) not in unread]
        if not stale and not gone:
            return rename_revisions(folder, one, content.revisions)
        progress.on_start(len(stale))
        copy_index(copy, place)
        (place / GROUPS).unlink()
        old = {id for name in (*gone, *(group.name for group in stale)) for id in manifest.pop(name, ("", []))[1]}
        fresh = list(_made(stale, manifest, progress))
        index = TantivyIndex(place, content.rules.settings)
        index.write(fresh, old - {str(record["objectID"]) for record in fresh})
        return _publish(folder, place, content, manifest)


def _made(several: Iterable[RecordGroup], manifest: Manifest, progress: BuildProgress) -> Iterator[Record]:
    for group in several:
        made = list(group.make())
        manifest[group.name] = (group.digest, [str(record["objectID"]) for record in made])
        yield from made
        progress.on_group()


def _report_unknown(meanings: Meanings, manifest: Manifest) -> None:
    """Log the meanings whose page or section the docs lack, such as those of a renamed heading."""
    known = {named_section(id) for _, ids in manifest.values() for id in ids}
    unknown = sorted(meanings.phrases.keys() - known)
    if unknown:
        log.warning("meanings without a section", meanings=len(unknown), first=unknown[:MAX_REPORTED])


def _publish(folder: Path, place: Path, content: SearchableContent, manifest: Manifest) -> Generation:
    (place / GROUPS).write_bytes(orjson.dumps(manifest))
    return publish(folder, place, form=content.form, revisions=content.revisions)


def groups(content: SearchableContent, unchanged: Collection[str] = ()) -> Iterator[RecordGroup]:
    """All groups but those of the docs of `unchanged` branches. Those of the latest versions are the first."""
    weights = content.rules.weights
    for version_docs in sorted(
        list_version_docs(ContentReader(content.docs)), key=lambda version_docs: version_docs.segment != LATEST
    ):
        if str(version_docs.ref) in unchanged:
            continue
        yield from _pages(version_docs, weights, content.meanings)
        yield from _examples(version_docs, weights)
    for post in content.posts:
        yield RecordGroup(f"blog:{post.slug}", _digest(_post_sources(post)), partial(post_records, post, weights))
    yield from _site_pages(content)
    yield from _releases(content)
    docs = ContentReader(content.docs)
    for library in content.docs.catalog.libraries:
        frameworks = latest_frameworks(docs, library)
        make = partial(landing_records, library, frameworks, weights)
        yield RecordGroup(f"landing:{library.id}", _digest(frameworks), make)


def _site_pages(content: SearchableContent) -> Iterator[RecordGroup]:
    weights, family = content.rules.weights, content.docs.catalog.family
    for page in content.pages:
        make = partial(prose_records, page, family, weights)
        yield RecordGroup(f"site:{page.name}", _digest(_prose_sources(page)), make)
    for listed in content.rules.pages:
        make = partial(listed_page_records, listed, family, weights)
        yield RecordGroup(f"listed:{listed.to}", "", make)


def _releases(content: SearchableContent) -> Iterator[RecordGroup]:
    """The releases of each library that have notes: the last ones by their text, older ones by their numbers."""
    notes, docs = content.notes, ContentReader(content.docs)
    if notes is None:
        return
    for library in content.docs.catalog.libraries:
        for place, found in enumerate(notes.newest(docs, library, MOST_RELEASES)):
            has_text = place < MOST_NOTES
            make = partial(_release_records, notes, library, found, content.rules.weights, has_text=has_text)
            yield RecordGroup(f"release:{library.id}:{found.release.number}", _digest((has_text, found)), make)


def _release_records(
    notes: LibraryNotes, library: Library, found: FoundNotes, weights: RankingWeights, *, has_text: bool
) -> Iterable[Record]:
    try:
        return release_records(library, found, notes.render(found).page if has_text else None, weights)
    except Unavailable:
        raise
    except SiteError as wrong:
        log.info("release left out", library=library.id, release=found.release.number, reason=wrong.message)
        return ()


def _post_sources(post: BlogPost) -> object:
    return post.slug, post.front, post.source.text


def _prose_sources(page: ProsePage) -> object:
    return page.name, page.title, page.description, page.page.text


def _pages(version_docs: VersionDocs, weights: RankingWeights, meanings: Meanings) -> Iterator[RecordGroup]:
    entries = navigation(version_docs)
    several: dict[str, dict[str, str]] = {}
    for inside, path in version_docs.listed_pages().items():
        several.setdefault(group_name(version_docs.library, version_docs.segment, inside), {})[inside] = path
    for name, places in several.items():
        pages = [(inside, path, entries.get(inside)) for inside, path in places.items()]
        made_of = [(inside, entry, _sources(version_docs, path)) for inside, path, entry in pages]
        digest = _digest((version_docs.frameworks, made_of))
        yield RecordGroup(name, digest, partial(_records_of, version_docs, pages, weights, meanings))


def _examples(version_docs: VersionDocs, weights: RankingWeights) -> Iterator[RecordGroup]:
    several: dict[str, list[IndexablePage]] = {}
    for example in examples(version_docs, weights, navigation(version_docs)):
        several.setdefault(example.group, []).append(example)
    for name, pages in several.items():
        made_of = [(page.inside, page.title, page.section) for page in pages]
        yield RecordGroup(name, _digest(made_of), partial(records, pages, version_docs.docs.catalog))


def _records_of(
    version_docs: VersionDocs,
    pages: Sequence[tuple[str, str, NavigationEntry | None]],
    weights: RankingWeights,
    meanings: Meanings,
) -> Iterator[Record]:
    """`pages` are the path below the docs, the file and the entry in the navigation of each page."""
    found = []
    for inside, path, entry in pages:
        try:
            source, _ = version_docs.branch.source(path)
            page = version_docs.branch.markdown.page(source, framework=framework_of(version_docs.docs_root, path))
        except Unavailable:
            raise  # the mirror repairs its copy: the index stays as it is until then
        except SiteError as wrong:  # such as a reference to a deleted page
            log.info("page left out", ref=str(version_docs.ref), path=path, reason=wrong.message)
            continue
        found.append(indexable_page(version_docs, inside, path, page, source=source.text, weights=weights, entry=entry))
    return records(found, version_docs.docs.catalog, meanings.phrases)


def _sources(version_docs: VersionDocs, path: str) -> list[str | None]:
    """The blobs of a page's text: its own, and those of the pages that it takes its text from."""
    branch = version_docs.branch
    found = [branch.blob(path), *branch.included_files(path).values()]
    for _ in range(_MAX_REFERENCES):
        text = _read(version_docs, path)
        ref = parse_front_matter(split_front_matter(text)[0]).ref if "\nref:" in text else None
        if ref is None or not branch.has_file(ref.lstrip("/")):
            break
        path = ref.lstrip("/")
        found.append(branch.blob(path))
    return found


def _read(version_docs: VersionDocs, path: str) -> str:
    return version_docs.branch.read(path).decode(errors="replace")


def _digest(made_of: object) -> str:
    return hashlib.blake2s(repr(made_of).encode(errors="replace"), digest_size=12).hexdigest()

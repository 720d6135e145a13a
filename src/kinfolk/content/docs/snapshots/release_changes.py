"""The pages that differ between two releases of a library, or between a release and the latest docs.

Pages are compared by the git ids of their files, so no file of a release needs to be fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kinfolk.config.catalog import LATEST, Library
from kinfolk.content.changes.changed_pages import changed_pages
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.marks.docs_marks import pages_inside, path_inside
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.runtime.errors import NotFound


@dataclass(frozen=True)
class ComparedPage:
    """A page that differs: its title, and its path below the docs of the version that has it.

    `before` is the former path of a page that moved.
    """

    title: str
    path: str
    before: str | None = None


@dataclass(frozen=True)
class ComparedDocs:
    """The pages that differ, sorted by path."""

    added: tuple[ComparedPage, ...]
    changed: tuple[ComparedPage, ...]
    moved: tuple[ComparedPage, ...]
    removed: tuple[ComparedPage, ...]

    @property
    def groups(self) -> tuple[tuple[str, tuple[ComparedPage, ...]], ...]:
        """The pages of each kind, with the heading of their list."""
        return (
            ("New pages", self.added),
            ("Changed pages", self.changed),
            ("Moved pages", self.moved),
            ("Removed pages", self.removed),
        )

    @property
    def pages(self) -> tuple[ComparedPage, ...]:
        """All pages that differ."""
        return tuple(page for _, pages in self.groups for page in pages)


class DocsComparison:
    """Compares versions of a library. Titles and paths are read once, for any number of comparisons.

    Raises Unavailable where the latest docs cannot be read. Blocks.
    """

    def __init__(self, docs: ContentReader, library: Library) -> None:
        self._docs = docs
        self._library = library
        self._names = _LatestNames(docs, library)

    def compare(self, older: str, newer: str) -> ComparedDocs:
        """The pages that differ between two releases. `newer` may be `latest`, for the docs of the latest version.

        Raises NotFound for an unknown release, Unavailable for docs that cannot be read. Blocks.
        """
        found = changed_pages(*(_tree(self._docs, self._library, version) for version in (older, newer)))
        moved = (self._names.page(each.path, before=each.old_path) for each in found.moved)
        return ComparedDocs(
            self._pages(found.added), self._pages(found.changed), tuple(moved), self._pages(found.removed)
        )

    def _pages(self, files: Iterable[str]) -> tuple[ComparedPage, ...]:
        return tuple(map(self._names.page, files))


def compare_docs(docs: ContentReader, library: Library, older: str, newer: str) -> ComparedDocs:
    """The pages that differ between two versions, as `DocsComparison.compare` has them."""
    return DocsComparison(docs, library).compare(older, newer)


def page_versions(
    docs: ContentReader, library: Library, older: str, newer: str, path: str
) -> tuple[DocsLocation | None, DocsLocation | None]:
    """The page at a path below the docs in two versions; None in one that does not have it.

    The older version of a page that moved is that at its former path. Raises NotFound for a page that neither version
    has, and what `DocsComparison` and `ContentReader.locate` raise. Blocks.
    """
    new = _located(docs, library, newer, path)
    old = _located(docs, library, older, path)
    if old is None and new is not None and new.file is not None:
        file = path_inside(new.docs_root, docs.branch(new.ref).real_file(new.file))
        moved = changed_pages(_tree(docs, library, older), _tree(docs, library, newer)).moved
        before = next((each.old_path for each in moved if each.path == file), None)
        old = _located(docs, library, older, _without_ending(before)) if before else None
    if old is None and new is None:
        raise NotFound(f"Neither version of {library.name} has a page “{path[:200]}”")
    return old, new


def _located(docs: ContentReader, library: Library, version: str, path: str) -> DocsLocation | None:
    facts = library.docs_facts(version)
    location = docs.locate(facts.ref, f"{facts.docs_root}/{path}.md", version)
    return location if location.file is not None else None


def first_pages(docs: ComparedDocs, count: int) -> ComparedDocs:
    """The first pages that differ, `count` of them at most: new ones first."""
    shown = []
    for pages in (docs.added, docs.changed, docs.moved, docs.removed):
        shown.append(pages[:count])
        count -= len(shown[-1])
    return ComparedDocs(*shown)


class _LatestNames:
    """Titles and paths of pages: those of the latest docs, for a file that these have, else made of the file's name."""

    def __init__(self, docs: ContentReader, library: Library) -> None:
        latest = find_version_docs(docs, library, LATEST)
        self._titles = latest.branch.titles(latest.docs_root)
        self._paths = {path_inside(latest.docs_root, file): path for path, file in latest.pages().items()}

    def page(self, file: str, *, before: str | None = None) -> ComparedPage:
        path = self._paths.get(file) or _without_ending(file)
        title = self._titles.get(path) or default_title(file)
        return ComparedPage(title, path, before)


def _tree(docs: ContentReader, library: Library, version: str) -> Mapping[str, str]:
    """The pages of a release, or of the latest version: the path of a file below the docs root -> its git id."""
    facts = library.docs_facts(version)
    if version == LATEST:
        branch = docs.branch(facts.ref)
        files = {file: branch.blob(file) or "" for file in find_version_docs(docs, library, LATEST).pages().values()}
    else:
        files = dict(docs.release_files(library, version))
    return pages_inside(files, facts.docs_root)


def _without_ending(file: str) -> str:
    path = file.rpartition(".")[0]
    return path.removesuffix("/index")

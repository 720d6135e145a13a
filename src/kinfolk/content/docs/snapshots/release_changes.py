"""The pages that differ between two releases of a library, or between a release and the latest docs.

Pages are compared by the git ids of their files, so no file of a release needs to be fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kinfolk.config.catalog import LATEST, WHOLE_REPOSITORY, Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.changes.changed_pages import changed_pages
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import find_version_docs

PAGE_ENDINGS = (".md", ".mdx")


@dataclass(frozen=True)
class ComparedPage:
    """A page that differs: `title`, its path below the docs, and its address in the version that has it.

    `before` is the former path of a page that moved.
    """

    title: str
    path: str
    to: str
    before: str | None = None


@dataclass(frozen=True)
class ComparedDocs:
    """The pages that differ, sorted by path. Removed ones lead to the older version."""

    added: tuple[ComparedPage, ...]
    changed: tuple[ComparedPage, ...]
    moved: tuple[ComparedPage, ...]
    removed: tuple[ComparedPage, ...]

    @property
    def count(self) -> int:
        """The number of pages that differ."""
        return len(self.added) + len(self.changed) + len(self.moved) + len(self.removed)


def compare_docs(docs: ContentReader, library: Library, older: str, newer: str) -> ComparedDocs:
    """The pages that differ between two releases. `newer` may be `latest`, for the docs of the latest version.

    Raises NotFound for an unknown release, Unavailable for docs that cannot be read. Blocks.
    """
    names = _LatestNames(docs, library)
    old, new = _tree(docs, library, older), _tree(docs, library, newer)
    found = changed_pages(old, new)

    def pages(files: Iterable[str], version: str) -> tuple[ComparedPage, ...]:
        return tuple(names.page(file, version) for file in files)

    moved = (names.page(each.path, newer, before=each.old_path) for each in found.moved)
    return ComparedDocs(
        pages(found.added, newer), pages(found.changed, newer), tuple(moved), pages(found.removed, older)
    )


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
        self._library = library
        self._titles = latest.branch.titles(latest.docs_root)
        self._paths = {_inside(latest.docs_root, file): path for path, file in latest.pages().items()}

    def page(self, file: str, version: str, *, before: str | None = None) -> ComparedPage:
        path = self._paths.get(file) or _without_ending(file)
        title = self._titles.get(path) or default_title(file)
        return ComparedPage(title, path, str(DocsAddress(self._library.id, version, path)), before)


def _tree(docs: ContentReader, library: Library, version: str) -> Mapping[str, str]:
    """The pages of a release, or of the latest version: the path of a file below the docs root -> its git id."""
    facts = library.docs_facts(version)
    if version == LATEST:
        branch = docs.branch(facts.ref)
        files = {file: branch.blob(file) or "" for file in find_version_docs(docs, library, LATEST).pages().values()}
    else:
        files = dict(docs.release_files(library, version))
    start = "" if facts.docs_root == WHOLE_REPOSITORY else f"{facts.docs_root}/"
    return {
        _inside(facts.docs_root, file): blob
        for file, blob in files.items()
        if file.startswith(start) and file.endswith(PAGE_ENDINGS)
    }


def _inside(docs_root: str, file: str) -> str:
    return file.removeprefix(f"{docs_root}/")


def _without_ending(file: str) -> str:
    path = file.rpartition(".")[0]
    return path.removesuffix("/index")

"""The marks of all libraries, updated in the background: after a refresh, never in a request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise

import structlog

from kinfolk.config.catalog import LATEST, WHOLE_REPOSITORY, Catalog, Library
from kinfolk.config.catalog.releases import Release
from kinfolk.config.docs_address import Ref
from kinfolk.content.changes.page_marks import PageTree
from kinfolk.content.changes.section_marks import SectionMarks, page_sections
from kinfolk.content.dependencies import Dependency, marks_of_library
from kinfolk.content.docs.branch_docs import BranchDocs, is_in_reference
from kinfolk.content.docs.marks.library_marks import LibraryMarks
from kinfolk.content.docs.marks.mark_file import release_marks, section_marks
from kinfolk.content.docs.marks.marked_releases import marked_releases, recent_releases
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.runtime.errors import NotFound, Refused, SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PAGE_ENDINGS = (".md", ".mdx")
NO_MARKS = LibraryMarks()
MOST_CONTENTS = 5_000
"""Contents of pages of an API reference that are fetched for a library. All releases of Query 5 have 1,117, of 2.7 MB
together, which take 2.8 s of CPU time to render. A library with more has no marks of sections."""


def utc_today() -> date:
    """The current date."""
    return datetime.now(UTC).date()


class DocsMarks:
    """Reads and replaces the marks of each library. `of` is thread-safe; one thread calls `update`."""

    def __init__(self, catalog: Catalog, contents: TagContents, today: Callable[[], date] = utc_today) -> None:
        self._catalog = catalog
        self._contents = contents
        self._today = today
        self._known: dict[str, LibraryMarks] = {}
        self._made_of: dict[str, tuple[object, ...]] = {}
        self._sections: dict[str, tuple[object, SectionMarks]] = {}
        """The releases, and the marks that were made of them."""

    def of(self, library: str) -> LibraryMarks:
        """The marks of a library, by its id; none before the first update."""
        return self._known.get(library, NO_MARKS)

    def update(self, branches: Mapping[Ref, BranchDocs]) -> frozenset[Dependency]:
        """Make the marks whose releases, docs or day have changed, and return the stale dependencies. Blocks.

        After a failure the marks of a library stay as they are.
        """
        stale: set[Dependency] = set()
        today = self._today()
        for library in self._catalog.libraries:
            branch = branches.get(library.ref(LATEST))
            made_of = library.releases.table.all, branch, today
            known = self._made_of.get(library.id, ())
            if len(known) == len(made_of) and all(
                old is new or old == new for old, new in zip(known, made_of, strict=True)
            ):
                continue
            try:
                marks = self._marks(library, branch, today)
            except SiteError as failure:
                log.warning("marks not updated", library=library.id, reason=failure.message)
                continue
            self._made_of[library.id] = made_of
            if marks != self.of(library.id):
                self._known[library.id] = marks
                stale.add(marks_of_library(library.id))
        return frozenset(stale)

    def update_sections(self, branches: Mapping[Ref, BranchDocs]) -> frozenset[Dependency]:
        """Make the marks of sections whose releases have changed, and return the stale dependencies.

        Fetches the contents that it needs. Blocks, sometimes for a minute. After a failure the marks stay as they are.
        """
        for library in self._catalog.libraries:
            releases, branch = library.releases.table.all, branches.get(library.ref(LATEST))
            known = self._sections.get(library.id)
            if branch is None or (known is not None and known[0] == releases):
                continue
            try:
                self._sections[library.id] = releases, self._section_marks(library, branch)
            except Refused as refused:
                # Not tried again before there are other releases.
                log.info("sections have no marks", library=library.id, reason=refused.message)
                self._sections[library.id] = releases, SectionMarks()
            except SiteError as failure:
                log.warning("marks of sections not updated", library=library.id, reason=failure.message)
                continue
            self._made_of.pop(library.id, None)
        return self.update(branches)

    def _section_marks(self, library: Library, branch: BranchDocs) -> SectionMarks:
        history, repo = marked_releases(library.releases.table), library.content_repo
        file = self._contents.marks_file(repo, library.id, "sections")

        def prepare(trees: Sequence[PageTree]) -> None:
            blobs = {blob for tree in trees for blob in tree.values()}
            if len(blobs) > MOST_CONTENTS:
                raise Refused(f"{len(blobs)} contents of the API reference are missing, {MOST_CONTENTS} are fetched")
            self._contents.fetch_contents(repo, blobs)

        def sections_of(path: str, blob: str) -> PageTree:
            text = self._contents.read_content(repo, blob).decode(errors="replace")
            try:
                return page_sections(branch.markdown.page(MarkdownFile(f"{repo}:{path}", text, _no_target)))
            except NotFound:  # It shows the text of another page, which has marks of its own.
                return {}

        return section_marks(file, history, lambda each: self._reference(library, each), prepare, sections_of)

    def _reference(self, library: Library, release: Release) -> PageTree:
        """The pages of the API reference of a release."""
        return {path: blob for path, blob in self._pages(library, release).items() if is_in_reference(path)}

    def _pages(self, library: Library, release: Release) -> PageTree:
        ref = Ref(library.content_repo, release.tag)
        return pages_inside(self._contents.files(ref, release.commit, (release.docs_root,)), release.docs_root)

    def _marks(self, library: Library, branch: BranchDocs | None, today: date) -> LibraryMarks:
        history = marked_releases(library.releases.table)
        if not history or branch is None:
            return NO_MARKS
        file = self._contents.marks_file(library.content_repo, library.id)
        sections = self._sections.get(library.id)
        found = LibraryMarks(
            release_marks(file, history, lambda release: self._pages(library, release)),
            {newer.number: older.number for older, newer in pairwise(history)},
            recent_releases(history, today),
            sections=sections[1] if sections else SectionMarks(),
        )
        return replace(found, menu=dict(_badges(found, branch, library.docs_facts(LATEST).docs_root)))


def _badges(marks: LibraryMarks, branch: BranchDocs, docs_root: str) -> Iterator[tuple[str, str]]:
    refs = branch.refs(docs_root)
    for path in branch.page_paths(docs_root):
        file = branch.real_file(f"{docs_root}/{path}.md")
        texts = (refs[path],) if path in refs else ()
        mark = marks.released(*(path_inside(docs_root, each) for each in (file, *texts)))
        if mark is not None:
            yield path.removesuffix("/index"), mark.badge


def _no_target(path: str) -> str:
    raise NotFound(f"the text of {path} is not read")


def pages_inside(files: Mapping[str, str], docs_root: str) -> PageTree:
    """The pages of a tree: the path of a file below the docs root -> its git id."""
    start = "" if docs_root == WHOLE_REPOSITORY else f"{docs_root}/"
    return {
        path_inside(docs_root, file): blob
        for file, blob in files.items()
        if file.startswith(start) and file.endswith(PAGE_ENDINGS)
    }


def path_inside(docs_root: str, file: str) -> str:
    """The path of a file below the docs root; another file keeps its path."""
    return file.removeprefix(f"{docs_root}/")

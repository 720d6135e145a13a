"""Reads branches and records a dependency for each read.

Responses read content through these classes only, so no read is without a record. `BranchDocs`, which they hide, does
not record anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from kinfolk.config.catalog import Catalog, ExamplesLayout
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import (
    ApiNames,
    BranchDates,
    BranchFrontMatter,
    BranchRevision,
    Dependency,
    DependencyRecorder,
    DeprecatedPages,
    DirectoryListing,
    ExampleContents,
    FileContent,
    FrameworkTitles,
)
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.docs.file_layouts import PageLayout
from kinfolk.content.docs.menus.menu_config import DocsConfig
from kinfolk.content.docs.other_pages.symbol_pages import SymbolPages
from kinfolk.content.markdown.links.slugs import Anchors
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.sources.snapshot import FileHistory
from kinfolk.runtime.errors import NotFound, Refused, SiteError, Unavailable

INCLUDE_MARKS = ("include", "<<<", "8<", "{!", "{*", "{{", ":file:", ".mdx", '.md"', ".md'", "import ", "?raw")
"""One of these is in each text that includes another file."""
POINTER_START = b"version https://git-lfs.github.com/spec/v1\n"
LONGEST_POINTER = 1024
"""Bytes, by the specification of Git LFS."""
Fingerprint = tuple[Dependency, str | None]
"""A dependency, and a value that changes when the dependency becomes stale."""


def is_pointer_text(content: bytes) -> bool:
    """Whether the content of a file only names other content, which is kept in Git LFS."""
    return len(content) <= LONGEST_POINTER and content.startswith(POINTER_START)


class BranchReader:
    """Reads one branch of a docs snapshot."""

    def __init__(self, branch: BranchDocs, recorder: DependencyRecorder) -> None:
        self.ref: Ref = branch.ref
        self._branch = branch
        self._recorder = recorder
        self._is_listing_recorded = False

    # The directory listing

    def page_file(self, path: str) -> str | None:
        """The Markdown file of a path without extension: `x.md`, else `x/index.md`."""
        return self._listed().page_file(path)

    def folder_of_readme(self, path: str) -> str | None:
        """The path of the page of a folder, for the path of its README without extension; None for other paths."""
        return self._listed().folder_of_readme(path)

    def has_entry(self, docs_root: str, path: str) -> bool:
        """Whether an entry of the navigation with this path has a target: a page, an example or another site."""
        return self._listed().has_entry(docs_root, path)

    def has_page(self, docs_root: str, path: str) -> bool:
        """Whether a Markdown file with a URL has this path below the docs root, without extension."""
        return self._listed().has_page(docs_root, path)

    def has_file(self, path: str) -> bool:
        return path in self._listed().files

    def has_example(self, framework: str, name: str) -> bool:
        """Whether this copy has the files of the example."""
        return self._listed().has_example(framework, name)

    @property
    def examples_layout(self) -> ExamplesLayout:
        """Where the examples are."""
        return self._listed().examples_layout

    def example_folder(self, framework: str, name: str) -> str:
        """The folder of an example."""
        return self._listed().example_folder(framework, name)

    def missing_example_folder(self, framework: str, name: str) -> str | None:
        """The folder of an example in the repository, for a copy without any examples; None for a copy with some."""
        return self._listed().missing_example_folder(framework, name)

    def paths_below(self, folder: str) -> list[str]:
        """The paths of all files in a folder, relative to it."""
        start = f"{folder}/"
        return [path[len(start) :] for path in self._listed().files if path.startswith(start)]

    def markdown_files(self) -> list[str]:
        """All Markdown files of the branch, by path."""
        return list(self._listed().markdown_files())

    def file_paths(self) -> Iterable[str]:
        """The paths of all files of the branch."""
        return self._listed().files.keys()

    def page_paths(self, docs_root: str) -> Sequence[str]:
        """The paths of all pages below a docs root, relative to it and without extension."""
        return self._listed().page_paths(docs_root)

    def frameworks(self, docs_root: str) -> frozenset[str]:
        """The frameworks that have pages below a docs root."""
        return self._listed().frameworks(docs_root)

    def framework_folders(self, docs_root: str) -> frozenset[str]:
        """The frameworks that have a folder below a docs root or an example."""
        return self._listed().framework_folders(docs_root)

    @property
    def examples(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """(framework, name) of each example -> its files, relative to its folder."""
        return self._listed().examples

    # Files

    def read(self, path: str) -> bytes:
        """Raises NotFound for a file that the branch does not have."""
        path = self._branch.real_file(path)
        return self._file(path).read(path)

    def size(self, path: str) -> int:
        """Bytes of a file. Raises what `read` raises."""
        path = self._branch.real_file(path)
        return self._file(path).size(path)

    def blob(self, path: str) -> str | None:
        """The git id of a file's content; None for a file that the branch does not have."""
        path = self._branch.real_file(path)
        return self._file(path).files.get(path)

    def is_pointer(self, path: str) -> bool:
        """Whether a file of the branch only names content that is kept in Git LFS."""
        branch = self._file(path)
        return branch.size(path) <= LONGEST_POINTER and is_pointer_text(branch.read(path))

    def file_url(self, path: str) -> str:
        """The URL on this site of a file that the branch has."""
        return self._file(path).file_url(path)

    def history(self, path: str) -> FileHistory | None:
        """The dates and authors of a file, as far as they are known."""
        path = self._branch.real_file(path)
        return self._file(path).tree.history(path)

    def config(self, docs_root: str) -> DocsConfig:
        """The navigation below a docs root. Raises NotFound where it is missing, InvalidFile where it is wrong."""
        file = self._branch.config_file(docs_root)
        if self._file(file).files.get(file):
            return self._branch.config(docs_root)
        self._listed()
        self._front_matter()
        try:
            return self._branch.config(docs_root)
        finally:
            self._recorder.update(FileContent(self.ref, path) for path in self._branch.menu_files(docs_root))

    def layout_of(self, path: str) -> PageLayout | None:
        """The layout that decides about the address of a page; None where files have addresses of their own names."""
        return self._listed().layout_of(path)

    def real_file(self, path: str) -> str:
        """The file in the repository of a page; other paths stay."""
        return self._branch.real_file(path)

    def included_files(self, path: str) -> Mapping[str, str | None]:
        """The files besides its own that a page of another dialect is made of, with their git ids."""
        if self._branch.place_of(path) is None:
            return {}
        file = self._branch.real_file(path)
        text = self._file(file).read(file).decode(errors="replace")
        if not any(mark in text for mark in INCLUDE_MARKS):
            return {}
        _, reads = self._branch.anchors(path)
        self._recorder.update(FileContent(self.ref, one) for one in reads)
        return {one: self._branch.files.get(one) for one in reads if one != file}

    def has_folder(self, path: str) -> bool:
        return path in self._listed().folders

    def is_in_docs(self, docs_root: str, path: str) -> bool:
        """Whether a file is below a docs root, and below no other docs root within it."""
        return self._branch.is_in_docs(docs_root, path)

    def is_static(self, path: str) -> bool:
        """Whether a file is in a folder that the original site serves beside its pages."""
        return self._branch.is_static(path)

    def source(self, path: str) -> tuple[MarkdownFile, list[str]]:
        """A page, and the files that it is made of. A job that reads a target appends it to the list."""
        reads: list[str] = []

        def read_text(file: str) -> str:
            reads.append(file)
            return self._file(file).read(file).decode(errors="replace")

        file = self._branch.real_file(path)
        place = self._branch.place_of(path)
        if place is not None and place.labels:
            self._listed()
        return MarkdownFile(f"{self.ref}:{file}", read_text(file), read_text, place), reads

    def anchors(self, path: str) -> Anchors:
        """The anchors of a page."""
        anchors, reads = self._branch.anchors(path)
        self._recorder.update(FileContent(self.ref, file) for file in reads)
        return anchors

    # Many files at once

    def titles(self, docs_root: str) -> Mapping[str, str]:
        """The title of each page below a docs root, by its path without extension."""
        return self._front_matter().titles(docs_root)

    def deprecated_pages(self, docs_root: str, paths: Iterable[str]) -> Mapping[str, str]:
        """Those of the pages that are deprecated, each with a line about it. Paths are relative to the docs root."""
        self._recorder.record(DeprecatedPages(self.ref))
        branch, found = self._listed(), {}
        for path in paths:
            file = branch.page_file(f"{docs_root}/{path}")
            # A page that cannot be read says so itself.
            with suppress(SiteError):
                if file is not None and (line := branch.deprecation(file)):
                    found[path] = line
        return found

    def symbol_pages(self, docs_root: str) -> SymbolPages:
        """Which pages of the API reference below a docs root are about which symbols."""
        self._recorder.record(ApiNames(self.ref))
        return self._listed().symbol_pages(docs_root)

    def framework_titles(self, docs_root: str, framework: str, *, is_reference: bool) -> Mapping[str, str]:
        """Like `titles`, for the API reference of a framework, or for its other pages."""
        self._recorder.record(FrameworkTitles(self.ref, framework, is_reference))
        return self._listed().framework_titles(docs_root, framework, is_reference=is_reference)

    def redirect_target(self, docs_root: str, path: str) -> str | None:
        """The page that a path without one leads to. Both are below the docs root and without extension."""
        return self._front_matter().redirect_target(docs_root, path)

    def pages_without_text(self, docs_root: str) -> frozenset[str]:
        """The files of pages that show the text of a missing file: their addresses are 404."""
        return self._front_matter().pages_without_text(docs_root)

    def generated_pages(self, docs_root: str) -> frozenset[str]:
        """The files of pages whose content a program of the original site makes. They are served, but not listed."""
        return self._front_matter().generated_pages(docs_root)

    def last_updated(self, paths: Iterable[str]) -> datetime | None:
        """The date of the last change to any of these pages, as far as it is known."""
        self._recorder.record(BranchDates(self.ref))
        tree = self._branch.tree
        files = map(self._branch.real_file, paths)
        known = (history.updated for path in files if (history := tree.history(path)))
        return max(known, default=None)

    def example_files(self) -> ExampleFilesReader:
        """Reads any file of any example, for responses that show all of them."""
        self._recorder.record(ExampleContents(self.ref))
        return ExampleFilesReader(self._branch)

    @property
    def changed_at(self) -> datetime | None:
        """The date of the commit."""
        self._recorder.record(BranchRevision(self.ref))
        return self._branch.tree.changed_at

    @property
    def revision(self) -> str:
        """The commit id; without git, a digest of the files."""
        self._recorder.record(BranchRevision(self.ref))
        return self._branch.revision

    @property
    def markdown(self) -> MarkdownRenderer:
        return self._branch.markdown

    def _listed(self) -> BranchDocs:
        if not self._is_listing_recorded:
            self._recorder.record(DirectoryListing(self.ref))
            self._is_listing_recorded = True
        return self._branch

    def _file(self, path: str) -> BranchDocs:
        self._recorder.record(FileContent(self.ref, path))
        return self._branch

    def _front_matter(self) -> BranchDocs:
        self._recorder.record(BranchFrontMatter(self.ref))
        return self._branch


class ExampleFilesReader:
    """Reads the files of all examples of a branch. The reader that made it has recorded the dependency."""

    def __init__(self, branch: BranchDocs) -> None:
        self.ref: Ref = branch.ref
        self._branch = branch

    def example_folder(self, framework: str, name: str) -> str:
        return self._branch.example_folder(framework, name)

    def read(self, path: str) -> bytes:
        return self._branch.read(self._checked(path))

    def size(self, path: str) -> int:
        return self._branch.size(self._checked(path))

    def blob(self, path: str) -> str | None:
        return self._branch.files.get(self._checked(path))

    def _checked(self, path: str) -> str:
        if not self._branch.examples_layout.has(path):
            raise NotFound(f"{path} is not a file of an example")
        return path


class BranchReaders:
    """Opens the branches of one docs snapshot for one response."""

    def __init__(
        self, catalog: Catalog, find_docs: Callable[[Ref], BranchDocs | None], recorder: DependencyRecorder
    ) -> None:
        self._catalog = catalog
        self._find_docs = find_docs
        self._recorder = recorder
        self._opened: dict[Ref, BranchReader] = {}

    def branch(self, ref: Ref) -> BranchReader:
        """Raises Refused for a branch that the catalog does not name, Unavailable where there is no copy of it."""
        if not self._catalog.is_source(ref):
            raise Refused(f"{ref} is not a source of this site")
        reader = self._open(ref)
        if reader is None:
            self._recorder.record(DirectoryListing(ref))
            raise Unavailable(f"There is no copy of {ref} on this site yet")
        return reader

    def find(self, ref: Ref) -> BranchReader | None:
        """The branch, or None where there is no copy of it."""
        self._recorder.record(DirectoryListing(ref))
        return self._open(ref)

    @contextmanager
    def nested(self) -> Iterator[tuple[BranchReaders, DependencyRecorder]]:
        """Readers with a recorder of their own, whose dependencies this recorder gets too, also after an error."""
        recorder = DependencyRecorder()
        try:
            yield BranchReaders(self._catalog, self._find_docs, recorder), recorder
        finally:
            self._recorder.update(recorder.dependencies)

    def record(self, dependencies: Iterable[Dependency]) -> None:
        """Record the dependencies of a cached value."""
        self._recorder.update(dependencies)

    def fingerprints(self, dependencies: Iterable[Dependency]) -> tuple[Fingerprint, ...]:
        """These dependencies with their present values, for a value that is cached across snapshots."""
        return tuple((one, self._value(one)) for one in dependencies)

    def reuse(self, fingerprints: Iterable[Fingerprint]) -> bool:
        """Record these dependencies if all have the values that they had. Returns whether they have."""
        known = tuple(fingerprints)
        if any(self._value(dependency) != value for dependency, value in known):
            return False
        self._recorder.update(dependency for dependency, _ in known)
        return True

    def _value(self, dependency: Dependency) -> str | None:
        match dependency:
            case FileContent(ref, path):
                docs = self._find_docs(ref)
                return None if docs is None else docs.files.get(path)
            case DirectoryListing(ref):
                docs = self._find_docs(ref)
                return None if docs is None else docs.listing_digest
        raise TypeError(f"{type(dependency).__name__} has no value to compare")

    def _open(self, ref: Ref) -> BranchReader | None:
        reader = self._opened.get(ref)
        if reader is None:
            docs = self._find_docs(ref)
            if docs is not None:
                reader = self._opened[ref] = BranchReader(docs, self._recorder)
        return reader

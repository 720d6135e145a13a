"""What a pull request changes in the docs: its pages, and what `kinfolk check` finds in them that the base has not.

Only what the pull request itself changed counts: pages that its base changed since are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kinfolk.config.catalog import Library
from kinfolk.config.catalog.releases import PullRequestHead
from kinfolk.content.changes.changed_pages import ChangedPages, ReadPage, changed_pages
from kinfolk.content.code_checks.check_report import ReportedFinding, page_findings
from kinfolk.content.code_checks.page_code import CHECKED_LANGUAGES
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.pages.checked_text import checked_text
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs
from kinfolk.runtime.errors import InvalidFile, NotFound, SiteError, Unavailable

MOST_CHECKED = 100
"""Changed pages that are checked. Rendering one takes up to half a second."""
MOST_FINDINGS = 200

PageChange = Literal["new", "changed", "moved", "removed"]


@dataclass(frozen=True)
class PreviewPage:
    """A page that a pull request changes. `before` is the former path of a page that moved.

    `to` is its address in the preview; that in the base for a removed page.
    """

    change: PageChange
    title: str
    path: str
    to: str
    before: str | None = None


@dataclass(frozen=True)
class PreviewFinding:
    """A fault of the docs, at a line of a file. `is_new` says that the base does not have it.

    `code` is the line of a code block that is wrong.
    """

    file: str
    line: str
    text: str
    is_new: bool
    code: str = ""


class PreviewComparison:
    """Compares the preview of a pull request with its base. Blocks: call it in a thread."""

    def __init__(self, docs: ContentReader, library: Library, version: str) -> None:
        """Raises NotFound for a version that is no preview, Unavailable where there is no copy of its files."""
        preview = library.releases.table.version(version)
        head = preview.pull_request if preview else None
        if head is None:
            raise NotFound(f"{library.name} has no preview {version[:20]}")
        self._docs = docs
        self._library = library
        self.head: PullRequestHead = head
        self.new = find_version_docs(docs, library, version)
        self.old = find_version_docs(docs, library, head.base)
        self._new_files, self._old_files = self.new.pages(), self.old.pages()
        self._changed = self._compare(docs.fork_files(library, version))

    @property
    def count(self) -> int:
        """The number of pages that the pull request changes."""
        found = self._changed
        return len(found.added) + len(found.removed) + len(found.moved) + len(found.changed)

    def pages(self) -> tuple[PreviewPage, ...]:
        """Changed pages first, then new, moved and removed ones, each sorted by path."""
        found = self._changed
        return (
            *(self._page("changed", path) for path in found.changed),
            *(self._page("new", path) for path in found.added),
            *(self._page("moved", each.path, each.old_path) for each in found.moved),
            *(self._page("removed", path) for path in found.removed),
        )

    def difference(self, page: PreviewPage) -> str:
        """The difference of a page to the base as HTML. Raises what the rendering of a page raises."""
        old = page.before or (page.path if page.change != "new" else None)
        new = None if page.change == "removed" else page.path
        found = self._docs.difference(self._location(self.old, old), self._location(self.new, new)).rendered
        return found.html(self._docs.highlighted_code(found.code_blocks).get)

    def findings(self) -> tuple[PreviewFinding, ...]:
        """The faults of the changed pages and of the menu: new ones first."""
        found = list(self._findings_of_menu())
        for path, before in self._checked():
            known = {text for _, text in self._faults(self.old, before)} if before else set()
            file = self._new_files[path]
            found += (
                PreviewFinding(file, line, text, text not in known) for line, text in self._faults(self.new, path)
            )
            found += self._code_findings(path, before)
        return tuple(sorted(dict.fromkeys(found), key=lambda one: not one.is_new)[:MOST_FINDINGS])

    def checked_paths(self) -> tuple[str, ...]:
        """The changed pages that are checked."""
        return tuple(path for path, _ in self._checked())

    def former_paths(self) -> tuple[str, ...]:
        """The paths in the base of the changed pages that are checked."""
        return tuple(before for _, before in self._checked() if before)

    def code_findings(self) -> tuple[PreviewFinding, ...]:
        """What is wrong in the code of the changed pages."""
        return tuple(dict.fromkeys(found for each in self._checked() for found in self._code_findings(*each)))

    def _checked(self) -> Sequence[tuple[str, str]]:
        """The path of each checked page, and that in the base; empty for a new page."""
        paths = [(path, path) for path in self._changed.changed]
        paths += [(path, "") for path in self._changed.added]
        paths += [(each.path, each.old_path) for each in self._changed.moved]
        return paths[:MOST_CHECKED]

    def _code_findings(self, path: str, before: str) -> Iterator[PreviewFinding]:
        """What is wrong in the code of a page. Nothing before both the page and that of the base were checked."""
        found = self._wrong_code(self.new, path)
        former = self._wrong_code(self.old, before) if before else ()
        if found is None or former is None:
            return
        known = {(each.finding.kind, each.finding.name, each.code) for each in former}
        for each in found:
            is_new = (each.finding.kind, each.finding.name, each.code) not in known
            yield PreviewFinding(each.file, f"line {each.line}" if each.line else "", each.sentence, is_new, each.code)

    def _wrong_code(self, docs: VersionDocs, path: str) -> Sequence[ReportedFinding] | None:
        """None for a page whose code was not checked."""
        try:
            location = self._docs.locate_address(docs.address(path))
            doc = self._docs.page(location)
        except SiteError:
            return None
        if not any(block.language in CHECKED_LANGUAGES for block in doc.page.code_blocks):
            return ()
        check = self._docs.code_check(location, doc.page)
        if check is None:
            return None
        file = doc.page.ref_path or docs.branch.real_file(doc.file_path)
        text = checked_text(docs.branch, path, doc.title, file=file, blocks=doc.page.code_blocks)
        return page_findings(text, check)

    def _compare(self, fork: Mapping[str, str] | None) -> ChangedPages:
        new, old = self._contents(self.new, self._new_files), self._contents(self.old, self._old_files)
        if fork is not None:
            for path in new.keys() | old.keys():
                docs, files = (self.new, self._new_files) if path in new else (self.old, self._old_files)
                if new.get(path) == fork.get(docs.branch.real_file(files[path])):
                    new.pop(path, None)
                    old.pop(path, None)
        return changed_pages(old, new, read_old=self._reading(self.old), read_new=self._reading(self.new))

    @staticmethod
    def _contents(docs: VersionDocs, files: Mapping[str, str]) -> dict[str, str]:
        """The path of each page -> the git id of its file."""
        branch = docs.branch
        return {path: branch.blob(file) or "" for path, file in files.items()}

    def _reading(self, docs: VersionDocs) -> ReadPage:
        files = self._new_files if docs is self.new else self._old_files

        def read(path: str) -> str:
            return docs.branch.read(files[path]).decode(errors="replace")

        return read

    def _page(self, change: PageChange, path: str, before: str | None = None) -> PreviewPage:
        docs = self.old if change == "removed" else self.new
        files = self._old_files if change == "removed" else self._new_files
        title = docs.branch.titles(docs.docs_root).get(path) or default_title(files[path])
        return PreviewPage(change, title, path, str(docs.address(path)), before)

    def _location(self, docs: VersionDocs, path: str | None) -> DocsLocation | None:
        if path is None:
            return None
        files = self._old_files if docs is self.old else self._new_files
        return docs.locate(files[path])

    def _faults(self, docs: VersionDocs, path: str) -> Iterable[tuple[str, str]]:
        """The line and the text of each fault of a page."""
        location = self._location(docs, path)
        if location is None:
            return
        try:
            page = self._docs.page(location)
        except (NotFound, Unavailable) as failure:
            yield "", failure.message
            return
        if page.page.limit is not None:
            yield "", "The page is too complex to format, and shown as plain text"
        for link in page.page.links:
            if link.broken:
                yield f"line {link.line}", f"The link {link.written[:200]} leads nowhere"
        for problem in page.page.problems:
            yield f"line {problem.line}", problem.message[:200]
        for image in page.missing_images:
            yield "", f"The image {image[:200]} is missing"

    def _findings_of_menu(self) -> Iterator[PreviewFinding]:
        known = {text for _, text in _menu_faults(self._docs, self.old)}
        for file, text in _menu_faults(self._docs, self.new):
            yield PreviewFinding(file, "", text, text not in known)


def _menu_faults(docs: ContentReader, version: VersionDocs) -> Iterator[tuple[str, str]]:
    """The file and the text of each fault of a menu."""
    root = version.docs_root
    try:
        config = docs.config(version.ref, root)
    except InvalidFile as wrong:
        yield f"{root}/config.json", f"{wrong.key}: {wrong.reason}"[:300]
        return
    except SiteError:  # docs without pages
        return
    for link in config.links():
        if not version.branch.has_entry(root, link.path):
            yield f"{root}/config.json", f"{link.label[:100]}: {link.to[:200]} leads nowhere"

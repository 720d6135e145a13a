"""The dependencies that a change of the docs makes stale.

Too few of them would leave an old page in a cache. Each one too many makes pages be rendered again without a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from kinfolk.content.dependencies import (
    ApiNames,
    BranchDates,
    BranchFrontMatter,
    BranchRevision,
    Dependency,
    DeprecatedPages,
    DirectoryListing,
    ExampleContents,
    FileContent,
    FrameworkTitles,
)
from kinfolk.content.docs.branch_docs import BranchDocs, indexed_facts, is_in_reference
from kinfolk.content.docs.other_pages.symbol_pages import is_about_symbols
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.sources.snapshot import Change
from kinfolk.runtime.errors import SiteError


def stale_dependencies(changed: Iterable[Change], before: DocsSnapshot, after: DocsSnapshot) -> frozenset[Dependency]:
    """The dependencies that are stale after these changes. Reads the changed Markdown files of both snapshots."""
    return frozenset(stale for change in changed for stale in _stale(change, before, after))


def _stale(change: Change, before: DocsSnapshot, after: DocsSnapshot) -> Iterator[Dependency]:
    ref, old, new = change.ref, before.branches.get(change.ref), after.branches.get(change.ref)
    yield BranchRevision(ref)
    yield from (FileContent(ref, path) for path in change.paths)
    if change.dates:
        yield BranchDates(ref)
    layouts = [branch.examples_layout for branch in (old, new) if branch is not None]
    if any(layout.has(path) for path in change.paths for layout in layouts):
        yield ExampleContents(ref)
    # A page can get another address from its front matter. Then links resolve differently.
    if change.listing or old is None or new is None or old.listing_digest != new.listing_digest:
        yield from (DirectoryListing(ref), BranchFrontMatter(ref))
        return
    if any(_deprecation(old, path) != _deprecation(new, path) for path in change.paths):
        yield DeprecatedPages(ref)
    if any(_symbols(old, path) != _symbols(new, path) for path in change.paths):
        yield ApiNames(ref)
    for path in change.paths:
        if (
            path.endswith((".md", ".mdx"))
            and old.blob(path) != new.blob(path)
            and _facts(old, path) != _facts(new, path)
        ):
            yield BranchFrontMatter(ref)
            for page in new.pages_of(path):
                for below, framework in _framework_paths(page):
                    yield FrameworkTitles(ref, framework, is_in_reference(below))


def _framework_paths(page: str) -> Iterator[tuple[str, str]]:
    """The path of a page of a framework below its docs root, wherever that is, and the framework."""
    parts = page.split("/")
    for at, (part, framework) in enumerate(pairwise(parts[:-1])):
        if part == "framework":
            yield "/".join(parts[at:]), framework


def _deprecation(docs: BranchDocs, path: str) -> object:
    """What menus say about a page. That of an unchanged file is computed once."""
    try:
        return docs.deprecation(path) if path.endswith((".md", ".mdx")) else None
    except SiteError:
        return object()


def _symbols(docs: BranchDocs, file: str) -> object:
    """The symbols that the pages of a file are about, if they belong to an API reference."""
    pages = docs.pages_of(file) if file.endswith((".md", ".mdx")) else ()
    try:
        return [docs.documented_names(page) for page in pages if is_about_symbols(page.removesuffix(".md"))]
    except SiteError:
        return object()


def _facts(docs: BranchDocs, path: str) -> object:
    """What indexes of a branch read of a page; of a file that cannot be read any more, a value of its own."""
    try:
        return indexed_facts(docs.read(path).decode(errors="replace"))
    except SiteError:
        return object()

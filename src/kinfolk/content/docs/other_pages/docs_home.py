"""The page at which the docs of a version begin: `/query/latest/docs` leads to it."""

from __future__ import annotations

from collections.abc import Iterator

from kinfolk.content.docs.snapshots.version_docs import VersionDocs

USUAL_NAMES = ("index", "README", "readme")


def home_candidates(version_docs: VersionDocs) -> Iterator[str]:
    """Paths below the docs, the preferred one first. A path need not name a page of this version."""
    yield version_docs.facts.default_docs or "overview"
    for link in version_docs.config().links():
        yield link.path
    yield from USUAL_NAMES


def docs_home(version_docs: VersionDocs) -> str | None:
    """The path of the first page; None for docs without pages."""
    root, branch = version_docs.docs_root, version_docs.branch
    found = (path for path in home_candidates(version_docs) if branch.page_file(f"{root}/{path}") is not None)
    return next(found, None) or next(iter(version_docs.pages()), None)

"""Counts of pages, versions and examples in the current docs."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import list_version_docs


@dataclass(frozen=True)
class ContentCounts:
    """The counts of all libraries together."""

    libraries: int
    frameworks: int
    versions: int
    pages: int
    examples: int


def count_content(docs: ContentReader) -> ContentCounts:
    """Counts the branches that there is a copy of, not all branches of the catalog."""
    found = list(list_version_docs(docs))
    return ContentCounts(
        libraries=len({one.library.id for one in found}),
        frameworks=len({framework for one in found for framework in one.frameworks}),
        versions=len(found),
        pages=sum(len(one.pages()) for one in found),
        examples=len({(one.ref, example) for one in found for example in one.branch.examples}),
    )

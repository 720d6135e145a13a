"""All code blocks of the docs, to be highlighted before they are requested."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import shuffle

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def docs_snippets(
    docs_snapshot: DocsSnapshot, *, on_page: Callable[[], None] = lambda: None
) -> Iterator[tuple[str, Iterator[CodeBlock]]]:
    """The code blocks of each branch under a name that contains its revision; latest versions first.

    The iterator may be consumed in another thread. `on_page` is called from that thread after each page.
    """
    catalog = docs_snapshot.catalog
    latest = [Ref(library.content_repo, library.latest_branch) for library in catalog.libraries]
    refs = [ref for ref in dict.fromkeys((*latest, *catalog.refs)) if ref in docs_snapshot.branches]
    return (
        (f"{ref} {docs_snapshot.branches[ref].tree.revision}", _snippets(docs_snapshot, ref, on_page)) for ref in refs
    )


def _snippets(docs_snapshot: DocsSnapshot, ref: Ref, on_page: Callable[[], None]) -> Iterator[CodeBlock]:
    docs = ContentReader(docs_snapshot)
    paths = list(docs.pages(ref))
    # In random order, so that processes that start together share the work instead of repeating it.
    shuffle(paths)
    for path in paths:
        try:
            location, branch = docs.locate(ref, path), docs.branch(ref)
            source, _ = branch.source(path)
            page = branch.markdown.page(source, framework=location.framework)
        except SiteError as wrong:  # it takes its text from a missing page, or cannot be read now
            log.info("page left out", ref=str(ref), path=path, reason=wrong.message)
            continue
        yield from page.code_blocks
        on_page()

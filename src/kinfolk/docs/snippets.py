"""All code of the docs, so that it can be highlighted before anybody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import shuffle

import structlog

from kinfolk.docs.library import Docs, framework_of
from kinfolk.docs.shelf import Shelf
from kinfolk.errors import SiteError
from kinfolk.markdown.page import Snippet
from kinfolk.sources.snapshot import Ref

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def sections(docs: Docs, *, on_page: Callable[[], None] = lambda: None) -> Iterator[tuple[str, Iterator[Snippet]]]:
    """The snippets of each branch under a name that changes with it; latest versions first.

    The iterator may be consumed in another thread; from there `on_page` is called after each page.
    """
    catalog = docs.catalog
    latest = [Ref(library.repo, library.latest_branch) for library in catalog.libraries]
    others = [Ref(repo, branch) for repo, branch in catalog.refs()]
    shelves = [docs.shelves[ref] for ref in dict.fromkeys(latest + others) if ref in docs.shelves]
    return ((f"{shelf.ref} {shelf.tree.revision}", _snippets(docs, shelf, on_page)) for shelf in shelves)


def _snippets(docs: Docs, shelf: Shelf, on_page: Callable[[], None]) -> Iterator[Snippet]:
    paths = list(docs.pages(shelf.ref))
    # In no particular order, so that several processes that begin at once share the work instead of repeating it.
    shuffle(paths)
    for path in paths:
        try:
            library, _ = docs.home(shelf.ref, path)
            source, _ = shelf.source(path)
            page = docs.markdown.page(source, framework=framework_of(library, path))
        except SiteError as wrong:  # it borrows from a page that is gone, or cannot be read now
            log.info("page left out", ref=str(shelf.ref), path=path, reason=wrong.message)
            continue
        yield from page.snippets
        on_page()

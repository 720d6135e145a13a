"""The code of examples that readers see first, so that it can be highlighted before anybody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from kinfolk.catalog import Catalog, Library
from kinfolk.errors import SiteError
from kinfolk.examples.file import LARGEST_SHOWN, source_of
from kinfolk.examples.listing import Found, example_at, is_ours
from kinfolk.examples.preview import preview_of
from kinfolk.markdown.page import Snippet
from kinfolk.sources.snapshot import Ref, Tree


class Branch(Protocol):
    """A tree and the examples in it."""

    @property
    def tree(self) -> Tree: ...

    @property
    def examples(self) -> Found: ...


def sections(catalog: Catalog, branches: Mapping[Ref, Branch]) -> Iterator[tuple[str, Iterator[Snippet]]]:
    """Of each library's latest version, under a name that changes with it. May be consumed in another thread."""
    for library in catalog.libraries:
        ref = Ref(library.repo, library.latest_branch)
        if ref in branches:
            branch = branches[ref]
            yield f"examples of {library.id} {branch.tree.revision}", _snippets(catalog, library, branch)


def _snippets(catalog: Catalog, library: Library, branch: Branch) -> Iterator[Snippet]:
    """The file that opens first of each example, and its preview."""
    for framework, name in branch.examples:
        example = example_at(library, branch.tree, branch.examples, framework, name)
        if example.start is None or not is_ours(catalog, library, name):
            continue
        try:
            if example.size(example.start) > LARGEST_SHOWN:
                continue
            source = source_of(example.start, example.read(example.start), framework)
        except SiteError:
            continue  # whoever asks for it is told
        if source.snippet is not None and source.is_coloured:
            yield source.snippet
            yield preview_of(source.snippet)

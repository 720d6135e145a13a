"""The code of entry files and previews of examples, to be highlighted before it is requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.docs_address import Ref
from kinfolk.content.examples.example import ExampleBranch
from kinfolk.content.examples.example_list import ExampleFiles, belongs_to, find_example
from kinfolk.content.examples.file_view import LARGEST_SHOWN, view_file
from kinfolk.content.examples.preview import preview_of
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import SiteError


class BranchExamples(ExampleBranch, Protocol):
    """A branch and its examples."""

    @property
    def revision(self) -> str: ...

    @property
    def examples(self) -> ExampleFiles: ...


def example_snippets(
    catalog: Catalog, branches: Mapping[Ref, BranchExamples]
) -> Iterator[tuple[str, Iterator[CodeBlock]]]:
    """The snippets of each latest version under a name with its revision. May be consumed in another thread."""
    for library in catalog.libraries:
        ref = Ref(library.content_repo, library.latest_branch)
        if ref in branches:
            branch = branches[ref]
            yield f"examples of {library.id} {branch.revision}", _snippets(catalog, library, branch)


def _snippets(catalog: Catalog, library: Library, branch: BranchExamples) -> Iterator[CodeBlock]:
    """The entry file of each example, and its preview."""
    for framework, name in branch.examples:
        example = find_example(library, branch, branch.examples, framework, name)
        if example.start is None or not belongs_to(catalog, library, name):
            continue
        try:
            if example.size(example.start) > LARGEST_SHOWN:
                continue
            source = view_file(example.start, example.read(example.start), framework)
        except SiteError:
            continue  # a request for the file reports the error
        if source.snippet is not None and source.is_highlighted:
            yield source.snippet
            yield preview_of(source.snippet)

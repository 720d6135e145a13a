"""All examples of a library: one entry for each name, also if several frameworks have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kinfolk.config.catalog import Catalog, Library
from kinfolk.content.examples.example import Example, ExampleBranch
from kinfolk.content.examples.file_view import LARGEST_SHOWN, view_file
from kinfolk.content.examples.preview import preview_of
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import NotFound

ExampleFiles = Mapping[tuple[str, str], tuple[str, ...]]
"""(framework, name) of each example of a branch -> its files, relative to its folder."""


@dataclass(frozen=True)
class FrameworkCount:
    framework: str
    examples: int


@dataclass(frozen=True)
class ListedExample:
    """An example, and all frameworks that have one of its name. `preview` is None for an example without code."""

    example: Example
    frameworks: tuple[str, ...]
    preview: CodeBlock | None


@dataclass(frozen=True)
class LibraryExamples:
    """`counts` are of all frameworks; `examples` are those of the requested framework, or one for each name."""

    counts: tuple[FrameworkCount, ...]
    examples: tuple[ListedExample, ...]


def find_example(library: Library, branch: ExampleBranch, found: ExampleFiles, framework: str, name: str) -> Example:
    """Raises NotFound for an unknown example."""
    files = found.get((framework, name))
    if not files:
        raise NotFound(f"There is no example “{name[:80]}” for {framework[:40]} in {library.name}")
    return Example(library, branch, framework, name, files)


def list_examples(
    catalog: Catalog, library: Library, branch: ExampleBranch, found: ExampleFiles, *, framework: str | None = None
) -> LibraryExamples:
    """The library's examples by name. Blocks: reads the entry file of each."""
    known = [each.value for each in catalog.frameworks]

    def rank(value: str) -> tuple[int, str]:
        return known.index(value) if value in known else len(known), value

    own = sorted(key for key in found if belongs_to(catalog, library, key[1]))
    counts = Counter(value for value, _ in own)
    by_name: dict[str, list[str]] = {}
    for value, name in own:
        by_name.setdefault(name, []).append(value)
    examples = []
    for name, values in sorted(by_name.items()):
        values.sort(key=rank)
        if framework is None or framework in values:
            example = find_example(library, branch, found, framework or values[0], name)
            examples.append(ListedExample(example, tuple(values), _preview(example)))
    return LibraryExamples(
        tuple(FrameworkCount(value, counts[value]) for value in sorted(counts, key=rank)),
        tuple(examples),
    )


def count_examples(catalog: Catalog, library: Library, found: Iterable[tuple[str, str]]) -> int:
    """How many examples a library has: an example of two frameworks counts twice. All pages state this number."""
    return sum(belongs_to(catalog, library, name) for _, name in found)


def belongs_to(catalog: Catalog, library: Library, name: str) -> bool:
    """Whether an example is the library's. Libraries that share a repository have a prefix for their examples."""
    if library.example_prefix:
        return name.startswith(library.example_prefix)
    siblings = (other.example_prefix for other in catalog.libraries if other.content_repo == library.content_repo)
    return not any(prefix and name.startswith(prefix) for prefix in siblings)


def _preview(example: Example) -> CodeBlock | None:
    if example.start is None or example.size(example.start) > LARGEST_SHOWN:
        return None
    source = view_file(example.start, example.read(example.start), example.framework)
    return preview_of(source.snippet) if source.snippet else None

"""All examples of a library on one page: one entry a name, however many frameworks have one of that name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kinfolk.catalog import Catalog, Library
from kinfolk.errors import NotFound
from kinfolk.examples.example import Example
from kinfolk.examples.file import LARGEST_SHOWN, source_of
from kinfolk.examples.preview import preview_of
from kinfolk.markdown.page import Snippet
from kinfolk.sources.snapshot import Tree

Found = Mapping[tuple[str, str], tuple[str, ...]]
"""(framework, name) of every example of a branch -> its files, relative to it."""


@dataclass(frozen=True)
class FrameworkCount:
    framework: str
    examples: int


@dataclass(frozen=True)
class Listed:
    """An example and all frameworks that have one of its name. `preview` is None where there is no code to show."""

    example: Example
    frameworks: tuple[str, ...]
    preview: Snippet | None


@dataclass(frozen=True)
class Listing:
    """`counts` are of all frameworks, `examples` of the wanted one, or one a name."""

    counts: tuple[FrameworkCount, ...]
    examples: tuple[Listed, ...]


def example_at(library: Library, tree: Tree, found: Found, framework: str, name: str) -> Example:
    """Raises NotFound where there is no such example."""
    files = found.get((framework, name))
    if not files:
        raise NotFound(f"There is no example {name[:80]!r} for {framework[:40]!r} in {tree.ref}")
    return Example(library, tree, framework, name, files)


def listing(catalog: Catalog, library: Library, tree: Tree, found: Found, *, framework: str | None = None) -> Listing:
    """The library's examples by name. Reads the first file of each: for a large repository not on an event loop."""
    known = [each.value for each in catalog.frameworks]

    def rank(value: str) -> tuple[int, str]:
        return known.index(value) if value in known else len(known), value

    ours = sorted(key for key in found if is_ours(catalog, library, key[1]))
    counts = Counter(value for value, _ in ours)
    by_name: dict[str, list[str]] = {}
    for value, name in ours:
        by_name.setdefault(name, []).append(value)
    examples = []
    for name, having in sorted(by_name.items()):
        having.sort(key=rank)
        if framework is None or framework in having:
            example = example_at(library, tree, found, framework or having[0], name)
            examples.append(Listed(example, tuple(having), _preview(example)))
    return Listing(
        tuple(FrameworkCount(value, counts[value]) for value in sorted(counts, key=rank)),
        tuple(examples),
    )


def is_ours(catalog: Catalog, library: Library, name: str) -> bool:
    """Of libraries that share a repository, the one whose prefix an example has is whose it is."""
    if library.example_prefix:
        return name.startswith(library.example_prefix)
    beside = (other.example_prefix for other in catalog.libraries if other.repo == library.repo)
    return not any(prefix and name.startswith(prefix) for prefix in beside)


def _preview(example: Example) -> Snippet | None:
    if example.start is None or example.size(example.start) > LARGEST_SHOWN:
        return None
    source = source_of(example.start, example.read(example.start), example.framework)
    return preview_of(source.snippet) if source.snippet else None

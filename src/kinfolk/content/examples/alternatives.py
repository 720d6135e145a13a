"""The target of a change of version or framework: the example of the same name, else a list of examples."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import quote

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import version_path
from kinfolk.content.examples.example import Example
from kinfolk.content.examples.example_list import belongs_to


class ExampleAlternative(NamedTuple):
    """`title` names the target when it is not the example of the same name."""

    to: str
    title: str | None


def example_alternative(
    catalog: Catalog, example: Example, segment: str, framework: str, *, found: Collection[tuple[str, str]]
) -> ExampleAlternative:
    """The target in a version and a framework. `found` are (framework, name) of all examples of that version."""
    docs = f"{version_path(example.library.id, segment)}/docs"
    examples = f"{docs}/framework/{quote(framework)}/examples"
    if (framework, example.name) in found:
        return ExampleAlternative(f"{examples}/{quote(example.name)}", None)
    if any(other == framework and belongs_to(catalog, example.library, name) for other, name in found):
        return ExampleAlternative(examples, f"{catalog.framework(framework).label} examples")
    return ExampleAlternative(f"{docs}/examples", "All examples")

"""Where a change of version or framework leads from an example: to the one of that name, else to a list of others."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import quote

from kinfolk.catalog import Catalog
from kinfolk.examples.example import Example
from kinfolk.examples.listing import is_ours


class Switch(NamedTuple):
    """`title` says what is there when it is not the example of the same name."""

    to: str
    title: str | None


def switch(
    catalog: Catalog, example: Example, segment: str, framework: str, *, found: Collection[tuple[str, str]]
) -> Switch:
    """From an example to a version and a framework. `found` are (framework, name) of all examples of that version."""
    docs = f"/{example.library.id}/{segment}/docs"
    examples = f"{docs}/framework/{quote(framework)}/examples"
    if (framework, example.name) in found:
        return Switch(f"{examples}/{quote(example.name)}", None)
    if any(theirs == framework and is_ours(catalog, example.library, name) for theirs, name in found):
        return Switch(examples, f"{catalog.framework(framework).label} examples")
    return Switch(f"{docs}/examples", "All examples")

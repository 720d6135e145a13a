"""A page as its repository stores it -> the text to render: `ref`, `replace`, sections done, markers gone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from kinfolk.budget import BUDGETS, OverBudget
from kinfolk.errors import NotFound
from kinfolk.markdown.front import parse_front, split_front
from kinfolk.markdown.page import FrontMatter
from kinfolk.markdown.replace import replace_all

# The page itself and two more: the reference reads no further either.
MOST_READS = 3

_MARKER = re.compile(r"\[//\]: # '([A-Za-z0-9]*)'")


@dataclass(frozen=True)
class Composed:
    """The Markdown to render. `ref_path` is the file the text came from when it is not the page's own."""

    text: str
    front: FrontMatter
    ref_path: str | None = None
    first_line: int = 1
    """The line of the file that `text` begins with."""


def compose(text: str, read_target: Callable[[str], str]) -> Composed:
    """The page's own text, or its target's with the page's replacements and sections.

    `read_target` reads a path from the repository's root and raises NotFound. The page's own title and
    description win over the target's; NotFound names a target that is missing or refers too far. Raises OverBudget
    for a text that is longer than a page may be, at first or in the end.
    """
    layers = [_normal(text)]
    fronts = [parse_front(split_front(layers[0])[0])]
    while (ref := fronts[-1].ref) is not None:
        if len(layers) == MOST_READS:
            raise NotFound(f"{fronts[0].ref} refers to {fronts[-2].ref} and that to {ref}: too far to follow")
        layers.append(_normal(_read(ref, read_target)))
        fronts.append(parse_front(split_front(layers[-1])[0]))

    whole = layers[-1]
    for layer, front in zip(layers[-2::-1], fronts[-2::-1], strict=True):
        whole = replace_all(whole, front.replace)
        block, body = split_front(whole)
        whole = f"---\n{block}\n---\n{_with_sections(body, split_front(layer)[1])}"
    block, body = split_front(whole)
    if len(layers) > 1:
        fronts[-1] = parse_front(block)
    return Composed(
        text=_MARKER.sub("", body),
        front=_merged(fronts),
        ref_path=fronts[-2].ref if len(fronts) > 1 else None,
        first_line=1 + whole.count("\n", 0, len(whole) - len(body)),
    )


def _normal(text: str) -> str:
    _check_length(len(text))
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _check_length(length: int) -> None:
    if length > BUDGETS["markdown"].input_bytes:
        raise OverBudget("markdown", "size", "This page's text is longer than the site formats")


def _read(ref: str, read_target: Callable[[str], str]) -> str:
    path = ref.lstrip("/")
    missing = NotFound(f"This page shows the text of {ref}, which does not exist")
    if ".." in path.split("/"):
        raise missing
    try:
        return read_target(path)
    except NotFound:
        raise missing from None


def _with_sections(target: str, page: str) -> str:
    """The target's marked blocks replaced by the page's blocks of the same name."""
    own = {name: page[start:end] for name, start, end in _sections(page)}
    parts: list[str] = []
    done = length = 0
    for name, start, end in _sections(target):
        if name in own:
            parts += (target[done:start], own[name])
            done = end
            length += len(parts[-2]) + len(parts[-1])
            _check_length(length)
    return "".join([*parts, target[done:]])


def _sections(text: str) -> list[tuple[str, int, int]]:
    """Blocks between two markers of one name, markers included; a marker without its twin opens nothing."""
    markers = list(_MARKER.finditer(text))
    found = []
    at = 0
    while at + 1 < len(markers):
        first, second = markers[at], markers[at + 1]
        if first[1] == second[1]:
            found.append((first[1], first.start(), second.end()))
            at += 1
        at += 1
    return found


def _merged(fronts: list[FrontMatter]) -> FrontMatter:
    """The page's own keys, completed by those of the pages it refers to."""
    own = fronts[0]
    for further in fronts[1:]:
        own = replace(
            own,
            title=own.title or further.title,
            description=own.description or further.description,
            keywords=own.keywords or further.keywords,
            toc=own.toc and further.toc,
            resources=own.resources or further.resources,
        )
    return own

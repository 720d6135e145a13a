"""What `kinfolk new` found in each repository, as lines of the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kinfolk.cli.new.facts.repository_facts import FoundLibrary
from kinfolk.config.package_registries import REGISTRIES

MOST_KINDS = 6
"""Kinds of faults that are shown; `kinfolk check` has all."""
_LONGEST = 78
_PLACED = re.compile(r"([^:]+): line (\d+): (.+)", re.DOTALL)


def library_lines(library: FoundLibrary, color: str) -> Iterator[str]:
    """What was found, and what is left to add."""
    docs = library.docs
    pages = len(docs.pages) + sum(map(len, docs.versions.values()))
    versions = f" in {len(docs.facts.versions)} versions" if len(docs.facts.versions) > 1 else ""
    yield f"{library.name}: {pages} pages{versions} of {library.detection.program.title} in {docs.facts.docs_root}"
    if library.tagline:
        yield f"  {library.tagline if len(library.tagline) <= _LONGEST else library.tagline[: _LONGEST - 1] + '…'}"
    yield f"  {', '.join(_found(library, color))}"
    if library.other_docs:
        yield f"  Not taken over: docs in {', '.join(library.other_docs[:4])}"
    if missing := missing_facts(library):
        yield f"  Not found: {', '.join(missing)}. Add to libraries/{library.id}.toml"


def _found(library: FoundLibrary, color: str) -> Iterator[str]:
    if library.package:
        yield f"{REGISTRIES[library.package.registry].label} package {library.package.name}"
    yield f"color {color}" + (f" of {library.look.hue_file}" if library.look.hue == color else "")
    if library.look.logo:
        yield f"logo {library.look.logo_file}"
    if library.code:
        yield f"code in {library.code.language}"
    if library.features:
        yield f"{len(library.features)} features"


def fault_lines(faults: Sequence[str]) -> Iterator[str]:
    """A line for each kind of fault, the commonest first: how often it is there, and the first place."""
    places: dict[str, list[str]] = {}
    for fault in faults:
        placed = _PLACED.match(fault)
        reason, place = (placed[3], f"{placed[1]}, line {placed[2]}") if placed else (fault, "")
        places.setdefault(reason, []).append(place)
    kinds = sorted(places.items(), key=lambda kind: -len(kind[1]))
    for reason, found in kinds[:MOST_KINDS]:
        count = f"{len(found)} times: " if len(found) > 1 else ""
        yield f"{count}{reason}" + (f" ({found[0]})" if found[0] else "")
    if left := sum(len(found) for _, found in kinds[MOST_KINDS:]):
        yield f"{left} more"


def missing_facts(library: FoundLibrary) -> list[str]:
    """The facts that the repository does not have, by their keys."""
    facts: Mapping[str, object] = {
        "tagline": library.tagline,
        "packages": library.package,
        "samples": library.code,
        "color": library.look.hue,
        "logo.svg": library.look.logo,
    }
    return [key for key, fact in facts.items() if not fact]

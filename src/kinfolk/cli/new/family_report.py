"""What `kinfolk new` found in each repository, as lines of the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kinfolk.cli.new.facts.repository_facts import FoundLibrary
from kinfolk.config.package_registries import REGISTRIES

_LONGEST = 78


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

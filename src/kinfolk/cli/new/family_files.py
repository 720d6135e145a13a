"""The libraries of repositories -> the files of the folder of their site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kinfolk.cli.import_site.site_files import docs_keys, docs_tables
from kinfolk.cli.new.facts.repository_facts import FoundLibrary
from kinfolk.cli.new.new_site import shared_files, toml_text
from kinfolk.config.catalog.derived_facts import COLORS
from kinfolk.config.package_registries import NPM

MOST_NAMES = 5
SAMPLE = "example"
"""Name of the file of a library's code."""


def family_files(
    family: str, libraries: Sequence[FoundLibrary], *, color: str | None, version: str
) -> Mapping[str, str | bytes]:
    """The text of each file by its path in the folder of the site. `color` is that of the first library."""
    files: dict[str, str | bytes] = {
        "kinfolk.toml": "\n".join(_family(family, libraries)) + "\n",
        **shared_files(family, version=version),
    }
    colors = chosen_colors(libraries, color)
    for order, library in enumerate(libraries, start=1):
        folder = f"libraries/{library.id}"
        files[f"{folder}.toml"] = "\n".join(_library(library, order, colors[library.id])) + "\n"
        if library.code:
            files[f"{folder}/samples/{SAMPLE}.{library.code.ending}"] = library.code.code + "\n"
        if library.look.logo:
            files[f"{folder}/logo.svg"] = library.look.logo + "\n"
    return files


def chosen_colors(libraries: Sequence[FoundLibrary], first: str | None) -> Mapping[str, str]:
    """The hue of each library: its own, else one that no other has."""
    found = {library.id: library.look.hue for library in libraries if library.look.hue}
    if first and libraries:
        found[libraries[0].id] = first
    free = iter([hue for hue in COLORS if hue not in found.values()])
    return {library.id: found.get(library.id) or next(free, COLORS[0]) for library in libraries}


def listed(names: Sequence[str]) -> str:
    """`Zustand, Jotai and Starlight`; of many, the first ones and the number of others."""
    shown = names if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} others"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _family(family: str, libraries: Sequence[FoundLibrary]) -> Iterator[str]:
    names = listed([library.name for library in libraries])
    yield f"# What the libraries of {family} share. All keys: docs/configuration.md of Kinfolk."
    yield ""
    yield f"family = {toml_text(family)}"
    yield f"title = {toml_text(family)}"
    yield f"description = {toml_text(f'Documentation of {names}')}"
    yield ""
    yield "# Readers have no accounts. Without this line they can sign in: docs/operations.md of Kinfolk, Accounts."
    yield "accounts = false"
    if len(libraries) > 1:  # the home page of one library is its landing page
        yield from ("", "# The home page begins with these words.", "[home]", f"claim = {toml_text(names)}")
        yield f"lede = {toml_text(f'The docs of {family}, with one search.')}"


def _library(library: FoundLibrary, order: int, color: str) -> Iterator[str]:
    yield f"# From {library.ref.repo}. All keys: docs/configuration.md of Kinfolk."
    yield ""
    yield f"name = {toml_text(library.name)}"
    for key, text in (("tagline", library.tagline), ("description", library.description)):
        if text:
            yield f"{key} = {toml_text(text)}"
    yield f"order = {order}"
    yield f"color = {toml_text(color)}"
    yield f"repo = {toml_text(library.ref.repo)}"
    yield f"latest_branch = {toml_text(library.ref.branch)}"
    yield from docs_keys(library.docs, library.default_page)
    if library.examples:
        yield f"examples = {toml_text(library.examples)}"
    yield from _landing(library)
    yield from docs_tables(library.docs)


def _landing(library: FoundLibrary) -> Iterator[str]:
    package, code, start = library.package, library.code, library.start
    if package and package.registry == NPM:
        yield f"npm_packages = [{toml_text(package.name)}]"
    if library.is_dev:
        yield "dev_packages = true"
    if library.features:
        yield from ("feature_list = [", *(f"  {toml_text(feature)}," for feature in library.features), "]")
    if code and library.code_title:
        yield f"samples_title = {toml_text(library.code_title)}"
    if package:
        yield from ("", "[[packages]]", f"name = {toml_text(package.name)}")
        if package.registry != NPM:
            yield f"registry = {toml_text(package.registry)}"
    if code:
        file = toml_text(f"{SAMPLE}.{code.ending}")
        title = toml_text(code.file) if code.file else file
        yield from ("", "[[samples]]", f"file = {file}", f"title = {title}", f"language = {toml_text(code.language)}")
    for name, address in library.embeds.items():
        yield from ("", f"[components.{name}]", 'as = "embed"', f"address = {toml_text(address)}")
    if start:
        yield from ("", "[call_to_action]", f"title = {toml_text(start.title)}", f"text = {toml_text(start.text)}")
        yield from ('label = "Read the docs"', f"to = {toml_text(start.path)}")

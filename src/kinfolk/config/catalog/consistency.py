"""Checks relations between the facts of a site: unique names, and references to existing names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

from kinfolk.config.catalog.family import Family
from kinfolk.config.catalog.library import LATEST, Library, Package, Sample
from kinfolk.config.catalog.shown_period import has_valid_days
from kinfolk.config.code_hosts import CodeHost
from kinfolk.config.package_registries import REGISTRIES, is_package
from kinfolk.runtime.errors import InvalidFile

Value = TypeVar("Value", bound=Hashable)


def library_file(id: str) -> str:
    """The name of a library's file."""
    return f"libraries/{id}.toml"


def library_errors(library: Library, file: str) -> Iterator[InvalidFile]:
    if file != f"libraries/{library.id}.toml":
        yield InvalidFile(file, "id", f"is {library.id}, so the file should be called {library.id}.toml")
    if library.to != f"/{library.id}":
        yield InvalidFile(file, "to", f"should be /{library.id}")
    branches = {version.name: version.branch or library.latest_branch for version in library.versions}
    if library.latest_version not in branches:
        yield InvalidFile(file, "latest_version", f"{library.latest_version} is not among the versions")
    elif branches[library.latest_version] != library.latest_branch:
        branch = branches[library.latest_version]
        yield InvalidFile(file, "latest_branch", f"should be {branch}, where {library.latest_version} is")
    if LATEST in branches:
        yield InvalidFile(file, "versions", f"{LATEST} is the site's own word for the latest version")
    for key, values in (
        ("versions", library.version_names),
        ("frameworks", library.frameworks),
        ("builds_on", library.builds_on),
    ):
        for value in _duplicates(values):
            yield InvalidFile(file, key, f"{value} is there twice")
    yield from _folder_errors(library, file)
    yield from _repository_errors(library, file)


def _folder_errors(library: Library, file: str) -> Iterator[InvalidFile]:
    """Folders of versions that are the docs of another version, too: its pages would have two addresses."""
    owners: dict[tuple[str, str], str] = {}
    for index, version in enumerate(library.versions):
        place = version.branch or library.latest_branch, version.docs_root or library.docs_root
        owner = owners.setdefault(place, version.name)
        if owner != version.name and version.docs_root is not None:
            yield InvalidFile(file, f"versions[{index}].docs_root", f"is that of {owner}")


def _repository_errors(library: Library, file: str) -> Iterator[InvalidFile]:
    if library.repo is None and library.folder is None:
        yield InvalidFile(file, "repo", "is missing")
    for index, entry in enumerate(library.menu):
        if not entry.to.startswith(f"{library.to}/") and entry.to != library.repo_url:
            repository = f" or be {library.repo_url}" if library.repo_url else ""
            yield InvalidFile(file, f"menu[{index}].to", f"should be below {library.to}/{repository}")


def framework_errors(library: Library, file: str) -> Iterator[InvalidFile]:
    lists: list[tuple[str, tuple[Package, ...] | tuple[Sample, ...]]] = [
        ("packages", library.packages),
        ("samples", library.samples),
    ]
    for number, version in enumerate(library.versions):
        lists += ((f"versions[{number}].packages", version.packages), (f"versions[{number}].samples", version.samples))
    for key, entries in lists:
        # Packages of several registries are commands for several audiences.
        mentioned = [(entry.registry if isinstance(entry, Package) else "", entry.framework) for entry in entries]
        registries = [registry for registry, _ in mentioned]
        for _, value in _duplicates(each for each in mentioned if each[1] is not None):
            yield InvalidFile(file, key, f"{value} is there twice")
        for index, (registry, framework) in enumerate(mentioned):
            if framework is None and registries.count(registry) > 1:
                yield InvalidFile(file, f"{key}[{index}]", "should name its framework, because there are several")
            if framework is not None and framework not in library.frameworks:
                yield InvalidFile(file, f"{key}[{index}].framework", f"{framework} is not among the frameworks")
        yield from _package_errors(entries, key, file)


def _package_errors(entries: Iterable[Package | Sample], key: str, file: str) -> Iterator[InvalidFile]:
    for index, entry in enumerate(entries):
        if isinstance(entry, Package) and not is_package(entry.registry, entry.name):
            registry = REGISTRIES[entry.registry]
            reason = f"should look like {registry.example}, as packages of {registry.label} do"
            yield InvalidFile(file, f"{key}[{index}].name", reason)


def catalog_conflicts(libraries: Iterable[Library], family: Family) -> Iterator[InvalidFile]:
    libraries = tuple(libraries)
    ids = [library.id for library in libraries]
    frameworks = {framework.value for framework in family.frameworks}
    owners: dict[tuple[str, object], str] = {}
    spellings: dict[str, str] = {}
    hosts: dict[str, CodeHost | None] = {}
    examples: dict[str, str | None] = {}
    for library in libraries:
        file = f"libraries/{library.id}.toml"
        if library.group is not None and all(group.id != library.group for group in family.groups):
            yield InvalidFile(file, "group", f"{library.group} is not a group of kinfolk.toml")
        for index, value in enumerate(library.frameworks):
            if value not in frameworks:
                yield InvalidFile(file, f"frameworks[{index}]", f"{value} is not a framework of kinfolk.toml")
        # GitHub ignores the case of names, but mirrors, webhooks and cache tags compare names exactly.
        repo = library.content_repo
        if spellings.setdefault(repo.casefold(), repo) != repo:
            yield InvalidFile(file, "repo", f"is spelled {spellings[repo.casefold()]} elsewhere")
        if hosts.setdefault(repo.casefold(), library.code_host) != library.code_host:
            yield InvalidFile(file, "host", f"{repo} is on another host in another file")
        if examples.setdefault(repo.casefold(), library.examples) != library.examples:
            yield InvalidFile(file, "examples", f"is another pattern of {repo} in another file")
        roots = dict.fromkeys((library.docs_root, *(version.docs_root for version in library.versions)))
        docs = [("docs_root", (repo.casefold(), root)) for root in roots if root is not None]
        for key, fact in (("order", library.order), ("name", library.name), *docs):
            owner = owners.setdefault((key, fact), library.id)
            if owner != library.id:
                yield InvalidFile(file, key, f"is the same as in {owner}.toml")
    yield from _foundation_errors(libraries)
    yield from _reference_errors(family, ids)
    yield from _home_errors(family, ids)


def _foundation_errors(libraries: tuple[Library, ...]) -> Iterator[InvalidFile]:
    for library in libraries:
        for index, id in enumerate(library.builds_on):
            if id == library.id:
                yield InvalidFile(library_file(id), f"builds_on[{index}]", "is the library itself")
            elif all(other.id != id for other in libraries):
                yield InvalidFile(library_file(library.id), f"builds_on[{index}]", f"there is no library {id}")


def _home_errors(family: Family, ids: list[str]) -> Iterator[InvalidFile]:
    first = family.first_framework
    if first is not None and all(framework.value != first for framework in family.frameworks):
        yield InvalidFile("kinfolk.toml", "first_framework", f"{first} is not a framework of kinfolk.toml")
    if (family.home.emphasis or "") not in family.home.claim:
        yield InvalidFile("kinfolk.toml", "home.emphasis", "should be words of the claim")
    if family.announcement is not None and not has_valid_days(family.announcement):
        yield InvalidFile("kinfolk.toml", "announcement.ends", "is before the first day")
    for index, id in enumerate(family.home.featured):
        if id not in ids:
            yield InvalidFile("kinfolk.toml", f"home.featured[{index}]", f"there is no library {id}")
    for index, course in enumerate(family.courses):
        if course.library not in ids:
            yield InvalidFile("kinfolk.toml", f"courses[{index}].library", f"there is no library {course.library}")


def _reference_errors(family: Family, ids: list[str]) -> Iterator[InvalidFile]:
    grouped = Counter(id for group in family.groups for id in group.libraries)
    for id in ids:
        if grouped[id] != 1:
            yield InvalidFile("kinfolk.toml", "groups", f"{id} should be in one group, not in {grouped[id]}")
    references = [(f"groups[{i}].libraries", group.libraries) for i, group in enumerate(family.groups)]
    references += [(f"partners[{i}].libraries", partner.libraries) for i, partner in enumerate(family.partners)]
    for key, referenced in references:
        for index, id in enumerate(referenced):
            if id not in ids:
                yield InvalidFile("kinfolk.toml", f"{key}[{index}]", f"there is no library {id}")
    for key, values in (
        ("groups", [group.id for group in family.groups]),
        ("frameworks", [framework.value for framework in family.frameworks]),
        ("partners", [partner.id for partner in family.partners]),
        ("ad_slots", [slot.id for slot in family.ad_slots]),
    ):
        for value in _duplicates(values):
            yield InvalidFile("kinfolk.toml", key, f"{value} is there twice")


def _duplicates(values: Iterable[Value]) -> list[Value]:
    return [value for value, times in Counter(values).items() if times > 1]

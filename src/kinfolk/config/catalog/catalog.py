"""The family and its libraries, found by id, by branch and by path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from kinfolk.config.catalog.examples_layout import VANILLA, ExamplesRule
from kinfolk.config.catalog.family import Consultant, Family, Framework
from kinfolk.config.catalog.library import Library, Version
from kinfolk.config.code_hosts import CodeHost, code_host
from kinfolk.config.data_files import WHOLE_REPOSITORY
from kinfolk.config.docs_address import Ref
from kinfolk.config.package_registries import NPM
from kinfolk.runtime.errors import NotFound

MOST_TAG_PARTS = 4
"""Parts between slashes of a tag that `ref_of_path` finds, such as `@acme/tiles@1.0.0`."""


@dataclass(frozen=True, kw_only=True)
class Catalog(Family):
    """The family and its libraries, these in registry order."""

    libraries: tuple[Library, ...]

    def library(self, id: str) -> Library:
        if id not in self._by_id:
            raise NotFound(f'Library with id "{id}" not found')
        return self._by_id[id]

    def find_library(self, id: str) -> Library | None:
        return self._by_id.get(id)

    def consultants_on(self, day: date) -> tuple[Consultant, ...]:
        """The first consultant, then the others. Their order rotates by one each day."""
        first, others = self.consultants[:1], self.consultants[1:]
        offset = day.toordinal() % len(others) if others else 0
        return (*first, *others[offset:], *others[:offset])

    def framework(self, value: str) -> Framework:
        """A framework by its value. One that `kinfolk.toml` does not list gets a label made of its value."""
        for framework in self.frameworks:
            if framework.value == value:
                return framework
        label = value.replace("-", " ").replace("_", " ").title()
        return Framework(value, label or value, color="gray-500")

    @property
    def default_framework(self) -> str | None:
        """The framework for readers who have not chosen one."""
        return self.first_framework or (self.frameworks[0].value if self.frameworks else None)

    def sort_frameworks(self, values: Iterable[str]) -> tuple[str, ...]:
        """Frameworks in the order of `kinfolk.toml`, then the others by name."""
        known = [framework.value for framework in self.frameworks]
        return tuple(sorted(values, key=lambda name: (known.index(name) if name in known else len(known), name)))

    @cached_property
    def refs(self) -> tuple[Ref, ...]:
        """Each branch that holds a version of a library, once."""
        refs = (library.ref(version.name) for library in self.libraries for version in library.versions)
        return tuple(dict.fromkeys(refs))

    @cached_property
    def hosts(self) -> Mapping[str, CodeHost]:
        """The code host of each repository."""
        return {library.content_repo: host for library in self.libraries if (host := library.code_host) is not None}

    @cached_property
    def on_github(self) -> Mapping[str, str]:
        """The repository of each library on github.com, by its id: there stars and contributors are counted."""
        github = code_host()
        return {library.id: library.content_repo for library in self.libraries if library.code_host == github}

    @property
    def package_repositories(self) -> dict[str, str]:
        """The repository on GitHub of each npm package that a library declares."""
        return {name: repo for id, repo in self.on_github.items() for name in self.library(id).npm_packages}

    def libraries_of(self, repo: str) -> tuple[Library, ...]:
        """The libraries with docs in a repository."""
        return self._by_repo.get(repo, ())

    def ref_of_path(self, repo: str, path: str) -> tuple[Ref, str] | None:
        """The branch or release that a path begins with, and the rest: both may contain slashes."""
        for ref in self.refs:
            rest = path.removeprefix(f"{ref.branch}/")
            if ref.repo == repo and rest != path:
                return ref, rest
        parts = path.split("/")
        for end in range(1, min(len(parts), MOST_TAG_PARTS + 1)):
            ref = Ref(repo, "/".join(parts[:end]))
            if self.is_source(ref):
                return ref, "/".join(parts[end:])
        return None

    def host_of(self, repo: str) -> CodeHost | None:
        """The host of a repository; None for the name of content that is in no repository."""
        return self.hosts.get(repo)

    def docs_home(self, ref: Ref, path: str) -> tuple[Library, Version] | None:
        """The library and version that a file of a branch documents; of versions in one folder, the newest."""
        docs_root = self.docs_root(ref, path)
        return None if docs_root is None else self._homes_on(ref)[docs_root]

    def docs_root(self, ref: Ref, path: str) -> str | None:
        """The docs root that a file of a branch is in: the deepest one."""
        for docs_root in self._homes_on(ref):
            if docs_root in (path, WHOLE_REPOSITORY) or path.startswith(docs_root + "/"):
                return docs_root
        return None

    def versions_on(self, ref: Ref) -> Iterator[tuple[Library, Version]]:
        """The versions whose docs are on a branch, one for each docs root: that which `docs_home` returns."""
        return iter(self._homes_on(ref).values())

    def examples_rule(self, ref: Ref) -> ExamplesRule:
        """Where the examples of a branch are. Libraries of one repository have one pattern."""
        libraries = list({library.id: library for library, _ in self.versions_on(ref)}.values())
        own = list(dict.fromkeys(value for library in libraries for value in library.frameworks))
        known = frozenset((*own, *(framework.value for framework in self.frameworks)))
        pattern = next((library.examples for library in libraries if library.examples), None)
        return ExamplesRule(pattern, own[0] if len(own) == 1 else VANILLA, known)

    @cached_property
    def npm_names(self) -> Mapping[str, Mapping[str, str | None]]:
        """The names of the npm packages of each library that has any, each with its framework if it has one."""
        named = ((library.id, _npm_names(library)) for library in self.libraries)
        return {id: names for id, names in named if names}

    def release_packages(self, library: Library) -> list[tuple[str, str]]:
        """The frameworks and packages of a library, that of the default framework first: it numbers the releases."""
        packages = [(each.framework or "", each.name_without_version) for each in library.packages]
        return sorted(packages, key=lambda package: package[0] != self.default_framework)

    def is_source(self, ref: Ref) -> bool:
        """Whether a branch holds a version of a library, or a tag a known release."""
        return ref in self._homes or bool(self._homes_on(ref))

    def _homes_on(self, ref: Ref) -> Mapping[str, tuple[Library, Version]]:
        """The docs roots of a branch, or of the tag of a release, the longest first."""
        if ref in self._homes:
            return self._homes[ref]
        homes: dict[str, tuple[Library, Version]] = {}
        for library in self.libraries_of(ref.repo):
            release = library.releases.table.of_tag(ref.branch)
            if release is not None:
                facts = library.docs_facts(release.number)
                homes.setdefault(facts.docs_root, (library, facts.version))
        return dict(sorted(homes.items(), key=lambda root: len(root[0]), reverse=True))

    @cached_property
    def _by_repo(self) -> Mapping[str, tuple[Library, ...]]:
        repos = dict.fromkeys(library.content_repo for library in self.libraries)
        return {repo: tuple(each for each in self.libraries if each.content_repo == repo) for repo in repos}

    @cached_property
    def _by_id(self) -> Mapping[str, Library]:
        return {library.id: library for library in self.libraries}

    @cached_property
    def _homes(self) -> Mapping[Ref, Mapping[str, tuple[Library, Version]]]:
        """Docs roots of each ref, the longest first, so that a root within another one wins."""
        homes: dict[Ref, dict[str, tuple[Library, Version]]] = {}
        for library in self.libraries:
            for version in library.versions:
                facts = library.docs_facts(version.name)
                homes.setdefault(facts.ref, {}).setdefault(facts.docs_root, (library, version))
        return {
            ref: dict(sorted(roots.items(), key=lambda root: len(root[0]), reverse=True))
            for ref, roots in homes.items()
        }


def _npm_names(library: Library) -> Mapping[str, str | None]:
    """The names in install commands first, without versions, then the others."""
    listed = [*library.packages, *(package for version in library.versions for package in version.packages)]
    own: dict[str, str | None] = {}
    for package in listed:
        if package.registry == NPM:
            own.setdefault(package.name_without_version, package.framework)
    return own | {name: own.get(name) for name in library.npm_packages}

"""The figures of one site: what the API and the webhook use."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date

from kinfolk.config.catalog import Catalog, Library
from kinfolk.content.dependencies import Collection as ContentCollection
from kinfolk.content.dependencies import Dependency, DependencyRecorder, library_figures
from kinfolk.runtime.errors import Unavailable
from kinfolk.statistics.figures.figure_store import FigureKey, FigureStore, package_subject, repository_subject
from kinfolk.statistics.figures.open_source_figures import (
    CountedHistory,
    FamilyFigures,
    OpenSourceFigures,
    downloads_figures,
    sum_figures,
)

ReadHistories = Callable[[Collection[str], DependencyRecorder], Sequence[CountedHistory] | None]
"""Reads the download histories of packages; None while they are not complete. Raises Unavailable."""
_VERSION = re.compile(r"(?<=.)@[^@/]*\Z")


class SiteFigures:
    """For any number of threads. All methods block.

    `library` and `family` answer None values while the database is not available.
    """

    def __init__(self, catalog: Catalog, store: FigureStore, *, read_histories: ReadHistories) -> None:
        self._catalog = catalog
        self._store = store
        self._read_histories = read_histories
        self._lock = threading.Lock()
        self._unread: set[Dependency] = set()
        """What was answered without the database: stale as soon as it is available again."""

    def library(self, library: Library, *, today: date, recorder: DependencyRecorder) -> OpenSourceFigures:
        """The figures of a library."""
        stars, contributors, dependents = _keys([library], self._catalog)
        recorder.record(library_figures(library.id))
        try:
            stored = self._store.read({key.subject for key in (*stars, *dependents)})
            total, per_day = downloads_figures(self._read_histories(library.npm_packages, recorder), today=today)
        except Unavailable:
            self._note_unread([library])
            return OpenSourceFigures()
        return OpenSourceFigures(
            stars=sum_figures(stars, stored, today=today),
            contributors=sum_figures(contributors, stored, today=today),
            dependents=sum_figures(dependents, stored, today=today),
            downloads_total=total,
            downloads_per_day=per_day,
        )

    def family(self, *, today: date, recorder: DependencyRecorder) -> FamilyFigures:
        """The sums over all libraries."""
        libraries = self._catalog.libraries
        stars, contributors, dependents = _keys(libraries, self._catalog)
        packages = tuple(dict.fromkeys(name for library in libraries for name in library.npm_packages))
        recorder.update(library_figures(library.id) for library in libraries)
        try:
            stored = self._store.read({key.subject for key in (*stars, *dependents)})
            total, per_day = downloads_figures(self._read_histories(packages, recorder), today=today)
        except Unavailable:
            self._note_unread(libraries)
            return FamilyFigures()
        return FamilyFigures(
            stars=sum_figures(stars, stored, today=today),
            contributors_per_repository=sum_figures(contributors, stored, today=today),
            dependents_per_package=sum_figures(dependents, stored, today=today),
            downloads_total=total,
            downloads_per_day=per_day,
        )

    def put_stars(self, name: str, count: int) -> frozenset[Dependency] | None:
        """Store the stars of a repository as of now. Returns what became stale; None for an unknown repository.

        The case of names varies in GitHub's events. Raises Unavailable.
        """
        known = {repository.lower(): repository for repository in self._catalog.on_github.values()}
        repository = known.get(name.lower())
        if repository is None:
            return None
        subject = repository_subject(repository)
        changed = self._store.put_pushed(FigureKey(subject, "stars"), count)
        return self.dependencies([subject]) if changed else frozenset()

    def dependencies(self, subjects: Iterable[str]) -> frozenset[ContentCollection]:
        """The dependencies of responses that show figures of these subjects."""
        changed = frozenset(subjects)
        return frozenset(
            library_figures(library.id)
            for library in self._catalog.libraries
            if any(key.subject in changed for keys in _keys([library], self._catalog) for key in keys)
        )

    def stale_since(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        """The number of the last change, and what became stale after `revision`. Raises Unavailable."""
        newest, subjects = self._store.changed_since(revision)
        with self._lock:
            unread, self._unread = self._unread, set()
        return newest, self.dependencies(subjects) | unread

    def _note_unread(self, libraries: Iterable[Library]) -> None:
        with self._lock:
            self._unread.update(library_figures(library.id) for library in libraries)


def main_package(catalog: Catalog, library: Library) -> str | None:
    """The package whose dependents are those of the library.

    Of the packages in install commands, it is that of the family's first framework, because an application depends on
    it; without any, the first of `npm_packages`.
    """
    frameworks = [framework.value for framework in catalog.frameworks]
    installed = sorted(
        (package for package in library.packages if package.registry == "npm"),
        key=lambda package: frameworks.index(package.framework) if package.framework in frameworks else len(frameworks),
    )
    names = [*(_VERSION.sub("", package.name) for package in installed), *library.npm_packages]
    return names[0] if names else None


def main_packages(catalog: Catalog) -> tuple[str, ...]:
    """The main packages of all libraries, each once."""
    found = (main_package(catalog, library) for library in catalog.libraries)
    return tuple(dict.fromkeys(name for name in found if name is not None))


def _keys(
    libraries: Sequence[Library], catalog: Catalog
) -> tuple[tuple[FigureKey, ...], tuple[FigureKey, ...], tuple[FigureKey, ...]]:
    """The stars, contributors and dependents of these libraries, each repository and package once."""
    on_github = catalog.on_github
    repositories = dict.fromkeys(repository_subject(on_github[one.id]) for one in libraries if one.id in on_github)
    main = (main_package(catalog, library) for library in libraries)
    packages = dict.fromkeys(package_subject(name) for name in main if name is not None)
    return (
        tuple(FigureKey(subject, "stars") for subject in repositories),
        tuple(FigureKey(subject, "contributors") for subject in repositories),
        tuple(FigureKey(subject, "dependents") for subject in packages),
    )

"""Reads the catalog from ``. An invalid fact is an error at start."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from kinfolk.config.catalog.catalog import Catalog
from kinfolk.config.catalog.consistency import catalog_conflicts, framework_errors, library_errors, library_file
from kinfolk.config.catalog.derived_facts import with_family_facts, with_library_facts
from kinfolk.config.catalog.family import Family, Group
from kinfolk.config.catalog.library import Library
from kinfolk.config.data_files import read_data_file
from kinfolk.config.settings import Settings
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.runtime.errors import InvalidFile, InvalidSite


def load_catalog(site: Path) -> Catalog:
    """The valid libraries. Raises InvalidSite. `catalog_errors` returns all faults."""
    return read_catalog(site)[0]


def read_catalog(site: Path) -> tuple[Catalog, list[InvalidFile]]:
    """The valid libraries, and all faults. References to other libraries are dropped.

    Raises InvalidSite if the facts of the family are invalid, or no library is valid.
    """
    family, libraries, faults = _read(site)
    invalid = {fault.file for fault in faults}
    valid = tuple(library for library in libraries if library_file(library.id) not in invalid)
    if family is None or not valid:
        raise InvalidSite(faults)
    ids = {library.id for library in valid}
    linked = tuple(replace(one, builds_on=tuple(id for id in one.builds_on if id in ids)) for one in valid)
    catalog = Catalog(**vars(_without_others(family, ids)), libraries=linked)
    return catalog, faults


def open_catalog(settings: Settings) -> Catalog:
    """The catalog of the site folder; the host of the origin is one of its hosts. Raises InvalidFile."""
    return with_own_host(load_catalog(settings.site), settings)


def with_own_host(catalog: Catalog, settings: Settings) -> Catalog:
    """The catalog with the host of the origin as one of its hosts."""
    return replace(catalog, site_hosts=(*catalog.site_hosts, urlsplit(settings.origin).netloc.lower()))


def catalog_errors(site: Path) -> list[InvalidFile]:
    return _read(site)[2]


def _read(site: Path) -> tuple[Family | None, list[Library], list[InvalidFile]]:
    """The family, and the libraries whose files can be read, in order. These may have faults."""
    faults: list[InvalidFile] = []
    family = read_data_file(site, SITE_FILE, Family, faults, complete=with_family_facts)
    name = family.family if family else ""
    files = sorted(path.name for path in (site / "libraries").glob("*.toml"))
    if not files:
        faults.append(InvalidFile("libraries", "", "holds no library"))
    libraries = []
    for position, file in enumerate(files):
        complete = partial(with_library_facts, id=file.removesuffix(".toml"), position=position, family=name)
        library = read_data_file(site, f"libraries/{file}", Library, faults, complete=complete)
        if library:
            faults.extend(library_errors(library, f"libraries/{file}"))
            faults.extend(framework_errors(library, f"libraries/{file}"))
            libraries.append(library)
    in_order = sorted(libraries, key=lambda library: library.order)
    if family:
        family = _joined(family, in_order)
        if len(libraries) == len(files):  # else each reference to an invalid file would be reported as well
            faults.extend(catalog_conflicts(libraries, family))
    return family, in_order, faults


def _without_others(family: Family, ids: Collection[str]) -> Family:
    """The family without references to other libraries than these."""

    def known(named: Iterable[str]) -> tuple[str, ...]:
        return tuple(id for id in named if id in ids)

    home = family.home
    return replace(
        family,
        groups=tuple(replace(group, libraries=known(group.libraries)) for group in family.groups),
        partners=tuple(replace(partner, libraries=known(partner.libraries)) for partner in family.partners),
        courses=tuple(course for course in family.courses if course.library in ids),
        home=replace(
            home,
            featured=known(home.featured),
            emphasis=home.emphasis if (home.emphasis or "") in home.claim else None,
        ),
    )


def _joined(family: Family, libraries: Iterable[Library]) -> Family:
    """The family, its groups with the libraries that name them."""
    if not family.groups:
        return replace(family, groups=(Group("libraries", "Libraries", tuple(one.id for one in libraries)),))
    joining = {
        group.id: tuple(one.id for one in libraries if one.group == group.id and one.id not in group.libraries)
        for group in family.groups
    }
    return replace(
        family, groups=tuple(replace(group, libraries=group.libraries + joining[group.id]) for group in family.groups)
    )

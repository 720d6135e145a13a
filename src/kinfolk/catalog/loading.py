"""Reads the catalog from ``. An invalid fact is an error at start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from kinfolk.catalog.catalog import Catalog
from kinfolk.catalog.consistency import catalog_conflicts, framework_errors, library_errors
from kinfolk.catalog.derived_facts import with_family_facts, with_library_facts
from kinfolk.catalog.family import Family, Group
from kinfolk.catalog.library import Library
from kinfolk.data_files import read_data_file
from kinfolk.errors import InvalidFile
from kinfolk.site_folder import SITE_FILE


def load_catalog(site: Path) -> Catalog:
    """Read ``. Raises the first InvalidFile; `catalog_errors` returns all."""
    catalog, faults = _read(site)
    if catalog is None:
        raise faults[0]
    return catalog


def catalog_errors(site: Path) -> list[InvalidFile]:
    return _read(site)[1]


def _read(site: Path) -> tuple[Catalog | None, list[InvalidFile]]:
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
    # Without an invalid file, each reference to its library would be reported as well.
    in_order = sorted(libraries, key=lambda library: library.order)
    if family:
        family = _joined(family, in_order)
    if family and len(libraries) == len(files):
        faults.extend(catalog_conflicts(libraries, family))
    if family is None or faults:
        return None, faults
    return Catalog(**vars(family), libraries=tuple(in_order)), faults


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

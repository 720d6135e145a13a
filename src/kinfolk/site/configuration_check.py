"""What is wrong with the configuration of a site. The site is served without the invalid parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kinfolk.branding import brand_errors
from kinfolk.branding.palette import load_palette, palette_errors
from kinfolk.config.catalog import Catalog, catalog_errors, read_catalog
from kinfolk.config.icons.icon_names import icon_errors
from kinfolk.content.landing.landing import Landing, read_landings
from kinfolk.content.pages.public_files import public_file_errors
from kinfolk.content.redirects import Redirects, read_redirects, redirect_errors
from kinfolk.content.sponsors import sponsor_config_errors
from kinfolk.runtime.errors import InvalidFile, InvalidSite
from kinfolk.search.docs_index.meanings import meaning_errors
from kinfolk.search.ranking_config import ranking_config_errors
from kinfolk.statistics.npm_config import npm_config_errors


@dataclass(frozen=True)
class Configuration:
    """The largest parts of a site's configuration without what is invalid, and all faults of the configuration."""

    catalog: Catalog
    redirects: Redirects
    landings: Mapping[str, Landing]
    faults: tuple[InvalidFile, ...]


def configuration_faults(site: Path, frontend: Path) -> list[InvalidFile]:
    """All faults of the files of a site folder, except posts and pages. Blocks to read files.

    `frontend` is the built frontend, which has the brand icons.
    """
    try:
        faults = [*read_configuration(site, frontend).faults]
    except InvalidSite:
        faults = [*catalog_errors(site), *redirect_errors(site), *_other_errors(site)]
    # A start does not read the meanings: only the builder of the index needs them.
    return [*faults, *meaning_errors(site)]


def read_configuration(site: Path, frontend: Path) -> Configuration:
    """The configuration of a site folder, with the faults of `configuration_faults`. Raises InvalidSite."""
    catalog, faults = read_catalog(site)
    redirects, redirect_faults = read_redirects(site)
    landings, landing_faults = read_landings(site, catalog)
    return Configuration(
        catalog,
        redirects,
        landings,
        (
            *faults,
            *redirect_faults,
            *_other_errors(site),
            *palette_errors(site, catalog),
            *brand_errors(site, catalog, load_palette(site, catalog)),
            *landing_faults,
            *icon_errors(frontend, catalog),
            *public_file_errors(site, {library.id for library in catalog.libraries}),
        ),
    )


def _other_errors(site: Path) -> list[InvalidFile]:
    """Faults of files that are read without the catalog."""
    return [*ranking_config_errors(site), *npm_config_errors(site), *sponsor_config_errors(site)]

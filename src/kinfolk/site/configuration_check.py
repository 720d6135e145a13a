"""What is wrong with the configuration of a site. The site is served without the invalid parts."""

from __future__ import annotations

from pathlib import Path

from kinfolk.branding import brand_errors
from kinfolk.branding.palette import load_palette, palette_errors
from kinfolk.config.catalog import catalog_errors, icon_errors, load_catalog
from kinfolk.content.landing.landing import landing_errors
from kinfolk.content.pages.public_files import public_file_errors
from kinfolk.content.redirects import redirect_errors
from kinfolk.content.sponsors import sponsor_config_errors
from kinfolk.runtime.errors import InvalidFile, InvalidSite
from kinfolk.search.ranking_config import ranking_config_errors
from kinfolk.statistics.npm_config import npm_config_errors


def configuration_faults(site: Path, frontend: Path) -> list[InvalidFile]:
    """All faults of the files of a site folder, except posts and pages. Blocks to read files.

    `frontend` is the built frontend, which has the brand icons.
    """
    faults = [
        *catalog_errors(site),
        *redirect_errors(site),
        *ranking_config_errors(site),
        *npm_config_errors(site),
        *sponsor_config_errors(site),
    ]
    try:
        catalog = load_catalog(site)
    except InvalidSite:
        return faults
    return [
        *faults,
        *palette_errors(site, catalog),
        *brand_errors(site, catalog, load_palette(site, catalog)),
        *landing_errors(site, catalog),
        *icon_errors(frontend, catalog),
        *public_file_errors(site, {library.id for library in catalog.libraries}),
    ]

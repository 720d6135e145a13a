"""The folder of a site: `kinfolk.toml` and the files beside it. What it lacks comes from the defaults of the engine."""

from __future__ import annotations

from pathlib import Path

from kinfolk.runtime.errors import Invalid

SITE_FILE = "kinfolk.toml"
"""The file that marks a folder as the folder of a site."""

PACKAGE = Path(__file__).resolve().parents[1]

DEFAULTS = Path(__file__).with_name("defaults")
"""Files with the names of those in a site folder, for sites that do not have them."""


def find_site_folder(start: Path) -> Path:
    """The nearest folder with a `kinfolk.toml`, from `start` upwards. Raises Invalid if there is none."""
    for folder in (start, *start.parents):
        if (folder / SITE_FILE).is_file():
            return folder
    raise Invalid(
        f"No {SITE_FILE} in {start} or a folder above it. Name the folder of the site with --site,"
        " or make a new site with `kinfolk new`."
    )


def site_file(site: Path, name: str) -> Path:
    """The file of the site, or the default of the engine if only that exists."""
    own = site / name
    return DEFAULTS / name if not own.exists() and (DEFAULTS / name).exists() else own

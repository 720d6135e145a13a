"""The names of icons in the data of a site, and where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kinfolk.config.catalog.catalog import Catalog
from kinfolk.config.icons import has_brand_icons, unknown_icons
from kinfolk.runtime.errors import InvalidFile


class NamedIcon(NamedTuple):
    """The name of an icon in a file of the site."""

    name: str
    file: str
    key: str


def named_icons(catalog: Catalog) -> Iterator[NamedIcon]:
    """Every name of an icon in `kinfolk.toml` and the files of the libraries."""
    site = "kinfolk.toml"
    for index, link in enumerate(catalog.social):
        yield NamedIcon(link.icon, site, f"social[{index}].icon")
    for index, item in enumerate(catalog.menu):
        if item.icon:
            yield NamedIcon(item.icon, site, f"menu[{index}].icon")
    for index, button in enumerate(catalog.home.buttons or ()):
        if button.icon:
            yield NamedIcon(button.icon, site, f"home.buttons[{index}].icon")
    for library in catalog.libraries:
        file = f"libraries/{library.id}.toml"
        for index, entry in enumerate(library.menu):
            yield NamedIcon(entry.icon, file, f"menu[{index}].icon")
        for index, feature in enumerate(library.feature_highlights):
            yield NamedIcon(feature.icon, file, f"feature_highlights[{index}].icon")


def icon_names(catalog: Catalog) -> frozenset[str]:
    return frozenset(icon.name for icon in named_icons(catalog))


def icon_errors(frontend: Path, catalog: Catalog) -> list[InvalidFile]:
    """Unknown names of icons. Brand icons are part of the built frontend: without it, no name is checked."""
    if not has_brand_icons(frontend):
        return []
    reasons = unknown_icons(frontend, icon_names(catalog))
    return [
        InvalidFile(icon.file, icon.key, reasons[icon.name]) for icon in named_icons(catalog) if icon.name in reasons
    ]

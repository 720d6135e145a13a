"""Checks a site that was just written, as `kinfolk check` does."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kinfolk.cli.check.content_check import check_served_content, with_local_paths
from kinfolk.config.catalog import open_catalog
from kinfolk.config.settings import SITE, Settings, read_settings
from kinfolk.site.configuration_check import configuration_faults

_OTHERS = ("blog/", "pages/", "libraries/", "kinfolk.toml", "redirects.toml")


@dataclass(frozen=True)
class SiteCheck:
    """`pages` are those of the docs, `whole` those of them without a fault.

    With `is_invalid`, the faults are those of the files of the site.
    """

    pages: int
    whole: int
    links: int
    faults: tuple[str, ...]
    is_invalid: bool = False


def check_site(site: Path, on_page: Callable[[int, int], None]) -> SiteCheck:
    """Check the files of a site, its posts and its docs in folders of this machine.

    `on_page` receives the pages that are read, and all pages.
    """
    own = {SITE: str(site.resolve()), "KINFOLK_MIRROR": "off", "KINFOLK_CONTENT": ""}
    return check_settings(read_settings(os.environ | own), on_page)


def check_settings(settings: Settings, on_page: Callable[[int, int], None]) -> SiteCheck:
    """The same of a site with its mirror."""
    invalid = configuration_faults(settings.site, settings.frontend)
    if invalid:
        return SiteCheck(0, 0, 0, tuple(fault.message for fault in invalid), is_invalid=True)
    report = check_served_content(settings, on_page)
    catalog = open_catalog(settings)
    # Of other files, such as posts, the report has the faults but not their number.
    broken = {fault.file for fault in report.faults if not fault.file.startswith(_OTHERS)}
    messages = tuple(with_local_paths(fault, settings, catalog).message for fault in report.faults)
    return SiteCheck(report.pages, max(report.pages - len(broken), 0), report.links, messages)

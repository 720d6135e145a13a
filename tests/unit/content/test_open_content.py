"""Which services the settings of a site start."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sites.sample_site import read_settings

from kinfolk.config.catalog import Catalog
from kinfolk.content.open_content import open_release_refresher
from kinfolk.db.database import Database


@pytest.mark.parametrize(
    ("variables", "is_on"),
    [
        ({"KINFOLK_MIRROR": "mirror"}, True),
        ({"KINFOLK_MIRROR": "mirror", "KINFOLK_RELEASE_NOTES": "off"}, False),
        ({"KINFOLK_MIRROR": "off"}, False),
        ({"KINFOLK_MIRROR": "mirror", "KINFOLK_RELEASES_MB": "0"}, False),
    ],
)
def test_releases_are_fetched_only_for_sites_that_show_them(
    catalog: Catalog, sqlite_database: Database, tmp_path: Path, variables: dict[str, str], is_on: bool
) -> None:
    settings = read_settings({"KINFOLK_VAR": str(tmp_path), **variables})
    refresher = open_release_refresher(settings, catalog, sqlite_database, on_revision=lambda _: None)
    assert (refresher is not None) is is_on

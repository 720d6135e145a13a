"""A site without docs or with invalid data does not open."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sites.sample_site import read_settings

from kinfolk.config.settings import Settings
from kinfolk.runtime.errors import InvalidSite, Unavailable
from kinfolk.site.site import open_site


def test_site_without_docs_does_not_open(tmp_path: Path, settings: Settings) -> None:
    empty = read_settings({"KINFOLK_CONTENT": str(tmp_path), "KINFOLK_MIRROR": "off"})
    with pytest.raises(Unavailable, match=str(tmp_path)):
        open_site(empty)


def test_site_with_invalid_data_does_not_open_and_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text("product = 5")
    with pytest.raises(InvalidSite, match=r"kinfolk\.toml"):
        open_site(read_settings({"KINFOLK_SITE": str(tmp_path)}))


def test_invalid_library_does_not_keep_the_site_from_opening(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/overview.md").write_text("# Overview\n")
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/good.toml").write_text('folder = "."\n')
    (tmp_path / "libraries/wrong.toml").write_text('folder = "."\nzip = 1\n')
    (tmp_path / "redirects.toml").write_text("[[rules]\n")
    site = open_site(read_settings({"KINFOLK_SITE": str(tmp_path), "KINFOLK_MIRROR": "off", "KINFOLK_SEARCH": "off"}))
    assert [library.id for library in site.catalog.libraries] == ["good"]


def test_site_opens_before_the_first_sync(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/widgets.toml").write_text('repo = "acme/widgets"\n')
    environment = {"KINFOLK_SITE": str(tmp_path), "KINFOLK_SEARCH": "off"}
    assert open_site(read_settings(environment)).content.publisher.docs.snapshot.trees == {}
    with pytest.raises(Unavailable):
        open_site(read_settings(environment | {"KINFOLK_MIRROR": "off"}))

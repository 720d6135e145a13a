"""A site without docs or with invalid data does not open."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sample_site import read_settings

from kinfolk.errors import InvalidFile, Unavailable
from kinfolk.settings import Settings
from kinfolk.site import open_site


def test_site_without_docs_does_not_open(tmp_path: Path, settings: Settings) -> None:
    empty = read_settings({"KINFOLK_CONTENT": str(tmp_path), "KINFOLK_MIRROR": "off"})
    with pytest.raises(Unavailable, match=str(tmp_path)):
        open_site(empty)


def test_site_with_invalid_data_does_not_open_and_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text("product = 5")
    with pytest.raises(InvalidFile, match=r"kinfolk\.toml"):
        open_site(read_settings({"KINFOLK_SITE": str(tmp_path)}))

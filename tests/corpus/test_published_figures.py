"""The figures of the real docs agree on all pages."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

from tests.inputs.published_figures import disagreements
from tests.sites.sample_site import read_settings

from kinfolk.site.site import open_site


def test_figures_of_all_pages_agree(corpus: Path, tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_MIRROR": "off", "KINFOLK_SEARCH": "off", "KINFOLK_VAR": str(tmp_path)})
    site = open_site(dataclasses.replace(settings, content=corpus))
    assert asyncio.run(disagreements(site)) == []

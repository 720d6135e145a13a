"""When upstream's tags are looked at again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from kinfolk.content.sources.git.tags.tag_fetcher import CHECK_EVERY_S, are_tags_outdated
from kinfolk.content.sources.git.tags.tag_list import tags_file


@pytest.mark.parametrize(
    ("age_s", "outdated"),
    [(0, False), (CHECK_EVERY_S + 60, True), (-86400, True)],
    ids=["new", "old", "of a clock ahead"],
)
def test_tags_are_outdated_an_hour_after_the_last_look(tmp_path: Path, age_s: float, outdated: bool) -> None:
    (tmp_path / "acme" / "query.history.git").mkdir(parents=True)
    file = tags_file(tmp_path, "acme/query")
    file.touch()
    looked_s = time.time() - age_s
    os.utime(file, (looked_s, looked_s))
    assert are_tags_outdated(tmp_path, "acme/query") == outdated

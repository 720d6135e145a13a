"""What is purged at a start: what differs from what was served before."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from tests.sites.sample_site import SITE as SAMPLE

from kinfolk.config.settings import read_settings
from kinfolk.web.background.cdn.purge_queue import PurgeBatch
from kinfolk.web.background.cdn.served_content import SITE, site_digest, stale_at_start

NOW = {SITE: "a", "acme/query@main": "2", "acme/query@v1": "1"}


@pytest.mark.parametrize(
    ("known", "stale"),
    [
        (None, PurgeBatch(everything=True)),
        (NOW | {SITE: "b"}, PurgeBatch(everything=True)),
        (NOW, PurgeBatch()),
        (NOW | {"acme/query@main": "1"}, PurgeBatch(frozenset({"acme/query@main:**"}))),
        (NOW | {"acme/gone@main": "1"}, PurgeBatch(frozenset({"acme/gone@main:**"}))),
    ],
    ids=["unknown", "another site", "the same", "another commit", "a branch that is gone"],
)
def test_start_purges_what_has_changed(known: dict[str, str] | None, stale: PurgeBatch) -> None:
    assert stale_at_start(known, NOW) == stale


def test_digest_of_a_site_changes_with_its_files_and_settings_and_not_with_secrets(tmp_path: Path) -> None:
    (tmp_path / "kinfolk.toml").write_text("name = 'Acme'")
    settings = dataclasses.replace(read_settings({"KINFOLK_SITE": str(SAMPLE)}), site=tmp_path)
    digest = site_digest(settings)
    assert site_digest(dataclasses.replace(settings, cdn_token="another")) == digest
    assert site_digest(dataclasses.replace(settings, origin="https://example.com")) != digest
    os.utime(tmp_path / "kinfolk.toml", ns=(1, 1))
    assert site_digest(settings) != digest

"""`[announcement]` of kinfolk.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinfolk.config.catalog import LONGEST_ANNOUNCEMENT, AnnouncementBar
from kinfolk.config.catalog.loading import catalog_errors, load_catalog


def written_site(folder: Path, announcement: str) -> Path:
    (folder / "libraries").mkdir()
    (folder / "libraries/widgets.toml").write_text('folder = "."\n')
    (folder / "kinfolk.toml").write_text(f'family = "Acme"\n\n[announcement]\n{announcement}\n')
    return folder


def test_days_are_dates_of_toml(tmp_path: Path) -> None:
    site = written_site(tmp_path, 'text = "Anvil 3"\nhref = "/anvil"\nstarts = 2026-12-01\nends = "2026-12-24"')
    bar = load_catalog(site).announcement
    assert bar is not None
    assert (bar.text, bar.href, f"{bar.starts}", f"{bar.ends}") == ("Anvil 3", "/anvil", "2026-12-01", "2026-12-24")


@pytest.mark.parametrize(
    ("announcement", "key", "reason"),
    [
        ('href = "/anvil"', "text", "is missing"),
        ('text = ""', "text", "should be one line of text without space around it"),
        ('text = "A\\nB"', "text", "should be one line of text without space around it"),
        (f'text = "{"a" * (LONGEST_ANNOUNCEMENT + 1)}"', "text", f"at most {LONGEST_ANNOUNCEMENT} characters"),
        ('text = "A"\nhref = "javascript:alert(1)"', "href", "should be a path on this site or an https:// address"),
        ('text = "A"\nhref = "//evil.example"', "href", "should be a path on this site or an https:// address"),
        ('text = "A"\nstarts = "tomorrow"', "starts", "date"),
        ('text = "A"\nends = 20261224', "ends", "date"),
        ('text = "A"\nhtml = "<b>"', "html", "is not a known key"),
        ('text = "A"\nstarts = 2026-12-02\nends = 2026-12-01', "ends", "is before the first day"),
    ],
)
def test_wrong_announcement_is_named_with_its_key(tmp_path: Path, announcement: str, key: str, reason: str) -> None:
    [fault] = catalog_errors(written_site(tmp_path, announcement))
    assert (fault.file, fault.key) == ("kinfolk.toml", f"announcement.{key}")
    assert reason in fault.reason


def test_key_changes_with_text_and_address() -> None:
    bars = [AnnouncementBar("A"), AnnouncementBar("B"), AnnouncementBar("A", "/b"), AnnouncementBar("A", "/c")]
    assert len({bar.key for bar in bars}) == 4
    assert all(len(bar.key) == 8 and set(bar.key) <= set("0123456789abcdef") for bar in bars)

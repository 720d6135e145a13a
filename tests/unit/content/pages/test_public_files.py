"""Which files of `public/` are served."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinfolk.content.pages.public_files import public_file_errors, read_public_files

LIBRARIES = {"tiles"}


def write(site: Path, *names: str) -> Path:
    for name in names:
        file = site / "public" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("text")
    return site


@pytest.mark.parametrize(
    "name", ["humans.txt", ".well-known/security.txt", ".well-known/apple-app", "a/b-c/d_e.v2.pdf"]
)
def test_valid_names_are_served(tmp_path: Path, name: str) -> None:
    site = write(tmp_path, name)
    assert list(read_public_files(site, LIBRARIES)) == [f"/{name}"]
    assert public_file_errors(site, LIBRARIES) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a b.txt", "letters, digits"),
        (".env", "letters, digits"),
        (".git/config", "letters, digits"),
        ("_files/x.txt", "letters, digits"),
        ("about", "an ending"),
        ("tiles/x.html", "below /tiles"),
        ("blog/x.html", "below /blog"),
        ("og/x.jpg", "below /og"),
        ("robots.txt", "a file of its own"),
        ("sitemap.xml", "a file of its own"),
        ("favicon.ico", "a file of its own"),
    ],
)
def test_other_files_are_reported_and_not_served(tmp_path: Path, name: str, reason: str) -> None:
    site = write(tmp_path, name)
    assert read_public_files(site, LIBRARIES) == {}
    assert [reason in fault.reason for fault in public_file_errors(site, LIBRARIES)] == [True]


def test_links_to_files_outside_of_the_folder_are_not_served(tmp_path: Path) -> None:
    site = write(tmp_path, "a.txt")
    (tmp_path / "secret.txt").write_text("secret")
    (site / "public/b.txt").symlink_to(tmp_path / "secret.txt")
    assert list(read_public_files(site, LIBRARIES)) == ["/a.txt"]


def test_site_without_the_folder_has_no_public_files(tmp_path: Path) -> None:
    assert read_public_files(tmp_path, LIBRARIES) == {}

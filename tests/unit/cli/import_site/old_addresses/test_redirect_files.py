"""Redirects in files of hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinfolk.cli.import_site.old_addresses.redirect_files import redirects_of_hosts
from kinfolk.cli.import_site.project.project_files import ProjectFiles


def read(tmp_path: Path, name: str, text: str) -> list[tuple[str, str, int, str]]:
    (tmp_path / name).write_text(text)
    return [(one.old, one.new, one.line, one.fault) for one in redirects_of_hosts(ProjectFiles(tmp_path), ("", ""))]


def test_lines_of_netlify(tmp_path: Path) -> None:
    text = "# old\n/a /b\n/c  /d 302! # why\n/e id=:id /f/:id\n/g /h 200\n/i /j 301 Country=de\n/k\n"
    assert read(tmp_path, "_redirects", text) == [
        ("/a", "/b", 2, ""),
        ("/c", "/d", 3, ""),
        ("/e", "/f/:id", 4, "it depends on the query"),
        ("/g", "/h", 5, "status 200 is no redirect"),
        ("/i", "/j", 6, "it depends on the reader"),
        ("/k", "", 7, ""),
    ]


def test_tables_of_netlify_and_vercel(tmp_path: Path) -> None:
    toml = "[[redirects]]\nfrom = '/a'\nto = '/b'\nforce = true\n[[redirects]]\nfrom = '/c'\nto = '/d'\nstatus = 404\n"
    assert read(tmp_path, "netlify.toml", toml) == [("/a", "/b", 0, ""), ("/c", "/d", 0, "status 404 is no redirect")]
    json = (
        '{"redirects": [{"source": "/e", "destination": "/f"}, {"source": "/g", "destination": "/h", "has": [1]}, 3]}'
    )
    assert read(tmp_path, "vercel.json", json)[2:] == [("/e", "/f", 0, ""), ("/g", "/h", 0, "it depends on the reader")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("netlify.toml", "[["),
        ("netlify.toml", "redirects = 1"),
        ("vercel.json", "["),
        ("vercel.json", "[" * 100_000),
        ("vercel.json", '{"redirects": {}}'),
        ("vercel.json", "[]"),
        ("_redirects", "\0"),
    ],
)
def test_hostile_file_has_no_redirects(tmp_path: Path, name: str, text: str) -> None:
    assert [one for one in read(tmp_path, name, text) if one[1]] == []

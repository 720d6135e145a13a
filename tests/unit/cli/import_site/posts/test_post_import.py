"""Posts of other programs: their dates, addresses and authors, and what of their text reaches the new site."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.import_site.imported_project import faults_of, import_files, left_out, text_of, write_project

from kinfolk.cli.import_site.posts.post_import import PostFolder, authors_of, day_of, find_posts, shortened
from kinfolk.cli.import_site.project.project_files import ProjectFiles

CONFIG = "module.exports = { title: 'Gears', presets: [['classic', { docs: {} }]] }"


@pytest.mark.parametrize(
    ("file", "text", "path", "published"),
    [
        ("2024-01-05-hello.md", "# A\n", "2024/01/05/hello", "2024-01-05"),
        ("2024-1-5-hello/index.mdx", "# A\n", "2024/01/05/hello", "2024-01-05"),
        ("2024/01/05/hello.md", "# A\n", "2024/01/05/hello", "2024-01-05"),
        ("news/2024-01-05-hello.md", "# A\n", "news/2024/01/05/hello", "2024-01-05"),
        ("hello.md", "---\ndate: 2024-01-05T16:00\n---\n", "hello", "2024-01-05"),
        ("2024-01-05-hello.md", "---\nslug: /a/b\ndate: 2024-02-01\n---\n", "a/b", "2024-02-01"),
    ],
)
def test_date_and_old_address_of_a_post(tmp_path: Path, file: str, text: str, path: str, published: str) -> None:
    files = ProjectFiles(write_project(tmp_path, {f"blog/{file}": text}))
    (post,), others = find_posts(files, PostFolder("blog", "blog"))
    assert (post.path, post.published, others) == (path, published, [])


@pytest.mark.parametrize("date", ["", "soon", "2024-13-01", "2024-02-30", "-1-01-01"])
def test_wrong_date_is_none(date: str) -> None:
    assert day_of(date) == ""


def test_authors_are_names_or_keys_of_the_list() -> None:
    known = {"ada": "Ada Lovelace"}
    assert authors_of({"authors": ["ada", {"name": "Bob"}, "<b>", "ada"]}, known) == ["Ada Lovelace", "Bob"]
    assert authors_of({"author": "Ada and Bob"}, {}) == ["Ada", "Bob"]
    assert authors_of({}, known) == []


def test_long_description_is_cut_between_words() -> None:
    assert shortened("word " * 100).endswith("word…")


def test_scripts_of_a_post_do_not_reach_the_site(tmp_path: Path) -> None:
    post = """---
title: "\\"quoted\\": x"
image: javascript:alert(1)
authors: ["<script>"]
---

<script>alert(1)</script>

<img src=x onerror=alert(1)> [a](javascript:alert(2)) ![b](data:text/html,x) ![c](../../../secret.png)

export const x = 1
"""
    (tmp_path / "secret.png").write_text("secret")
    files = {"docusaurus.config.js": CONFIG, "docs/a.md": "# A\n", "blog/2024-01-05-x.md": post}
    found = import_files(tmp_path, files)
    assert found.site.pictures == {}
    assert "image:" not in text_of(found, "blog/x.md")
    assert "authors: []" in text_of(found, "blog/x.md")
    assert "<script" not in text_of(found, "blog/x.md")
    assert all("javascript" in fault for fault in faults_of(tmp_path, found))


def test_posts_of_one_name_have_addresses_of_their_own(tmp_path: Path) -> None:
    files = {"docusaurus.config.js": CONFIG, "docs/a.md": "# A\n"}
    files |= {f"blog/{day}-Release!.md": f"Text of {day}.\n" for day in ("2024-01-05", "2024-02-05", "2024-03-05")}
    found = import_files(tmp_path, files)
    names = sorted(name for name in found.files if name.startswith("blog/"))
    assert names == ["blog/release-2024-01-05.md", "blog/release-2024-02-05.md", "blog/release.md"]
    assert 'title: "Release"' in text_of(found, "blog/release.md")


def test_file_without_text_is_no_post(tmp_path: Path) -> None:
    files = {"docusaurus.config.js": CONFIG, "docs/a.md": "# A\n", "blog/2024-01-05-x.md": "---\ntitle: X\n---\n"}
    assert left_out(import_files(tmp_path, files))["post"] == "blog/2024-01-05-x.md"

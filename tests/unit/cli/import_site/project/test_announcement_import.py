"""Announcements of other programs, as one line of text with one link."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth
from tests.unit.cli.import_site.imported_project import faults_of, import_files, left_out, toml_of

from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.import_site.project.announcement_import import LONGEST_SOURCE, import_announcement
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport
from kinfolk.cli.import_site.site_import import Import
from kinfolk.content.markdown.literals.config_values import ConfigText

LONG = "Version 2 is out. " + "It has many new parts that we describe at length. " * 3


def imported(folder: Path, content: str) -> Import:
    config = (
        f"module.exports = {{ title: 'Gears', themeConfig: {{ announcementBar: {{ id: 'x', content: {content} }} }} }}"
    )
    return import_files(folder, {"docusaurus.config.js": config, "docs/intro.md": "# Intro\n"})


@pytest.mark.parametrize(
    ("html", "bar"),
    [
        ("Version 2 &amp; more", {"text": "Version 2 & more"}),
        (
            'Star us on <a target="_blank" HREF="x" href="https://a.example/b">A</a>!',
            {"text": "Star us on A!", "href": "https://a.example/b"},
        ),
        ("<a href='/docs/intro#top'>Read</a>", {"text": "Read", "href": "/project/latest/docs/intro#top"}),
        ("<p>One</p><p>Two<br>Three</p>", {"text": "One Two Three"}),
        ("\U0001f468\u200d\U0001f469 are\u00adhere", {"text": "\U0001f468\U0001f469 arehere"}),
        (LONG, {"text": LONG[:119].rpartition(". ")[0] + "."}),
    ],
)
def test_html_is_a_line_of_text_with_the_first_link(tmp_path: Path, html: str, bar: dict[str, str]) -> None:
    found = imported(tmp_path, json.dumps(html, ensure_ascii=False))
    assert toml_of(found, "kinfolk.toml")["announcement"] == bar
    assert faults_of(tmp_path, found) == []


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("make()", "announcement"),
        ("'<br/>'", "announcement"),
        (f"'{'a' * (LONGEST_SOURCE + 1)}'", "announcement"),
        ("'Go <a href=\"/nowhere\">there</a>'", "link '/nowhere' of the announcement"),
        ("'Go <a href=\"javascript:alert(1)\">there</a>'", "link 'javascript:alert(1)' of the announcement"),
        ('\'<a href="https://a.example">A</a> <a href="/b">B</a>\'', "1 more links of the announcement"),
        (f"'{LONG}'", f"announcement {LONG[:100]!r}"),
    ],
)
def test_what_is_not_taken_over_is_named_with_its_line(tmp_path: Path, content: str, what: str) -> None:
    found = imported(tmp_path, content)
    assert left_out(found)[what] == "docusaurus.config.js:1"
    assert "href" not in toml_of(found, "kinfolk.toml").get("announcement", {}) or what.startswith("1 more")


@pytest.mark.parametrize("unit", ["<a href=", "<a ", '<a href="x" ', "[a](", "**", "`a`` ", "[", "<"])
def test_hostile_announcement_takes_linear_time(tmp_path: Path, unit: str) -> None:
    project = ProjectImport(ProjectFiles(tmp_path), ImportedSite("Mintlify", "docs.json"))

    def import_text(length: int) -> None:
        import_announcement(project, ConfigText(1, unit * (length // len(unit))), is_markdown=True)

    for size in (LONGEST_SOURCE // 8, 128_000):
        assert cpu_time_growth(import_text, size) <= MAX_LINEAR_GROWTH

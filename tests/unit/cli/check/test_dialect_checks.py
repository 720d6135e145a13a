"""`kinfolk check` and Markdown processes with docs of other dialects."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from tests.inputs.dialect_pages import dialect_file

from kinfolk.cli.check.content_check import ContentReport, check_content
from kinfolk.config.settings import Settings
from kinfolk.content.markdown.processes.jobs import InProcessJobs
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool


def report_of(settings: Settings, tmp_path: Path, dialect: str, text: str) -> ContentReport:
    data = tmp_path / "data"
    shutil.copytree(settings.site, data, ignore=shutil.ignore_patterns("blog", "pages", "repos"))
    library = data / "libraries" / "query.toml"
    library.write_text(f'dialect = "{dialect}"\n{library.read_text()}')
    page = tmp_path / "content/TanStack/query/main/docs/page.md"
    page.parent.mkdir(parents=True)
    page.write_text(text)
    ours = dataclasses.replace(settings, site=data, content=tmp_path / "content")
    report = check_content(ours, tmp_path / "content")
    # The page is the only one, so the menus of the sample site lead nowhere.
    return dataclasses.replace(report, faults=tuple(one for one in report.faults if not one.file.endswith(".toml")))


@pytest.mark.parametrize(
    ("dialect", "line", "complaint"),
    [
        ("vitepress", "<Fancy />", "the component <Fancy> is unknown; only its content is shown"),
        ("vitepress", "[x](/gone)", "the link /gone leads nowhere"),
        ("vitepress", "[x](#gone)", "the link #gone leads nowhere"),
        ("vitepress", "<<< ./gone.ts", "the snippet ./gone.ts does not exist"),
        ("mkdocs", "Now {{ version }}", "the macro {{ version }} is not evaluated"),
        ("mkdocs", "x\n!!! note", None),
        ("docusaurus", "Now {version}", "the expression {version} is not shown"),
        ("docusaurus", "text :::", None),
        ("docusaurus", "text\n\n:::", "':::' is shown as text"),
    ],
)
def test_faults_name_file_and_line(
    settings: Settings, tmp_path: Path, dialect: str, line: str, complaint: str | None
) -> None:
    report = report_of(settings, tmp_path, dialect, f"---\ntitle: T\n---\n\n{line}\n")
    number = 5 + line.count("\n")
    expected = [] if complaint is None else [f"TanStack/query/main/docs/page.md: line {number}: {complaint}"]
    assert [fault.message for fault in report.faults] == expected


def test_unknown_front_matter_is_a_warning(settings: Settings, tmp_path: Path) -> None:
    report = report_of(settings, tmp_path, "docusaurus", "---\ntitel: T\n---\n\nText\n")
    assert report.faults == ()
    assert [warning.message for warning in report.warnings] == [
        "TanStack/query/main/docs/page.md: line 1: the key titel of the front matter is unknown"
    ]


def test_processes_render_what_the_calling_thread_renders() -> None:
    text = "<!--@include: ./part.md-->\n\n::: tip\n```js{1} [a.js]\nx\n```\n:::\n\n<Fancy />\n"
    file = dialect_file("vitepress", text, {"docs/guide/part.md": "Included\n"})
    pool = MarkdownProcessPool()
    try:
        page = pool.page(file)
        assert page == InProcessJobs().page(file)
        assert pool.export(file) == InProcessJobs().export(file)
        assert pool.summary(file) == InProcessJobs().summary(file)
    finally:
        pool.close()
    assert "Included" in page.html()
    assert len(page.problems) == 1

"""The files of a new site."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from tests.sites.sample_site import read_settings

from kinfolk.cli.check.content_check import check_content
from kinfolk.cli.main import main
from kinfolk.cli.new.new_site import NewLibrary, plan_site, site_files, write_site
from kinfolk.config.catalog import load_catalog
from kinfolk.content.markdown.dialects import GITHUB, PlacedFile
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.runtime.errors import Invalid

DAY = date(2026, 11, 25)
PLAN = plan_site("Acme", "teal", ())


def written(folder: Path, *repositories: str, name: str = 'Acme "2" & co') -> Path:
    write_site(folder, site_files(plan_site(name, "pink", repositories), today=DAY, version="1.2.3"))
    return folder


def test_new_site_with_sample_docs_has_no_faults(tmp_path: Path) -> None:
    settings = read_settings({"KINFOLK_SITE": str(written(tmp_path)), "KINFOLK_MIRROR": "off"})
    catalog = load_catalog(settings.site)
    (library,) = catalog.libraries
    assert (catalog.family, library.name, library.color_from) == ('Acme "2" & co', 'Acme "2" & co', "pink-400")
    report = check_content(settings, settings.content)
    assert (report.pages, report.links > 0) == (2, True)
    assert [fault.message for fault in report.faults] == []


def test_each_repository_becomes_a_library_with_a_color_of_its_own(tmp_path: Path) -> None:
    catalog = load_catalog(written(tmp_path, "acme/widgets", "https://github.com/acme/big_gears.git"))
    by_id = {library.id: library for library in catalog.libraries}
    assert {id: (one.name, one.repo) for id, one in by_id.items()} == {
        "widgets": ("Widgets", "acme/widgets"),
        "big-gears": ("Big Gears", "acme/big_gears"),
    }
    assert by_id["widgets"].color_from == "pink-400" != by_id["big-gears"].color_from
    assert not (tmp_path / "docs").exists()


def test_repository_may_have_a_branch(tmp_path: Path) -> None:
    (library,) = load_catalog(written(tmp_path, "acme/website@v2")).libraries
    assert (library.id, library.name, library.repo, library.latest_branch) == ("acme", "Acme", "acme/website", "v2")


def test_workflow_pins_the_version_of_the_package(tmp_path: Path) -> None:
    workflow = yaml.safe_load((written(tmp_path) / ".github/workflows/check.yml").read_text())
    assert [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step] == [
        "pip install kinfolk==1.2.3",
        "kinfolk sync",
        "kinfolk check",
    ]


def test_check_fails_for_a_library_that_is_not_mirrored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = written(tmp_path, "acme/widgets", "acme/gears")
    copy = site / "repos/acme/widgets/main/docs/overview.md"
    copy.parent.mkdir(parents=True)
    copy.write_text("---\ntitle: Overview\n---\n\nText.\n")
    monkeypatch.setenv("KINFOLK_SITE", str(site))
    monkeypatch.delenv("KINFOLK_MIRROR", raising=False)
    checked = CliRunner().invoke(main, ["check"])
    assert (checked.exit_code, checked.output.splitlines()[-2:]) == (
        1,
        ["libraries/gears.toml: there is no copy of acme/gears@main: run `kinfolk sync gears`", "Error: 1 fault"],
    )
    monkeypatch.setenv("KINFOLK_MIRROR", "off")
    assert CliRunner().invoke(main, ["check"]).exit_code == 0
    copy.unlink()
    monkeypatch.delenv("KINFOLK_MIRROR")
    none = CliRunner().invoke(main, ["check"])
    assert (none.exit_code, none.output.count("run `kinfolk sync")) == (1, 2)


def test_site_with_docs_in_folders_has_nothing_to_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_SITE", str(written(tmp_path)))
    monkeypatch.delenv("KINFOLK_MIRROR", raising=False)
    synced = CliRunner().invoke(main, ["sync"])
    assert (synced.exit_code, synced.output.startswith("There is nothing to mirror")) == (0, True)
    assert not (tmp_path / "var/mirror").exists()


def test_export_to_the_folder_of_public_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_SITE", str(written(tmp_path)))
    exported = CliRunner().invoke(main, ["export", str(tmp_path / "public")])
    assert (exported.exit_code, "export to another one, such as dist" in exported.output) == (1, True)
    assert not (tmp_path / "public").exists()


def test_library_in_the_folder_has_no_repository_to_count(tmp_path: Path) -> None:
    assert load_catalog(written(tmp_path)).on_github == {}


def test_no_file_has_a_placeholder_left() -> None:
    files = site_files(plan_site("Acme", "teal", ()), today=DAY, version="1")
    assert [name for name, text in files.items() if "$" in text.replace("${name}", "")] == []


FEATURES = {
    "tables": ("| A |\n| --- |\n| b |\n", "<td>b</td>"),
    "task lists": ("- [x] done\n", '<input class="task-list-item-checkbox" type="checkbox" disabled'),
    "strikethrough": ("~~old~~\n", "<s>old</s>"),
    "links to addresses": ("See https://acme.example.\n", '<a href="https://acme.example"'),
    "anchors of headings": ("## Set it up\n\n[there](#set-it-up)\n", '<h2 id="set-it-up">'),
    "footnotes": ("A[^1]\n\n[^1]: Note\n", 'role="doc-noteref"'),
    "math": ("$x^2$\n", "<msup>"),
    "emoji codes": (":tada:\n", "🎉"),
    "callouts": ("> [!NOTE]\n> Text\n", 'data-callout="note"'),
}
"""Features that pages of a new site may claim: Markdown, and HTML that only its feature produces."""
MARKUP = re.compile(
    r"\[\^|\[!|\]\(|\*\*|~~|\|\s*-|\{#|\$\$|:::|(?<!\w):[a-z_]+:(?!\w)|^\s*(?:#|>|[-*] \[)", re.MULTILINE
)
"""Markup of Markdown and its dialects."""


def page_of_new_site(folder: Path, text: str) -> MarkdownPage:
    """The text as the new site renders it."""
    (library,) = load_catalog(written(folder)).libraries
    place = None if library.dialect == GITHUB else PlacedFile(library.dialect, "docs/page.md")
    return InProcessJobs().page(MarkdownFile("docs/page.md", text, str, place))


def test_each_feature_that_a_page_claims_works(tmp_path: Path) -> None:
    pages = {name: text for name, text in site_files(PLAN, today=DAY, version="1").items() if name.endswith(".md")}
    sentences = [one for text in pages.values() for one in re.findall(r"[^.:]*: ([^.:]+) work\.", text)]
    claimed = [feature for one in sentences for feature in re.split(r",\s+|\s+and\s+", " ".join(one.split()))]
    assert claimed
    assert [feature for feature in claimed if feature not in FEATURES] == []
    html = {feature: page_of_new_site(tmp_path / feature, FEATURES[feature][0]).html() for feature in claimed}
    assert [feature for feature in claimed if FEATURES[feature][1] not in html[feature]] == []


def test_pages_use_no_markup_that_the_new_site_shows_as_text(tmp_path: Path) -> None:
    files = site_files(PLAN, today=DAY, version="1")
    pages = {name: page_of_new_site(tmp_path / name, text) for name, text in files.items() if name.endswith(".md")}
    shown = {name: unescape(re.sub(r"<[^>]*>", "", "".join(page.chunks))) for name, page in pages.items()}
    assert len(shown) == 4
    assert {name: found[0] for name, text in shown.items() if (found := MARKUP.search(text))} == {}
    assert [page.problems for page in pages.values()] == [()] * 4


def test_page_with_markup_of_another_program_is_recognized(tmp_path: Path) -> None:
    text = "::: tip\nx\n:::\n"
    assert MARKUP.search("".join(page_of_new_site(tmp_path, text).chunks)) is not None


@pytest.mark.parametrize(
    ("family", "color", "repositories", "message"),
    [
        ("…", "teal", [], "needs a letter"),
        ("Acme", "beige", [], "color is one of"),
        ("Acme", "teal", ["widgets"], "owner/name"),
        ("Acme", "teal", ["acme/widgets", "other/Widgets"], "Two repositories are called widgets"),
    ],
)
def test_invalid_answer_is_named(family: str, color: str, repositories: list[str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        plan_site(family, color, repositories)


def test_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(Invalid, match=r"README\.md exists"):
        written(tmp_path)
    assert not (tmp_path / "kinfolk.toml").exists()


def test_command_asks_for_what_is_not_given(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["new", str(tmp_path / "acme-docs"), "--no-fetch"], input="Acme\nred\nacme/widgets acme/gears\n"
    )
    assert done.exit_code == 0, done.output
    catalog = load_catalog(tmp_path / "acme-docs")
    assert [library.repo for library in catalog.libraries] == ["acme/gears", "acme/widgets"]


def test_command_with_a_name_asks_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["new", str(tmp_path / "demo"), "--name", "Demo"], input="")
    assert done.exit_code == 0, done.output
    assert plan_site("Demo", "teal", ()).libraries == (NewLibrary("demo", "Demo"),)
    again = CliRunner().invoke(main, ["new", str(tmp_path / "demo"), "--name", "Demo"])
    assert "has a site already" in again.output

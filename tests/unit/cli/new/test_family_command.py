"""`kinfolk new` with repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.new.new_family import GEARS, SPRINGS, WIDGETS, run_new, upstreams_with
from tests.unit.content.sources.git.sources_upstream import Upstreams

from kinfolk.cli.new.family_command import staged
from kinfolk.cli.new.new_site import ChosenRepository, chosen_repositories
from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.published_commits import read_published
from kinfolk.runtime.errors import Invalid


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KINFOLK_MIRROR", raising=False)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_repositories_become_libraries_that_are_mirrored(tmp_path: Path) -> None:
    upstreams = upstreams_with(tmp_path, WIDGETS, GEARS, SPRINGS)
    done = run_new(tmp_path / "big-family", upstreams, "acme/widgets", "acme/gears", "acme/springs")
    assert done.exit_code == 0, done.output
    catalog = load_catalog(tmp_path / "big-family")
    assert catalog.family == "Big Family"
    widgets, gears = catalog.libraries
    assert (widgets.tagline, widgets.description) == (
        "Tables for the web",
        "Widgets is a library for tables. It has no dependencies.",
    )
    assert (widgets.dialect, widgets.default_docs, widgets.color) == ("vitepress", "guide/getting-started", "pink")
    assert [package.name for package in widgets.packages] == ["widgets"] == list(widgets.npm_packages)
    assert [sample.language for sample in widgets.samples] == ["ts"]
    assert (gears.dialect, gears.color, gears.latest_branch) == ("mkdocs", "teal", "trunk")
    assert [(package.registry, package.name) for package in gears.packages] == [("pypi", "gears")]
    assert (tmp_path / "big-family/libraries/widgets/logo.svg").exists()
    published = read_published(tmp_path / "big-family/var/mirror")
    assert {ref: published.get(ref) for ref in (WIDGETS, GEARS)} == {
        ref: upstreams.tip(ref) for ref in (WIDGETS, GEARS)
    }
    assert "Left out: acme/springs: reStructuredText (docs/index.rst) is not supported" in done.output
    assert "Checked: 3 of 3 pages are whole" in done.output
    assert names_in(tmp_path) == ["big-family", "upstream"]


@pytest.mark.parametrize(
    ("repositories", "message"),
    [
        (["acme/widgets", "acme/nothing"], "acme/nothing: "),
        (["acme/widgets", "other/Widgets"], "Two repositories are called widgets"),
        (["widgets"], "owner/name"),
        (["acme/springs"], "acme/springs: reStructuredText"),
        (["acme/widgets@v9"], "acme/widgets: v9: "),
        (["acme/widgets@-x"], "owner/name"),
    ],
)
def test_nothing_is_written_after_an_error(tmp_path: Path, repositories: list[str], message: str) -> None:
    done = run_new(tmp_path / "site", upstreams_with(tmp_path, WIDGETS, SPRINGS), *repositories)
    assert (done.exit_code, message in done.output) == (1, True), done.output
    assert names_in(tmp_path) == ["upstream"]


def test_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/notes.txt").write_text("mine")
    done = run_new(tmp_path / "site", upstreams_with(tmp_path, WIDGETS), "acme/widgets")
    assert (done.exit_code, "is not empty" in done.output) == (1, True)
    assert names_in(tmp_path / "site") == ["notes.txt"]


def test_empty_repository_of_git_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "site/.git").mkdir(parents=True)
    done = run_new(tmp_path / "site", upstreams_with(tmp_path, WIDGETS), "acme/widgets")
    assert done.exit_code == 0, done.output
    assert {".git", "kinfolk.toml", "libraries", "var"} <= set(names_in(tmp_path / "site"))


def test_interrupt_leaves_nothing(tmp_path: Path) -> None:
    def write() -> None:
        with staged(tmp_path / "site") as folder:
            (folder / "kinfolk.toml").write_text("family = 'Acme'\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert names_in(tmp_path) == []


def test_mirror_that_is_off_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINFOLK_MIRROR", "off")
    done = run_new(tmp_path / "site", Upstreams(tmp_path), "acme/widgets")
    assert (done.exit_code, "--no-fetch" in done.output) == (1, True)
    assert names_in(tmp_path) == []


def test_repositories_are_written_in_several_forms() -> None:
    forms = ["acme/a", "https://github.com/acme/b.git", "https://github.com/acme/c/", "acme/d@release/2.0", "acme/docs"]
    with pytest.raises(Invalid, match="owner/name"):
        chosen_repositories(["https://git.example/acme/a"])
    assert chosen_repositories(forms) == [
        ChosenRepository("acme/a", None),
        ChosenRepository("acme/b", None),
        ChosenRepository("acme/c", None),
        ChosenRepository("acme/d", "release/2.0"),
        ChosenRepository("acme/docs", None),
    ]
    assert [one.id for one in chosen_repositories(forms)] == ["a", "b", "c", "d", "acme"]
    assert Ref("acme/d", "release/2.0").repo == "acme/d"

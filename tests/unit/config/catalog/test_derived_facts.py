"""A site with two lines of configuration is complete: the rest follows from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sites.sample_site import read_settings

from kinfolk.config.catalog import Catalog, catalog_errors, load_catalog
from kinfolk.config.catalog.derived_facts import with_library_facts
from kinfolk.config.docs_address import Ref
from kinfolk.config.site_folder import find_site_folder, site_file
from kinfolk.runtime.errors import Invalid


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/widgets.toml").write_text('folder = ".."\n')
    (tmp_path / "libraries/big-gears.toml").write_text('name = "Acme Gears"\nrepo = "acme/gears"\ncolor = "pink"\n')
    return tmp_path


@pytest.fixture
def acme(folder: Path) -> Catalog:
    return load_catalog(folder)


def test_two_lines_are_a_valid_site(acme: Catalog) -> None:
    assert [library.id for library in acme.libraries] == ["big-gears", "widgets"]
    assert (acme.title, acme.owner, acme.home.claim) == ("Acme", "Acme", "Acme")
    assert [group.libraries for group in acme.groups] == [("big-gears", "widgets")]
    assert acme.frameworks


def test_names_and_versions_follow_from_the_file(acme: Catalog) -> None:
    gears, widgets = acme.libraries
    assert (gears.name, gears.short_name, gears.to) == ("Acme Gears", "Gears", "/big-gears")
    assert (widgets.name, widgets.tagline) == ("Widgets", "Documentation of Widgets")
    assert (gears.version_names, gears.latest_version, gears.latest_branch) == (("main",), "main", "main")
    assert [entry.to for entry in gears.menu][1:] == ["https://github.com/acme/gears"]


def test_library_in_a_folder_needs_no_repository(acme: Catalog) -> None:
    widgets = acme.library("widgets")
    assert widgets.ref(None) == Ref("_local/widgets", "main")
    assert (widgets.repo, widgets.code_host, widgets.repo_url) == (None, None, None)
    assert [entry.label for entry in widgets.menu] == ["Docs"]


def test_colors_follow_from_a_hue_or_the_position(acme: Catalog) -> None:
    gears, widgets = acme.libraries
    assert (gears.color_from, gears.color_to, gears.card_styles.dark) == ("pink-400", "pink-600", "pink-400")
    assert widgets.color_from.partition("-")[0] not in {"", "pink"}


def test_library_without_repository_and_folder_is_an_error(folder: Path) -> None:
    (folder / "libraries/widgets.toml").write_text("")
    assert [(fault.file, fault.key, fault.reason) for fault in catalog_errors(folder)] == [
        ("libraries/widgets.toml", "repo", "is missing")
    ]


def test_latest_branch_follows_from_the_latest_version(folder: Path) -> None:
    versions = '[[versions]]\nname = "v2"\nbranch = "main"\n\n[[versions]]\nname = "v1"\nbranch = "1.x"\n'
    (folder / "libraries/widgets.toml").write_text(f'repo = "acme/widgets"\nlatest_version = "v1"\n{versions}')
    assert load_catalog(folder).library("widgets").latest_branch == "1.x"


def test_site_folder_is_found_from_a_folder_within(folder: Path) -> None:
    assert find_site_folder(folder / "libraries") == folder
    with pytest.raises(Invalid, match="kinfolk new"):
        find_site_folder(folder.parent)


def test_named_folder_without_configuration_is_refused(folder: Path) -> None:
    with pytest.raises(Invalid, match=r"KINFOLK_SITE .* no kinfolk\.toml"):
        read_settings({"KINFOLK_SITE": str(folder / "libraries")})


def test_relative_paths_of_settings_start_at_the_site_folder(folder: Path) -> None:
    settings = read_settings({"KINFOLK_SITE": str(folder), "KINFOLK_CONTENT": "docs/repos"})
    assert (settings.content, settings.var) == (folder / "docs/repos", folder / "var")


def test_file_of_the_site_replaces_the_default(folder: Path) -> None:
    assert site_file(folder, "colors.toml").exists()
    (folder / "colors.toml").write_text('[colors]\nred-500 = "#ff0000"\n')
    assert site_file(folder, "colors.toml") == folder / "colors.toml"


def test_menu_links_to_the_host_of_the_repository() -> None:
    facts = with_library_facts({"repo": "acme/tiles", "host": "gitlab"}, "tiles", 0, "Acme")
    assert facts["menu"][1] == {"label": "GitLab", "to": "https://gitlab.com/acme/tiles", "icon": "gitlab"}

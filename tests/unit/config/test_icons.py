"""Icons that data names: the documented set, and errors for unknown names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.sites.acme_site import write_acme_site

from kinfolk.config.catalog import load_catalog
from kinfolk.config.icons import BRAND_ICONS, NEUTRAL_ICON, interface_icons, load_icons, unknown_icons
from kinfolk.config.icons.icon_names import icon_errors, icon_names
from kinfolk.config.settings import ROOT


@pytest.fixture
def frontend(tmp_path: Path) -> Path:
    """A built frontend with a few brand icons."""
    file = tmp_path / "dist" / BRAND_ICONS
    file.parent.mkdir(parents=True)
    file.write_text("forgejo\tM0 0h0\ngithub\tM0 0h1\ngitlab\tM0 0h2\nmastodon\tM0 0h3\nrust\tM0 0h4\ntarget\tM0 0h5\n")
    return tmp_path / "dist"


def test_icons_have_the_shapes_of_their_names(frontend: Path) -> None:
    icons = load_icons(frontend, {"github", "zap"})
    assert (icons["github"].path, icons["github"].filled) == ("M0 0h1", True)
    assert not icons["zap"].filled
    assert set(icons.icons) == {"github", "zap"}


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("names", [["a"], ["a", "ab"], ["a", "ab", "b"], [f"n{number}" for number in range(1_000)]])
def test_every_icon_of_the_build_is_found_and_no_other(tmp_path: Path, names: list[str], end: str) -> None:
    (tmp_path / "icons").mkdir()
    lines = sorted(f"{name}\tM0 0{'h1' * (number % 7)}" for number, name in enumerate(names))
    (tmp_path / BRAND_ICONS).write_text("\n".join(lines) + end)
    paths = dict(line.split("\t") for line in lines)
    icons = load_icons(tmp_path, names)
    assert {name: icons[name].path for name in names} == paths
    others = {"", "0", "aa", "abc", "n", "n1000x", "z", "ü", *(f"{name}\tM0 0" for name in names), "a\nb"} - set(names)
    assert set(load_icons(tmp_path, others).icons.values()) == {NEUTRAL_ICON}


def test_icon_of_the_interface_wins_over_a_brand_icon(frontend: Path) -> None:
    assert load_icons(frontend, {"target"})["target"] == interface_icons()["target"]


def test_unknown_icon_names_the_nearest_ones(frontend: Path) -> None:
    assert unknown_icons(frontend, ["githup", "qqqq", "github"]) == {
        "githup": "there is no icon githup; the nearest are github, gitlab, git-branch",
        "qqqq": "there is no icon qqqq",
    }
    assert load_icons(frontend, {"githup"})["githup"] == NEUTRAL_ICON


def test_check_names_the_file_and_the_key_of_an_unknown_icon(frontend: Path, tmp_path: Path) -> None:
    site = write_acme_site(tmp_path / "site")
    file = site / "libraries/tiles.toml"
    file.write_text(file.read_text().replace('icon = "rust"', 'icon = "rsut"'))
    faults = icon_errors(frontend, load_catalog(site))
    assert [(fault.file, fault.key) for fault in faults] == [("libraries/tiles.toml", "feature_highlights[1].icon")]
    assert "rust" in faults[0].reason


def test_icons_of_menus_and_buttons_are_checked(frontend: Path, tmp_path: Path) -> None:
    site = write_acme_site(
        tmp_path / "site", home='buttons = [{ label = "Chat", to = "https://chat.example", icon = "nope-nope" }]\n'
    )
    assert "nope-nope" in icon_names(load_catalog(site))
    assert [fault.key for fault in icon_errors(frontend, load_catalog(site))] == ["home.buttons[0].icon"]


def test_names_are_not_checked_without_the_built_frontend(tmp_path: Path) -> None:
    site = write_acme_site(tmp_path / "site")
    assert icon_errors(tmp_path, load_catalog(site)) == []
    assert load_icons(tmp_path, {"github"})["github"] == NEUTRAL_ICON


def test_documentation_lists_all_icons_of_the_interface() -> None:
    section = (ROOT / "docs/theming.md").read_text().partition("## Icons")[2].partition("\n## ")[0]
    listed = re.findall(r"`([a-z-]+)`", section.partition("Icons of the interface:")[2].partition("\n\n")[0])
    assert listed == sorted(interface_icons())

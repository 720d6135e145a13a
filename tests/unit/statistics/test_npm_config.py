"""npm.toml and the packages of the libraries."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.sites.sample_site import SITE

from kinfolk.config.catalog import catalog_errors, load_catalog
from kinfolk.statistics.comparisons.comparison import MAX_PACKAGES, Comparison
from kinfolk.statistics.comparisons.comparison_query import comparison_query, parse_comparison
from kinfolk.statistics.npm_config import NpmConfig, load_npm_config, npm_config_errors
from kinfolk.statistics.package_name import is_package_name

DATA = SITE


@pytest.fixture(scope="module")
def config() -> NpmConfig:
    return load_npm_config(DATA)


def faults_after(tmp_path: Path, old: str, new: str) -> list[tuple[str, str]]:
    """The faults of a copy of the file in which `new` replaces `old` once."""
    text = (DATA / "npm.toml").read_text()
    assert old in text
    (tmp_path / "npm.toml").write_text(text.replace(old, new, 1))
    return [(fault.key, fault.reason) for fault in npm_config_errors(tmp_path)]


def test_popular_comparisons_are_in_the_order_of_the_specification(config: NpmConfig) -> None:
    assert [category.title for category in config.categories] == [
        "Data Fetching", "State Management", "Data Grids", "Virtualization", "Frameworks", "Styling", "Build Tools",
        "Testing", "Forms", "UI Components", "Animation", "Date & Time", "Validation", "Routing",
    ]  # fmt: skip


def test_default_comparison_is_data_fetching(config: NpmConfig) -> None:
    assert [[one.name for one in group.packages] for group in config.default_groups] == [
        ["@tanstack/react-query", "react-query"], ["swr"], ["@apollo/client"], ["@trpc/client"],
    ]  # fmt: skip


def test_categories_have_81_packages(config: NpmConfig) -> None:
    names = {name for category in config.categories for group in category.groups for name in group.packages}
    assert len(names) == 81
    assert all(map(is_package_name, names))
    assert "@formkit/auto-animate" in names


def test_groups_of_a_category_differ_in_color(config: NpmConfig) -> None:
    for category in config.categories:
        colors = [group.color for group in category.groups]
        assert len(set(colors)) == len(colors), category.title


def test_query_of_each_comparison_is_read_as_the_same_groups(config: NpmConfig) -> None:
    for category in (*config.categories, *config.indexes):
        query = comparison_query(Comparison(category.package_groups), default_groups=config.default_groups)
        assert parse_comparison(query, default_groups=config.default_groups).groups == category.package_groups


def test_baselines_of_several_packages(config: NpmConfig) -> None:
    names = {entry.title: [group.packages[0] for group in entry.groups] for entry in config.indexes}
    assert names["npm ecosystem"] == ["lodash", "typescript", "express", "axios"]
    assert names["Frontend frameworks"][0] == "react"


def test_color_of_a_package_is_that_of_its_category(config: NpmConfig) -> None:
    assert config.colors["react"] == "#61dafb"
    assert config.colors["@tanstack/react-query"] == config.default_groups[0].color


def test_days_of_known_outages(config: NpmConfig) -> None:
    everywhere = {outage.first for outage in config.outages if outage.package is None}
    assert {"2015-03-11", "2018-05-27", "2022-07-22", "2023-11-02"} <= everywhere
    assert {outage.package for outage in config.outages if outage.package} == {"svelte", "vue", "vite"}


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('packages = ["swr"]', 'packages = ["s w r"]', "categories[0].groups[1].packages[0]", "should look like"),
        ('packages = ["swr"]', "packages = []", "categories[0].groups", "must be 1 to 32 groups with packages"),
        (
            'packages = ["swr"]',
            'packages = ["@apollo/client"]',
            "categories[0].groups",
            "must not begin with the same package",
        ),
        ('"react-query"]', '"@tanstack/react-query"]', "categories[0].groups", "must not have a package twice"),
        ("#ff4500", "#FF4500", "categories[0].groups[0].color", "should look like #1f77b4"),
        ("#ff4500", "red", "categories[0].groups[0].color", "should look like #1f77b4"),
        ('first = "2015-03-11"', 'first = "2015-03-32"', "outages[0].first", "should be a day such as 2025-01-31"),
        ('first = "2015-03-11"', 'first = "2015-03-12"', "outages[0].last", "is before the first day"),
        ('packages = ["lodash"]', "packages = []", "indexes[0].groups", "must be 1 to 32 groups with packages"),
        ("[[indexes]]", "[[indices]]", "indices", "is not a known key"),
    ],
)
def test_fault_is_reported_with_its_key(tmp_path: Path, old: str, new: str, key: str, reason: str) -> None:
    assert any(found == key and reason in text for found, text in faults_after(tmp_path, old, new))


def test_category_may_have_as_many_packages_as_a_comparison(tmp_path: Path) -> None:
    many = ", ".join(f'"p{n}"' for n in range(MAX_PACKAGES))
    faults = faults_after(tmp_path, 'packages = ["swr"]', f"packages = [{many}]")
    assert faults == [("categories[0].groups", f"must have at most {MAX_PACKAGES} packages")]


def test_empty_palette_is_refused(tmp_path: Path) -> None:
    (tmp_path / "npm.toml").write_text("palette = []\ncategories = []\n")
    assert [fault.key for fault in npm_config_errors(tmp_path)] == ["palette"]
    assert load_npm_config(tmp_path).palette


def test_site_without_the_file_has_no_comparisons(tmp_path: Path) -> None:
    config = load_npm_config(tmp_path)
    assert config.categories == ()
    assert config.palette


def test_each_library_declares_its_packages() -> None:
    for library in load_catalog(DATA).libraries:
        names = library.npm_packages
        assert names, library.id
        assert len(set(names)) == len(names) <= MAX_PACKAGES
        assert all(map(is_package_name, names))
        installed = {package.name.removesuffix("@8") for package in library.packages}
        assert installed <= set(names), library.id


def test_package_belongs_to_one_library() -> None:
    names = [name for library in load_catalog(DATA).libraries for name in library.npm_packages]
    assert len(set(names)) == len(names)


def test_library_with_an_invalid_package_is_left_out(tmp_path: Path) -> None:
    data = shutil.copytree(DATA, tmp_path / "data")
    file = data / "libraries/ranger.toml"
    file.write_text(file.read_text().replace('"react-ranger"', '"React Ranger"'))
    assert [fault.key for fault in catalog_errors(data)] == ["npm_packages[2]"]
    assert load_catalog(data).find_library("ranger") is None

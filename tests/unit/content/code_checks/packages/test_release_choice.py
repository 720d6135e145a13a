"""Which release of a package the docs of a version describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import orjson
import pytest

from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.library import Package, Version
from kinfolk.config.catalog.releases import Tag, releases_of
from kinfolk.content.code_checks.packages.registry.packument import Packument
from kinfolk.content.code_checks.packages.release_choice import OwnPackage, choose_release, own_packages

NAMES: Mapping[str, str | None] = {
    "@acme/react-tiles": "react", "@acme/vue-tiles": "vue", "@acme/tiles-core": None, "@acme/svelte-tiles": None,
}  # fmt: skip
REACT = OwnPackage("@acme/react-tiles", "react")
SVELTE = OwnPackage("@acme/svelte-tiles", "svelte")


@pytest.fixture
def library(catalog: Catalog) -> Library:
    return replace(
        catalog.library("query"),
        frameworks=("react", "vue"),
        packages=(
            Package("@acme/react-tiles", "react"),
            Package("@acme/vue-tiles", "vue"),
            Package("tiles", None, "pypi"),
        ),
        latest_version="v5",
        versions=(Version("v5", branch="main"), Version("v4", branch="v4"), Version("v6", branch="next")),
    )


def packument(name: str, *versions: str, latest: str = "", ranges: Mapping[str, str] | None = None) -> Packument:
    facts = {version: {"dependencies": dict(ranges or {})} for version in versions}
    return Packument.parse(name, orjson.dumps({"dist-tags": {"latest": latest or versions[0]}, "versions": facts}))


def release(library: Library, *names: tuple[str, ...]) -> None:
    tags = (
        Tag(name, f"commit {at}", date(2026, 1, 1 + at), {"docs": "t"})
        for at, each in enumerate(names)
        for name in each
    )
    packages = (("react", "@acme/react-tiles"), ("vue", "@acme/vue-tiles"))
    forms = ("v{version}", "{package}@{version}")
    library.releases.replace(releases_of(tags, forms=forms, packages=packages, docs_roots=("docs",)))


def choose(
    library: Library, version: str, found: Packument, package: OwnPackage = REACT, branch: str | None = None
) -> tuple[str, str] | None:
    chosen = choose_release(package=package, packument=found, library=library, version=library.version(version),
                            names=NAMES, on_branch=branch)  # fmt: skip
    return (chosen.version, chosen.rule) if chosen is not None else None


def test_newest_stable_tag_of_the_version_decides(library: Library) -> None:
    release(library, ("v4.9.0",), ("v5.1.0",), ("v5.2.0",), ("v5.3.0-beta.1",))
    found = packument(REACT.name, "5.9.0", "5.2.0", "5.1.0", "4.9.0", "4.10.0")
    assert choose(library, "v5", found, branch="5.9.0") == ("5.2.0", "tag")
    assert choose(library, "v4", found) == ("4.9.0", "tag")


def test_package_of_a_framework_has_the_number_of_its_own_tag(library: Library) -> None:
    release(library, ("@acme/react-tiles@5.2.0", "@acme/vue-tiles@5.1.7", "@acme/svelte-tiles@6.0.1"))
    vue = OwnPackage("@acme/vue-tiles", "vue")
    assert choose(library, "v5", packument(vue.name, "5.2.0", "5.1.7"), vue) == ("5.1.7", "tag")
    assert choose(library, "v5", packument(SVELTE.name, "6.1.0", "6.0.1"), SVELTE) == ("6.0.1", "tag")


def test_tag_that_the_registry_does_not_have_gives_way_to_the_branch(library: Library) -> None:
    release(library, ("v5.2.0",))
    assert choose(library, "v5", packument(REACT.name, "5.1.0", "5.0.0"), branch="5.0.0") == ("5.0.0", "branch")
    assert choose(library, "v5", packument(REACT.name, "5.1.0"), branch="0.0.0-dev") == ("5.1.0", "latest")


def test_older_version_has_the_newest_release_of_its_major(library: Library) -> None:
    assert choose(library, "v4", packument(REACT.name, "5.1.0", "4.10.0", "4.9.0", "4.11.0-rc.1")) == ("4.10.0", "name")
    assert choose(library, "v4", packument(REACT.name, "5.1.0")) is None


def test_major_without_stable_release_has_its_newest_prerelease(library: Library) -> None:
    found = packument(REACT.name, "5.1.0", "6.0.0-beta.2", "6.0.0-alpha.9")
    assert choose(library, "v6", found) == ("6.0.0-beta.2", "prerelease")


def test_latest_of_a_package_with_another_major_belongs_to_the_latest_version_by_its_dependencies(
    library: Library,
) -> None:
    core = {"@acme/tiles-core": "5.4.0"}
    found = packument(SVELTE.name, "6.1.0", "5.3.0", ranges=core)
    assert choose(library, "v5", found, SVELTE) == ("6.1.0", "latest")
    assert choose(library, "v5", packument(SVELTE.name, "6.1.0", "5.3.0"), SVELTE) == ("5.3.0", "name")


def test_newer_major_in_the_registry_is_not_that_of_the_latest_docs(library: Library) -> None:
    assert choose(library, "v5", packument(REACT.name, "7.0.0", "5.3.0")) == ("5.3.0", "name")


def test_range_of_the_install_command_limits_every_rule(library: Library) -> None:
    release(library, ("v5.2.0",))
    package = OwnPackage(REACT.name, "react", "5.1")
    assert choose(library, "v5", packument(REACT.name, "5.2.0", "5.1.4"), package) == ("5.1.4", "name")


def test_packages_of_a_framework_are_those_of_its_install_command(library: Library) -> None:
    version = library.version("v5")
    assert own_packages(library, version, "vue", NAMES) == (OwnPackage("@acme/vue-tiles", "vue"),)
    assert own_packages(library, version, None, NAMES) == (REACT,)
    assert own_packages(library, library.version("v4"), "react", NAMES) == (OwnPackage(REACT.name, "react", "4"),)


def test_framework_without_install_command_has_the_package_with_its_name(library: Library) -> None:
    assert own_packages(library, library.version("v5"), "svelte", NAMES) == (SVELTE,)
    assert own_packages(library, library.version("v5"), "lit", NAMES) == ()

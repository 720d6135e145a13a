"""Plans of upgrades: what ranges mean with and without known releases, and which guides lead to the current version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date

import pytest

from kinfolk.api.upgrades.upgrade_plan import LibraryUpgrade, family_packages, upgrade_plan
from kinfolk.config.catalog import Catalog, Library
from kinfolk.config.catalog.library import Package, Version
from kinfolk.config.catalog.releases import Tag, releases_of
from kinfolk.content.docs import ContentReader, DocsSnapshot

PACKAGES = (("react", "@acme/react-query"), ("vue", "@acme/vue-query"), ("angular", "@acme/angular-query"))
TAGS = """a v4.36.1,b v5.0.0-beta.1,c @acme/react-query@5.0.0 @acme/vue-query@5.0.0,
d @acme/react-query@5.28.0 @acme/vue-query@5.27.3,e @acme/react-query@5.28.4 @acme/vue-query@5.28.4,
f @acme/angular-query@5.28.9,g v6.0.0-rc.1,h v7.0.0"""
GUIDE = "framework/react/guides/upgrade"
Plan = Callable[..., tuple[LibraryUpgrade, ...]]


def known_releases() -> Iterator[Tag]:
    for at, line in enumerate(TAGS.replace("\n", "").split(",")):
        commit, *names = line.split(" ")
        yield from (Tag(name, commit, date(2026, 1, 1 + at), {"docs": commit}) for name in names)


@pytest.fixture
def catalog(catalog: Catalog) -> Catalog:
    """One library with three versions, two of which have a guide."""
    versions = (
        Version("v5", branch="main", migration=GUIDE),
        Version("v4", branch="v4", migration=GUIDE),
        Version("v3", branch="v3", packages=(Package("old-query@3", "react"),)),
    )
    library = replace(
        catalog.library("query"),
        packages=tuple(Package(name, framework) for framework, name in PACKAGES),
        npm_packages=("@acme/query-core", "old-query"),
        latest_version="v5",
        versions=versions,
    )
    return replace(catalog, libraries=(library,))


@pytest.fixture
def library(catalog: Catalog) -> Library:
    return catalog.library("query")


@pytest.fixture
def plan(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> Plan:
    """Plans of a site that has a copy of the latest docs only."""
    pages = [f"TanStack/query/main/docs/framework/{each}/guides/upgrade.md" for each in ("react", "vue")]
    reader = ContentReader(docs_from_files(dict.fromkeys(pages, "# Upgrade")))
    return lambda *packages: upgrade_plan(reader, ",".join(packages))


def release_all(library: Library) -> None:
    library.releases.replace(
        releases_of(
            known_releases(), forms=("v{version}", "{package}@{version}"), packages=PACKAGES, docs_roots=("docs",)
        )
    )


def test_family_has_former_names_and_no_versions_in_names(catalog: Catalog) -> None:
    (family,) = family_packages(catalog)
    assert family.names == (*(name for _, name in PACKAGES), "old-query", "@acme/query-core")
    assert catalog.npm_names["query"]["old-query"] == "react"


@pytest.mark.parametrize(
    ("entry", "installed", "title", "current"),
    [
        ("@acme/react-query@^5.28.0", "latest", "v5", True),
        ("@acme/react-query@~4.1", "v4", "v4", False),
        ("@acme/query-core@3.x", "v3", "v3", False),
        ("@acme/react-query@latest", "latest", "v5", True),
        ("@acme/react-query@^4 || ^5", "latest", "v5", True),
    ],
)
def test_without_known_releases_the_major_decides(
    plan: Plan, entry: str, installed: str, title: str, current: bool
) -> None:
    (upgrade,) = plan(entry)
    assert upgrade.installed is not None
    assert (upgrade.installed.name, upgrade.installed.title) == (installed, title)
    assert (upgrade.is_current, upgrade.current.title) == (current, "v5")
    assert upgrade.packages[0].number is None


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("@acme/react-query@^5.0.0", ("5.28.4", "5.28.4", True)),
        ("@acme/react-query@~5.0.0", ("5.0.0", "5.0.0", False)),
        ("@acme/react-query@^4", ("4.36.1", "4.36.1", False)),
        ("@acme/react-query@latest", ("5.28.4", "5.28.4", True)),
        # This package has a number of its own in the release 5.28.0.
        ("@acme/vue-query@~5.27.0", ("5.27.3", "5.28.0", False)),
        # A release of one package only.
        ("@acme/angular-query@^5", ("5.28.9", "angular@5.28.9", True)),
        ("@acme/react-query@5.28.9", (None, "latest", True)),
        ("@acme/react-query@^6.0.0-rc.0", ("6.0.0-rc.1", "6.0.0-rc.1", True)),
        # The site has no docs of this major.
        ("@acme/react-query@*", ("7.0.0", "7.0.0", True)),
    ],
)
def test_range_means_the_highest_known_release(
    plan: Plan, library: Library, entry: str, expected: tuple[str | None, str, bool]
) -> None:
    release_all(library)
    (upgrade,) = plan(entry)
    assert upgrade.installed is not None
    assert (upgrade.packages[0].number, upgrade.installed.name, upgrade.is_current) == expected
    assert upgrade.current.title == "5.28.4"


def test_guides_of_all_versions_above_are_listed(plan: Plan) -> None:
    (upgrade,) = plan("old-query@^3.39.0")
    # The site has no copy of the docs of v4.
    assert [(guide.version, guide.to) for guide in upgrade.guides] == [
        ("v5", "/query/latest/docs/framework/react/guides/upgrade")
    ]
    assert upgrade.missing == ("v4",)
    assert plan("@acme/react-query@^5")[0].guides == ()


def test_guide_is_in_the_framework_of_the_package(plan: Plan) -> None:
    assert plan("@acme/vue-query@^4")[0].guides[0].to == "/query/latest/docs/framework/vue/guides/upgrade"


def test_lowest_of_several_versions_is_installed(plan: Plan, library: Library) -> None:
    release_all(library)
    (upgrade,) = plan("@acme/react-query@^5", "@acme/query-core@~5.0.0", "@acme/vue-query@^4")
    assert upgrade.installed is not None
    assert (upgrade.installed.name, len(upgrade.packages)) == ("4.36.1", 3)


@pytest.mark.parametrize(
    ("spec", "kind", "shown"),
    [
        ("workspace:", "workspace", ""),
        ("catalog:", "catalog", ""),
        ("npm:", "npm", ""),
        ("file:", "file", ""),
        ("url:", "url", ""),
        ("other:", "other", ""),
        ("next", "tag", "next"),
        ("<script>", "other", ""),
        ("file:///etc/passwd", "other", ""),
        ("^2", "range", "^2"),
    ],
)
def test_what_names_no_known_version(plan: Plan, spec: str, kind: str, shown: str) -> None:
    (upgrade,) = plan(f"@acme/react-query@{spec}")
    assert (upgrade.packages[0].kind, upgrade.packages[0].spec) == (kind, shown)
    assert (upgrade.installed, upgrade.is_current, upgrade.guides) == (None, False, ())


@pytest.mark.parametrize("packages", ["", ",", "@", "@acme", "react@^19", "@acme/react-query", "__proto__@1", "@@@,,@"])
def test_unknown_packages_are_ignored(plan: Plan, packages: str) -> None:
    assert plan(packages) == ()


def test_entries_above_the_limit_are_ignored(plan: Plan) -> None:
    assert plan(*["react@1"] * 40, "@acme/react-query@5") == ()

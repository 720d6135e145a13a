"""Which tags are releases, and what their numbers are."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from kinfolk.config.catalog import load_catalog
from kinfolk.config.catalog.releases import ReleaseTable, Tag, is_tag_form, releases_of
from kinfolk.config.docs_address import Ref

FORMS = ("v{version}", "{version}", "{package}@{version}")
PACKAGES = [("react", "@acme/react-tiles"), ("solid", "@acme/solid-tiles")]
TILES = """
repo = "acme/tiles"
latest_version = "v5"
versions = [{ name = "v5" }, { name = "v4", branch = "v4", docs_root = "old" }]
"""
FIRST_DAY = date(2026, 1, 1)


def table_of(*tags: tuple[str, str], root: str = "docs") -> ReleaseTable:
    """The releases of pairs of tag and commit, each a day later than the one before."""
    dated = (
        Tag(name, commit, FIRST_DAY + timedelta(days=day), {root: f"tree of {commit}"})
        for day, (name, commit) in enumerate(tags)
    )
    return releases_of(dated, forms=FORMS, packages=PACKAGES, docs_roots=["docs", "site/docs"])


def numbers(table: ReleaseTable) -> list[str]:
    return [release.number for release in table.all]


def test_tags_of_one_commit_are_one_release_with_the_number_of_the_first_package() -> None:
    table = table_of(("@acme/solid-tiles@2.1.0", "a"), ("@acme/react-tiles@5.0.0", "a"), ("release-2026-01-01", "a"))
    assert numbers(table) == ["5.0.0"]
    assert table.all[0].tag == "@acme/react-tiles@5.0.0"
    assert table.all[0].numbers == {"solid": "2.1.0"}
    assert table.all[0].docs_tree == "tree of a"
    assert table.all[0].tags == ("@acme/react-tiles@5.0.0", "@acme/solid-tiles@2.1.0", "release-2026-01-01")


def test_release_without_the_first_package_is_named_by_its_framework() -> None:
    table = table_of(("@acme/solid-tiles@2.1.0", "a"), ("@acme/react-tiles@2.1.0", "b"))
    assert sorted(numbers(table)) == ["2.1.0", "solid@2.1.0"]
    assert [release.commit for release in table.all if release.number == "2.1.0"] == ["b"]


def test_of_two_commits_with_one_number_the_older_keeps_it() -> None:
    assert [release.commit for release in table_of(("v1.0.0", "a"), ("1.0.0", "b")).all] == ["a"]


def test_releases_are_sorted_as_semantic_versioning_does() -> None:
    table = table_of(
        ("v1.9.0", "a"), ("v1.10.0", "b"), ("v2.0.0-beta.2", "c"), ("v2.0.0-beta.10", "d"), ("v2.0.0", "e")
    )
    assert numbers(table) == ["2.0.0", "2.0.0-beta.10", "2.0.0-beta.2", "1.10.0", "1.9.0"]


@pytest.mark.parametrize(
    "name",
    [
        "latest",
        "v1",
        "release-2026-08-22",
        "v1.2.3.4",
        "v01.2.3",
        "@acme/other@1.2.3",
        "v1.2.3-",
        f"v1.2.3-{'a' * 200}",
    ],
)
def test_other_tags_are_no_releases(name: str) -> None:
    assert not table_of((name, "a")).all


def test_commit_without_docs_is_no_release() -> None:
    assert not table_of(("v1.0.0", "a"), root="other").all
    assert table_of(("v1.0.0", "a"), root="site/docs").all[0].docs_root == "site/docs"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("5.1.0", "5.1.0"),
        ("v5.1.0", "5.1.0"),
        ("5.1", "5.1.2"),
        ("v5.1", "5.1.2"),
        ("solid@2.0.0", "5.1.0"),
        ("5.2", None),
        ("5.1.9", None),
        ("vue@2.0.0", None),
    ],
)
def test_names_of_a_release(name: str, number: str | None) -> None:
    table = table_of(
        ("v5.1.0", "a"), ("@acme/solid-tiles@2.0.0", "a"), ("v5.1.2", "b"), ("v5.1.3-beta.0", "c"), ("v5.2.0-rc.1", "d")
    )
    found = table.named(name)
    assert (found.number if found else None) == number


@pytest.mark.parametrize(
    ("form", "is_form"),
    [
        ("v{version}", True),
        ("{package}-v{version}", True),
        ("v1", False),
        ("{version}{version}", False),
        ("{name}@{version}", False),
        ("v {version}", False),
    ],
)
def test_forms_of_tags(form: str, is_form: bool) -> None:
    assert is_tag_form(form) is is_form


def test_release_is_a_version_of_its_library(tmp_path: Path) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/tiles.toml").write_text(TILES)
    catalog = load_catalog(tmp_path)
    library = catalog.libraries[0]
    library.releases.replace(table_of(("v5.1.0", "a"), ("v4.0.2", "b"), ("v9.0.0", "c")))
    facts = library.docs_facts("4.0.2")
    assert facts.ref == Ref(library.content_repo, "v4.0.2") == library.ref("4.0.2")
    assert (facts.version.name, facts.docs_root) == ("4.0.2", "docs")
    assert library.is_known_version("4.0.2")
    assert not library.is_known_version("4.0.3")
    assert [library.version_of(release).name for release in library.releases.table.all] == ["v5", "v5", "v4"]
    assert catalog.is_source(facts.ref)
    assert not catalog.is_source(Ref(library.content_repo, "v4.0.3"))
    assert catalog.docs_home(facts.ref, "docs/a.md") == (library, facts.version)
    assert catalog.docs_root(facts.ref, "src/a.md") is None


def test_neighbors_of_a_release_are_of_the_library_or_of_its_framework() -> None:
    table = table_of(
        ("v1.0.0", "a"), ("v2.0.0", "b"), ("@acme/solid-tiles@1.5.0", "c"), ("@acme/solid-tiles@3.0.0", "d")
    )
    numbers = {
        each.number: tuple(other.number if other else None for other in table.around(each)) for each in table.all
    }
    assert numbers == {
        "2.0.0": ("1.0.0", None),
        "1.0.0": (None, "2.0.0"),
        "solid@3.0.0": ("solid@1.5.0", None),
        "solid@1.5.0": (None, "solid@3.0.0"),
    }

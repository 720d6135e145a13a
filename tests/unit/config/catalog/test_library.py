"""Versions of a library: branches, folders of one branch, and what they take from the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog, catalog_errors, load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.runtime.errors import Invalid

REF = Ref("acme/gears", "main")
GEARS = """
repo = "acme/gears"
docs_root = "site/docs"
dialect = "docusaurus"
default_docs = "intro"
latest_version = "v30"

[[versions]]
name = "next"
banner = "unreleased"

[[versions]]
name = "v30"
label = "30.0 (stable)"
docs_root = "site/versioned_docs/version-30.0"
default_docs = "start"
[[versions.docs_menu]]
label = "Guides"
pages = ["start"]

[[versions]]
name = "v1"
branch = "1.x"
docs_root = "docs"
dialect = "mkdocs"
banner = "unmaintained"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/gears.toml").write_text(GEARS)
    return tmp_path


@pytest.fixture
def acme(folder: Path) -> Catalog:
    return load_catalog(folder)


def faults(folder: Path, old: str, new: str) -> list[tuple[str, str]]:
    assert old in GEARS
    (folder / "libraries/gears.toml").write_text(GEARS.replace(old, new))
    return [(fault.key, fault.reason) for fault in catalog_errors(folder)]


def test_version_without_a_branch_is_on_the_latest_one(acme: Catalog) -> None:
    gears = acme.library("gears")
    assert [gears.ref(name) for name in ("next", "v30", "latest", "v1")] == [REF, REF, REF, Ref("acme/gears", "1.x")]
    assert acme.refs == (REF, Ref("acme/gears", "1.x"))


@pytest.mark.parametrize(
    ("version", "facts"),
    [
        ("next", ("site/docs", "docusaurus", "intro", 0)),
        ("latest", ("site/versioned_docs/version-30.0", "docusaurus", "start", 1)),
        ("v1", ("docs", "mkdocs", "intro", 0)),
    ],
)
def test_version_takes_from_the_library_what_it_lacks(
    acme: Catalog, version: str, facts: tuple[str, str, str, int]
) -> None:
    found = acme.library("gears").docs_facts(version)
    assert (found.docs_root, found.dialect, found.default_docs, len(found.docs_menu)) == facts


def test_unknown_version_has_no_docs(acme: Catalog) -> None:
    with pytest.raises(Invalid):
        acme.library("gears").docs_facts("v2")


def test_file_of_a_folder_belongs_to_its_version(acme: Catalog) -> None:
    homes = {
        path: acme.docs_home(REF, path) for path in ("site/docs/a", "site/versioned_docs/version-30.0/a", "docs/a")
    }
    assert [home[1].name if home else None for home in homes.values()] == ["next", "v30", None]


def test_menu_opens_the_first_page_of_the_latest_version(acme: Catalog) -> None:
    assert acme.library("gears").menu[0].to == "/gears/latest/docs/start"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"site/versioned_docs/version-30.0"', '"site/docs"', ("versions[1].docs_root", "is that of next")),
        ('"unmaintained"', '"old"', ("versions[2].banner", "should be 'unreleased', 'unmaintained' or 'none'")),
        ('root = "docs"', 'root = "../docs"',
         ("versions[2].docs_root", "should be a plain path within the repository, such as docs/router")),
    ],
)  # fmt: skip
def test_wrong_facts_of_a_version_are_named(folder: Path, old: str, new: str, fault: tuple[str, str]) -> None:
    assert faults(folder, old, new)[:1] == [fault]


def test_folder_of_a_version_belongs_to_one_library(folder: Path) -> None:
    (folder / "libraries/tiles.toml").write_text(
        'repo = "acme/gears"\ndocs_root = "site/versioned_docs/version-30.0"\n'
    )
    assert [(fault.file, fault.key, fault.reason) for fault in catalog_errors(folder)] == [
        ("libraries/tiles.toml", "docs_root", "is the same as in gears.toml")
    ]

"""Files with names that URLs, menus and redirects encode: they are in the menu, and links to them are valid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.sites.other_sites import UNUSUAL, UNUSUAL_NAMES, write_site
from tests.sites.sample_site import read_settings

from kinfolk.cli.check.content_check import check_content
from kinfolk.content.docs.menus.menu_config import path_of_target, target_of_path
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, list_version_docs
from kinfolk.site.site import open_site

PATHS = [f"odd/{name}" for name in UNUSUAL_NAMES]
MENUS: dict[str, Mapping[str, str]] = {
    "folders": {},
    "docs_menu": {
        "libraries/widgets.toml": f"{UNUSUAL['libraries/widgets.toml']}"
        f"[[docs_menu]]\nlabel = 'Odd'\npages = {json.dumps(PATHS)}\n"
    },
    "config.json, names": {
        "docs/config.json": json.dumps(
            {"sections": [{"label": "Odd", "children": [{"label": name, "to": f"{name}.md"} for name in PATHS]}]}
        )
    },
    "config.json, encoded": {
        "docs/config.json": json.dumps(
            {
                "sections": [
                    {"label": "Odd", "children": [{"label": name, "to": f"{quote(name)}#section"} for name in PATHS]}
                ]
            }
        )
    },
}


def version_docs(folder: Path, files: Mapping[str, str]) -> tuple[VersionDocs, list[str]]:
    """The docs of the only version of a site, and the faults that the check of its content reports."""
    site = write_site(folder / "site", {**UNUSUAL, **files})
    variables = {"KINFOLK_SITE": str(site), "KINFOLK_VAR": str(folder / "var")}
    settings = read_settings(variables | {f"KINFOLK_{name}": "off" for name in ("MIRROR", "HIGHLIGHT", "SEARCH")})
    faults = [fault.message for fault in check_content(settings, settings.content).faults]
    return next(iter(list_version_docs(ContentReader(open_site(settings).content.publisher.docs)))), faults


@pytest.mark.parametrize("menu", MENUS)
def test_menu_names_files_of_any_name_and_the_check_is_silent(tmp_path: Path, menu: str) -> None:
    docs, faults = version_docs(tmp_path, MENUS[menu])
    shown = docs.docs.navigation(docs.ref, docs.library.docs_root).links()
    assert faults == []
    assert {link.path for link in shown} >= set(PATHS)


def test_first_page_has_the_path_of_its_file(tmp_path: Path) -> None:
    docs, _ = version_docs(tmp_path, {"libraries/widgets.toml": 'folder = "."\ndefault_docs = "odd/a#b"\n'})
    assert docs_home(docs) == "odd/a#b"


@pytest.mark.parametrize("path", [*PATHS, "guide/caching", ""])
def test_target_of_a_path_names_it_also_with_a_query_and_a_fragment(path: str) -> None:
    for end in ("", "?a=b", "#c", "?a#c?d"):
        assert path_of_target(target_of_path(path) + end) == path

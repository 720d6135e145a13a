"""Imports of projects that tests write, and what is in the files of the new site."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tests.sites.sample_site import read_settings

from kinfolk.cli.check.content_check import check_content
from kinfolk.cli.import_site.site_import import Import, import_project
from kinfolk.cli.new.new_site import write_site
from kinfolk.site.configuration_check import configuration_faults


def write_project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def import_files(tmp_path: Path, files: dict[str, str], program: str | None = None) -> Import:
    """Import a project of these files, for a site in `site` of the folder."""
    return import_project(program, write_project(tmp_path / "project", files), tmp_path / "site")


def toml_of(found: Import, name: str) -> dict[str, Any]:
    return tomllib.loads(text_of(found, name))


def text_of(found: Import, name: str) -> str:
    text = found.files[name]
    assert isinstance(text, str)
    return text


def rules_of(found: Import) -> dict[str, str]:
    return {rule["path"]: rule["to"] for rule in toml_of(found, "redirects.toml")["rules"]}


def left_out(found: Import) -> dict[str, str]:
    return {one.what: one.place for one in found.site.left}


def faults_of(tmp_path: Path, found: Import) -> list[str]:
    """Write the site, and check its files, posts, pages and docs."""
    write_site(tmp_path / "site", found.files)
    settings = read_settings({"KINFOLK_SITE": str(tmp_path / "site"), "KINFOLK_MIRROR": "off"})
    invalid = configuration_faults(settings.site, settings.frontend)
    report = check_content(settings, settings.content)
    return [fault.message for fault in (*invalid, *report.faults)]

"""Docs of another program -> the files of a new site folder. The project is read, and nothing of it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kinfolk.cli.import_site.docusaurus_project import read_docusaurus
from kinfolk.cli.import_site.imported_site import ImportedSite, LeftOut, Program
from kinfolk.cli.import_site.mkdocs_project import read_mkdocs
from kinfolk.cli.import_site.project_files import ProjectFiles, top_folder
from kinfolk.cli.import_site.project_import import ProjectImport
from kinfolk.cli.import_site.site_files import REPORT, imported_files, summary
from kinfolk.cli.import_site.vitepress_project import read_vitepress

__all__ = ["PROGRAMS", "REPORT", "Import", "ImportedSite", "LeftOut", "Program", "import_project", "summary"]

_READERS: Mapping[Program, Callable[[ProjectFiles, str], ProjectImport]] = {
    "vitepress": read_vitepress,
    "docusaurus": read_docusaurus,
    "mkdocs": read_mkdocs,
}
PROGRAMS = tuple(_READERS)


@dataclass(frozen=True)
class Import:
    """The facts of the new site, the number of its pages, and its files."""

    site: ImportedSite
    pages: int
    files: Mapping[str, str | bytes]


def import_project(program: Program, project: Path, folder: Path) -> Import:
    """Read a project; `folder` is where the files will be. Raises Invalid if the program's configuration is missing."""
    files = ProjectFiles(top_folder(project))
    start = project.resolve().relative_to(files.folder).as_posix()
    read = _READERS[program](files, "" if start == "." else start)
    read.add_old_addresses()
    return Import(read.site, read.pages, imported_files(read, folder))

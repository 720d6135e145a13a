"""Docs of another program -> the files of a new site folder. The project is read, and nothing of it is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.import_site.programs.program_table import Detection, detect
from kinfolk.cli.import_site.project.git_facts import top_folder
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport
from kinfolk.cli.import_site.site_files import imported_files


@dataclass(frozen=True)
class FoundProject:
    """A project on this machine, and the program that its docs are written for."""

    files: ProjectFiles
    detection: Detection


@dataclass(frozen=True)
class Import:
    """What was read of a project, and the files of the new site."""

    project: ProjectImport
    files: Mapping[str, str | bytes]

    @property
    def site(self) -> ImportedSite:
        return self.project.site

    @property
    def pages(self) -> int:
        return self.project.pages


def find_project(folder: Path, program: str | None = None) -> FoundProject:
    """Find the docs in and below a folder. Raises Invalid if there are none."""
    files = ProjectFiles(top_folder(folder))
    start = folder.resolve().relative_to(files.folder).as_posix()
    return FoundProject(files, detect(files, "" if start == "." else start, program))


def read_project(found: FoundProject, folder: Path) -> Import:
    """Read a project; `folder` is where the files will be. Raises Invalid without a folder of docs."""
    project = found.detection.program.read(found.files, found.detection.file)
    project.add_old_addresses()
    return Import(project, imported_files(project, folder))


def import_project(program: str | None, project: Path, folder: Path) -> Import:
    """Find and read a project in one step."""
    return read_project(find_project(project, program), folder)

"""A program that makes sites of Markdown: how its projects are found, and what reads their configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport

FindConfig = Callable[[ProjectFiles, str], list[str]]
"""From a project and a folder of it to the configurations of the program in and below the folder, highest first."""
ReadProject = Callable[[ProjectFiles, str], ProjectImport]
"""From a project and a configuration to what can be taken over."""


@dataclass(frozen=True)
class Program:
    """`name` is that of the command, `needed` says which file a project of the program has."""

    name: str
    title: str
    needed: str
    find: FindConfig
    read: ReadProject


def files_named(*names: str) -> FindConfig:
    """Finds files by their paths from a folder on."""
    return lambda files, start: list(files.find_all(names, start))


def files_with(text: str, *names: str) -> FindConfig:
    """Finds files that have a text in them."""
    return lambda files, start: [file for file in files.find_all(names, start) if text in (files.text(file) or "")]

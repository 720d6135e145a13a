"""Modules and stylesheets of a project that its configuration names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from kinfolk.cli.import_site.project.project_files import ProjectFiles

ENDINGS = ("ts", "mts", "js", "mjs", "cjs", "cts")


def module_reader(files: ProjectFiles, file: str) -> Callable[[str, str], tuple[str, str] | None]:
    """Reads the modules that a file, and the files that it imports, import by a relative path."""

    def read(importer: str, written: str) -> tuple[str, str] | None:
        if not written.startswith("."):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer or file), written))
        names = (path, *(f"{path}{part}.{ending}" for part in ("", "/index") for ending in ENDINGS))
        return next(((name, text) for name in names if (text := files.text(name)) is not None), None)

    return read


def brand_color(files: ProjectFiles, folder: str, written: re.Pattern[str]) -> str:
    """The first color of the brand in the stylesheets of a folder."""
    for name in files.names(folder):
        if name.endswith((".css", ".scss")) and (text := files.text(posixpath.join(folder, name))):
            found = written.search(text)
            if found:
                return found[1]
    return ""

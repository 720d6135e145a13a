"""A folder of Markdown files that is written for no program: the dialect of GitHub, or MDX."""

from __future__ import annotations

import posixpath
import re

from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary
from kinfolk.cli.import_site.facts.imported_site import ImportedSite, short_label
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.content.docs.file_layouts import page_facts
from kinfolk.content.markdown.dialects import GITHUB

_FOLDERS = (
    "docs src/content/docs content/docs website/docs documentation doc site/docs site docs/src docs/docs docs/content"
    " packages/docs apps/docs/content/docs apps/docs content guide src"
).split()
"""Where docs are, the likeliest first."""
FEWEST_PAGES = 2
_SECTION = re.compile(r"(?m)^#{2,6} ")


def find_docs(files: ProjectFiles, start: str) -> list[str]:
    """The docs folder, `.` for a project whose files are all its docs; empty without Markdown files."""
    for folder in (posixpath.join(start, name) for name in _FOLDERS):
        if files.is_folder(folder) and _count(files, folder) >= FEWEST_PAGES:
            return [folder]
    return [start or "."] if _count(files, start) else []


def _count(files: ProjectFiles, folder: str, endings: tuple[str, ...] = (".md", ".mdx")) -> int:
    return sum(
        path.endswith(endings) for path in files.files_below(folder, lambda name: name in ("node_modules", ".git"))
    )


def _dialect(files: ProjectFiles, folder: str) -> str:
    """That of most files."""
    inside = "" if folder == "." else folder
    return "mdx" if _count(files, inside, (".mdx",)) > _count(files, inside, (".md",)) else "github"


def read_markdown_folder(files: ProjectFiles, folder: str) -> ProjectImport:
    site = ImportedSite("Markdown files", "")
    git = files.git
    site.repo, site.branch = git.repo, git.branch
    project = ProjectImport(files, site)
    facts = library_facts(site, files, _title(files, folder), _dialect(files, folder), folder)
    site.description = facts.description = _description(files)
    library = project.add_library(facts)
    _list_unread(project, facts)
    if not len(library.pages):
        site.leave("pages", "the folder has no Markdown files with names that addresses can have", file=folder)
    return project


def _title(files: ProjectFiles, folder: str) -> str:
    for name in ("README.md", "index.md"):
        text = files.text(name) if name == "README.md" else files.text(posixpath.join(folder, name))
        title = page_facts(text).title if text else None
        # Above the title of a project, its README can have pictures, but no section.
        if title and not (name == "README.md" and _SECTION.search((text or "").partition("\n# ")[0])):
            return short_label(title.split(" - ")[0].split(": ")[0])
    return ""


def _description(files: ProjectFiles) -> str:
    text = files.json_table("package.json").get("description")
    return " ".join(text.split())[:300] if isinstance(text, str) and text.isprintable() else ""


def _list_unread(project: ProjectImport, facts: ImportedLibrary) -> None:
    """Name the files of other formats, a line each."""
    inside = "" if facts.docs_root == "." else facts.docs_root
    kinds = {".rst": "reStructuredText", ".adoc": "AsciiDoc"}
    if facts.dialect == GITHUB:
        kinds[".mdx"] = "MDX"
    for ending, title in kinds.items():
        found = [path for path in project.files.files_below(inside) if path.endswith(ending) and "/." not in path]
        if found:
            reason = "the dialect `mdx` reads it" if ending == ".mdx" else "it is not supported"
            project.site.leave(f"{len(found)} files in {title}", reason, file=found[0])

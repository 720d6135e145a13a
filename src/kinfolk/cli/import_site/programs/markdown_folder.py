"""A folder of Markdown files that is written for no program: the dialect of GitHub, or MDX."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from itertools import islice

from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary
from kinfolk.cli.import_site.facts.imported_site import ImportedSite, short_label
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.content.docs.file_layouts import page_facts
from kinfolk.content.markdown.dialects import GITHUB

_FOLDERS = (
    "docs src/content/docs content/docs website/docs documentation doc site/docs site docs/src docs/docs docs/content"
    " packages/docs apps/docs/content/docs apps/docs"
).split()
"""Where docs are, the likeliest first."""
_OTHER_FOLDERS = ("content", "guide", "src")
"""Where docs may be, besides other things."""
FEWEST_PAGES = 2
"""Pages of a folder that is the docs. One called `docs` needs only one with a text."""
FEWEST_READMES = 3
"""READMEs with a text in other folders that are the docs, rather than a folder with one page."""
SHORTEST_TEXT = 300
"""Characters of the text of a page. A shorter one leads elsewhere."""
MOST_READMES = 200
"""READMEs that are looked at."""
_NO_DOCS = re.compile(r"\..*|node_modules|tests?|__tests__|fixtures?|examples?|templates?|vendor|dist")
"""Names of folders."""
_README = re.compile(r"(?i)[^/]+(?:/[^/]+)*/readme\.mdx?")
_SECTION = re.compile(r"(?m)^#{2,6} ")


def find_docs(files: ProjectFiles, start: str) -> list[str]:
    """The docs folder, `.` for a project whose files are all its docs; empty without Markdown files."""
    if folder := _first_folder(files, start, _FOLDERS):
        return [folder]
    docs = posixpath.join(start, "docs")
    if _has_one_page(files, docs) and not _has_readmes(files, start):
        return [docs]
    if folder := _first_folder(files, start, _OTHER_FOLDERS):
        return [folder]
    return [start or "."] if _count(files, start) else []


def _first_folder(files: ProjectFiles, start: str, names: Sequence[str]) -> str | None:
    folders = (posixpath.join(start, name) for name in names)
    return next((one for one in folders if files.is_folder(one) and _count(files, one) >= FEWEST_PAGES), None)


def _has_one_page(files: ProjectFiles, folder: str) -> bool:
    """Whether a folder has one Markdown file, and that a text."""
    found = [path for path in files.files_below(folder, _is_no_docs) if path.endswith((".md", ".mdx"))]
    return len(found) == 1 and _has_text(files, found[0])


def _has_readmes(files: ProjectFiles, start: str) -> bool:
    """Whether several folders have READMEs with a text, as a repository of packages without other docs has them."""
    below = files.files_below(start, _is_no_docs)
    readmes = (path for path in below if _README.fullmatch(path.removeprefix(f"{start}/") if start else path))
    return sum(_has_text(files, path) for path in islice(readmes, MOST_READMES)) >= FEWEST_READMES


def _is_no_docs(name: str) -> bool:
    return _NO_DOCS.fullmatch(name) is not None


def _has_text(files: ProjectFiles, path: str) -> bool:
    return len(" ".join((files.text(path) or "").split())) >= SHORTEST_TEXT


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

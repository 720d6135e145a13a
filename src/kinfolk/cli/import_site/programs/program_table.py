"""All programs that `kinfolk import` knows, in the order in which they are preferred."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.cli.import_site.programs import book_projects, markdown_folder, mkdocs_project, vitepress_project
from kinfolk.cli.import_site.programs.docusaurus import docusaurus_project
from kinfolk.cli.import_site.programs.mdx import mintlify_project, next_projects, starlight_project
from kinfolk.cli.import_site.programs.program import Program, files_named, files_with
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.runtime.errors import Invalid

_SCRIPTS = ("ts", "mts", "js", "mjs", "cjs")

MARKDOWN = Program(
    "markdown",
    "Markdown files",
    "Markdown files (.md) in a folder such as docs/",
    markdown_folder.find_docs,
    markdown_folder.read_markdown_folder,
)
PROGRAMS: tuple[Program, ...] = (
    Program(
        "vitepress",
        "VitePress",
        ".vitepress/config.ts, or one with another ending,",
        files_named(*vitepress_project.CONFIG_FILES),
        vitepress_project.read_vitepress,
    ),
    Program(
        "docusaurus",
        "Docusaurus",
        "docusaurus.config.ts, or one with another ending,",
        files_named(*docusaurus_project.CONFIG_FILES),
        docusaurus_project.read_docusaurus,
    ),
    Program(
        "mkdocs",
        "MkDocs",
        "mkdocs.yml",
        files_named(*mkdocs_project.CONFIG_FILES),
        mkdocs_project.read_mkdocs,
    ),
    Program(
        "starlight",
        "Starlight",
        "astro.config.mjs with Starlight",
        files_with("starlight", *(f"astro.config.{ending}" for ending in _SCRIPTS)),
        starlight_project.read_starlight,
    ),
    Program(
        "undocs",
        "undocs",
        ".config/docs.yaml",
        files_named(*book_projects.UNDOCS_FILES),
        book_projects.read_undocs,
    ),
    Program(
        "docus",
        "Nuxt Content",
        "nuxt.config.ts with Nuxt Content or Docus",
        lambda files, start: [
            file
            for file in files.find_all(tuple(f"nuxt.config.{ending}" for ending in _SCRIPTS), start)
            if any(word in (files.text(file) or "") for word in ("@nuxt/content", "docus"))
        ],
        book_projects.read_nuxt_content,
    ),
    Program(
        "fumadocs",
        "Fumadocs",
        "source.config.ts",
        files_with("fumadocs", *(f"source.config.{ending}" for ending in _SCRIPTS)),
        next_projects.read_fumadocs,
    ),
    Program(
        "nextra",
        "Nextra",
        "next.config.mjs with Nextra",
        files_with("nextra", *(f"next.config.{ending}" for ending in _SCRIPTS)),
        next_projects.read_nextra,
    ),
    Program(
        "mintlify",
        "Mintlify",
        "docs.json or mint.json",
        files_with("navigation", "docs.json", "mint.json"),
        mintlify_project.read_mintlify,
    ),
    Program("mdbook", "mdBook", "book.toml", files_named("book.toml"), book_projects.read_mdbook),
    Program(
        "sphinx",
        "Sphinx",
        "conf.py with extensions, or myst.yml or _toc.yml of Jupyter Book",
        lambda files, start: [
            *files_with("extensions", "conf.py", "source/conf.py")(files, start),
            *files_with("project:", "myst.yml")(files, start),
            *files_with("root:", "_toc.yml")(files, start),
        ],
        book_projects.read_sphinx,
    ),
    MARKDOWN,
)
_BY_NAME = {program.name: program for program in PROGRAMS}


@dataclass(frozen=True)
class Detection:
    """A program that a project is written for, and the file that shows it. `reason` says why it was chosen."""

    program: Program
    file: str
    reason: str = ""
    others: tuple[str, ...] = ()
    """Further configurations of the project, each with its program."""


def detect(files: ProjectFiles, start: str, name: str | None = None) -> Detection:
    """The program of the docs in and below a folder. Raises Invalid if there is none."""
    if name is not None:
        program = _BY_NAME[name]
        found = program.find(files, start)
        if not found:
            raise Invalid(f"There is no {program.needed} in the folder")
        return Detection(program, found[0], "it was named", tuple(f"{program.title} ({one})" for one in found[1:]))
    matches = [
        (program, file) for program in PROGRAMS if program is not MARKDOWN for file in program.find(files, start)
    ]
    if not matches:
        folders = MARKDOWN.find(files, start)
        if not folders:
            raise Invalid(_nothing_found(files, start))
        return Detection(MARKDOWN, folders[0], "no configuration of another program was found")
    program, file = min(matches, key=lambda one: _depth(one[1]))
    others = tuple(f"{other.title} ({path})" for other, path in matches if path != file)
    is_only = all(other is program for other, _ in matches)
    reason = "" if is_only else "its file is nearest to the top"
    return Detection(program, file, reason, others)


def _depth(file: str) -> int:
    is_below = any(f"/{folder}/" in f"/{file}" for folder in (".vitepress", ".config"))
    return file.count("/") - is_below - file.endswith(("config/index.ts", "config/index.js"))


def _nothing_found(files: ProjectFiles, start: str) -> str:
    texts = next((name for name in files.files_below(start) if name.endswith((".rst", ".adoc"))), None)
    if texts is not None:
        kind = "reStructuredText" if texts.endswith(".rst") else "AsciiDoc"
        return f"{kind} ({texts}) is not supported, and there are no Markdown files in the folder"
    known = ", ".join(program.title for program in PROGRAMS if program is not MARKDOWN)
    return f"There are no Markdown files in the folder, and no configuration of {known}"

"""Fumadocs and Nextra, whose sites are applications of Next.js: little of them is data. The site reads their menus."""

from __future__ import annotations

import posixpath
import re

from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.import_site.old_addresses.host_redirects import add_redirects_of_hosts
from kinfolk.cli.import_site.project.announcement_import import import_banner
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.cli.import_site.project.project_modules import module_reader
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.javascript_config import read_javascript_call, read_javascript_returned
from kinfolk.runtime.errors import Invalid

_NEXTRA_ROOTS = (
    "content/en",
    "content",
    "src/content/en",
    "src/content",
    "app/docs",
    "src/app/docs",
    "app",
    "pages/docs",
    "pages",
)
_LAYOUTS = (
    "app/layout.tsx",
    "app/layout.jsx",
    "src/app/layout.tsx",
    "app/[lang]/layout.tsx",
    "theme.config.tsx",
    "theme.config.jsx",
)
_REPOSITORY = re.compile(r"docsRepositoryBase\s*[=:]\s*[\"']([^\"'\n]{1,300})[\"']")
_LAYOUT_REASON = "the layout of the site is code: set menu, social links and footer in kinfolk.toml"


def read_fumadocs(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has. Raises Invalid if the folder of the docs does not exist."""
    options = read_javascript_call(files.text(file) or "", module_reader(files, file), "defineDocs")
    written = text_of(entry(options, "dir")) if options else ""
    root = posixpath.normpath(posixpath.join(posixpath.dirname(file), written or "content/docs"))
    if root.startswith("..") or not files.is_folder(root):
        raise Invalid(f"{root} is no folder of the project, though {file} has it as the folder of the docs")
    return _project(files, "Fumadocs", file, root, "`meta.json` files")


def read_nextra(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has. Raises Invalid if there is no folder of docs beside it."""
    home = posixpath.dirname(file)
    roots = (posixpath.join(home, root) for root in _NEXTRA_ROOTS)
    root = next(filter(files.is_folder, roots), None)
    if root is None:
        raise Invalid("There is no folder content/, app/ or pages/ beside the configuration")
    project = _project(files, "Nextra", file, root, "`_meta` files")
    parent = posixpath.dirname(root)
    others = (
        [name for name in files.names(parent) if re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?/", name)]
        if root.endswith("/en")
        else []
    )
    names = ", ".join(name.rstrip("/") for name in others if name != "en/")
    if names:
        reason = "a translation is a library with a docs root of its own; its pages are left out"
        project.site.leave(f"languages {names}"[:200], reason, file=parent)
    return project


def _project(files: ProjectFiles, program: str, file: str, root: str, menus: str) -> ProjectImport:
    home = posixpath.dirname(file)
    site = ImportedSite(program, file)
    layout = next((path for name in _LAYOUTS if files.is_file(path := posixpath.join(home, name))), "")
    found = _REPOSITORY.search(files.text(layout) or "") if layout else None
    edit = found[1] if found else ""
    git = files.git
    site.repo, site.branch = git.repo or repo_of_url(edit), git.branch or branch_of_edit_url(edit)
    facts = library_facts(site, files, "", program.lower(), root)
    facts.base = "" if root.endswith(("app", "pages", "content", "content/en")) else "/docs"
    if site.repo:
        site.add_social(f"https://github.com/{site.repo}", "github")
    icons = ("app/icon.svg", "app/icon.png", "public/favicon.svg", "public/favicon.png", "public/logo.svg")
    icon = next((path for name in icons if files.is_file(path := posixpath.join(home, name))), "")
    site.favicon = icon
    if layout:
        site.leave("layout", _LAYOUT_REASON, file=layout)
    site.taken.append(f"The menu is in the {menus} of the project, which the site reads after each push.")
    project = ProjectImport(files, site)
    project.add_library(facts)
    if layout:
        import_banner(project, layout)
    _read_redirects(project, home)
    return project


def _read_redirects(project: ProjectImport, home: str) -> None:
    """Add what `redirects` of the configuration of Next.js returns, and the redirects in files of hosts."""
    names = (posixpath.join(home, f"next.config.{ending}") for ending in ("ts", "mjs", "js", "cjs", "mts"))
    file = next(filter(project.files.is_file, names), "")
    text = project.files.text(file) if file else None
    rules = read_javascript_returned(text, "redirects", module_reader(project.files, file)) if text else None
    for rule in items_of(rules):
        table = table_of(rule)
        old, new = text_of(entry(table, "source")), text_of(entry(table, "destination"))
        if table.entries.keys() & {"has", "missing"}:
            project.site.leave(f"redirect {old!r}", "it depends on the reader", rule, file)
        else:
            project.add_redirect(old, new, rule, file)
    add_redirects_of_hosts(project, ("", home, posixpath.join(home, "public")))

"""mdBook, Sphinx with MyST, Nuxt Content and undocs: their configuration has little besides the menu."""

from __future__ import annotations

import posixpath
import re
import tomllib
from typing import Any

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.cli.new.new_site import HUES
from kinfolk.content.markdown.literals.config_access import entry, table_of, text_of
from kinfolk.content.markdown.literals.config_values import NO_TABLE
from kinfolk.content.markdown.literals.python_config import read_python_config
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

BOOK_KEYS = frozenset("title authors description src language".split())
_NUXT_ROOTS = ("content", "docs/content", "docs", ".")
UNDOCS_FILES = (".config/docs.yaml", ".config/docs.yml")
UNDOCS_KEYS = frozenset("name description shortDescription github url themeColor socials redirects branch dir".split())
_UNDOCS_REASONS = {"landing": "the landing page is a key of the library", "automd": "it is a build step"}
_UNREAD = {".rst": "reStructuredText", ".ipynb": "Jupyter notebooks"}


def read_mdbook(files: ProjectFiles, file: str) -> ProjectImport:
    """What `book.toml` has. The menu is `SUMMARY.md`, which the site reads after each push."""
    try:
        config = tomllib.loads(files.text(file) or "")
    except (ValueError, RecursionError):
        config = {}
    book, html = _table(config, "book"), _table(config, "output", "html")
    site = ImportedSite("mdBook", file)
    if not config:
        site.leave("configuration", "it is no TOML with keys", file=file)
    _set_repository(site, files, _text(html, "git-repository-url"), _text(html, "edit-url-template"))
    root = posixpath.normpath(posixpath.join(posixpath.dirname(file), _text(book, "src") or "src"))
    facts = library_facts(site, files, _text(book, "title"), "mdbook", root)
    facts.base = f"/{_text(html, 'site-url').strip('/')}".rstrip("/") if "://" not in _text(html, "site-url") else ""
    site.description = facts.description = _text(book, "description")
    project = ProjectImport(files, site)
    project.add_library(facts)
    for old, new in _table(html, "redirect").items():
        if isinstance(new, str):
            target = new if "://" in new else posixpath.normpath(posixpath.join("/", posixpath.dirname(old), new))
            project.add_redirect(old, target, None)
    for key in sorted(book.keys() - BOOK_KEYS):
        site.leave(f"book.{key}", "this site has nothing like it", file=file)
    for key in sorted(_table(config, "preprocessor")):
        site.leave(f"preprocessor {key}", "preprocessors are code", file=file)
    site.taken.append("The menu is `SUMMARY.md` of the project, which the site reads after each push.")
    return project


def read_sphinx(files: ProjectFiles, file: str) -> ProjectImport:
    """What literals of `conf.py` have, or files of Jupyter Book. The menu are the `toctree` directives, or `toc`."""
    is_book = file.endswith(".yml")
    values = _book_values(files, file) if is_book else read_python_config(files.text(file) or "")
    options = _table(values, "html_theme_options")
    site = ImportedSite("Sphinx", file)
    _set_repository(site, files, _text(options, "repository_url") or _text(options, "github_url"), "")
    root = posixpath.dirname(file) or "."
    name = _text(values, "project") or _text(values, "html_title")
    project = ProjectImport(files, site)
    project.add_library(library_facts(site, files, name, "myst", root))
    for ending, title in _UNREAD.items():
        found = [path for path in files.files_below("" if root == "." else root) if path.endswith(ending)]
        if found:
            site.leave(f"{len(found)} files in {title}", "only Markdown is read", file=found[0])
    menu = f"is that of `{posixpath.basename(file)}`" if is_book else "are the `toctree` directives of the docs"
    site.taken.append(f"The menu {menu}, which the site reads after each push.")
    return project


def _book_values(files: ProjectFiles, file: str) -> dict[str, Any]:
    """The keys of `myst.yml`, or of `_config.yml` beside a `_toc.yml`, by the names that they have in `conf.py`."""
    is_myst = file.endswith("myst.yml")
    path = file if is_myst else posixpath.join(posixpath.dirname(file), "_config.yml")
    config = read_yaml_config(files.text(path) or "") or NO_TABLE
    project = table_of(entry(config, "project")) if is_myst else config
    url = text_of(entry(project, "github")) or text_of(entry(project, "repository", "url"))
    url = url if "://" in url or not url else f"https://github.com/{url}"
    title = text_of(entry(project, "title")) or text_of(entry(config, "site", "title"))
    return {"project": title, "html_theme_options": {"repository_url": url}}


def read_nuxt_content(files: ProjectFiles, file: str) -> ProjectImport:
    """The folder of the docs. The configuration is code; numbers of folders are the menu."""
    home = posixpath.dirname(file)
    candidates = (posixpath.normpath(posixpath.join(home, root)) for root in _NUXT_ROOTS)
    root = next((one for one in candidates if _has_markdown(files, one)), home or ".")
    site = ImportedSite("Nuxt Content", file)
    _set_repository(site, files, "", "")
    project = ProjectImport(files, site)
    project.add_library(library_facts(site, files, _package_name(files, home), "nuxt-content", root))
    site.leave("app", "pages, components and the configuration of the application are code", file=file)
    site.taken.append("The menu are the folders and `.navigation.yml` files, which the site reads after each push.")
    return project


def read_undocs(files: ProjectFiles, file: str) -> ProjectImport:
    """What `.config/docs.yaml` has. Numbers of folders are the menu, as in Nuxt Content."""
    config = read_yaml_config(files.text(file) or "") or NO_TABLE
    site = ImportedSite("undocs", file)
    github = text_of(entry(config, "github"))
    _set_repository(site, files, github if "://" in github else f"https://github.com/{github}", "")
    root = posixpath.dirname(posixpath.dirname(file)) or "."
    project = ProjectImport(files, site)
    facts = library_facts(site, files, text_of(entry(config, "name")), "nuxt-content", root)
    project.add_library(facts)
    site.description = facts.description = text_of(entry(config, "description"))
    color = text_of(entry(config, "themeColor"))
    site.color = color if color in HUES else hue_of_color(color)
    site.branch = site.branch or text_of(entry(config, "branch"))
    if site.repo:
        site.add_social(f"https://github.com/{site.repo}", "github")
    for icon, link in table_of(entry(config, "socials")).entries.items():
        if not site.add_social(text_of(link), icon):
            site.leave(f"social link {icon!r}", "the site has no icon for it", link)
    for old, new in table_of(entry(config, "redirects")).entries.items():
        project.add_redirect(re.sub(r"/\*\*$", "/*", old), text_of(new), new)
    site.leave_others(config, UNDOCS_KEYS, _UNDOCS_REASONS)
    return project


def _set_repository(site: ImportedSite, files: ProjectFiles, url: str, edit: str) -> None:
    git = files.git
    site.repo, site.branch = git.repo or repo_of_url(url or edit), git.branch or branch_of_edit_url(edit)


def _has_markdown(files: ProjectFiles, folder: str) -> bool:
    is_folder = folder == "." or files.is_folder(folder)
    below = files.files_below("" if folder == "." else folder, lambda name: name in ("node_modules", ".git"))
    return is_folder and any(path.endswith(".md") for path in below)


def _package_name(files: ProjectFiles, home: str) -> str:
    title = files.json_table(posixpath.join(home, "package.json")).get("title")
    return title if isinstance(title, str) else ""


def _table(table: Any, *path: str) -> dict[str, Any]:
    for key in path:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    return " ".join(value.split()) if isinstance(value, str) and value.isprintable() else ""

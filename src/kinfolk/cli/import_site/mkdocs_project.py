"""The configuration of MkDocs: `mkdocs.yml`. The site reads its `nav` itself."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from kinfolk.cli.import_site.imported_site import NOTHING_LIKE_IT, ImportedSite, hue_of_color
from kinfolk.cli.import_site.project_files import ProjectFiles, branch_of_edit_url, git_facts, repo_of_url
from kinfolk.cli.import_site.project_import import ProjectImport, set_identity
from kinfolk.content.docs.menus.mkdocs_nav import read_nav
from kinfolk.content.markdown.literals.config_values import (
    NO_TABLE,
    ConfigCode,
    ConfigTable,
    ConfigText,
    ConfigValue,
    entry,
    items_of,
    table_of,
    text_of,
)
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config
from kinfolk.runtime.errors import Invalid

CONFIG_FILES = ("mkdocs.yml", "mkdocs.yaml")
TAKEN_KEYS = frozenset(
    (
        "site_name site_url site_description repo_url repo_name edit_uri docs_dir theme nav plugins extra"
        " markdown_extensions"
    ).split()
)
NEEDLESS_KEYS = frozenset("site_dir strict use_directory_urls dev_addr watch validation site_author not_in_nav".split())
NEEDLESS_PLUGINS = frozenset(
    (
        "search material/search minify offline privacy optimize social git-revision-date-localized"
        " git-authors section-index awesome-pages exclude autorefs meta info"
    ).split()
)
EXTENSIONS = frozenset(
    (
        "abbr admonition attr_list def_list footnotes md_in_html toc tables fenced_code extra meta nl2br"
        " sane_lists smarty codehilite pymdownx.betterem pymdownx.caret pymdownx.details pymdownx.emoji"
        " pymdownx.highlight pymdownx.inlinehilite pymdownx.keys pymdownx.magiclink pymdownx.mark"
        " pymdownx.snippets pymdownx.superfences pymdownx.tabbed pymdownx.tasklist pymdownx.tilde"
        " pymdownx.critic pymdownx.blocks.admonition pymdownx.blocks.details pymdownx.blocks.tab"
        " pymdownx.extra markdown_include.include mdx_include"
    ).split()
)
"""Extensions whose syntax the dialect `mkdocs` has, or that only change how a page looks."""
MATERIAL_HUES: Mapping[str, str] = {
    "deep purple": "violet",
    "light blue": "sky",
    "light green": "lime",
    "deep orange": "orange",
    "brown": "amber",
    "grey": "gray",
    "blue grey": "gray",
} | {name: name for name in "red pink purple indigo blue cyan teal green lime yellow amber orange".split()}
"""Colors of Material, and the nearest hues."""
_REASONS = {
    "INHERIT": "the other file is not read",
    "hooks": "hooks are code",
    "extra_css": "styles of the old theme do not fit this one",
    "extra_javascript": "the site loads no scripts of others",
    "copyright": "the footer names the owner; set `owner`",
}


def read_mkdocs(files: ProjectFiles, start: str) -> ProjectImport:
    """Raises Invalid if there is no configuration."""
    file = files.find(CONFIG_FILES, start)
    if file is None:
        raise Invalid("There is no mkdocs.yml in the folder")
    home = posixpath.dirname(file)
    text = files.text(file) or ""
    config = read_yaml_config(text)
    site = ImportedSite("mkdocs", file)
    if config is None:
        site.leave("configuration", "it is no YAML with keys, or too large", file=file)
        config = NO_TABLE
    git = git_facts(files.folder)
    url = text_of(entry(config, "repo_url"))
    site.repo = git.repo or repo_of_url(url)
    site.branch = git.branch or branch_of_edit_url(posixpath.join(url, text_of(entry(config, "edit_uri"))))
    root = posixpath.normpath(posixpath.join(home, text_of(entry(config, "docs_dir")) or "docs"))
    if root.startswith("..") or not files.is_folder(root):
        site.leave("docs_dir", "it is no folder of the project", entry(config, "docs_dir"))
        root = posixpath.join(home, "docs")
    site.docs_root = root
    set_identity(site, files, text_of(entry(config, "site_name")))
    site.base = "/" + urlsplit(_url(entry(config, "site_url"))).path.strip("/")
    project = ProjectImport(files, site)
    _read_site(project, config)
    _read_plugins(project, config)
    _list_others(site, config)
    if entry(config, "nav") is not None:
        if read_nav(text):
            site.taken.append("The menu is the `nav` of the project's file, which the site reads after each push.")
        else:
            site.leave("nav", "it has no entries that can be read; the menu shows the folders", entry(config, "nav"))
    return project


def _url(value: ConfigValue | None) -> str:
    text = text_of(value)
    return text if text.startswith(("https://", "http://")) and "[" not in text else ""


def _read_site(project: ProjectImport, config: ConfigTable) -> None:
    site = project.site
    site.description = text_of(entry(config, "site_description"))
    theme = table_of(entry(config, "theme"))
    for palette in items_of(entry(theme, "palette")):
        name = text_of(entry(table_of(palette), "primary")).replace("-", " ").lower()
        site.color = site.color or MATERIAL_HUES.get(name, "") or hue_of_color(name)
    site.logo = _picture(project, text_of(entry(theme, "logo")))
    site.favicon = _picture(project, text_of(entry(theme, "favicon")))
    for link in items_of(entry(config, "extra", "social")):
        address = text_of(entry(table_of(link), "link"))
        icon = text_of(entry(table_of(link), "icon")).rpartition("/")[2].replace("x-twitter", "x")
        if not site.add_social(address, icon):
            site.leave(f"social link {address!r}", "the site has no icon for it", link)
    if text_of(entry(config, "extra", "version", "provider")) == "mike":
        reason = "its docs are built copies; a version is a branch of the repository"
        site.leave("versions of mike", reason, entry(config, "extra", "version"))
    for key in ("alternate", "analytics", "consent", "homepage", "annotate", "tags", "status"):
        if value := entry(config, "extra", key):
            site.leave(f"extra.{key}", NOTHING_LIKE_IT, value)
    if value := entry(theme, "custom_dir"):
        site.leave("theme.custom_dir", "templates are code", value)
    if value := entry(theme, "language"):
        site.leave("theme.language", "the words of the site are English", value)


def _picture(project: ProjectImport, written: str) -> str:
    path = posixpath.normpath(posixpath.join(project.site.docs_root, written.lstrip("/")))
    return path if written.endswith((".svg", ".png")) and project.files.is_file(path) else ""


def _named(value: ConfigValue | None) -> Iterator[tuple[str, ConfigTable, ConfigValue]]:
    """Name and options of each plug-in or extension: a text, or a table of one key."""
    entries = value.entries.items() if isinstance(value, ConfigTable) else ()
    for name, options in entries:
        yield name, table_of(options), options
    for item in items_of(value) if not isinstance(value, ConfigTable) else ():
        if isinstance(item, ConfigText):
            yield item.text, NO_TABLE, item
        for name, options in table_of(item).entries.items():
            yield name, table_of(options), item


def _read_plugins(project: ProjectImport, config: ConfigTable) -> None:
    for name, options, value in _named(entry(config, "plugins")):
        if name == "redirects":
            for old, new in table_of(entry(options, "redirect_maps")).entries.items():
                path = posixpath.join(project.site.base, old.removesuffix(".md").removesuffix("index"))
                project.add_redirect(path, text_of(new), new)
        elif name not in NEEDLESS_PLUGINS:
            reason = (
                "posts need the front matter of this site, in blog/" if name.endswith("blog") else "plug-ins are code"
            )
            project.site.leave(f"plug-in {name!r}", reason, value)


def _list_others(site: ImportedSite, config: ConfigTable) -> None:
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    for key, value in config.entries.items():
        if key in TAKEN_KEYS and isinstance(value, ConfigCode):
            site.leave(key, "it is computed", value)
    for name, _, value in _named(entry(config, "markdown_extensions")):
        if name not in EXTENSIONS:
            site.leave(f"extension {name!r}", "its syntax is shown as written", value)

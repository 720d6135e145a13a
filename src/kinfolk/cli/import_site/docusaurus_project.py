"""The configuration of Docusaurus: `docusaurus.config.*` and its sidebars, of which only literals are read."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator

from kinfolk.cli.import_site.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.project_files import ProjectFiles, branch_of_edit_url, git_facts, repo_of_url
from kinfolk.cli.import_site.project_import import MenuItem, ProjectImport, set_identity
from kinfolk.cli.import_site.vitepress_project import brand_color, module_reader
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
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config
from kinfolk.runtime.errors import Invalid

CONFIG_FILES = tuple(f"docusaurus.config.{ending}" for ending in ("ts", "mts", "js", "mjs", "cjs"))
REDIRECTS_PLUGIN = "client-redirects"
TAKEN_KEYS = frozenset(
    "title tagline url baseUrl favicon organizationName projectName presets plugins themeConfig".split()
)
NEEDLESS_KEYS = frozenset(
    (
        "trailingSlash onBrokenLinks onBrokenMarkdownLinks onBrokenAnchors onDuplicateRoutes deploymentBranch"
        " noIndex futuretitleDelimiter storage githubHost githubPort baseUrlIssueBanner staticDirectories"
    ).split()
)
TAKEN_THEME_KEYS = frozenset("navbar footer metadata".split())
NEEDLESS_THEME_KEYS = frozenset("algolia colorMode tableOfContents docs prism blog image mermaid".split())
NEEDLESS_NAVBAR_TYPES = frozenset("search localeDropdown docsVersionDropdown docsVersion".split())
_REASONS = {
    "i18n": "a translation is a library with a docs root of its own",
    "customFields": "they are for code",
    "announcementBar": "write a post, or a notice in redirects.toml",
    "themes": "themes are code",
    "markdown": "its hooks are code; diagrams of Mermaid are drawn",
    "scripts": "the site loads no scripts of others",
    "headTags": "the site writes the head of each page",
}
_DOCS_REASONS = dict.fromkeys(
    ("remarkPlugins", "rehypePlugins", "beforeDefaultRemarkPlugins"), "plug-ins of Markdown are code"
) | dict.fromkeys(("include", "exclude"), "all pages of the docs root are served")
_FOLDER_REASONS = {
    "src/pages": "pages in React are code; text belongs in pages/ of the site",
    "src/theme": "components are code",
    "blog": "posts need the front matter of this site, in blog/",
    "i18n": "a translation is a library with a docs root of its own",
}
_BRAND = re.compile(r"--ifm-color-primary\s*+:\s*+(#[0-9a-fA-F]{3,6})\b")
_LINE = re.compile(r"\S++")
_PERMANENT = frozenset(("", "301", "302", "301!", "302!"))


def read_docusaurus(files: ProjectFiles, start: str) -> ProjectImport:
    """Raises Invalid if there is no configuration."""
    file = files.find(CONFIG_FILES, start)
    if file is None:
        raise Invalid("There is no docusaurus.config.ts, or one with another ending, in the folder")
    home = posixpath.dirname(file)
    config = read_javascript_config(files.text(file) or "", module_reader(files, file))
    site = ImportedSite("docusaurus", file)
    if config is None:
        site.leave("configuration", "it exports no object that can be read without running it", file=file)
        config = NO_TABLE
    docs = _docs_options(config)
    _set_repository(site, files, config, docs)
    root = posixpath.normpath(posixpath.join(home, text_of(entry(docs, "path")) or "docs"))
    if root.startswith("..") or not files.is_folder(root):
        site.leave("path of the docs", "it is no folder of the project", entry(docs, "path"))
        root = posixpath.join(home, "docs")
    site.docs_root = root
    set_identity(site, files, text_of(entry(config, "title")))
    route = entry(docs, "routeBasePath")
    base = posixpath.join(
        text_of(entry(config, "baseUrl")).strip("/"), (text_of(route) if route else "docs").strip("/")
    )
    site.base = "/" + base.strip("/")
    project = ProjectImport(files, site)
    _read_theme(project, config, home)
    _read_sidebars(project, docs, home)
    _read_redirects(project, config, home)
    _list_versions(project, home)
    _list_others(project, config, docs, home)
    return project


def _plugins(config: ConfigTable, key: str) -> Iterator[tuple[str, ConfigTable, ConfigValue]]:
    """Name and options of each preset or plug-in."""
    for value in items_of(entry(config, key)):
        name, options = (*items_of(value), None, None)[:2]
        yield text_of(name), table_of(options), value


def _docs_options(config: ConfigTable) -> ConfigTable:
    for name, options, _ in _plugins(config, "presets"):
        if "classic" in name:
            return table_of(entry(options, "docs"))
    for name, options, _ in _plugins(config, "plugins"):
        if "content-docs" in name:
            return options
    return NO_TABLE


def _set_repository(site: ImportedSite, files: ProjectFiles, config: ConfigTable, docs: ConfigTable) -> None:
    git = git_facts(files.folder)
    owner, name = text_of(entry(config, "organizationName")), text_of(entry(config, "projectName"))
    edit = text_of(entry(docs, "editUrl"))
    named = repo_of_url(f"https://github.com/{owner}/{name}") if owner and name else ""
    site.repo = git.repo or named or repo_of_url(edit)
    site.branch = git.branch or branch_of_edit_url(edit)


def _read_theme(project: ProjectImport, config: ConfigTable, home: str) -> None:
    site, files = project.site, project.files
    site.description = text_of(entry(config, "tagline"))
    if isinstance(title := entry(config, "title"), ConfigCode):
        site.leave("title", f"it is computed; the site is called {site.name}", title)
    theme = table_of(entry(config, "themeConfig"))
    color = ""
    for item in items_of(entry(theme, "metadata")):
        if text_of(entry(table_of(item), "name")) == "theme-color":
            color = text_of(entry(table_of(item), "content"))
    site.color = hue_of_color(brand_color(files, posixpath.join(home, "src/css"), _BRAND) or color)
    site.favicon = _picture(project, home, text_of(entry(config, "favicon")))
    site.logo = _picture(project, home, text_of(entry(theme, "navbar", "logo", "src")))
    for item in items_of(entry(theme, "navbar", "items")):
        _read_navbar_item(project, item)
    for group in items_of(entry(theme, "footer", "links")):
        inner = entry(table_of(group), "items")
        for item in items_of(inner) if inner is not None else (group,):
            _read_footer_item(project, item)
    if value := entry(theme, "footer", "copyright"):
        site.leave("footer.copyright", "the footer names the owner; set `owner`", value)


def _picture(project: ProjectImport, home: str, written: str) -> str:
    path = posixpath.normpath(posixpath.join(home, "static", written.lstrip("/")))
    return path if written.endswith((".svg", ".png")) and project.files.is_file(path) else ""


def _read_navbar_item(project: ProjectImport, item: ConfigValue) -> None:
    table = table_of(item)
    kind, label = text_of(entry(table, "type")), text_of(entry(table, "label"))
    link = text_of(entry(table, "href")) or text_of(entry(table, "to")) or text_of(entry(table, "docId"))
    if kind in NEEDLESS_NAVBAR_TYPES:
        return
    is_social = link.startswith("https://") and project.site.add_social(link)
    if "items" in table.entries:
        project.site.leave(f"menu {label!r}", "the main menu has no menus within it", item)
    elif kind == "docSidebar" and not link:
        project.add_link(project.site.menu, label, "/", item)
    elif link and not is_social:
        project.add_link(project.site.menu, label, link, item)
    elif not link:
        project.site.leave(f"menu entry {label!r}" if label else "menu entry", "it is HTML, or it is computed", item)


def _read_footer_item(project: ProjectImport, item: ConfigValue) -> None:
    table = table_of(item)
    label = text_of(entry(table, "label"))
    link = text_of(entry(table, "href")) or text_of(entry(table, "to"))
    if link.startswith("https://"):
        project.site.add_social(link)
    if link:
        project.add_link(project.site.footer, label, link, item)
    else:
        project.site.leave("footer link", "it is HTML, or it is computed", item)


# The docs menu


def _read_sidebars(project: ProjectImport, docs: ConfigTable, home: str) -> None:
    path = entry(docs, "sidebarPath")
    if text_of(path) == "false":
        return
    if isinstance(path, ConfigCode):
        project.site.leave("sidebarPath", "it is computed", path)
    names = (
        (text_of(path), "sidebars.ts", "sidebars.js", "sidebars.json")
        if text_of(path)
        else ("sidebars.ts", "sidebars.js", "sidebars.json")
    )
    files = (posixpath.normpath(posixpath.join(home, name)) for name in names)
    file = next((one for one in files if project.files.is_file(one)), None)
    if file is None:
        return
    text = project.files.text(file) or ""
    read_module = module_reader(project.files, file)
    sidebars = read_yaml_config(text) if file.endswith(".json") else read_javascript_config(text, read_module)
    if sidebars is None:
        project.site.leave("sidebars", "they are computed; the menu shows the folders", file=file)
        return
    found = [item for value in sidebars.entries.values() for item in _items(project, value, file)]
    if any(item.page == "*" for item in found) or _has_generated(found):
        project.site.leave("sidebars", "a part is generated from folders, and so is the whole menu", file=file)
        return
    first = project.site.config_file
    project.site.config_file = file
    project.add_menu(found)
    project.site.config_file = first


def _has_generated(items: list[MenuItem]) -> bool:
    return any(item.page == "*" or _has_generated(list(item.items)) for item in items)


def _items(project: ProjectImport, value: ConfigValue | None, file: str) -> Iterator[MenuItem]:
    """The entries of a sidebar. One that is generated has the page `*`."""
    if isinstance(value, ConfigTable) and "type" not in value.entries:
        for label, inner in value.entries.items():  # the short form: a table of categories
            yield MenuItem(label, "", tuple(_items(project, inner, file)), value)
        return
    for item in items_of(value):
        table = table_of(item)
        kind = text_of(entry(table, "type"))
        label = text_of(entry(table, "label"))
        if isinstance(item, ConfigText):
            yield MenuItem(item.text.rpartition("/")[2], item.text, (), item)
        elif kind in ("doc", "ref"):
            yield MenuItem(label, text_of(entry(table, "id")), (), item)
        elif kind == "category" or (not kind and "items" in table.entries):
            page = text_of(entry(table, "link", "id"))
            yield MenuItem(label, page, tuple(_items(project, entry(table, "items"), file)), item)
        elif kind == "link":
            yield MenuItem(label, text_of(entry(table, "href")), (), item)
        elif kind == "autogenerated":
            yield MenuItem(label, "*", (), item)
        elif isinstance(item, ConfigTable) and not kind:
            yield from _items(project, item, file)
        else:
            project.site.leave("entry of a sidebar", "it is HTML, or it is computed", item, file)


# Redirects and versions


def _read_redirects(project: ProjectImport, config: ConfigTable, home: str) -> None:
    for name, options, value in _plugins(config, "plugins"):
        if REDIRECTS_PLUGIN not in name:
            continue
        if "createRedirects" in options.entries:
            project.site.leave("createRedirects", "it is code", value)
        for rule in items_of(entry(options, "redirects")):
            table = table_of(rule)
            for old in items_of(entry(table, "from")):
                project.add_redirect(text_of(old), text_of(entry(table, "to")), rule)
    for file in (posixpath.join(home, "_redirects"), posixpath.join(home, "static/_redirects")):
        if text := project.files.text(file):
            _read_redirects_file(project, file, text)


def _read_redirects_file(project: ProjectImport, file: str, text: str) -> None:
    """A file of Netlify: an old path, a new one and a status on each line."""
    shortened: list[ConfigText] = []
    for number, line in enumerate(text.split("\n"), start=1):
        parts = _LINE.findall(line.partition(" #")[0]) if not line.lstrip().startswith("#") else []
        old, new, status = (*parts, "", "", "")[:3]
        place = ConfigText(number, line)
        if old.endswith("*") and not old.endswith("/*") and not new.startswith("https:"):
            shortened.append(place)
            old, new = old[:-1], new.removesuffix(":splat")
        if status not in _PERMANENT or "*" in old or ":" in new.removeprefix("https:"):
            project.site.leave(f"redirect {old!r}", "it is a pattern", place, file)
        elif old:
            project.add_redirect(old.removesuffix("/index.html"), new, place, file)
    if shortened:
        reason = "only the address itself is redirected, not those that begin with it"
        project.site.leave(f"{len(shortened)} redirects that end with *", reason, shortened[0], file)


def _list_versions(project: ProjectImport, home: str) -> None:
    """Versions whose docs are in branches become versions; the others are left out."""
    file = posixpath.join(home, "versions.json")
    text = project.files.text(file)
    if text is None:
        return
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list):
        project.site.leave("versions", "the file has no list of names", file=file)
        return
    branches = git_facts(project.files.folder).branches
    for name in [one for one in names if isinstance(one, str) and one.isprintable()][:100]:
        branch = next((one for one in (name, f"v{name}", f"{name}.x", f"v{name}.x") if one in branches), None)
        if branch and project.site.repo:
            project.site.versions.append(branch)
        else:
            reason = "its docs are copies in a folder; a version is a branch of the repository"
            project.site.leave(f"version {name[:50]!r}", reason, file=file)


def _list_others(project: ProjectImport, config: ConfigTable, docs: ConfigTable, home: str) -> None:
    site = project.site
    theme = table_of(entry(config, "themeConfig"))
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    site.leave_others(theme, TAKEN_THEME_KEYS | NEEDLESS_THEME_KEYS, _REASONS, "themeConfig.")
    for key, option in docs.entries.items():
        if key in _DOCS_REASONS:
            site.leave(key, _DOCS_REASONS[key], option)
    for name, _, plugin in _plugins(config, "plugins"):
        if REDIRECTS_PLUGIN not in name:
            site.leave(f"plug-in {name!r}" if name else "plug-in", "plug-ins are code", plugin)
    for folder, reason in _FOLDER_REASONS.items():
        if project.files.is_folder(posixpath.join(home, folder)):
            site.leave(folder, reason, file=posixpath.join(home, folder))

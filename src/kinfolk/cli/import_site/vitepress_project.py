"""The configuration of VitePress: `.vitepress/config.*`, of which only literals are read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from kinfolk.cli.import_site.config_files.config_values import (
    NO_TABLE,
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
    entry,
    items_of,
    table_of,
    text_of,
)
from kinfolk.cli.import_site.config_files.javascript_config import read_javascript_config
from kinfolk.cli.import_site.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.project_files import ProjectFiles, branch_of_edit_url, git_facts, repo_of_url
from kinfolk.cli.import_site.project_import import MenuItem, ProjectImport, set_identity
from kinfolk.runtime.errors import Invalid

_ENDINGS = ("ts", "mts", "js", "mjs", "cjs", "cts")
CONFIG_FILES = tuple(f".vitepress/config{part}.{ending}" for part in ("", "/index") for ending in _ENDINGS)
TAKEN_KEYS = frozenset("title description head base srcDir themeConfig rewrites titleTemplate".split())
NEEDLESS_KEYS = frozenset(
    "lang cleanUrls lastUpdated sitemap outDir cacheDir ignoreDeadLinks metaChunk mpa appearance".split()
)
TAKEN_THEME_KEYS = frozenset("nav sidebar logo siteTitle socialLinks editLink footer".split())
NEEDLESS_THEME_KEYS = frozenset(
    (
        "search outline docFooter lastUpdated lastUpdatedText darkModeSwitchLabel lightModeSwitchTitle"
        " darkModeSwitchTitle sidebarMenuLabel returnToTopLabel langMenuLabel externalLinkIcon aside"
        " skipToContentLabel notFound algolia"
    ).split()
)
_REASONS = {
    "locales": "a translation is a library with a docs root of its own",
    "markdown": "plug-ins of Markdown are code",
    "vite": "plug-ins of Vite are code",
    "carbonAds": "set [promo.provider] in kinfolk.toml",
    "srcExclude": "all pages of the docs root are served; `draft: true` keeps a page out of the menu",
}
_BRAND = re.compile(r"--vp-c-brand(?:-1)?\s*+:\s*+(#[0-9a-fA-F]{3,6})\b")


def read_vitepress(files: ProjectFiles, start: str) -> ProjectImport:
    """Raises Invalid if there is no configuration."""
    file = files.find(CONFIG_FILES, start)
    if file is None:
        raise Invalid("There is no .vitepress/config.ts, or one with another ending, in the folder")
    docs = file.split("/.vitepress/")[0] if "/.vitepress/" in file else ""
    config = read_javascript_config(files.text(file) or "", module_reader(files, file))
    site = ImportedSite("vitepress", file)
    if config is None:
        site.leave("configuration", "it exports no object that can be read without running it", file=file)
        config = NO_TABLE
    source = posixpath.normpath(posixpath.join(docs, text_of(entry(config, "srcDir")) or "."))
    site.docs_root = source if not source.startswith("..") else docs or "."
    theme = table_of(entry(config, "themeConfig"))
    edit = text_of(entry(theme, "editLink", "pattern"))
    git = git_facts(files.folder)
    site.repo, site.branch = git.repo or repo_of_url(edit), git.branch or branch_of_edit_url(edit)
    set_identity(site, files, text_of(entry(config, "title")))
    site.base = "/" + text_of(entry(config, "base")).strip("/")
    project = ProjectImport(files, site)
    _read_site(project, config)
    _read_theme(project, theme)
    _read_rewrites(project, entry(config, "rewrites"))
    _list_others(site, config, theme)
    if files.is_folder(posixpath.join(docs, ".vitepress/theme")):
        site.leave("theme", "its components and styles are code", file=posixpath.join(docs, ".vitepress/theme"))
    return project


def module_reader(files: ProjectFiles, file: str) -> Callable[[str, str], tuple[str, str] | None]:
    """Reads the modules that a file, and the files that it imports, import by a relative path."""

    def read(importer: str, written: str) -> tuple[str, str] | None:
        if not written.startswith("."):
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer or file), written))
        names = (path, *(f"{path}{part}.{ending}" for part in ("", "/index") for ending in _ENDINGS))
        return next(((name, text) for name in names if (text := files.text(name)) is not None), None)

    return read


def _read_site(project: ProjectImport, config: ConfigTable) -> None:
    site, files = project.site, project.files
    site.description = text_of(entry(config, "description"))
    if isinstance(title := entry(config, "title"), ConfigCode):
        site.leave("title", f"it is computed; the site is called {site.name}", title)
    color = ""
    for item in items_of(entry(config, "head")):
        tag, attributes = (*items_of(item), None, None)[:2]
        named = table_of(attributes)
        if text_of(entry(named, "name")) == "theme-color":
            color = color or text_of(entry(named, "content"))
        if text_of(entry(named, "rel")) == "icon":
            site.favicon = _picture(project, text_of(entry(named, "href"))) or site.favicon
        elif text_of(tag) == "script":
            site.leave("script in the head", "the site loads no scripts of others", item)
    styles = posixpath.join(posixpath.dirname(posixpath.dirname(f"{site.config_file}/")), "theme")
    site.color = hue_of_color(brand_color(files, styles, _BRAND) or color)


def brand_color(files: ProjectFiles, folder: str, written: re.Pattern[str]) -> str:
    """The first color of the brand in the stylesheets of a folder."""
    for name in files.names(folder):
        if name.endswith((".css", ".scss")) and (text := files.text(posixpath.join(folder, name))):
            found = written.search(text)
            if found:
                return found[1]
    return ""


def _picture(project: ProjectImport, link: str) -> str:
    """The file of a picture with a path of the old site; empty if there is none."""
    if not link.endswith((".svg", ".png")) or "://" in link:
        return ""
    base = project.site.base.rstrip("/")
    path = link.removeprefix(base).lstrip("/") if base else link.lstrip("/")
    return next((one for folder in ("public", "") if project.files.is_file(one := _below(project, folder, path))), "")


def _below(project: ProjectImport, folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(project.site.docs_root, folder, path))


def _read_theme(project: ProjectImport, theme: ConfigTable) -> None:
    site = project.site
    logo = entry(theme, "logo")
    site.logo = _picture(
        project, text_of(logo) or text_of(entry(table_of(logo), "light")) or text_of(entry(table_of(logo), "src"))
    )
    for link in items_of(entry(theme, "socialLinks")):
        table = table_of(link)
        if not site.add_social(text_of(entry(table, "link")), text_of(entry(table, "icon"))):
            name = text_of(entry(table, "icon")) or text_of(entry(table, "link")) or "unknown"
            site.leave(f"social link {name!r}", "the site has no icon for it, or its address is computed", link)
    for item in items_of(entry(theme, "nav")):
        _read_nav_item(project, item)
    _read_footer(project, entry(theme, "footer"))
    sidebar = entry(theme, "sidebar")
    if isinstance(sidebar, ConfigTable):
        for path, value in sidebar.entries.items():
            _read_sidebar(project, value, path)
    elif sidebar is not None:
        _read_sidebar(project, sidebar, "sidebar")


def _read_nav_item(project: ProjectImport, item: ConfigValue) -> None:
    table = table_of(item)
    label, link = text_of(entry(table, "text")), text_of(entry(table, "link"))
    if "items" in table.entries:
        project.site.leave(f"menu {label!r}" if label else "menu", "the main menu has no menus within it", item)
    elif link:
        project.add_link(project.site.menu, label, link, item)
    else:
        project.site.leave(f"menu entry {label!r}" if label else "menu entry", "it is computed", item)


def _read_footer(project: ProjectImport, footer: ConfigValue | None) -> None:
    table = table_of(footer)
    for key in ("message", "copyright"):
        if value := entry(table, key):
            project.site.leave(f"footer: {key}", "the footer has links and the owner; set `owner`", value)
    for group in items_of(entry(table, "nav")):
        for item in items_of(entry(table_of(group), "items")):
            label, link = text_of(entry(table_of(item), "text")), text_of(entry(table_of(item), "link"))
            if link:
                project.add_link(project.site.footer, label, link, item)
            else:
                project.site.leave(f"footer link {label!r}" if label else "footer links", "they are computed", item)


def _read_sidebar(project: ProjectImport, value: ConfigValue, name: str) -> None:
    if isinstance(value, ConfigTable):
        base = text_of(entry(value, "base"))
        project.add_menu(_items(project.site, entry(value, "items"), base))
    elif isinstance(value, ConfigList):
        project.add_menu(_items(project.site, value, ""))
    else:
        project.site.leave(f"sidebar {name!r}", "it is computed; the menu shows the folders", value)


def _items(site: ImportedSite, value: ConfigValue | None, base: str) -> Iterator[MenuItem]:
    for item in items_of(value):
        if not isinstance(item, ConfigTable):
            site.leave("entries of a sidebar", "they are computed", item)
            continue
        link = text_of(entry(item, "link"))
        own = text_of(entry(item, "base")) or base
        inner = tuple(_items(site, entry(item, "items"), own)) if "items" in item.entries else ()
        yield MenuItem(
            text_of(entry(item, "text")), link if "://" in link else f"{own}{link}" if link else "", inner, item
        )


def _read_rewrites(project: ProjectImport, rewrites: ConfigValue | None) -> None:
    if isinstance(rewrites, ConfigCode):
        project.site.leave("rewrites", "they are computed", rewrites)
    for source, target in table_of(rewrites).entries.items():
        if isinstance(target, ConfigText) and ":" not in source + target.text:
            project.add_redirect(target.text.removesuffix(".md"), source, target)
        else:
            project.site.leave(f"rewrite {source!r}", "it is a pattern", target)


def _list_others(site: ImportedSite, config: ConfigTable, theme: ConfigTable) -> None:
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    site.leave_others(theme, TAKEN_THEME_KEYS | NEEDLESS_THEME_KEYS, _REASONS, "themeConfig.")
    for key, value in theme.entries.items():
        if isinstance(value, ConfigCode) and key in TAKEN_THEME_KEYS and key != "sidebar":
            site.leave(f"themeConfig.{key}", "it is computed", value)

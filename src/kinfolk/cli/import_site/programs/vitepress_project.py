"""The configuration of VitePress: `.vitepress/config.*`, of which only literals are read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.old_addresses.host_redirects import add_redirects_of_hosts
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.post_import import PostFolder, day_of, front_of, import_posts
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import (
    LibraryImport,
    MenuItem,
    ProjectImport,
    library_facts,
    plain_label,
)
from kinfolk.cli.import_site.project.project_modules import ENDINGS, brand_color, module_reader
from kinfolk.config.data_files import is_repo_path
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import (
    NO_TABLE,
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config

CONFIG_FILES = tuple(f".vitepress/config{part}.{ending}" for part in ("", "/index") for ending in ENDINGS)
DEEPEST_MENU = 3
TAKEN_KEYS = frozenset("title description head base srcDir themeConfig rewrites titleTemplate locales".split())
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
    "markdown": "plug-ins of Markdown are code",
    "vite": "plug-ins of Vite are code",
    "carbonAds": "set [promo.provider] in kinfolk.toml",
    "srcExclude": "all pages of the docs root are served; `draft: true` keeps a page out of the menu",
}
_BLOG_FOLDERS = ("blog", "posts", "news", "articles")
_BRAND = re.compile(r"--vp-c-brand(?:-1)?\s*+:\s*+(#[0-9a-fA-F]{3,6})\b")


def read_vitepress(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has."""
    docs = f"/{file}".split("/.vitepress/")[0].lstrip("/")
    config = read_javascript_config(files.text(file) or "", module_reader(files, file))
    site = ImportedSite("VitePress", file)
    if config is None:
        site.leave("configuration", "it exports no object that can be read without running it", file=file)
        config = NO_TABLE
    source = posixpath.normpath(posixpath.join(docs, text_of(entry(config, "srcDir")) or "."))
    source = source if not source.startswith("..") else docs or "."
    languages = read_languages(config, files, source)
    config = languages.config
    theme = table_of(entry(config, "themeConfig"))
    edit = text_of(entry(theme, "editLink", "pattern"))
    git = files.git
    site.repo, site.branch = git.repo or repo_of_url(edit), git.branch or branch_of_edit_url(edit)
    facts = library_facts(site, files, text_of(entry(config, "title")), "vitepress", languages.docs_root)
    facts.base = posixpath.join("/", text_of(entry(config, "base")).strip("/"), languages.path).rstrip("/")
    site.description = facts.description = text_of(entry(config, "description"))
    blog = _find_blog(files, languages.docs_root)
    # The list of posts can be a page beside their folder: the blog of the site takes its place.
    has_list = bool(blog) and files.is_file(posixpath.join(languages.docs_root, f"{blog}.md"))
    facts.excluded = [*languages.excluded, *((blog,) if blog else ()), *((f"{blog}.md",) if has_list else ())]
    project = ProjectImport(files, site)
    library = project.add_library(facts)
    if languages.others:
        reason = "a translation is a library with a docs root of its own; its pages are left out"
        site.leave(f"languages: {', '.join(languages.others)}", reason, languages.value)
    if blog:
        root = languages.docs_root
        mover = TextMover(project, "vitepress", root, static=(posixpath.join(root, "public"),))
        where = PostFolder(
            posixpath.normpath(posixpath.join(root, blog)), f"{facts.base}/{blog}".strip("/"), {}, has_dates=False
        )
        import_posts(mover, where, [facts.id])
    _read_site(project, config)
    _read_theme(project, library, theme)
    _read_rewrites(project, entry(config, "rewrites"))
    add_redirects_of_hosts(project, ("", docs, source, posixpath.join(source, "public")))
    _list_others(site, config, theme)
    if files.is_folder(posixpath.join(docs, ".vitepress/theme")):
        site.leave("theme", "its components and styles are code", file=posixpath.join(docs, ".vitepress/theme"))
    return project


@dataclass(frozen=True)
class _Languages:
    """The language of the new site. `path` is its first part of addresses, `others` are labels of the others."""

    config: ConfigTable
    docs_root: str
    path: str = ""
    excluded: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    value: ConfigValue | None = None


def read_languages(config: ConfigTable, files: ProjectFiles, source: str) -> _Languages:
    """The configuration with that of its first language, and the folders of the others."""
    value = entry(config, "locales")
    locales = table_of(value).entries
    if not locales:
        return _Languages(config, source)
    own = next((key for key in ("root", "en", "en-US") if key in locales), next(iter(locales)))
    root = table_of(locales[own])
    merged = {**config.entries, **{key: one for key, one in root.entries.items() if key not in ("label", "link")}}
    themes = (table_of(entry(config, "themeConfig")), table_of(entry(root, "themeConfig")))
    merged["themeConfig"] = ConfigTable(themes[1].line or themes[0].line, {**themes[0].entries, **themes[1].entries})
    others = {key: table_of(locale) for key, locale in locales.items() if key != own}
    labels = tuple(
        f"{key} ({label})" if (label := text_of(entry(one, "label"))) else key for key, one in others.items()
    )
    folder = "" if own == "root" else own
    if folder and files.is_folder(posixpath.join(source, folder)):
        return _Languages(ConfigTable(config.line, merged), posixpath.join(source, folder), folder, (), labels, value)
    excluded = tuple(key for key in others if is_repo_path(key) and files.is_folder(posixpath.join(source, key)))
    return _Languages(ConfigTable(config.line, merged), source, "", excluded, labels, value)


def _find_blog(files: ProjectFiles, root: str) -> str:
    """The folder of posts below the docs root: one with such a name in which most files have a date."""
    for name in _BLOG_FOLDERS:
        folder = posixpath.normpath(posixpath.join(root, name))
        pages = [one for one in files.names(folder) if one.endswith(".md") and one != "index.md"]
        dated = [one for one in pages if day_of(front_of(files.text(posixpath.join(folder, one)) or "").get("date"))]
        if dated and 2 * len(dated) >= len(pages):
            return name
    return ""


def _read_site(project: ProjectImport, config: ConfigTable) -> None:
    site, files = project.site, project.files
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
    theme = f"{f'/{site.config_file}'.split('/.vitepress/')[0]}/.vitepress/theme".lstrip("/")
    folders = (theme, *(f"{theme}/{name}" for name in ("styles", "style", "css")))
    found = next((one for folder in folders if (one := brand_color(files, folder, _BRAND))), color)
    site.color = hue_of_color(found)


def _picture(project: ProjectImport, link: str) -> str:
    """The file of a picture with a path of the old site; empty if there is none."""
    if not link.endswith((".svg", ".png")) or "://" in link:
        return ""
    base = project.site.library.base.rstrip("/")
    path = link.removeprefix(base).lstrip("/") if base else link.lstrip("/")
    return next((one for folder in ("public", "") if project.files.is_file(one := _below(project, folder, path))), "")


def _below(project: ProjectImport, folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(project.site.library.docs_root, folder, path))


def _read_theme(project: ProjectImport, library: LibraryImport, theme: ConfigTable) -> None:
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
        # The sidebar of all pages without one of their own comes first.
        for path, value in sorted(sidebar.entries.items(), key=lambda one: one[0] != "/"):
            _read_sidebar(project, library, value, path)
    elif sidebar is not None:
        _read_sidebar(project, library, sidebar, "sidebar")


def _read_nav_item(project: ProjectImport, item: ConfigValue, group: str = "", depth: int = 0) -> None:
    """A link of the header, or a menu, whose links become a group."""
    table = table_of(item)
    label, link = text_of(entry(table, "text")), text_of(entry(table, "link"))
    inner = entry(table, "items")
    if inner is not None and not isinstance(inner, ConfigCode) and depth < DEEPEST_MENU:
        for one in items_of(inner):
            _read_nav_item(project, one, group or label, depth + 1)
    elif link:
        project.add_link(project.site.menu, label, link, item, group=group)
    else:
        project.site.leave(f"menu entry {label!r}" if label else "menu entry", "it is computed, or a component", item)


def _read_footer(project: ProjectImport, footer: ConfigValue | None) -> None:
    table = table_of(footer)
    note = [plain_label(text_of(entry(table, key))) for key in ("message", "copyright")]
    project.site.footer_note = " ".join(filter(None, note))
    for key in ("message", "copyright"):
        if isinstance(value := entry(table, key), ConfigCode):
            project.site.leave(f"footer: {key}", "it is computed; set `footer_note` of [texts]", value)
    for group in items_of(entry(table, "nav")):
        title = text_of(entry(table_of(group), "title")) or text_of(entry(table_of(group), "text"))
        for item in items_of(entry(table_of(group), "items")):
            label, link = text_of(entry(table_of(item), "text")), text_of(entry(table_of(item), "link"))
            if link:
                project.add_link(project.site.footer, label, link, item, group=title)
            else:
                project.site.leave(f"footer link {label!r}" if label else "footer links", "they are computed", item)


def _read_sidebar(project: ProjectImport, library: LibraryImport, value: ConfigValue, name: str) -> None:
    if isinstance(value, ConfigTable):
        base = text_of(entry(value, "base"))
        items = _items(project.site, entry(value, "items"), base)
    elif isinstance(value, ConfigList):
        items = _items(project.site, value, "")
    else:
        project.site.leave(f"sidebar {name!r}", "it is computed; the menu shows the folders", value)
        return
    project.add_menu(library.facts.menu, items, library.pages, library)


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
    """Files that had another address: it leads to the page of the file."""
    if isinstance(rewrites, ConfigCode):
        project.site.leave("rewrites", "they are computed", rewrites)
    for source, target in table_of(rewrites).entries.items():
        if isinstance(target, ConfigText):
            old = posixpath.join("/", project.site.library.base, target.text.removesuffix(".md"))
            new = posixpath.join("/", project.site.library.base, source.removesuffix(".md"))
            project.add_redirect(old, new, target, what=f"rewrite {source!r}")
        else:
            project.site.leave(f"rewrite {source!r}", "it is computed", target)


def _list_others(site: ImportedSite, config: ConfigTable, theme: ConfigTable) -> None:
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    site.leave_others(theme, TAKEN_THEME_KEYS | NEEDLESS_THEME_KEYS, _REASONS, "themeConfig.")
    for key, value in theme.entries.items():
        if isinstance(value, ConfigCode) and key in TAKEN_THEME_KEYS and key != "sidebar":
            site.leave(f"themeConfig.{key}", "it is computed", value)

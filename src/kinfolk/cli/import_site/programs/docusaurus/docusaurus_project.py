"""The configuration of Docusaurus: `docusaurus.config.*` and its sidebars, of which only literals are read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary
from kinfolk.cli.import_site.facts.imported_site import ImportedSite, short_label
from kinfolk.cli.import_site.old_addresses.host_redirects import add_redirects_of_hosts
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.page_import import import_pages
from kinfolk.cli.import_site.posts.post_import import PostFolder, import_posts, read_authors
from kinfolk.cli.import_site.posts.tag_import import TAGS, TagReader, docusaurus_path, read_tags_file
from kinfolk.cli.import_site.programs.docusaurus.docusaurus_docs import (
    DEFAULT_ID,
    DocsPlugin,
    docs_folder,
    latest_folder,
    plugin_options,
    read_sidebars,
    read_versions,
)
from kinfolk.cli.import_site.programs.docusaurus.docusaurus_theme import read_theme
from kinfolk.cli.import_site.project.announcement_import import import_announcement
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import LibraryImport, ProjectImport, library_facts
from kinfolk.cli.import_site.project.project_modules import module_reader
from kinfolk.cli.new.new_site import slug_of
from kinfolk.config.data_files import is_url
from kinfolk.config.routes import reserved_segments
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import NO_TABLE, ConfigTable, ConfigValue
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config

CONFIG_FILES = tuple(f"docusaurus.config.{ending}" for ending in ("ts", "mts", "js", "mjs", "cjs"))
REDIRECTS_PLUGIN = "client-redirects"
TAKEN_KEYS = frozenset(
    "title tagline url baseUrl favicon organizationName projectName presets plugins themeConfig".split()
)
NEEDLESS_KEYS = frozenset(
    (
        "trailingSlash onBrokenLinks onBrokenMarkdownLinks onBrokenAnchors onDuplicateRoutes deploymentBranch"
        " noIndex future titleDelimiter storage githubHost githubPort baseUrlIssueBanner staticDirectories"
    ).split()
)
TAKEN_THEME_KEYS = frozenset("navbar footer metadata announcementBar".split())
NEEDLESS_THEME_KEYS = frozenset("algolia colorMode tableOfContents docs prism blog image mermaid".split())
_REASONS = {
    "i18n": "a translation is a library with a docs root of its own",
    "customFields": "they are for code",
    "themes": "themes are code",
    "markdown": "its hooks are code; diagrams of Mermaid are drawn",
    "scripts": "the site loads no scripts of others",
    "headTags": "the site writes the head of each page",
}
_DOCS_REASONS = dict.fromkeys(
    ("remarkPlugins", "rehypePlugins", "beforeDefaultRemarkPlugins"), "plug-ins of Markdown are code"
) | dict.fromkeys(("include", "exclude"), "all pages of the docs root are served")
_FOLDER_REASONS = {
    "src/theme": "components are code",
    "i18n": "a translation is a library with a docs root of its own",
}


def read_docusaurus(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has."""
    home = posixpath.dirname(file)
    config = read_javascript_config(files.text(file) or "", module_reader(files, file))
    site = ImportedSite("Docusaurus", file)
    if config is None:
        site.leave("configuration", "it exports no object that can be read without running it", file=file)
        config = NO_TABLE
    first, *others = _docs_plugins(files, site, config, home)
    _set_repository(site, files, config, first.options)
    site.description = text_of(entry(config, "tagline"))
    project = ProjectImport(files, site)
    base = text_of(entry(config, "baseUrl")).strip("/")
    versions = read_versions(files, site, first)
    facts = library_facts(site, files, text_of(entry(config, "title")), "docusaurus", latest_folder(first, versions))
    facts.description = site.description
    facts.base = _base(first.options, base, "docs")
    plugins = {first.id: project.add_library(facts)}
    for version in versions:
        project.add_version(plugins[first.id], version)
    for plugin in others:
        plugins[plugin.id] = _add_plugin(project, plugin, base)
    _read_beside(project, config, home, base)
    for plugin in (first, *others):
        read_sidebars(project, plugins[plugin.id], plugin)
    read_theme(project, config, home, plugins)
    import_announcement(project, entry(config, "themeConfig", "announcementBar", "content"))
    _read_redirects(project, config, home, base)
    _list_others(project, config, [first, *others], home)
    return project


def _base(options: ConfigTable, base: str, default: str) -> str:
    route = entry(options, "routeBasePath")
    path = text_of(route).strip("/") if route is not None else default
    return "/" + "/".join(part for part in (base, path) if part) if base or path else ""


def _add_plugin(project: ProjectImport, plugin: DocsPlugin, base: str) -> LibraryImport:
    """Another docs plug-in, as a library of its own."""
    site = project.site
    taken = {library.id for library in site.libraries}
    id = slug_of(plugin.id) or "docs"
    if id in taken or id in reserved_segments(()):
        id = f"{site.library.id}-{id}"
    name = short_label(f"{site.name} {plugin.id.replace('-', ' ').replace('_', ' ').title()}")
    versions = read_versions(project.files, site, plugin)
    facts = ImportedLibrary(id, name, latest_folder(plugin, versions), "docusaurus")
    facts.description = f"{plugin.id.replace('-', ' ').capitalize()} of {site.name}"
    facts.base = _base(plugin.options, base, "docs")
    library = project.add_library(facts)
    for version in versions:
        project.add_version(library, version)
    return library


def _presets(config: ConfigTable, key: str) -> Iterator[tuple[str, ConfigTable, ConfigValue]]:
    """Name and options of each preset or plug-in."""
    for value in items_of(entry(config, key)):
        yield *plugin_options(value), value


def _classic_options(config: ConfigTable, key: str) -> ConfigTable | None:
    """Options of a plug-in of the classic preset; None where it is turned off or there is no such preset."""
    for name, options, _ in _presets(config, "presets"):
        if "classic" in name:
            value = entry(options, key)
            return None if text_of(value) == "false" else table_of(value)
    return None


def _docs_plugins(files: ProjectFiles, site: ImportedSite, config: ConfigTable, home: str) -> list[DocsPlugin]:
    """All docs plug-ins, that of the preset first. One at least."""
    found: list[DocsPlugin] = []
    own = _classic_options(config, "docs")
    if own is not None:
        found.append(DocsPlugin(DEFAULT_ID, own, home, docs_folder(files, site, own, home)))
    for name, options, value in _presets(config, "plugins"):
        if not name.endswith("content-docs"):
            continue
        id = text_of(entry(options, "id")) or DEFAULT_ID
        folder = docs_folder(files, site, options, home)
        if any(one.id == id or one.folder == folder for one in found):
            site.leave(f"docs plug-in {id[:50]!r}", "its folder or its id is that of another one", value)
        elif found and not files.is_folder(folder):
            site.leave(f"docs plug-in {id[:50]!r}", "its folder does not exist", value)
        else:
            found.append(DocsPlugin(id, options, home, folder))
    return found or [DocsPlugin(DEFAULT_ID, NO_TABLE, home, docs_folder(files, site, NO_TABLE, home))]


def _set_repository(site: ImportedSite, files: ProjectFiles, config: ConfigTable, docs: ConfigTable) -> None:
    git = files.git
    owner, name = text_of(entry(config, "organizationName")), text_of(entry(config, "projectName"))
    edit = text_of(entry(docs, "editUrl"))
    named = repo_of_url(f"https://github.com/{owner}/{name}") if owner and name and " " not in owner + name else ""
    site.repo = git.repo or named or repo_of_url(edit)
    site.branch = git.branch or branch_of_edit_url(edit)


# Posts and pages


def _read_beside(project: ProjectImport, config: ConfigTable, home: str, base: str) -> None:
    """Posts, and the pages in `src/pages`."""
    site, files = project.site, project.files
    url = text_of(entry(config, "url")).rstrip("/")
    static = tuple(posixpath.normpath(posixpath.join(home, name)) for name in _static_folders(config))
    origin = url if is_url(url) else ""
    mover = TextMover(project, "docusaurus", site.library.docs_root, static=static, origin=origin)
    pages = posixpath.join(home, "src/pages")
    if files.is_folder(pages):
        import_pages(mover, pages)
    options = _classic_options(config, "blog")
    plugins = [found for found in _presets(config, "plugins") if found[0].endswith("content-blog")]
    if options is None and plugins:
        options = plugins.pop(0)[1]
    for _, _, value in plugins:
        site.leave("another blog", "a site has one", value)
    if options is None:
        return
    folder = posixpath.normpath(posixpath.join(home, text_of(entry(options, "path")) or "blog"))
    if folder.startswith("..") or not files.is_folder(folder):
        return
    authors_file = text_of(entry(options, "authorsMapPath")) or "authors.yml"
    authors = read_authors(files, posixpath.normpath(posixpath.join(folder, authors_file)))
    tags_file = text_of(entry(options, "tags")) or "tags.yml"
    tags = TagReader(
        {TAGS: docusaurus_path}, read_tags_file(files, posixpath.normpath(posixpath.join(folder, tags_file)))
    )
    where = PostFolder(folder, _base(options, base, "blog").strip("/"), authors, tags=tags)
    mover = TextMover(project, "docusaurus", folder, static=static, origin=origin, addresses=mover.addresses)
    import_posts(mover, where, [site.library.id])


def _static_folders(config: ConfigTable) -> list[str]:
    return [text_of(one) for one in items_of(entry(config, "staticDirectories")) if text_of(one)] or ["static"]


# Redirects


def _read_redirects(project: ProjectImport, config: ConfigTable, home: str, base: str) -> None:
    for name, options, value in _presets(config, "plugins"):
        if REDIRECTS_PLUGIN not in name:
            continue
        if "createRedirects" in options.entries:
            project.site.leave("createRedirects", "it is code", value)
        for key in ("fromExtensions", "toExtensions"):
            if items_of(option := entry(options, key)):
                project.site.leave(key, "rules of this site name no endings of addresses", option)
        for rule in items_of(entry(options, "redirects")):
            table = table_of(rule)
            for old in items_of(entry(table, "from")):
                path = posixpath.join("/", base, text_of(old).lstrip("/"))
                project.add_redirect(path, text_of(entry(table, "to")), rule)
    static = [posixpath.join(home, name) for name in _static_folders(config)]
    add_redirects_of_hosts(project, ("", home, *static))


def _list_others(project: ProjectImport, config: ConfigTable, plugins: list[DocsPlugin], home: str) -> None:
    site = project.site
    theme = table_of(entry(config, "themeConfig"))
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    site.leave_others(theme, TAKEN_THEME_KEYS | NEEDLESS_THEME_KEYS, _REASONS, "themeConfig.")
    for plugin in plugins:
        for key, option in plugin.options.entries.items():
            if key in _DOCS_REASONS:
                site.leave(key, _DOCS_REASONS[key], option)
    for name, _, value in _presets(config, "plugins"):
        if REDIRECTS_PLUGIN not in name and not name.endswith(("content-docs", "content-blog")):
            site.leave(f"plug-in {name!r}" if name else "plug-in", "plug-ins are code", value)
    for folder, reason in _FOLDER_REASONS.items():
        if project.files.is_folder(posixpath.join(home, folder)):
            site.leave(folder, reason, file=posixpath.join(home, folder))

"""Docs plug-ins of Docusaurus: folders, sidebars and versions. Each plug-in becomes a library of the new site."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kinfolk.cli.import_site.facts.imported_library import Banner, ImportedSection, ImportedVersion
from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.import_site.project.docs_pages import DocsPages
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import START, LibraryImport, MenuItem, ProjectImport
from kinfolk.cli.import_site.project.project_modules import module_reader
from kinfolk.cli.new.new_site import slug_of
from kinfolk.content.docs.menus.folder_menu import title_of_name
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import (
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

DEFAULT_ID = "default"
CURRENT = "current"
MOST_VERSIONS = 100
FEWEST_VERSIONS = 2
GENERATED = "*"
"""The page of a menu entry that stands for a folder, whose path follows."""
_BANNERS: dict[str, Banner] = {"none": "none", "unreleased": "unreleased", "unmaintained": "unmaintained"}


@dataclass(frozen=True)
class DocsPlugin:
    """A docs plug-in. `folder` is that of the current version, `home` that of the configuration."""

    id: str
    options: ConfigTable
    home: str
    folder: str

    def beside(self, name: str) -> str:
        """The path of a file or folder of versions: those of other plug-ins begin with their id."""
        return posixpath.join(self.home, name if self.id == DEFAULT_ID else f"{self.id}_{name}")


def docs_folder(files: ProjectFiles, site: ImportedSite, options: ConfigTable, home: str) -> str:
    """The folder of a docs plug-in."""
    root = posixpath.normpath(posixpath.join(home, text_of(entry(options, "path")) or "docs"))
    if root.startswith("..") or not files.is_folder(root):
        site.leave("path of the docs", "it is no folder of the project", entry(options, "path"))
        root = posixpath.join(home, "docs")
    return root


# Versions


def read_versions(files: ProjectFiles, site: ImportedSite, plugin: DocsPlugin) -> tuple[ImportedVersion, ...]:
    """The versions of a docs plug-in, the latest first; none for docs that have one."""
    names = _version_names(files, site, plugin)
    if not names or text_of(entry(plugin.options, "disableVersioning")) == "true":
        return ()
    written = entry(plugin.options, "onlyIncludeVersions")
    included = [] if isinstance(written, ConfigCode) else [text_of(one) for one in items_of(written) if text_of(one)]
    has_current = text_of(entry(plugin.options, "includeCurrentVersion")) != "false"
    shown = [
        name for name in (CURRENT, *names) if name in included or (not included and (has_current or name in names))
    ]
    shown = shown[:MOST_VERSIONS]
    folders = {name: _version_folder(plugin, name) for name in shown}
    branches = files.git.branches if site.repo else frozenset()
    last = text_of(entry(plugin.options, "lastVersion")) or next((name for name in names if name in shown), CURRENT)
    if last not in folders or not files.is_folder(folders[last]):
        last = CURRENT
    found: dict[str, ImportedVersion] = {}
    for position, name in enumerate(shown):
        branch = next((one for one in (name, f"v{name}", f"{name}.x", f"v{name}.x") if one in branches), "")
        if not files.is_folder(folders[name]) and not branch:
            reason = "its docs are in no folder and no branch of the project"
            site.leave(f"version {name[:50]!r}", reason, file=plugin.beside("versions.json"))
            continue
        is_newer = last in shown and position < shown.index(last)
        found[name] = _version(site, plugin, name, folders[name], is_newer=is_newer, is_last=name == last)
        if not files.is_folder(folders[name]):
            found[name] = replace(found[name], name=slug_of(branch), branch=branch, docs_root="", banner="")
    if last not in found or len(found) < FEWEST_VERSIONS:
        return ()
    if any(version.branch for version in found.values()):
        found[last] = replace(found[last], branch=site.branch or "main")
    return found[last], *(version for name, version in found.items() if name != last)


def _version_folder(plugin: DocsPlugin, name: str) -> str:
    return plugin.folder if name == CURRENT else f"{plugin.beside('versioned_docs')}/version-{name}"


def _version(
    site: ImportedSite, plugin: DocsPlugin, name: str, folder: str, *, is_newer: bool, is_last: bool
) -> ImportedVersion:
    """A version in a folder. Docusaurus shows a banner on those before and after the latest one."""
    facts = table_of(entry(plugin.options, "versions", name))
    is_current = name == CURRENT
    label = text_of(entry(facts, "label"))
    if is_last:
        own = slug_of(site.branch or "main") if is_current else slug_of(name)
        return ImportedVersion(own, label or ("" if is_current else name), docs_root=folder)
    banner = _BANNERS.get(text_of(entry(facts, "banner")), "unreleased" if is_newer else "unmaintained")
    path = text_of(entry(facts, "path")).strip("/") or ("next" if is_current else name)
    own = "next" if is_current else slug_of(name)
    return ImportedVersion(own, label or ("Next" if is_current else name), "", folder, banner, old_path=path)


def _version_names(files: ProjectFiles, site: ImportedSite, plugin: DocsPlugin) -> list[str]:
    file = plugin.beside("versions.json")
    text = files.text(file)
    if text is None:
        return []
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list):
        site.leave("versions", "the file has no list of names", file=file)
        return []
    return [one for one in names if isinstance(one, str) and one.isprintable() and slug_of(one) and "/" not in one]


def latest_folder(plugin: DocsPlugin, versions: tuple[ImportedVersion, ...]) -> str:
    return (versions[0].docs_root if versions else "") or plugin.folder


# Menus


def read_sidebars(project: ProjectImport, library: LibraryImport, plugin: DocsPlugin) -> None:
    """Add the menu of the library, and that of each version."""
    versions = library.facts.versions
    if not versions:
        _add_menu(project, library, library.facts.menu, library.pages, _current_sidebars(project, plugin))
        return
    for version in versions:
        is_latest = version is versions[0]
        pages = library.pages if is_latest else library.versions.get(version.name)
        if pages is None:
            continue
        if version.docs_root == plugin.folder or not version.docs_root:
            file = _current_sidebars(project, plugin)
        else:
            name = posixpath.basename(version.docs_root)
            file = posixpath.join(plugin.beside("versioned_sidebars"), f"{name}-sidebars.json")
        _add_menu(project, library, library.facts.menu if is_latest else version.menu, pages, file)
        if not is_latest and not pages.find(library.pages.first([page for page, _ in library.facts.menu_entries()])):
            listed = [page for section in version.menu for page, _ in section.entries]
            version.default_page = pages.first(listed)


def _current_sidebars(project: ProjectImport, plugin: DocsPlugin) -> str | None:
    path = entry(plugin.options, "sidebarPath")
    if text_of(path) == "false":
        return None
    if isinstance(path, ConfigCode):
        project.site.leave("sidebarPath", "it is computed", path)
    written = text_of(path)
    default = ("sidebars.ts", "sidebars.js", "sidebars.json") if plugin.id == DEFAULT_ID else ()
    names = (written, *(f"{written}.{ending}" for ending in ("ts", "js", "json", "mjs", "cjs"))) if written else default
    files = (posixpath.normpath(posixpath.join(plugin.home, name)) for name in names)
    return next((one for one in files if project.files.is_file(one)), None)


def _add_menu(
    project: ProjectImport, library: LibraryImport, menu: list[ImportedSection], pages: DocsPages, file: str | None
) -> None:
    text = project.files.text(file) if file else None
    if file is None or text is None:
        return
    read_module = module_reader(project.files, file)
    sidebars = read_yaml_config(text) if file.endswith(".json") else read_javascript_config(text, read_module)
    if sidebars is None:
        project.site.leave("sidebars", "they are computed; the menu shows the folders", file=file)
        return
    found = {name: list(_items(project, value, file)) for name, value in sidebars.entries.items()}
    if all(item.page.startswith(GENERATED) for items in found.values() for item in items):
        return  # the site makes the menu of the folders, as Docusaurus does
    if _has_generated([item for items in found.values() for item in items]):
        reason = "a part is generated from folders: it has the pages that are there now"
        project.site.leave("sidebars", reason, file=file)
    first = project.site.config_file
    project.site.config_file = file
    for name, items in found.items():
        start = title_of_name(name.removesuffix("Sidebar").removesuffix("sidebar") or name)
        expanded = [one for item in items for one in _expanded(item, pages)]
        project.add_menu(menu, expanded, pages, library, start=start if len(found) > 1 else START)
    project.site.config_file = first


def _has_generated(items: list[MenuItem]) -> bool:
    return any(item.page.startswith(GENERATED) or _has_generated(list(item.items)) for item in items)


def _expanded(item: MenuItem, pages: DocsPages) -> Iterator[MenuItem]:
    """The entry, with the pages of folders in place of entries that stand for them."""
    if not item.page.startswith(GENERATED):
        yield replace(item, items=tuple(one for inner in item.items for one in _expanded(inner, pages)))
        return
    folder = item.page.removeprefix(GENERATED).strip("./")
    for section in pages.folder_sections():
        inside = tuple(
            MenuItem(link.label, link.path)
            for link in section.children
            if not folder or link.path == folder or link.path.startswith(f"{folder}/")
        )
        if inside and all(posixpath.dirname(one.page) == folder or one.page == folder for one in inside):
            yield from inside
        elif inside:
            yield MenuItem(section.label.rpartition(": ")[2], "", inside)


def _items(project: ProjectImport, value: ConfigValue | None, file: str) -> Iterator[MenuItem]:
    """The entries of a sidebar. One that is generated has the page `*` and the path of its folder."""
    if isinstance(value, ConfigTable) and "type" not in value.entries:
        for label, inner in value.entries.items():  # the short form: a table of categories
            yield MenuItem(label, "", tuple(_items(project, inner, file)), value)
        return
    for item in items_of(value):
        table = table_of(item)
        kind = text_of(entry(table, "type"))
        label = text_of(entry(table, "label"))
        if isinstance(item, ConfigText):
            yield MenuItem("", item.text, (), item)
        elif kind in ("doc", "ref"):
            yield MenuItem(label, text_of(entry(table, "id")), (), item)
        elif kind == "category" or (not kind and "items" in table.entries):
            yield _category(project, table, label, file)
        elif kind == "link":
            yield MenuItem(label, text_of(entry(table, "href")), (), item)
        elif kind == "autogenerated":
            yield MenuItem(label, GENERATED + text_of(entry(table, "dirName")), (), item)
        elif isinstance(item, ConfigTable) and not kind:
            yield from _items(project, item, file)
        else:
            project.site.leave("entry of a sidebar", "it is HTML, or it is computed", item, file)


def _category(project: ProjectImport, table: ConfigTable, label: str, file: str) -> MenuItem:
    inner = entry(table, "items")
    items = tuple(_items(project, inner, file)) if isinstance(inner, (ConfigList, ConfigTable)) else ()
    page = text_of(entry(table, "link", "id"))
    own = (MenuItem("", page, (), table),) if page else ()
    return MenuItem(label, "", (*own, *items), table) if items else MenuItem(label, page, (), table)


def plugin_options(value: ConfigValue) -> tuple[str, ConfigTable]:
    """Name and options of a preset or plug-in, which is a text, or a list of both."""
    name, options = (*items_of(value), None, None)[:2]
    return text_of(name), table_of(options)

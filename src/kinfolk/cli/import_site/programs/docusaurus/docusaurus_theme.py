"""`themeConfig` of Docusaurus: the header, the footer and the colors."""

from __future__ import annotations

import posixpath
import re

from kinfolk.cli.import_site.facts.imported_site import SiteLinkFacts, hue_of_color
from kinfolk.cli.import_site.project.project_import import (
    LibraryImport,
    ProjectImport,
    first_sentences,
    plain_label,
    plain_text,
)
from kinfolk.cli.import_site.project.project_modules import brand_color
from kinfolk.config.data_files import is_url
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigCode, ConfigTable, ConfigValue

NEEDLESS_NAVBAR_TYPES = frozenset("search localeDropdown docsVersionDropdown docsVersion".split())
LONGEST_NOTE = 300
DEEPEST_MENU = 3

_BRAND = re.compile(r"--ifm-color-primary\s*+:\s+(#[0-9a-fA-F]{3,6})\b")


def read_theme(project: ProjectImport, config: ConfigTable, home: str, plugins: dict[str, LibraryImport]) -> None:
    """`plugins` are the libraries by the ids of their docs plug-ins."""
    site, files = project.site, project.files
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
    menu = _Menu(project, plugins)
    for item in items_of(entry(theme, "navbar", "items")):
        menu.read_item(item)
    for group in items_of(entry(theme, "footer", "links")):
        inner = entry(table_of(group), "items")
        heading = text_of(entry(table_of(group), "title"))
        for item in items_of(inner) if inner is not None else (group,):
            menu.read_footer_item(item, heading if inner is not None else "")
    note = entry(theme, "footer", "copyright")
    site.footer_note = first_sentences(plain_text(text_of(note)), LONGEST_NOTE)
    if isinstance(note, ConfigCode):
        site.leave("footer.copyright", "it is computed; set `footer_note` of [texts]", note)
    elif len(plain_text(text_of(note))) > LONGEST_NOTE:
        site.leave("footer.copyright", "only its first sentences are taken over", note)


def _picture(project: ProjectImport, home: str, written: str) -> str:
    path = posixpath.normpath(posixpath.join(home, "static", written.lstrip("/")))
    return path if written.endswith((".svg", ".png")) and project.files.is_file(path) else ""


class _Menu:
    def __init__(self, project: ProjectImport, plugins: dict[str, LibraryImport]) -> None:
        self._project = project
        self._plugins = plugins

    def read_item(self, item: ConfigValue, group: str = "", depth: int = 0) -> None:
        """A link of the header, or a menu, whose links become a group."""
        site, table = self._project.site, table_of(item)
        kind = text_of(entry(table, "type"))
        label = text_of(entry(table, "label")) or text_of(entry(table, "aria-label"))
        if kind in NEEDLESS_NAVBAR_TYPES:
            return
        inner = entry(table, "items")
        if inner is not None and depth < DEEPEST_MENU:
            for one in items_of(inner):
                self.read_item(one, group or label, depth + 1)
            return
        link = text_of(entry(table, "href")) or text_of(entry(table, "to")) or text_of(entry(table, "docId"))
        if not group and link.startswith("https://") and site.add_social(link):
            return
        if kind in ("docSidebar", "doc") or text_of(entry(table, "docId")):
            self._add_page(site.menu, label, link, item, group)
        elif link:
            self._project.add_link(site.menu, label, link, item, group=group)
        else:
            site.leave(f"menu entry {label!r}" if label else "menu entry", "it is HTML, or it is computed", item)

    def _add_page(self, links: list[SiteLinkFacts], label: str, page: str, item: ConfigValue, group: str) -> None:
        """A link to a page of one docs plug-in, or to the first page of a sidebar."""
        id = text_of(entry(table_of(item), "docsPluginId")) or "default"
        library = self._plugins.get(id)
        if library is None:
            self._project.site.leave(f"menu entry {label!r}", f"there is no docs plug-in {id[:50]!r}", item)
            return
        listed = [to for to, _ in library.facts.menu_entries() if not is_url(to)]
        found = library.pages.find(page) if page else library.pages.first(listed)
        if found is None:
            self._project.site.leave(f"link {label or page!r}", f"{page!r} is no page of the docs", item)
            return
        address = library.address(found)
        if label and all(one.to != address for one in links):
            links.append(SiteLinkFacts(plain_label(label), address, group=plain_label(group)))

    def read_footer_item(self, item: ConfigValue, group: str) -> None:
        table = table_of(item)
        label = text_of(entry(table, "label"))
        link = text_of(entry(table, "href")) or text_of(entry(table, "to"))
        if link.startswith("https://"):
            self._project.site.add_social(link)
        if link:
            self._project.add_link(self._project.site.footer, label, link, item, group=group)
        else:
            self._project.site.leave("footer link", "it is HTML, or it is computed", item)

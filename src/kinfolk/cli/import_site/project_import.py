"""Steps that the imports of all programs share: links, menus and redirects to the pages of the project."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kinfolk.cli.import_site.imported_site import (
    MOST_LINKS,
    MOST_PAGES,
    MOST_SECTIONS,
    ImportedSite,
    SiteLinkFacts,
    is_old_path,
    page_path,
    short_label,
)
from kinfolk.cli.import_site.project_files import ProjectFiles
from kinfolk.cli.new.new_site import slug_of
from kinfolk.config.catalog import LATEST, WHOLE_REPOSITORY
from kinfolk.config.data_files import is_url
from kinfolk.content.docs.file_layouts import DocsFolder, PageLayout, open_layouts
from kinfolk.content.docs.file_layouts.page_layout import INDEX, is_no_page_folder
from kinfolk.content.markdown.literals.config_values import ConfigValue

MOST_FILES = 20_000
DEEPEST_FOLDER = 24
START = "Overview"
"""The label of pages that are in no section."""

_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class MenuItem:
    """An entry of a sidebar. `page` is a link of the old site, if it has one."""

    label: str
    page: str = ""
    items: tuple[MenuItem, ...] = ()
    value: ConfigValue | None = None


class ProjectImport:
    """Adds what a program's configuration has to an ImportedSite."""

    def __init__(self, files: ProjectFiles, site: ImportedSite) -> None:
        self.files = files
        self.site = site
        self._layout = self._open_layout()

    def _open_layout(self) -> PageLayout:
        root = self.site.docs_root
        found = dict.fromkeys(self._docs_files(root), "")
        folder = DocsFolder(WHOLE_REPOSITORY if root == "." else root, self.site.program)
        _, layouts = open_layouts([folder], found, lambda path: self.files.text(path) or "")
        return layouts[folder.root]

    def _docs_files(self, root: str) -> Iterator[str]:
        left = MOST_FILES
        folders = ["" if root == "." else root]
        while folders:
            folder = folders.pop()
            for name in self.files.names(folder):
                path = posixpath.join(folder, name.rstrip("/"))
                if not name.endswith("/"):
                    left -= 1
                    if left < 0:
                        return
                    yield path
                elif not is_no_page_folder(name[:-1]) and path.count("/") < DEEPEST_FOLDER:
                    folders.append(path)

    # Pages

    @property
    def pages(self) -> int:
        return len(self._layout.pages)

    def page(self, link: str) -> str | None:
        """The path below the docs root of the page that a link of the old site names."""
        path = page_path(link)
        found = self._layout.find(posixpath.join(self._layout.folder, path)) if path else self._index()
        return None if found is None else self._inside(found)

    def _index(self) -> str | None:
        return self._layout.page_file("") or self._layout.page_file(f"{self._layout.root}/{INDEX}")

    def _inside(self, address: str) -> str:
        path = address.removeprefix(f"{self._layout.root}/").removesuffix(".md")
        return path.removesuffix(f"/{INDEX}")

    def first_page(self) -> str:
        """The page that the docs begin with: the index, the first one of the menu, or the first one of all."""
        if self._index() is not None:
            return INDEX
        listed = [page for _, pages in self.site.docs_menu for page in pages]
        return next(iter(listed), "") or next((self._inside(address) for address in self._layout.pages), INDEX)

    def docs_address(self, page: str, fragment: str = "") -> str:
        return f"/{self.site.id}/latest/docs/{page}" + (f"#{fragment}" if fragment else "")

    def target(self, link: str) -> str | None:
        """The address on the new site that a link of the old one leads to; None if there is none."""
        if is_url(link):
            return link
        if "://" in link or link.startswith(("mailto:", "//")):
            return None
        path, _, fragment = link.partition("#")
        base = self.site.base.strip("/")
        bare = path.strip("/")
        if base and (bare == base or bare.startswith(f"{base}/")):
            path = bare.removeprefix(base)
        page = self.page(path)
        return None if page is None else self.docs_address(page, fragment)

    # What the new site has

    def add_link(self, links: list[SiteLinkFacts], label: str, link: str, value: ConfigValue | None) -> None:
        """Add a link to the menu or the footer, if it leads somewhere."""
        label = plain_label(label)
        to = self.target(link)
        if to is None or not label:
            self.site.leave(
                f"link {label or link!r}", f"{link!r} is no page of the docs and no https:// address", value
            )
        elif len(links) >= MOST_LINKS:
            self.site.leave(f"link {label!r}", f"a menu has at most {MOST_LINKS} links", value)
        elif all(one.label != label for one in links):
            links.append(SiteLinkFacts(label, to))

    def add_menu(self, items: Iterable[MenuItem]) -> None:
        """Add the sections of a sidebar. Pages that are missing are listed as left out."""
        for label, members in _sections(tuple(items), ()):
            pages: list[str] = []
            for item in members:
                page = None if is_url(item.page) else self.page(item.page)
                if page is None:
                    reason = "a link of the docs menu leads to a page" if is_url(item.page) else "there is no such page"
                    self.site.leave(f"menu entry {item.label or item.page!r}", reason, item.value)
                elif sum(len(listed) for _, listed in self.site.docs_menu) + len(pages) < MOST_PAGES:
                    pages.append(page or INDEX)
            if pages and len(self.site.docs_menu) < MOST_SECTIONS:
                self.site.docs_menu.append((plain_label(label) or START, list(dict.fromkeys(pages))))

    def add_redirect(self, old: str, new: str, value: ConfigValue | None, file: str | None = None) -> None:
        to = self.target(new)
        if to is None or not self.site.add_redirect(old, to):
            self.site.leave(
                f"redirect {old!r}", f"{new!r} is no page of the docs, or an address has a pattern", value, file
            )

    def add_old_addresses(self) -> None:
        """Redirect the addresses that the docs had on the old site."""
        base, own = self.site.base.rstrip("/"), f"/{self.site.id}"
        old: dict[str, str] = {}
        if base not in ("", own):
            old = {base: self.docs_address("").rstrip("/"), f"{base}/{{page...}}": self.docs_address("{page}")}
        else:
            for address in self._layout.pages:
                first, slash, _ = self._inside(address).partition("/")
                old[f"{base}/{first}"] = self.docs_address(first)
                if slash:
                    old[f"{base}/{first}/{{page...}}"] = self.docs_address(f"{first}/{{page}}")
        reserved = {own, f"/{INDEX}", f"{base}/{INDEX}"}
        reserved |= {f"{own}/{name}" for name in (LATEST, "docs", *self.site.versions)}
        rules = {path: to for path, to in old.items() if path.removesuffix("/{page...}") not in reserved}
        if len(rules) > MOST_SECTIONS:
            self.site.leave(
                "redirects of old addresses", "the docs have too many folders and pages at the top", file=""
            )
            return
        for path, to in rules.items():
            if is_old_path(path.removesuffix("/{page...}")):
                self.site.redirects.setdefault(path, to)


def plain_label(text: str) -> str:
    return short_label(" ".join(_TAG.sub("", text).split()))


def _sections(items: tuple[MenuItem, ...], above: tuple[str, ...]) -> Iterator[tuple[str, list[MenuItem]]]:
    """The pages of a list as a section, then each list within it: the order of all menus of this site."""
    pages = [item for item in items if item.page and not item.items]
    if pages:
        yield ": ".join(above[-2:]), pages
    for item in items:
        if item.items:
            own = (replace(item, items=()),) if item.page else ()
            label = (*above, item.label) if item.label else above
            yield from _sections((*own, *item.items), label)


def set_identity(site: ImportedSite, files: ProjectFiles, title: str) -> None:
    """Name and id, from the title, the repository or the folder."""
    repository = site.repo.rpartition("/")[2] or files.folder.name
    words = repository.replace("-", " ").replace("_", " ").strip()
    site.name = short_label(title) or words.title() or "Docs"
    site.id = slug_of(repository) or slug_of(site.name) or "docs"

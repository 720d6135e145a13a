"""Steps that the imports of all programs share: links, menus and redirects to the pages of the project."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import unescape

from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary, ImportedSection, ImportedVersion
from kinfolk.cli.import_site.facts.imported_site import (
    MOST_LINKS,
    MOST_PAGES,
    MOST_SECTIONS,
    ImportedSite,
    SiteLinkFacts,
    short_label,
)
from kinfolk.cli.import_site.old_addresses.address_patterns import filled_target, holes_of, read_old_address
from kinfolk.cli.import_site.project.docs_pages import DocsPages
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.new.new_site import slug_of
from kinfolk.config.data_files import is_url
from kinfolk.content.docs.file_layouts.page_layout import INDEX
from kinfolk.content.markdown.literals.config_values import ConfigValue

START = "Overview"
"""The label of pages that are in no section."""

_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:br|/p|/div)\b[^<>]*>")


@dataclass(frozen=True)
class MenuItem:
    """An entry of a sidebar. `page` is a link of the old site, if it has one."""

    label: str
    page: str = ""
    items: tuple[MenuItem, ...] = ()
    value: ConfigValue | None = None


@dataclass
class LibraryImport:
    """A library of the new site, with the pages of each of its versions by the names of these."""

    facts: ImportedLibrary
    pages: DocsPages
    versions: dict[str, DocsPages]
    """Without the latest version, whose pages are `pages`."""

    def address(self, page: str, fragment: str = "", version: str = "latest") -> str:
        return f"/{self.facts.id}/{version}/docs/{page}" + (f"#{fragment}" if fragment else "")


class ProjectImport:
    """Adds what a program's configuration has to an ImportedSite."""

    def __init__(self, files: ProjectFiles, site: ImportedSite) -> None:
        self.files = files
        self.site = site
        self.libraries: list[LibraryImport] = []
        self.moved: dict[str, str] = {}
        """Addresses of the old site, without slashes around them, whose page is a post or a page beside the docs."""

    def add_library(self, facts: ImportedLibrary) -> LibraryImport:
        """Add a library whose docs are in `docs_root` of these facts."""
        pages = DocsPages(self.files, facts.docs_root, facts.dialect, facts.excluded, self.site.config_file)
        found = LibraryImport(facts, pages, {})
        self.site.libraries.append(facts)
        self.libraries.append(found)
        return found

    def add_version(self, library: LibraryImport, version: ImportedVersion) -> DocsPages | None:
        """Add a version. The first one is the latest. None for a version whose docs are in no folder."""
        library.facts.versions.append(version)
        if len(library.facts.versions) == 1 or not version.docs_root:
            return library.pages
        library.versions[version.name] = DocsPages(self.files, version.docs_root, library.facts.dialect)
        return library.versions[version.name]

    @property
    def pages(self) -> int:
        return sum(len(pages) for library in self.libraries for pages in (library.pages, *library.versions.values()))

    # Addresses of the old site

    def target(self, link: str, library: LibraryImport | None = None) -> str | None:
        """The address on the new site that a link of the old one leads to; None if there is none.

        A link to no page of any docs is tried below the path of `library`, else of the first one.
        """
        if is_url(link):
            return link
        if "://" in link or link.startswith(("mailto:", "//")):
            return None
        path, _, fragment = link.partition("#")
        bare = path.split("?", 1)[0].strip("/")
        end = f"#{fragment}" if fragment else ""
        if (moved := self.moved.get(bare.removesuffix(".html"))) is not None:
            return moved + end
        first = library or (self.libraries[0] if self.libraries else None)
        for each, inside in self._below_bases(bare):
            version, pages, rest = self._in_version(each, inside)
            page = pages.find(rest)
            if page is not None:
                return each.address(page, fragment, version)
        page = first.pages.find(bare) if first else None
        return None if page is None or first is None else first.address(page, fragment)

    def file_target(self, file: str) -> str | None:
        """The address of the docs page that is in a file of the project."""
        for library in self.libraries:
            for version, pages in (("latest", library.pages), *library.versions.items()):
                page = pages.page_of(file)
                if page is not None:
                    return library.address(page, version=version)
        return None

    def _below_bases(self, bare: str) -> Iterator[tuple[LibraryImport, str]]:
        """The libraries whose path a link is below, the longest path first, and the rest of the link."""
        for each in sorted(self.libraries, key=lambda one: len(one.facts.base), reverse=True):
            base = each.facts.base.strip("/")
            if not base or bare == base or bare.startswith(f"{base}/"):
                yield each, bare.removeprefix(base).strip("/")

    def _in_version(self, library: LibraryImport, inside: str) -> tuple[str, DocsPages, str]:
        """The version that the first part of a path names, its pages, and the rest of the path."""
        for version in library.facts.versions:
            old = version.old_path
            if old and version.name in library.versions and (inside == old or inside.startswith(f"{old}/")):
                return version.name, library.versions[version.name], inside.removeprefix(old).strip("/")
        return "latest", library.pages, inside

    def pattern_target(self, new: str) -> str | None:
        """The same for a path with holes such as `{page}`."""
        path, _, fragment = new.partition("#")
        bare = path.split("?", 1)[0].strip("/").removesuffix(".html").removesuffix(".md")
        for each, inside in self._below_bases(bare):
            version, pages, rest = self._in_version(each, inside)
            folder = posixpath.dirname(rest.split("{", 1)[0] + "x")
            if not folder or pages.has_folder(folder):
                return each.address(rest, fragment, version)
        return None

    # What the new site has

    def add_link(
        self, links: list[SiteLinkFacts], label: str, link: str, value: ConfigValue | None, *, group: str = ""
    ) -> None:
        """Add a link to the menu or the footer, if it leads somewhere."""
        label = plain_label(label)
        to = self.target(link)
        if to is None or not label:
            self.site.leave(
                f"link {label or link!r}", "it leads to no page of the docs, and to no https:// address", value
            )
        elif len(links) >= MOST_LINKS:
            self.site.leave(f"link {label!r}", f"a menu has at most {MOST_LINKS} links", value)
        elif all((one.label, one.group) != (label, group) and one.to != to for one in links):
            links.append(SiteLinkFacts(label, to, group=plain_label(group)))

    def add_menu(
        self,
        menu: list[ImportedSection],
        items: Iterable[MenuItem],
        pages: DocsPages,
        library: LibraryImport,
        *,
        start: str = START,
    ) -> None:
        """Add the sections of a sidebar. Pages that are missing are listed as left out.

        `start` is the label of pages that are in no section.
        """
        for label, members in _sections(tuple(items), ()):
            entries: list[tuple[str, str]] = []
            for item in members:
                entry = self._menu_entry(item, pages, library)
                if entry is not None and sum(len(one.entries) for one in menu) + len(entries) < MOST_PAGES:
                    entries.append(entry)
            if entries and len(menu) < MOST_SECTIONS:
                menu.append(ImportedSection(plain_label(label) or start, tuple(dict.fromkeys(entries))))

    def _menu_entry(self, item: MenuItem, pages: DocsPages, library: LibraryImport) -> tuple[str, str] | None:
        label = plain_label(item.label)
        page = None if is_url(item.page) else pages.find(item.page)
        if page is None and item.page.startswith("/"):
            bare = item.page.split("#", 1)[0].strip("/")
            inside = next((rest for each, rest in self._below_bases(bare) if each is library), None)
            page = None if inside is None else pages.find(self._in_version(library, inside)[2])
        if page is not None:
            return page, "" if label == (pages.title(page) or "") else label
        if is_url(item.page) and label:
            return item.page, label
        reason = "its address is not https://" if "://" in item.page else "there is no such page"
        self.site.leave(f"menu entry {item.label or item.page!r}", reason, item.value)
        return None

    def add_redirect(
        self, old: str, new: str, value: ConfigValue | None, file: str | None = None, *, what: str = ""
    ) -> None:
        """Redirect an old address or pattern. What this site cannot express is listed as left out."""
        address = read_old_address(old.removesuffix("/index.html") or "/")
        if address is None:
            reason = "this site has no such pattern, or it is the address of another site"
            self.site.leave(what or f"redirect {old!r}", reason, value, file)
            return
        if is_url(new) and not holes_of(new.removeprefix("https:")):
            to: str | None = new
        elif holes_of(new.removeprefix("https:")):
            filled = filled_target(new, address.names)
            to = self.pattern_target(filled) if filled and filled.startswith("/") else None
        else:
            to = self.target(new) if new.startswith("/") else None
        if to is None or not self.site.add_redirect(address.path, to):
            self.site.leave(what or f"redirect {old!r}", "it leads to no page of the docs", value, file)
            return
        bare = to if "{" not in to else to.split("{", 1)[0].rstrip("/")
        if address.and_bare and self._leads_to_page(bare):
            self.site.add_redirect(address.bare, bare)
        if address.path.endswith("{splat}") and old.endswith("*") and "{" not in to:
            self.site.add_redirect(address.path.removesuffix("{splat}"), to)

    def _leads_to_page(self, address: str) -> bool:
        if is_url(address):
            return True
        _, id, version, *rest = (*address.split("/", 4), "", "")[:5]
        library = next((one for one in self.libraries if one.facts.id == id), None)
        if library is None:
            return False
        pages = library.versions.get(version, library.pages)
        page = rest[1] if len(rest) > 1 else ""
        return pages.find(page) is not None if page else len(pages) > 0

    def add_old_addresses(self) -> None:
        """Redirect the addresses that the docs had on the old site."""
        for library in self.libraries:
            self._add_old_addresses(library)

    def _add_old_addresses(self, library: LibraryImport) -> None:
        base, own = library.facts.base.rstrip("/"), f"/{library.facts.id}"
        old: dict[str, str] = {}
        for version in library.facts.versions:
            if version.old_path:
                start = f"{base}/{version.old_path}"
                old[start] = library.address("", version=version.name).rstrip("/")
                old[f"{start}/{{page...}}"] = library.address("{page}", version=version.name)
        if base not in ("", own):
            old |= {base: library.address("").rstrip("/"), f"{base}/{{page...}}": library.address("{page}")}
        else:
            for path in library.pages.paths():
                first, slash, _ = path.partition("/")
                old[f"{base}/{first}"] = library.address(first)
                if slash:
                    old[f"{base}/{first}/{{page...}}"] = library.address(f"{first}/{{page}}")
        reserved = {own, f"/{INDEX}", f"{base}/{INDEX}", "/"}
        names = ("latest", "docs", *(version.name for version in library.facts.versions))
        reserved |= {f"{own}/{name}" for name in names}
        rules = {path: to for path, to in old.items() if path.removesuffix("/{page...}") not in reserved}
        if len(rules) > MOST_SECTIONS:
            reason = "the docs have too many folders and pages at the top"
            self.site.leave("redirects of old addresses", reason, file="")
            return
        for path, to in rules.items():
            address = read_old_address(path.removesuffix("/{page...}"))
            if address is not None:
                self.site.add_redirect(address.path + ("/{page...}" if path.endswith("}") else ""), to)


def plain_text(html: str) -> str:
    """The text of HTML on one line."""
    return " ".join(unescape(_TAG.sub("", _BREAK.sub(" ", html))).split())


def first_sentences(text: str, limit: int) -> str:
    """The whole sentences in the first characters of a text, else its whole words."""
    if len(text) <= limit:
        return text
    whole, dot, _ = text[:limit].rpartition(". ")
    return whole + dot.strip() if whole else text[:limit].rpartition(" ")[0]


def plain_label(text: str) -> str:
    return short_label(" ".join(unescape(_TAG.sub("", text)).split()))


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


def library_facts(site: ImportedSite, files: ProjectFiles, title: str, dialect: str, docs_root: str) -> ImportedLibrary:
    """The first library. Its name is the title, else that of the repository or the folder, as is that of the site."""
    repository = site.repo.rpartition("/")[2] or files.name
    words = repository.replace("-", " ").replace("_", " ").strip()
    site.name = short_label(title) or words.title() or "Docs"
    return ImportedLibrary(slug_of(repository) or slug_of(site.name) or "docs", site.name, docs_root, dialect)

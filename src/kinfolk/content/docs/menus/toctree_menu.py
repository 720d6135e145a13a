"""The menu of Sphinx: the `toctree` directives of the first page, and of the pages that they list."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from kinfolk.content.docs.file_layouts.page_layout import PageLayout
from kinfolk.content.docs.menus.listed_menu import MenuPage, MenuSection, with_unique_labels
from kinfolk.content.docs.menus.menu_config import URL_SCHEMES
from kinfolk.content.markdown.dialects.readers.myst.page_labels import PageToc, TocEntry

START = "Start"
DEEPEST = 8
MOST_PAGES = 5_000


def toctree_sections(layout: PageLayout, title_of: Callable[[str], str]) -> list[MenuSection]:
    """The sections. `title_of` is the label of the page at an address."""
    first = layout.page_file(f"{layout.root}/index") or layout.page_file(layout.root)
    if first is None:
        return []
    walk = _Walk(layout, title_of)
    sections = list(walk.sections(first, (), 0))
    if not sections:
        return []
    return with_unique_labels([MenuSection(START, (MenuPage(layout.pages[first]),)), *sections])


class _Walk:
    def __init__(self, layout: PageLayout, title_of: Callable[[str], str]) -> None:
        self._layout = layout
        self._title_of = title_of
        self._seen: set[str] = set()

    def sections(self, address: str, above: tuple[str, ...], depth: int) -> Iterator[MenuSection]:
        """The pages of each list as a section, then each page with a list of its own."""
        self._seen.add(address)
        file = self._layout.pages[address]
        for toc in self._layout.facts(file).tocs:
            label = (*above, toc.caption) if toc.caption else above
            leaves: list[MenuPage] = []
            branches: list[str] = []
            for page, entry in self._entries(toc, file):
                if entry.target.startswith(URL_SCHEMES):
                    leaves.append(MenuPage(entry.target, entry.label))
                elif page and page not in self._seen and len(self._seen) < MOST_PAGES:
                    has_more = depth < DEEPEST and self._layout.facts(self._layout.pages[page]).tocs
                    if has_more:
                        branches.append(page)
                    else:
                        self._seen.add(page)
                        leaves.append(MenuPage(self._layout.pages[page], entry.label))
            name = ": ".join(label[-2:]) or START
            if leaves:
                yield MenuSection(name, tuple(leaves), is_collapsible=bool(label))
            for page in branches:
                if page not in self._seen:
                    inner = (*label, self._title_of(page))
                    yield MenuSection(": ".join(inner[-2:]), (MenuPage(self._layout.pages[page]),), is_collapsible=True)
                    yield from self.sections(page, inner, depth + 1)

    def _entries(self, toc: PageToc, file: str) -> Iterator[tuple[str | None, TocEntry]]:
        for entry in toc.entries:
            base = self._layout.folder if entry.target.startswith("/") else posixpath.dirname(file)
            path = posixpath.normpath(posixpath.join(base, entry.target.lstrip("/")))
            if toc.has_patterns and any(mark in entry.target for mark in "*?["):
                for address, its in self._layout.pages.items():
                    if fnmatchcase(its.rsplit(".", 1)[0], path.removesuffix(".md")):
                        yield address, TocEntry(its)
            else:
                yield self._layout.find(path), entry

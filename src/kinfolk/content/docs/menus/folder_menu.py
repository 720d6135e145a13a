"""The menu of docs without a `config.json`: from a menu in the library's file, from `mkdocs.yml`, or from folders."""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import yaml

from kinfolk.content.docs.file_layouts.page_layout import INDEX, PageFacts, PageLayout
from kinfolk.content.docs.file_layouts.site_config import HasFile, ReadFile
from kinfolk.content.docs.menus.book_summary import read_book_summary
from kinfolk.content.docs.menus.fumadocs_meta import read_fumadocs_meta
from kinfolk.content.docs.menus.menu_config import (
    LONGEST_LABEL,
    MOST_LINKS,
    MOST_SECTIONS,
    URL_SCHEMES,
    DocsConfig,
    DocsLink,
    DocsSection,
    path_of_target,
    target_of_path,
)
from kinfolk.content.docs.menus.mintlify_navigation import read_mintlify_navigation
from kinfolk.content.docs.menus.mkdocs_nav import read_mkdocs_nav
from kinfolk.content.docs.menus.nav_entry import MenuSource, NavEntry, ReadMenu
from kinfolk.content.docs.menus.nextra_meta import read_nextra_meta
from kinfolk.content.docs.menus.starlight_sidebar import read_starlight_sidebar
from kinfolk.content.docs.menus.toctree_menu import read_jupyter_toc, read_toctrees
from kinfolk.content.markdown.dialects.dialect_rules import MenuFormat
from kinfolk.content.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block

START = "Start"
"""The section of pages that are in no folder."""
CATEGORY_FILES = ("_category_.json", "_category_.yml", "_category_.yaml", ".navigation.yml", "_dir.yml")

_ACRONYMS = frozenset("api cli css faq html http json sdk sql ssr ui url".split())
_DIGITS = re.compile(r"(\d+)")
_READERS: Mapping[MenuFormat, ReadMenu] = {
    "starlight": read_starlight_sidebar,
    "fumadocs": read_fumadocs_meta,
    "nextra": read_nextra_meta,
    "mintlify": read_mintlify_navigation,
    "mkdocs": read_mkdocs_nav,
    "mdbook": read_book_summary,
    "toctree": read_toctrees,
    "jupyter-book": read_jupyter_toc,
}


_Order = tuple[float, bool, tuple[tuple[int, str], ...]]


@dataclass
class _Folder:
    name: str
    label: str = ""
    position: float = math.inf
    is_collapsed: bool = True
    is_hidden: bool = False
    pages: list[tuple[_Order, DocsLink]] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)


def menu_of(layout: PageLayout, has_file: HasFile, read: ReadFile) -> DocsConfig:
    """The menu. `read` is called for each file, besides pages, that it is made of."""
    if layout.menu:
        sections = [_listed(layout, label, entries) for label, entries in layout.menu]
        return _limited(sections)
    rules = layout.file_rules
    source = MenuSource(layout, rules.menu if rules else (), has_file, read)
    for menu_format in rules.menu_formats if rules else ():
        nav = _READERS[menu_format](source)
        if any(entry.folder is not None for entry in _every(nav)):
            nav = tuple(_with_folders(layout, nav, _tree(layout, has_file, read)))
        if sections := _with_unique_labels(_nav_sections(layout, nav)):
            return _limited(sections)
    return _limited(list(_folder_sections(_tree(layout, has_file, read))))


def _limited(sections: list[DocsSection]) -> DocsConfig:
    left = MOST_LINKS
    remaining: list[DocsSection] = []
    for section in sections[:MOST_SECTIONS]:
        links = section.children[:left]
        left -= len(links)
        if links:
            remaining.append(replace(section, children=links, label=section.label[:LONGEST_LABEL]))
    return DocsConfig(tuple(remaining))


def _with_unique_labels(sections: Iterable[DocsSection]) -> list[DocsSection]:
    """The sections, those of the same label as one: readers open and close sections by their label."""
    found: dict[str, DocsSection] = {}
    for section in sections:
        earlier = found.setdefault(section.label, section)
        if earlier is not section:
            children = tuple(dict.fromkeys((*earlier.children, *section.children)))
            found[section.label] = replace(earlier, children=children)
    return list(found.values())


def _link(layout: PageLayout, address: str, label: str | None = None) -> DocsLink:
    facts = layout.facts(layout.pages[address])
    path = _path(layout, address)
    text = label or facts.label or facts.title or title_of_name(_name(path))
    badge = facts.badge[:LONGEST_LABEL] if facts.badge else None
    return DocsLink(text[:LONGEST_LABEL], target_of_path(path), badge)


def _path(layout: PageLayout, address: str) -> str:
    """The path of a page below the docs root; a folder's path for its index."""
    inside = address.removeprefix(f"{layout.root}/").removesuffix(".md")
    return inside.removesuffix(f"/{INDEX}")


def _name(path: str) -> str:
    return posixpath.basename(path)


def title_of_name(name: str) -> str:
    """`getting-started` -> `Getting started`. Names with upper-case letters stay as they are."""
    words = name.replace("-", " ").replace("_", " ").strip()
    if words != words.lower():
        return words or name
    spelled = " ".join(word.upper() if word in _ACRONYMS else word for word in words.split())
    return spelled[:1].upper() + spelled[1:] or name


# A menu in the file of the library


def _listed(layout: PageLayout, label: str, entries: tuple[tuple[str, str | None], ...]) -> DocsSection:
    links = []
    for path, own in entries:
        if path.startswith(URL_SCHEMES):
            links.append(DocsLink((own or path)[:LONGEST_LABEL], path))
            continue
        address = layout.find(posixpath.join(layout.folder, path)) or layout.page_file(
            f"{layout.root}/{path.strip('/')}"
        )
        # A path without a page stays: `kinfolk check` reports it, and the site leaves it out.
        if address is None or not _is_generated(layout, address):
            links.append(_link(layout, address, own) if address else DocsLink(own or title_of_name(_name(path)), path))
    return DocsSection(label, tuple(links))


# Menus of other programs


def _every(entries: tuple[NavEntry, ...]) -> Iterator[NavEntry]:
    for entry in entries:
        yield entry
        yield from _every(entry.entries)


def _with_folders(layout: PageLayout, entries: tuple[NavEntry, ...], top: _Folder) -> Iterator[NavEntry]:
    """The entries, with each that stands for a folder replaced by the pages of that folder."""
    for entry in entries:
        if entry.folder is None:
            yield replace(entry, entries=tuple(_with_folders(layout, entry.entries, top)))
            continue
        folder: _Folder | None = top
        for name in entry.folder.split("/") if entry.folder else ():
            folder = folder.folders.get(name) if folder else None
        inner = tuple(_folder_entries(folder)) if folder else ()
        if entry.label:
            yield replace(entry, entries=inner, folder=None)
        else:
            yield from inner


def _folder_entries(folder: _Folder) -> Iterator[NavEntry]:
    for _, link in sorted(folder.pages, key=lambda item: item[0]):
        yield NavEntry(link.label, path_of_target(link.to), badge=link.badge)
    for one in sorted(folder.folders.values(), key=lambda one: (one.position, natural_key(one.name))):
        yield NavEntry(_label(one), entries=tuple(_folder_entries(one)))


def _nav_sections(
    layout: PageLayout, entries: tuple[NavEntry, ...], above: tuple[str, ...] = (), parent: NavEntry | None = None
) -> Iterator[DocsSection]:
    """The pages of a list, which is `parent`, as a section, then each list within it."""
    links = tuple(link for entry in entries if not entry.entries and (link := _nav_link(layout, entry)))
    if links:
        label = ": ".join(dict.fromkeys(above[-2:])) or START
        is_collapsible, is_collapsed = (parent.is_collapsible, parent.is_collapsed) if parent else (False, False)
        yield DocsSection(label, links, collapsible=is_collapsible, default_collapsed=is_collapsed)
    for entry in entries:
        if entry.entries:
            label = entry.label or _first_label(layout, entry)
            yield from _nav_sections(layout, entry.entries, (*above, label), entry)


def _first_label(layout: PageLayout, entry: NavEntry) -> str:
    """The label of a list without one: the title of its first page."""
    first = next((one for one in entry.entries if not one.entries), None)
    link = _nav_link(layout, first) if first else None
    return link.label if link else START


def _nav_link(layout: PageLayout, entry: NavEntry) -> DocsLink | None:
    target = entry.target
    if target.startswith(URL_SCHEMES):
        return DocsLink((entry.label or target)[:LONGEST_LABEL], target, entry.badge)
    path = target.partition("#")[0]
    forms = dict.fromkeys((target, path))  # the name of a file may have a `#`
    paths = [posixpath.normpath(posixpath.join(layout.folder, form.strip("/"))) for form in forms]
    paths += layout.targets(path, f"{layout.root}/{INDEX}.md") if path.startswith("/") else ()
    address = next(filter(None, map(layout.find, paths)), None)
    link = _link(layout, address, entry.label) if address and not _is_generated(layout, address) else None
    return replace(link, badge=entry.badge) if link and entry.badge else link


def _is_generated(layout: PageLayout, address: str) -> bool:
    return layout.is_generated(layout.pages[address])


# Folders


def _tree(layout: PageLayout, has_file: HasFile, read: ReadFile) -> _Folder:
    top = _Folder("")
    for address, file in layout.pages.items():
        facts = layout.facts(file)
        if not facts.is_in_menu or layout.is_generated(file):
            continue
        *names, name = layout.inside(file).rsplit(".", 1)[0].split("/")
        folder, path = top, layout.folder
        for part in names:
            path = posixpath.join(path, part)
            if part not in folder.folders:
                folder.folders[part] = _opened(layout, part, path, has_file, read)
            folder = folder.folders[part]
        link = _link(layout, address)
        folder.pages.append((_order(layout, name, facts), link))
        if layout.split_number(name)[1].lower() in (INDEX, "readme") and names:
            folder.label = folder.label or facts.label or ""
            if folder.position == math.inf and facts.position is not None:
                folder.position = facts.position
    _lift_single_indexes(top)
    return top


def _lift_single_indexes(folder: _Folder) -> None:
    """Move the page of each folder that holds nothing but its index into the folder above."""
    for name, inner in list(folder.folders.items()):
        _lift_single_indexes(inner)
        only = inner.pages[0] if len(inner.pages) == 1 and not inner.folders else None
        if only is not None and not only[0][1]:
            position = inner.position if only[0][0] == -math.inf else only[0][0]
            folder.pages.append(((position, True, natural_key(name)), only[1]))
            del folder.folders[name]


def _opened(layout: PageLayout, name: str, path: str, has_file: HasFile, read: ReadFile) -> _Folder:
    number, rest = layout.split_number(name)
    folder = _Folder(rest, position=math.inf if number is None else number)
    file = next((one for one in (posixpath.join(path, each) for each in CATEGORY_FILES) if has_file(one)), None)
    keys = _keys(read(file)) if file else {}
    label, position, collapsed = keys.get("label", keys.get("title")), keys.get("position"), keys.get("collapsed")
    folder.label = " ".join(label.split()) if isinstance(label, str) else ""
    if isinstance(position, str) and position.replace(".", "", 1).isdecimal():
        folder.position = float(position)
    folder.is_collapsed = collapsed != "false"
    folder.is_hidden = keys.get("navigation") == "false"
    return folder


def _keys(text: str) -> Mapping[str, YamlValue]:
    """The keys of a category. JSON is YAML."""
    try:
        keys = parse_yaml_block(text.replace("\t", " "))
    except (yaml.YAMLError, UnsupportedYaml):
        return {}
    return keys if isinstance(keys, dict) else {}


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts `part-2` before `part-10`."""
    return tuple((int(part[:9]), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name.casefold()))


def _order(layout: PageLayout, name: str, facts: PageFacts) -> _Order:
    number, bare = layout.split_number(name)
    position = facts.position if facts.position is not None else number
    is_index = bare.lower() in (INDEX, "readme")
    if position is None:
        position = -math.inf if is_index else math.inf
    return position, not is_index, natural_key(bare)


def _folder_sections(folder: _Folder, above: tuple[str, ...] = ()) -> Iterator[DocsSection]:
    label = ": ".join(above[-2:]) or START
    links = tuple(link for _, link in sorted(folder.pages, key=lambda item: item[0]))
    if links:
        yield DocsSection(label, links, collapsible=bool(above), default_collapsed=False)
    inside = sorted(folder.folders.values(), key=lambda one: (one.position, natural_key(one.name)))
    for one in inside:
        if one.is_hidden:
            continue
        yield from _folder_sections(one, (*above, _label(one)))


def _label(folder: _Folder) -> str:
    return folder.label or title_of_name(folder.name)

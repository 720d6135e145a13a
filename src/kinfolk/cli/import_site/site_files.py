"""An ImportedSite -> the files of a new site folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qsl

from kinfolk.branding.brand_marks import load_marks
from kinfolk.cli.import_site.facts.imported_library import ImportedLibrary, ImportedSection, ImportedVersion
from kinfolk.cli.import_site.facts.imported_site import ImportedSite, SiteLinkFacts
from kinfolk.cli.import_site.import_report import REPORT, report
from kinfolk.cli.import_site.project.project_import import LibraryImport, ProjectImport
from kinfolk.cli.new.new_site import toml_text
from kinfolk.config.catalog.brand import Brand
from kinfolk.config.data_files import is_site_path, is_url
from kinfolk.config.routes import ROUTES

LONGEST_LINE = 120
ENGINE_ADDRESSES = frozenset(route.pattern.split("/")[1] for route in ROUTES if not route.pattern.startswith("/$"))
"""First parts of addresses that pages of the engine have: they are redirected only where there is no page."""


def imported_files(project: ProjectImport, folder: Path) -> Mapping[str, str | bytes]:
    """The text or the bytes of each file by its path in the new folder."""
    site = project.site
    pictures = dict(_pictures(project))
    checkout = os.path.relpath(project.files.folder, folder.resolve())
    files: dict[str, str | bytes] = {
        "kinfolk.toml": "\n".join(_family(site)) + "\n",
        ".gitignore": "/var/\n",
    }
    for order, library in enumerate(project.libraries, start=1):
        files[f"libraries/{library.facts.id}.toml"] = "\n".join(_library(site, library, checkout, order)) + "\n"
    if site.redirects:
        files["redirects.toml"] = "\n".join(_redirects(site)) + "\n"
    files |= pictures | site.texts | site.pictures
    files[REPORT] = report(project, [*files])
    return files


def _pictures(project: ProjectImport) -> Iterator[tuple[str, bytes]]:
    """Copies of the logo and the favicon, unless the site refuses them."""
    site = project.site
    for name in ("logo", "favicon"):
        path = getattr(site, name)
        content = project.files.content(path) if path else None
        setattr(site, name, "")
        if content is None:
            continue
        _, faults = load_marks(project.files.folder, Brand(**{name: path}), site.name, "#000000")
        if faults:
            site.leave(name, faults[0].reason, file=path)
            continue
        own = f"brand/{name}{os.path.splitext(path)[1]}"  # noqa: PTH122 a path of the project
        setattr(site, name, own)
        yield own, content


def _family(site: ImportedSite) -> Iterator[str]:
    about = site.description or f"Documentation of {site.name}"
    yield f"# The site of {site.program}'s docs. All keys: docs/configuration.md of Kinfolk."
    yield ""
    yield f"family = {toml_text(site.name)}"
    yield f"title = {toml_text(site.name)}"
    yield f"description = {toml_text(about)}"
    yield "# Readers have no accounts. Without this line they can sign in: docs/operations.md of Kinfolk, Accounts."
    yield "accounts = false"
    yield ""
    yield "[home]"
    yield f"claim = {toml_text(site.name)}"
    yield f"lede = {toml_text(about)}"
    pictures = [(name, getattr(site, name)) for name in ("logo", "favicon") if getattr(site, name)]
    if pictures:
        yield ""
        yield "[brand]"
        for name, path in pictures:
            yield f"{name} = {toml_text(path)}"
    if site.footer_note:
        yield from ("", "[texts]", f"footer_note = {toml_text(site.footer_note)}")
    if site.announcement:
        yield from ("", "[announcement]", f"text = {toml_text(site.announcement.text)}")
        if site.announcement.href:
            yield f"href = {toml_text(site.announcement.href)}"
    for key in ("menu", "social", "footer"):
        yield from _links(key, getattr(site, key))


def _links(key: str, links: Iterable[SiteLinkFacts]) -> Iterator[str]:
    for link in links:
        yield ""
        yield f"[[{key}]]"
        yield f"label = {toml_text(link.label)}"
        yield f"to = {toml_text(link.to)}"
        if link.icon:
            yield f"icon = {toml_text(link.icon)}"
        if link.group:
            yield f"group = {toml_text(link.group)}"


def _library(site: ImportedSite, library: LibraryImport, checkout: str, order: int) -> Iterator[str]:
    facts = library.facts
    about = facts.description or f"Documentation of {facts.name}"
    yield "# A library. All keys: docs/configuration.md of Kinfolk."
    yield ""
    yield f"name = {toml_text(facts.name)}"
    yield f"description = {toml_text(about)}"
    yield f"order = {order}"
    yield "# The docs of the latest branch are read from this folder. Remove the line to mirror the repository."
    yield f"folder = {toml_text(checkout)}"
    if site.repo:
        yield f"repo = {toml_text(site.repo)}"
    yield from docs_keys(library, library.pages.first([page for page, _ in facts.menu_entries()]))
    if site.color:
        yield f"color = {toml_text(site.color)}"
    if site.branch or facts.versions:
        yield f"latest_branch = {toml_text(site.branch or 'main')}"
    yield from docs_tables(library)


def docs_keys(library: LibraryImport, default_page: str) -> Iterator[str]:
    """Where the docs are and how they are read, as keys of a library's file."""
    facts = library.facts
    yield f"docs_root = {toml_text(facts.docs_root)}"
    yield f"dialect = {toml_text(facts.dialect)}"
    yield f"default_docs = {toml_text(default_page)}"
    if facts.excluded:
        yield f"docs_exclude = [{', '.join(map(toml_text, facts.excluded))}]"


def docs_tables(library: LibraryImport) -> Iterator[str]:
    """The versions and the menu, as tables at the end of a library's file."""
    for version in library.facts.versions:
        yield from _version(library.facts, version)
    yield from _menu("docs_menu", library.facts.menu)


def _version(library: ImportedLibrary, version: ImportedVersion) -> Iterator[str]:
    yield from ("", "[[versions]]", f"name = {toml_text(version.name)}")
    texts = {
        "label": version.label if version.label != version.name else "",
        "branch": version.branch,
        "docs_root": version.docs_root if version.docs_root != library.docs_root else "",
        "banner": version.banner,
        "default_docs": version.default_page,
    }
    for key, text in texts.items():
        if text:
            yield f"{key} = {toml_text(text)}"
    yield from _menu("versions.docs_menu", version.menu)


def _menu(key: str, sections: Iterable[ImportedSection]) -> Iterator[str]:
    for section in sections:
        yield from ("", f"[[{key}]]", f"label = {toml_text(section.label)}")
        entries = [_entry(*entry) for entry in section.entries]
        whole = f"pages = [{', '.join(entries)}]"
        yield from (whole,) if len(whole) <= LONGEST_LINE else ("pages = [", *(f"  {one}," for one in entries), "]")


def _entry(to: str, label: str) -> str:
    return f"{{ label = {toml_text(label)}, to = {toml_text(to)} }}" if label else toml_text(to)


def _redirects(site: ImportedSite) -> Iterator[str]:
    yield "# Addresses of the old site. They lead to the docs of the latest version."
    for old, new in site.redirects.items():
        if not is_site_path(new) and not is_url(new):
            continue
        path, mark, fragment = new.partition("#")
        path, _, query = (path, "", "") if is_url(new) else path.partition("?")
        to = path + mark + fragment
        yield from ("", "[[rules]]", f"path = {toml_text(old)}", f"to = {toml_text(to)}", "status = 301")
        if query:
            params = ", ".join(f"{toml_text(name)} = {toml_text(value)}" for name, value in parse_qsl(query))
            yield f"params = {{ {params} }}"
        if is_url(new):
            yield "external = true"
        elif old.split("/")[1] in ENGINE_ADDRESSES:
            yield 'when = "missing"'

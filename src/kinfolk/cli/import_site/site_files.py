"""An ImportedSite -> the files of a new site folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kinfolk.branding.brand_marks import load_marks
from kinfolk.cli.import_site.imported_site import ImportedSite, SiteLinkFacts, short_label
from kinfolk.cli.import_site.project_import import ProjectImport
from kinfolk.cli.new.new_site import toml_text
from kinfolk.config.catalog.brand import Brand
from kinfolk.config.data_files import is_site_path, is_url
from kinfolk.config.routes import ROUTES

REPORT = "IMPORT.md"
ENGINE_ADDRESSES = frozenset(route.pattern.split("/")[1] for route in ROUTES if not route.pattern.startswith("/$"))
"""First parts of addresses that pages of the engine have: they are redirected only where there is no page."""
_HEADINGS = {"vitepress": "VitePress", "docusaurus": "Docusaurus", "mkdocs": "MkDocs"}


def imported_files(project: ProjectImport, folder: Path) -> Mapping[str, str | bytes]:
    """The text or the bytes of each file by its path in the new folder."""
    site = project.site
    pictures = dict(_pictures(project))
    checkout = os.path.relpath(project.files.folder, folder.resolve())
    files: dict[str, str | bytes] = {
        "kinfolk.toml": "\n".join(_family(site)) + "\n",
        f"libraries/{site.id}.toml": "\n".join(_library(project, checkout)) + "\n",
        ".gitignore": "/var/\n",
    }
    if site.redirects:
        files["redirects.toml"] = "\n".join(_redirects(site)) + "\n"
    files |= pictures
    files[REPORT] = report(site, project.pages, [*files])
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
    yield f"# The site of {_HEADINGS[site.program]}'s docs. All keys: docs/configuration.md of Kinfolk."
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


def _library(project: ProjectImport, checkout: str) -> Iterator[str]:
    site = project.site
    yield "# A library. All keys: docs/configuration.md of Kinfolk."
    yield ""
    yield f"name = {toml_text(site.name)}"
    yield f"description = {toml_text(site.description or f'Documentation of {site.name}')}"
    yield "# The docs of the latest version are read from this folder. Remove the line to mirror the repository."
    yield f"folder = {toml_text(checkout)}"
    if site.repo:
        yield f"repo = {toml_text(site.repo)}"
    yield f"docs_root = {toml_text(site.docs_root)}"
    yield f"dialect = {toml_text(site.program)}"
    yield f"default_docs = {toml_text(project.first_page())}"
    if site.color:
        yield f"color = {toml_text(site.color)}"
    branch = site.branch or "main"
    if site.versions:
        yield f"latest_branch = {toml_text(branch)}"
        for name in dict.fromkeys((branch, *site.versions)):
            label = "".join(c if c.isascii() and c.isalnum() else "-" for c in name).strip("-")
            yield from ("", "[[versions]]", f"name = {toml_text(label)}", f"branch = {toml_text(name)}")
    elif site.branch:
        yield f"latest_branch = {toml_text(branch)}"
    for label, pages in site.docs_menu:
        yield from ("", "[[docs_menu]]", f"label = {toml_text(label)}")
        yield f"pages = [{', '.join(map(toml_text, pages))}]"


def _redirects(site: ImportedSite) -> Iterator[str]:
    yield "# Addresses of the old site. They lead to the docs of the latest version."
    for old, new in site.redirects.items():
        if not is_site_path(new) and not is_url(new):
            continue
        yield from ("", "[[rules]]", f"path = {toml_text(old)}", f"to = {toml_text(new)}", "status = 301")
        if is_url(new):
            yield "external = true"
        elif old.split("/")[1] in ENGINE_ADDRESSES:
            yield 'when = "missing"'


def report(site: ImportedSite, pages: int, files: Iterable[str]) -> str:
    """What was taken over and what was not, as Markdown."""
    taken = [
        f"{pages} pages in `{site.docs_root}`, in the dialect `{site.program}`.",
        *(
            (f"{len(site.docs_menu)} sections of the docs menu. The titles of the pages are the labels.",)
            if site.docs_menu
            else ()
        ),
        *(
            (f"{len(site.menu) + len(site.footer) + len(site.social)} links of the header and the footer.",)
            if site.menu or site.footer or site.social
            else ()
        ),
        *((f"{len(site.redirects)} redirects of old addresses.",) if site.redirects else ()),
        *((f"The color, as the hue `{site.color}`.",) if site.color else ()),
        *(
            (f"{', '.join(name for name in ('logo', 'favicon') if getattr(site, name))}.".capitalize(),)
            if site.logo or site.favicon
            else ()
        ),
        *site.taken,
    ]
    lines = [f"# Import from {_HEADINGS[site.program]}", "", "## Taken over", "", *(f"- {line}" for line in taken)]
    lines += ["", "## Not taken over", ""]
    lines += [
        f"- {_code(one.place)}{': ' if one.place else ''}{_escaped(one.what)}: {_escaped(one.reason)}."
        for one in site.left
    ] or ["- Nothing."]
    lines += ["", "## Files", "", *(f"- `{name}`" for name in files), "", "## Next steps", ""]
    lines += [
        "1. `kinfolk dev` in this folder serves the site.",
        "2. `kinfolk check` lists broken links and syntax that the site does not know, with file and line.",
        "3. Change `kinfolk.toml`, and delete this file.",
    ]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    return f"`{text.replace('`', '')}`" if text else ""


def _escaped(text: str) -> str:
    """Text of the project as it is, whatever Markdown or HTML it has."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#" else c for c in json.loads(json.dumps(text))) if text else ""


def summary(site: ImportedSite) -> Iterator[str]:
    """What was not taken over, a line each."""
    for one in site.left:
        yield f"{one.place}{': ' if one.place else ''}{short_label(one.what)}: {one.reason}"

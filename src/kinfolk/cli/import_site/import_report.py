"""What an import took over and what it did not: `IMPORT.md`, and the lines of the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, LeftOut, short_label
from kinfolk.cli.import_site.project.project_import import ProjectImport

REPORT = "IMPORT.md"


def taken_over(project: ProjectImport) -> Iterator[tuple[str, str]]:
    """What was taken over: a word for each part, and its figures."""
    site = project.site
    folders = ", ".join(library.docs_root for library in site.libraries)
    yield "Pages", f"{project.pages} in {folders}" + (f", and {site.pages} beside the docs" if site.pages else "")
    for library in site.libraries:
        if library.versions:
            labels = ", ".join(version.label or version.name for version in library.versions)
            of = f" of {library.name}" if len(site.libraries) > 1 else ""
            yield "Versions", f"{len(library.versions)}{of}: {labels}"
    entries = sum(len(list(library.menu_entries())) for library in site.libraries)
    if entries:
        sections = sum(len(library.menu) for library in site.libraries)
        yield "Docs menu", f"{entries} entries in {sections} sections"
    else:
        yield "Docs menu", "as the files and folders of the project"
    parts = [(len(site.menu), "menu"), (len(site.footer), "footer"), (len(site.social), "social networks")]
    if links := [f"{count} of the {name}" for count, name in parts if count]:
        yield "Links", ", ".join(links)
    if site.redirects:
        patterns = sum("{" in path for path in site.redirects)
        yield (
            "Redirects",
            f"{len(site.redirects)} of old addresses" + (f", {patterns} of them patterns" if patterns else ""),
        )
    if site.posts:
        yield "Posts", f"{site.posts} in blog/"
    if site.announcement:
        yield "Announcement", site.announcement.text
    if look := list(_look(site)):
        yield "Look", ", ".join(look)


def _look(site: ImportedSite) -> Iterator[str]:
    yield from (name for name in ("logo", "favicon") if getattr(site, name))
    if site.color:
        yield f"the color, as {site.color}"
    if site.footer_note:
        yield "the text of the footer"
    if site.pictures:
        yield f"{len(site.pictures)} pictures of posts and pages"


def left_out_lines(site: ImportedSite) -> Iterator[str]:
    """What was not taken over, a line for each reason."""
    grouped: dict[tuple[str, str], list[LeftOut]] = {}
    for one in site.left:
        kind = one.what.split(" '", 1)[0] if " '" in one.what else one.what
        grouped.setdefault((kind, one.reason), []).append(one)
    for (_, reason), members in grouped.items():
        first = members[0]
        others = f" and {len(members) - 1} more" if len(members) > 1 else ""
        yield f"{first.place}{': ' if first.place else ''}{short_label(first.what)}{others}: {reason}"


def report(project: ProjectImport, files: Iterable[str]) -> str:
    """`IMPORT.md`."""
    site = project.site
    taken = [f"{name}: {_escaped(figures)}." for name, figures in taken_over(project)] + site.taken
    lines = [f"# Import from {site.program}", "", "## Taken over", "", *(f"- {line}" for line in taken)]
    lines += ["", "## Not taken over", ""]
    lines += [
        f"- {_code(one.place)}{': ' if one.place else ''}{_escaped(one.what)}: {_escaped(one.reason)}."
        for one in site.left
    ] or ["- Nothing."]
    names = [name for name in files if not name.startswith(("blog/", "pages/", "public/"))]
    lines += ["", "## Files", "", *(f"- `{name}`" for name in names)]
    lines += [
        f"- `{folder}/`" for folder in ("blog", "pages", "public") if any(n.startswith(f"{folder}/") for n in files)
    ]
    lines += ["", "## Next steps", ""]
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

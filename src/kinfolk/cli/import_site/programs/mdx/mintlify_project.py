"""The configuration of Mintlify: `docs.json`, or the older `mint.json`. The site reads its `navigation` itself."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, hue_of_color
from kinfolk.cli.import_site.project.announcement_import import import_announcement
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.content.docs.file_layouts.site_config import languages_of_mintlify, mintlify_config
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of, texts_in
from kinfolk.content.markdown.literals.config_values import NO_TABLE, ConfigList, ConfigTable, ConfigText, ConfigValue

TAKEN_KEYS = frozenset(
    (
        "$schema name description colors favicon logo navigation navbar footer redirects topbarLinks topbarCtaButton"
        " footerSocials tabs anchors banner"
    ).split()
)
NEEDLESS_KEYS = frozenset("theme appearance background fonts icons interaction search thumbnails styling".split())
_REASONS = {
    "api": "the playground of an API is a service",
    "contextual": "each page has a Markdown copy, and the site has tools for agents",
    "integrations": "the site loads no scripts of others",
    "seo": "the site writes the head of each page",
    "openapi": "pages of an API description are generated",
}


def read_mintlify(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has."""
    home = posixpath.dirname(file)

    def read(path: str) -> str:
        return files.text(path) or ""

    config = mintlify_config(file, files.is_file, read)
    site = ImportedSite("Mintlify", file)
    if config is None:
        site.leave("configuration", "it is no JSON with keys, or too large", file=file)
        config = NO_TABLE
    git = files.git
    site.repo, site.branch = git.repo, git.branch
    facts = library_facts(site, files, text_of(entry(config, "name")), "mintlify", home or ".")
    site.description = facts.description = text_of(entry(config, "description"))
    project = ProjectImport(files, site)
    project.add_library(facts)
    _read_site(project, config)
    _read_links(project, config)
    import_announcement(project, entry(config, "banner", "content"), is_markdown=True)
    others = list(languages_of_mintlify(config, home, files.is_file, read))[1:]
    _read_redirects(project, config, frozenset(code for code, _ in others))
    _list_left(project, config, others)
    if entry(config, "navigation") is not None:
        site.taken.append("The menu is the `navigation` of the project's file, which the site reads after each push.")
    return project


def _read_site(project: ProjectImport, config: ConfigTable) -> None:
    site = project.site
    site.color = hue_of_color(text_of(entry(config, "colors", "primary")))
    for name in ("logo", "favicon"):
        value = entry(config, name)
        written = text_of(value) or text_of(entry(table_of(value), "light"))
        path = posixpath.normpath(posixpath.join(site.library.docs_root, written.lstrip("/")))
        is_picture = written.endswith((".svg", ".png")) and project.files.is_file(path)
        setattr(site, name, path if is_picture else "")


def _read_links(project: ProjectImport, config: ConfigTable) -> None:
    site = project.site
    navbar = [*items_of(entry(config, "navbar", "links")), *items_of(entry(config, "topbarLinks"))]
    buttons = (entry(config, "navbar", "primary"), entry(config, "topbarCtaButton"))
    for item in [*navbar, *(one for one in buttons if one is not None)]:
        table = table_of(item)
        address = text_of(entry(table, "href")) or text_of(entry(table, "url"))
        if text_of(entry(table, "type")) == "github" and site.add_social(address, "github"):
            continue
        project.add_link(site.menu, text_of(entry(table, "label")) or text_of(entry(table, "name")), address, item)
    for key in (("footer", "socials"), ("footerSocials",)):
        for icon, value in table_of(entry(config, *key)).entries.items():
            if not site.add_social(text_of(value), icon):
                site.leave(f"social link {icon!r}", "the site has no icon for it", value)
    for group in items_of(entry(config, "footer", "links")):
        for item in items_of(entry(table_of(group), "items")):
            table = table_of(item)
            project.add_link(site.footer, text_of(entry(table, "label")), text_of(entry(table, "href")), item)


def _read_redirects(project: ProjectImport, config: ConfigTable, others: frozenset[str]) -> None:
    redirects = entry(config, "redirects")
    listed = entry(table_of(redirects), "items") if isinstance(redirects, ConfigTable) else redirects
    for rule in items_of(listed):
        old, new = (text_of(entry(table_of(rule), key)) for key in ("source", "destination"))
        if old.strip("/").partition("/")[0] in others:  # whose pages are left out, which the report says once
            continue
        project.add_redirect(old, new, rule)


def _list_left(project: ProjectImport, config: ConfigTable, others: list[tuple[str, ConfigTable]]) -> None:
    site = project.site
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    if others:
        reason = "a translation is a library with a docs root of its own; its pages are left out"
        site.leave(f"languages {', '.join(code for code, _ in others)}"[:200], reason, others[0][1])
    for key in ("openapi", "asyncapi", "graphql"):
        for value in _values_of(entry(config, "navigation"), key):
            names = ", ".join(one.text for one in texts_in(value))
            site.leave(f"{key} {names}"[:200], "pages of an API description are generated", value)


def _values_of(value: ConfigValue | None, key: str) -> Iterator[ConfigValue]:
    """The values of a key at any depth."""
    inside = value.entries.values() if isinstance(value, ConfigTable) else ()
    if isinstance(value, ConfigTable) and isinstance(
        found := value.entries.get(key), (ConfigText, ConfigTable, ConfigList)
    ):
        yield found
    for inner in value.items if isinstance(value, ConfigList) else inside:
        yield from _values_of(inner, key)

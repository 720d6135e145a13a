"""Adds the redirects in files of hosts to a site."""

from __future__ import annotations

from kinfolk.cli.import_site.old_addresses.redirect_files import redirects_of_hosts
from kinfolk.cli.import_site.project.project_import import ProjectImport
from kinfolk.content.markdown.literals.config_values import ConfigText


def add_redirects_of_hosts(project: ProjectImport, folders: tuple[str, ...]) -> None:
    """Add what `_redirects`, `netlify.toml` and `vercel.json` of these folders say."""
    for one in redirects_of_hosts(project.files, folders):
        place = ConfigText(one.line, "")
        if one.fault:
            project.site.leave(f"redirect {one.old!r}", one.fault, place, one.file)
        else:
            project.add_redirect(one.old, one.new, place, one.file)

"""`kinfolk import`: writes a site folder for docs that are written for another program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.runtime.errors import Invalid

if TYPE_CHECKING:
    from kinfolk.cli.import_site.site_import import Program

MOST_SHOWN = 40
"""Lines of what was not taken over, on the terminal; the report has all."""


@click.command("import")
@click.argument("program", type=click.Choice(["vitepress", "docusaurus", "mkdocs"]))
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the new site.")
def import_site(program: Program, project: Path, folder: Path | None) -> None:
    """Write the files of a site for the docs in PROJECT, which stay as they are. No code of the project runs."""
    from kinfolk.cli.import_site.site_import import REPORT, import_project, summary
    from kinfolk.cli.new.new_site import is_site, write_site

    folder = folder or Path(f"{project.resolve().name}-site")
    if is_site(folder):
        raise Invalid(f"{folder} has a site already")
    found = import_project(program, project, folder)
    write_site(folder, found.files)
    click.echo(f"Wrote the site of {found.site.name} to {folder}, with {found.pages} pages of the project")
    lines = list(summary(found.site))
    if lines:
        click.echo(f"Not taken over, see {folder / REPORT}:")
    for line in lines[:MOST_SHOWN]:
        click.echo(f"  {line}")
    if len(lines) > MOST_SHOWN:
        click.echo(f"  and {len(lines) - MOST_SHOWN} more")
    click.echo(f"Next: cd {folder} && kinfolk dev")

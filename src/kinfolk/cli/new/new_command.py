"""`kinfolk new`: writes the folder of a new site."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from kinfolk.runtime.errors import Invalid


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", help="Name of the family of libraries. With it, nothing is asked.")
@click.option("--color", help="Hue of the first library, such as teal.")
@click.option("--repo", "repositories", multiple=True, metavar="OWNER/NAME", help="A repository with docs. Repeatable.")
def new(folder: Path, name: str | None, color: str | None, repositories: tuple[str, ...]) -> None:
    """Write the files of a new site to FOLDER, which `kinfolk dev` serves at once."""
    from kinfolk.cli.new.new_site import HUES, is_site, plan_site, site_files, write_site

    if is_site(folder):
        raise Invalid(f"{folder} has a site already")
    if name is None:
        default = folder.resolve().name.replace("-", " ").title()
        name = click.prompt("Name of the family of libraries", default=default)
        color = color or click.prompt("Color", default="teal", type=click.Choice(HUES), show_choices=True)
        if not repositories:
            answer = click.prompt(
                "Repositories on GitHub with docs, such as acme/widgets (empty for sample docs)",
                default="",
                show_default=False,
            )
            repositories = tuple(answer.replace(",", " ").split())
    site = plan_site(str(name), color or "teal", repositories)
    write_site(folder, site_files(site, today=datetime.now(UTC).date(), version=version("kinfolk")))
    click.echo(f"Wrote the site of {site.family} to {folder}")
    fetch = "kinfolk sync && " if repositories else ""
    click.echo(f"Next: cd {folder} && {fetch}kinfolk dev")

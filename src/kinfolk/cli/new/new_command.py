"""`kinfolk new`: writes the folder of a new site."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from kinfolk.runtime.errors import Invalid


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", help="Name of the family of libraries. With it, nothing is asked.")
@click.option("--color", help="Hue of the first library, such as teal.")
@click.option(
    "--repo",
    "repositories",
    multiple=True,
    metavar="OWNER/NAME[@BRANCH]",
    help="A repository with docs, or its address on GitHub. Repeatable. With it, nothing is asked.",
)
@click.option(
    "--from",
    "template",
    metavar="URL_TEMPLATE",
    help="Address to fetch from, such as file:///mirrors/{owner}/{repo}.git",
)
@click.option("--no-fetch", is_flag=True, help="Write the files without reading the repositories.")
def new(
    folder: Path,
    *,
    name: str | None,
    color: str | None,
    repositories: tuple[str, ...],
    template: str | None,
    no_fetch: bool,
) -> None:
    """Write the files of a new site to FOLDER.

    Repositories are fetched, and their docs, packages, colors and first code become the files of their libraries:
    `kinfolk serve` shows the site at once. Without repositories, the site has sample docs.
    """
    started = time.perf_counter()
    from kinfolk.cli.new.new_site import HUES, is_site, plan_site, site_files, write_site

    if is_site(folder):
        raise Invalid(f"{folder} has a site already")
    default = folder.resolve().name.replace("-", " ").replace("_", " ").title()
    if name is None and not repositories:
        name = click.prompt("Name of the family of libraries", default=default)
        color = color or click.prompt("Color", default="teal", type=click.Choice(HUES), show_choices=True)
        answer = click.prompt(
            "Repositories on GitHub with docs, such as acme/widgets (empty for sample docs)",
            default="",
            show_default=False,
        )
        repositories = tuple(answer.replace(",", " ").split())
    family = str(name or default)
    if repositories and not no_fetch:
        from kinfolk.cli.new.family_command import write_family

        write_family(folder, family, repositories, color=color, template=template, version=version("kinfolk"))
        click.echo(f"It took {time.perf_counter() - started:.1f} s")
        click.echo(f"Next: cd {folder} && kinfolk serve")
        return
    site = plan_site(family, color or "teal", repositories)
    write_site(folder, site_files(site, today=datetime.now(UTC).date(), version=version("kinfolk")))
    click.echo(f"Wrote the site of {site.family} to {folder}")
    fetch = "kinfolk sync && " if repositories else ""
    click.echo(f"Next: cd {folder} && {fetch}kinfolk dev")

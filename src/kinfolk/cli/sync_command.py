"""`kinfolk sync`: mirrors the repositories of the libraries."""

from __future__ import annotations

import os

import click

from kinfolk.cli.highlight_command import highlight_site
from kinfolk.config.settings import process_settings


@click.command()
@click.option(
    "--from",
    "template",
    metavar="URL_TEMPLATE",
    help="Address to fetch from, such as file:///mirrors/{owner}/{repo}.git",
)
@click.argument("libraries", nargs=-1)
def sync(template: str | None, libraries: tuple[str, ...]) -> None:
    """Mirror the repositories of all libraries, or of LIBRARIES."""
    if template:
        os.environ["KINFOLK_UPSTREAM"] = template
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.config.catalog import load_catalog
    from kinfolk.content.docs.docs_source import mirror_source, mirrored_refs
    from kinfolk.content.sources.git.sync_progress import RepoDone, SyncEvent, SyncFailed, draw_progress
    from kinfolk.site.site import open_site

    settings = process_settings()
    catalog = load_catalog(settings.site)
    chosen = [catalog.library(id) for id in libraries]
    mirrored = mirrored_refs(settings, catalog)
    refs = {library.ref(version.name) for library in chosen or catalog.libraries for version in library.versions}
    refs &= mirrored
    if settings.mirror is not None and not refs:
        click.echo("There is nothing to mirror: the docs are in folders of this machine")
        return
    failed: list[SyncEvent] = []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[status]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    show = draw_progress(progress)

    def report(event: SyncEvent) -> None:
        show(event)
        if isinstance(event, SyncFailed) or (isinstance(event, RepoDone) and event.outcome == "failed"):
            failed.append(event)

    source = mirror_source(settings, catalog, on_progress=report)
    with progress:
        snapshot = source.refresh(refs)
    click.echo(f"{len(snapshot.trees)} of {len(mirrored)} branches are mirrored in {settings.mirror}")
    if snapshot.trees:
        highlight_site(open_site(settings))
        with progress.console.status("Reading dates and authors of all pages"):
            source.fetch_history(refs)
    if failed:
        raise click.ClickException("Some repositories could not be fetched. Their last good version is still served.")

"""`kinfolk export`: the site as files."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from kinfolk.cli.export.exporter import ExportResult
    from kinfolk.site.site import Site

MOST_FAULTS = 20


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--content",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Export docs from this directory, laid out {owner}/{repo}/{branch}/…, and no mirror.",
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes that render pages. Default: one for each core.")
@click.option("--share-images/--no-share-images", default=True, help="Whether each page has an Open Graph image.")
@click.option("--watch", is_flag=True, help="Export each edit until the command is stopped.")
def export(folder: Path, content: Path | None, workers: int | None, share_images: bool, watch: bool) -> None:
    """Write the site to FOLDER as files that any web host serves. KINFOLK_ORIGIN is the address that they get."""
    if content is not None:
        os.environ["KINFOLK_CONTENT"] = str(content.resolve())
        os.environ["KINFOLK_MIRROR"] = "off"
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.cli.export.exporter import Exporter, ExportOptions
    from kinfolk.cli.export.site_renderer import export_settings
    from kinfolk.site.site import open_site

    started = time.perf_counter()
    site = open_site(export_settings(process_settings()))
    options = ExportOptions(share_images) if workers is None else ExportOptions(share_images, workers)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("Exporting", total=None)
        exporter = Exporter(
            site, folder, options, progress=lambda done, known: progress.update(bar, completed=done, total=known)
        )
        _highlight(site)
        result = exporter.run()
    _report(result, folder, time.perf_counter() - started)
    if watch:
        from kinfolk.cli.export.edit_watcher import watch_edits

        click.echo("Watching for edits. Stop with Ctrl-C.")
        watch_edits(exporter, result, options, report=click.echo)


def _highlight(site: Site) -> None:
    """Highlight all code first: a file is not rendered again when its code is ready."""
    highlighter = site.content.highlighter
    if highlighter is None:
        return
    highlighter.start()
    highlighter.warm(site.content.sections)
    while not highlighter.wait_until_idle(0.2):
        pass  # a short timeout, so that Ctrl-C is handled
    highlighter.close()


def _report(result: ExportResult, folder: Path, took_s: float) -> None:
    click.echo(
        f"{folder} has {result.files} files of {len(result.addresses)} addresses."
        f" {result.written} are new or changed, {result.removed} are removed. It took {took_s:.1f} s."
    )
    for fault in result.faults[:MOST_FAULTS]:
        click.echo(f"  {fault}")
    if len(result.faults) > MOST_FAULTS:
        click.echo(f"  and {len(result.faults) - MOST_FAULTS} more")

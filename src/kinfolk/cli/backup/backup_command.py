"""`kinfolk backup` and `kinfolk restore`. Imports inside the functions keep the start fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kinfolk.cli.db_command import open_database_of_process
from kinfolk.config.settings import process_settings

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Write all that cannot be made again to FILE: the database and the indexes that clients pushed.

    The server may run. FILE has sign-ins and addresses of readers: only its owner may read it.
    """
    from kinfolk.cli.backup.site_backup import write_backup

    with open_database_of_process() as database, _progress() as show:
        manifest = write_backup(process_settings(), database, file, on_progress=show)
    pushed = " and the pushed indexes" if manifest.files else ""
    click.echo(
        f"{manifest.rows:,} rows of {len(manifest.tables)} tables{pushed} are in {file}"
        f" ({file.stat().st_size / 1e6:,.1f} MB)"
    )


@click.command()
@click.argument("file", type=FILE)
@click.option("--replace", is_flag=True, help="Delete the rows and the pushed indexes that are there.")
def restore(file: Path, *, replace: bool) -> None:
    """Replace the database and the pushed indexes by those in FILE, which `kinfolk backup` wrote.

    All servers of the site must be stopped. After an error, all is as before.
    """
    from kinfolk.cli.backup.site_restore import restore_backup

    with open_database_of_process() as database, _progress() as show:
        manifest = restore_backup(process_settings(), database, file, replace=replace, on_progress=show)
    click.echo(f"{manifest.rows:,} rows of {manifest.created_at} are restored from {file}")
    if manifest.files:
        click.echo("The next start builds the pushed indexes")


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda name, done, total: bar.update(task, description=name, completed=done, total=total)

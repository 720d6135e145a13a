"""`kinfolk npm`: stored download counts. Imports inside the functions keep the start fast."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.cli.db_command import open_database_of_process
from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from kinfolk.db.database import Database
    from kinfolk.statistics.importing.importer import ImportProgress, ImportReport

FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def npm() -> None:
    """Fetch download counts from npm, show what is stored, or carry it to another site."""


@npm.command("import")
def import_counts() -> None:
    """Fetch all counts that are due from npm. `kinfolk serve` does this in the background."""
    with _upgraded_database() as database:
        report = _import_with_progress(database)
    for package in report.not_found:
        click.echo(f'Package "{package}" not found on npm')
    if report.failed:
        name, reason = next(iter(report.failed.items()))
        raise click.ClickException(
            f"{len(report.failed)} packages are incomplete, such as {name or 'the total of all'}: {reason}."
            " Run this command again to continue."
        )
    click.echo("All counts are up to date")


@npm.command("status")
def show_status() -> None:
    """Show which counts are stored, and the last success and failure."""
    from kinfolk.statistics.importing.import_coverage import import_coverage
    from kinfolk.statistics.open_statistics import imported_packages

    with _upgraded_database() as database:
        coverage = import_coverage(database, imported_packages(process_settings()))
    complete = sum(package.complete for package in coverage.packages)
    click.echo(f"{complete} of {len(coverage.packages)} packages are complete")
    for package in coverage.packages:
        if not package.complete:
            note = ", counts of a file" if package.has_file else ""
            click.echo(f"  {package.name}: {package.years} of {package.all_years} years{note}")
    click.echo(f"Downloads by version: {coverage.with_versions} packages")
    click.echo(f"Waiting: {', '.join(coverage.waiting) or 'none'}")
    click.echo(f"Not found on npm: {', '.join(coverage.not_found) or 'none'}")
    state = coverage.state
    click.echo(f"Last success: {_in_utc(state.last_success_at)}")
    if state.last_failure_at is not None:
        click.echo(f"Last failure: {_in_utc(state.last_failure_at)}, {state.last_failure}")
    if state.paused_until is not None:
        click.echo(f"No request before {_in_utc(state.paused_until)}")


@npm.command("export")
@click.argument("file", type=FILE)
def export_counts(file: Path) -> None:
    """Write all stored counts to FILE, which `kinfolk npm load` reads."""
    from kinfolk.statistics.histories.history_file import export_history

    with _upgraded_database() as database:
        try:
            lines = export_history(database, file)
        except OSError as wrong:
            raise click.ClickException(f"{file} cannot be written: {wrong.strerror}") from wrong
    click.echo(f"{lines} years and weeks are in {file}")


@npm.command("load")
@click.argument("file", type=FILE)
def load_counts(file: Path) -> None:
    """Store the counts of FILE. Counts that are newer in the database stay."""
    from kinfolk.statistics.histories.history_file import import_history

    with _upgraded_database() as database:
        click.echo(f"{import_history(database, file)} years and weeks are read from {file}")


@contextlib.contextmanager
def _upgraded_database() -> Iterator[Database]:
    from kinfolk.site.site import upgrade_database

    with open_database_of_process() as database:
        upgrade_database(database, process_settings())
        yield database


def _import_with_progress(database: Database) -> ImportReport:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from kinfolk.statistics.open_statistics import open_importer

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("Checking which counts are due", total=None)

        def show(done: ImportProgress) -> None:
            progress.update(task, description=done.subject, completed=done.done, total=done.total)
            if done.failure:
                progress.console.print(f"{done.subject}: {done.failure}", markup=False, highlight=False)

        importer = open_importer(process_settings(), database, on_progress=show)
        return asyncio.run(importer.import_due())


def _in_utc(time: datetime | None) -> str:
    return "never" if time is None else f"{time:%Y-%m-%d %H:%M:%S} UTC"

"""`kinfolk import`: writes a site folder for docs that are written for another program."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.cli.import_site.program_names import PROGRAM_NAMES
from kinfolk.runtime.errors import Invalid

if TYPE_CHECKING:
    from kinfolk.cli.import_site.imported_site_check import SiteCheck
    from kinfolk.cli.import_site.programs.program_table import Detection
    from kinfolk.cli.import_site.site_import import Import

MOST_SHOWN = 12
"""Lines of what was not taken over, on the terminal; the report has all."""
MOST_FAULTS = 6
"""Lines of faults of the docs, on the terminal; `kinfolk check` has all."""


@click.command("import")
@click.argument("words", nargs=-1, required=True, metavar="[PROGRAM] PROJECT")
@click.option("--program", type=click.Choice(PROGRAM_NAMES), help="Program of the docs, instead of the one found.")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the new site.")
def import_site(words: tuple[str, ...], program: str | None, folder: Path | None) -> None:
    """Write the files of a site for the docs in PROJECT, which stay as they are. No code of the project runs.

    The program that the docs are written for is found by its configuration.
    """
    named, source = _arguments(words)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.cli.import_site.imported_site_check import check_site
    from kinfolk.cli.import_site.site_import import find_project, read_project
    from kinfolk.cli.new.new_site import is_site, write_site

    started = time.perf_counter()
    folder = folder or Path(f"{source.resolve().name}-site")
    if is_site(folder):
        raise Invalid(f"{folder} has a site already")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        reading = progress.add_task("Reading the project", total=2)
        found = find_project(source, program or named)
        progress.update(reading, completed=1, description=f"Reading the docs of {found.detection.program.title}")
        read = read_project(found, folder)
        write_site(folder, read.files)
        seconds = time.perf_counter() - started
        progress.update(reading, completed=2)
        checking = progress.add_task("Checking the new site", total=None)
        checked = check_site(folder, lambda done, total: progress.update(checking, completed=done, total=total))
    _show_taken(found.detection, read, folder, seconds)
    _show_left(read, folder)
    _show_check(checked, folder)


def _arguments(words: tuple[str, ...]) -> tuple[str | None, Path]:
    """The program, if it is named, and the project."""
    if len(words) not in (1, 2):
        raise click.UsageError("One folder of a project is imported at a time")
    named = words[0] if len(words) > 1 else None
    if named is not None and named not in PROGRAM_NAMES:
        raise click.UsageError(f"{named!r} is none of {', '.join(PROGRAM_NAMES)}")
    project = Path(words[-1])
    if not project.is_dir():
        raise click.UsageError(f"{words[-1]!r} is no folder")
    return named, project


def _show_taken(detection: Detection, read: Import, folder: Path, seconds: float) -> None:
    from kinfolk.cli.import_site.import_report import taken_over

    why = f": {detection.reason}" if detection.others and detection.reason else ""
    click.echo(f"Found {detection.program.title} in {detection.file}{why}")
    if detection.others:
        click.echo(f"  There is also {', '.join(detection.others[:4])}: import its folder, or name --program")
    click.echo(f"Wrote the site of {read.site.name} to {folder} in {seconds:.1f} s")
    for name, figures in taken_over(read.project):
        click.echo(f"  {name:<10} {figures}")


def _show_left(read: Import, folder: Path) -> None:
    from kinfolk.cli.import_site.import_report import REPORT, left_out_lines

    lines = list(left_out_lines(read.site))
    if lines:
        click.echo(f"Not taken over, see {folder / REPORT}:")
    for line in lines[:MOST_SHOWN]:
        click.echo(f"  {line}")
    if len(lines) > MOST_SHOWN:
        click.echo(f"  and {len(lines) - MOST_SHOWN} more")


def _show_check(checked: SiteCheck, folder: Path) -> None:
    """The faults that `kinfolk check` names. Raises ClickException for files of the site that are invalid."""
    for message in checked.faults[:MOST_FAULTS]:
        click.echo(f"  {message}")
    if len(checked.faults) > MOST_FAULTS:
        click.echo(f"  and {len(checked.faults) - MOST_FAULTS} more")
    if checked.is_invalid:
        raise click.ClickException("The site has invalid files")
    click.echo(f"Checked: {checked.whole} of {checked.pages} pages are whole, with {checked.links} links")
    click.echo(f"Next: cd {folder} && kinfolk dev")

"""`kinfolk new DIR --repo …`: fetches repositories and writes their site."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import structlog
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from kinfolk.cli.import_site.imported_site_check import SiteCheck, check_settings
from kinfolk.cli.import_site.project.git_files import GitProjectFiles
from kinfolk.cli.new.facts.repository_facts import FoundLibrary, read_library
from kinfolk.cli.new.family_fetch import fetch_family
from kinfolk.cli.new.family_files import chosen_colors, family_files
from kinfolk.cli.new.family_report import fault_lines, library_lines
from kinfolk.cli.new.new_site import ChosenRepository, chosen_repositories, plan_site, toml_text, write_site
from kinfolk.config.settings import SITE, read_settings
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.content.sources.git.sync_progress import draw_progress
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import Invalid


def write_family(
    folder: Path, family: str, repositories: Sequence[str], *, color: str | None, template: str | None, version: str
) -> None:
    """Fetch the repositories and write their site to a folder, which stays as it is after an error."""
    chosen = chosen_repositories(repositories)
    family = plan_site(family, color or "teal", ()).family
    check_empty(folder)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[status]}"), TimeElapsedColumn()
    with only_warnings(), staged(folder) as site, Progress(*columns, console=Console(stderr=True)) as progress:
        (site / SITE_FILE).write_text(f"family = {toml_text(family)}\n", encoding="utf-8")
        own = {SITE: str(site.resolve())} | ({"KINFOLK_UPSTREAM": template} if template else {})
        settings = read_settings(os.environ | own)
        trees = fetch_family(chosen, settings, draw_progress(progress))
        reading = progress.add_task("Reading the docs", total=len(trees), status="")
        libraries, without = read_libraries(chosen, trees, lambda: progress.advance(reading))
        if not libraries:
            raise Invalid(f"Nothing was written: {'; '.join(without)}")
        (site / SITE_FILE).unlink()
        write_site(site, family_files(family, libraries, color=color, version=version))
        checking = progress.add_task("Checking the new site", total=None, status="")
        checked = check_settings(settings, lambda done, total: progress.update(checking, completed=done, total=total))
    click.echo(f"Wrote the site of {family} to {folder}")
    colors = chosen_colors(libraries, color)
    for library in libraries:
        for line in library_lines(library, colors[library.id]):
            click.echo(line)
    for line in without:
        click.echo(f"Left out: {line}")
    _show_check(checked)


def read_libraries(
    chosen: Sequence[ChosenRepository], trees: Sequence[Tree], on_read: Callable[[], None]
) -> tuple[list[FoundLibrary], list[str]]:
    """The libraries of the trees, and why others have none."""
    libraries: list[FoundLibrary] = []
    without: list[str] = []
    for one, tree in zip(chosen, trees, strict=True):
        try:
            library = read_library(GitProjectFiles(tree), one.id)
        except Invalid as error:
            without.append(f"{one.repo}: {error.message}")
        else:
            libraries.append(library)
        on_read()
    return libraries, without


def check_empty(folder: Path) -> None:
    """Raises Invalid for a folder that has files. A new repository of git has none."""
    if folder.is_dir() and any(path.name != ".git" for path in folder.iterdir()):
        raise Invalid(f"{folder} is not empty: choose another folder")


@contextmanager
def only_warnings() -> Iterator[None]:
    """Leaves messages about what went well out of the log: the bars show it."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        yield
    finally:
        structlog.configure(**before)


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A folder beside the one that is named. Its files are moved there at the end, and removed after an error."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        site = Path(tempfile.mkdtemp(prefix=f".{folder.name or 'site'}-", dir=folder.resolve().parent))
    except OSError as error:
        raise Invalid(f"{folder} cannot be written: {error.strerror}") from None
    try:
        yield site
        folder.mkdir(exist_ok=True)
        for path in site.iterdir():
            path.rename(folder / path.name)
    finally:
        shutil.rmtree(site, ignore_errors=True)


def _show_check(checked: SiteCheck) -> None:
    if checked.faults:
        click.echo("What kinfolk check reports of these pages:")
    for line in fault_lines(checked.faults):
        click.echo(f"  {line}")
    if checked.is_invalid:
        raise click.ClickException("The site has invalid files")
    click.echo(f"Checked: {checked.whole} of {checked.pages} pages are whole, with {checked.links} links")

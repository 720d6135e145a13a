"""`kinfolk check`: the faults of a site and its docs."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import click

from kinfolk.cli.options import content_option
from kinfolk.config.settings import process_settings


@click.command()
@content_option("Check the docs in this directory instead of those that the site serves.")
@click.option("--json", "as_json", is_flag=True, help="Write the faults of the docs as JSON, with low priority.")
@click.option("--code", is_flag=True, help="Check the code blocks of the docs instead, with the types of the packages.")
@click.option("--library", help="With --code: check the docs of this library only, by its id.")
@click.option("--version", help="With --code: check the docs of this version only.")
@click.option("--strict", is_flag=True, help="With --code: exit with 1 if there are findings.")
def check(
    content: Path | None, as_json: bool, *, code: bool, library: str | None, version: str | None, strict: bool
) -> None:
    """Check the files of the site and every link, image and navigation entry of the docs, mirrored ones included."""
    if code:
        _check_code(content, library, version, is_strict=strict)
        return
    if library or version or strict:
        raise click.UsageError("--library, --version and --strict need --code")
    if as_json:
        _check_served()
        return
    from kinfolk.cli.check.content_check import check_content, check_served_content, with_local_paths
    from kinfolk.config.catalog import open_catalog
    from kinfolk.site.configuration_check import configuration_faults

    settings = process_settings()
    faults = configuration_faults(settings.site, settings.frontend)
    summary = "The files of the site are valid"
    if not faults:
        report = check_content(settings, content) if content else check_served_content(settings)
        catalog = open_catalog(settings)
        faults.extend(with_local_paths(fault, settings, catalog) for fault in report.faults)
        for warning in report.warnings:
            click.echo(f"warning: {with_local_paths(warning, settings, catalog).message}", err=True)
        summary = f"{report.pages} pages with {report.links} links: nothing is broken"
    for fault in faults:
        click.echo(fault.message)
    if faults:
        raise click.ClickException("1 fault" if len(faults) == 1 else f"{len(faults)} faults")
    click.echo(summary)


def _check_code(content: Path | None, library: str | None, version: str | None, *, is_strict: bool) -> None:
    """Print what is wrong in code blocks, and the numbers of each library. Findings are warnings unless `is_strict`."""
    import structlog
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.cli.check.code_check import CheckProgress, check_code, summaries
    from kinfolk.cli.check.content_check import with_local_paths
    from kinfolk.config.catalog import open_catalog

    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    )
    settings, console = process_settings(), Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} pages"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading the docs", total=None)
        progress = CheckProgress(
            on_version=lambda name: bar.update(task, description=f"Checking {name}"),
            on_page=lambda: bar.advance(task),
        )
        found = check_code(settings, content, library=library, version=version, progress=progress)
    catalog = open_catalog(settings)
    for problem in found.problems:
        click.echo(f"warning: {problem}", err=True)
    for fault in found.faults:
        click.echo(with_local_paths(fault, settings, catalog).message)
    for line in summaries(catalog, found.reports):
        click.echo(line)
    if is_strict and found.faults:
        count = len(found.faults)
        raise click.ClickException("1 finding" if count == 1 else f"{count} findings")


def _check_served() -> None:
    """Write the report of the served docs for the process that started this one."""
    import orjson
    import structlog

    from kinfolk.cli.check.content_check import check_served_content
    from kinfolk.search.docs_index.subprocess_builder import NICENESS

    os.nice(NICENESS)
    # By default, structlog writes to the standard output, which is for the report.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    report = check_served_content(process_settings())
    faults = [(fault.file, fault.key, fault.reason) for fault in report.faults]
    click.echo(orjson.dumps({"faults": faults, "pages": report.pages, "links": report.links}))

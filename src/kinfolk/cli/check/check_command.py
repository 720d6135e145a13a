"""`kinfolk check`: the faults of a site and its docs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from kinfolk.cli.options import content_option
from kinfolk.config.settings import process_settings


@click.command()
@content_option("Check the docs in this directory instead of those that the site serves.")
@click.option("--json", "as_json", is_flag=True, help="Write the faults of the docs as JSON, with low priority.")
def check(content: Path | None, as_json: bool) -> None:
    """Check the files of the site and every link, image and navigation entry of the docs, mirrored ones included."""
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

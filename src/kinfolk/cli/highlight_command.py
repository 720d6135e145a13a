"""`kinfolk highlight`: highlights all code of the site in advance."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.cli.options import content_option, use_content
from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from kinfolk.site.site import Site


@click.command()
@content_option("Highlight the docs in this directory instead of the mirrored or bundled ones.")
def highlight(content: Path | None) -> None:
    """Highlight all code of the site in advance. Highlighted code is stored."""
    from kinfolk.site.site import open_site

    use_content(content)
    site = open_site(process_settings())
    if site.content.highlighter is None:
        raise click.ClickException("The highlighter is missing: run `make build`, and set KINFOLK_HIGHLIGHT=on")
    highlight_site(site)


def highlight_site(site: Site) -> None:
    """Highlight the remaining code, with a progress bar. Does nothing when highlighting is off."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    highlighter, docs = site.content.highlighter, site.content.publisher.reader()
    if highlighter is None:
        return
    started = time.perf_counter()
    highlighter.start()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        pages = sum(len(docs.pages(ref)) for ref in docs.branches())
        bar = progress.add_task("Highlighting pages", total=pages)
        highlighter.warm(lambda: site.content.sections(on_page=lambda: progress.advance(bar)))
        while not highlighter.wait_until_idle(0.2):
            pass  # a short timeout, so that Ctrl-C is handled
        progress.update(bar, completed=pages)
    took = time.perf_counter() - started
    count = highlighter.highlighted_count
    click.echo(f"{highlighter.stored_count} snippets are highlighted, {count} of them now, in {took:.1f} s")
    for fault, count in sorted(highlighter.faults().items()):
        click.echo(f"{count} stay plain: V8 {fault}")
    highlighter.close()

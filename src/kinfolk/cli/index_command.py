"""`kinfolk index`: builds the search index, and pushes it to a hosted one."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.cli.options import content_option, use_content
from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from kinfolk.config.settings import Settings


@click.group(invoke_without_command=True)
@content_option("Index the docs in this directory instead of the mirrored or bundled ones.")
@click.option("--background", is_flag=True, help="Run at low priority and print nothing.")
@click.option(
    "--supervised", is_flag=True, hidden=True, help="End when standard input closes; print a byte for each step."
)
@click.pass_context
def index(ctx: click.Context, content: Path | None, background: bool, supervised: bool) -> None:
    """Build the search index. Pages that have not changed are not indexed again."""
    if ctx.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.search.docs_index.subprocess_builder import NICENESS, end_with_parent

    if supervised:
        end_with_parent()
    if background:
        os.nice(NICENESS)
    use_content(content)
    settings = process_settings()
    started = time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), disable=background) as progress:
        bar = progress.add_task("Indexing pages", total=None)

        def advance() -> None:
            progress.advance(bar)
            if supervised:
                os.write(sys.stdout.fileno(), b".")

        _build_index(settings, on_start=lambda groups: progress.update(bar, total=groups), on_group=advance)
    if not background:
        records = _count_records(settings)
        click.echo(f"{records} records can be searched, after {time.perf_counter() - started:.1f} s")


def _build_index(settings: Settings, *, on_start: Callable[[int], None], on_group: Callable[[], None]) -> None:
    """Build under a lock: one process builds at a time."""
    from kinfolk.search.docs_index.generations import index_folder
    from kinfolk.search.docs_index.index_build import BuildProgress, build, only_builder
    from kinfolk.search.open_search import open_searchable_content

    folder = index_folder(settings.var)
    with only_builder(folder):
        build(folder, open_searchable_content(settings), BuildProgress(on_start, on_group))


def _count_records(settings: Settings) -> int:
    from kinfolk.search.docs_index.generations import index_folder, own_copy
    from kinfolk.search.engine.tantivy_index import TantivyIndex
    from kinfolk.search.ranking_config import load_ranking_config

    with own_copy(index_folder(settings.var)) as (_, copy):
        return TantivyIndex(copy, load_ranking_config(settings.site).settings).count


@index.command()
@content_option("Push the docs in this directory instead of the mirrored or bundled ones.")
@click.option("--as", "name", metavar="INDEX", help="What the index is called there; by default as here.")
def push(content: Path | None, name: str | None) -> None:
    """Fill the hosted index that KINFOLK_SEARCH_HOSTS names with ours."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    try:
        from kinfolk.search.algolia.index_upload import client_of
        from kinfolk.search.algolia.index_upload import push as push_index
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"This command needs the package {missing.name}: pip install 'kinfolk[hosted-search]'"
        ) from None
    from kinfolk.search.open_search import site_index_name
    from kinfolk.site.site import open_site

    use_content(content)
    settings = process_settings()
    client = client_of(settings.search_app_id, settings.search_admin_key, settings.search_hosts)
    site = open_site(settings)
    if site.search.updater is not None:
        with Console(stderr=True).status("Updating the index"):
            site.search.updater.try_update()
    own = site_index_name(site.catalog)
    handle = site.search.algolia.indexes.find(own)
    if handle is None or handle.rules is None:
        raise click.ClickException("There is no index to push: the search is turned off")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("Pushing records", total=handle.index.count)
        push_index(handle.index, handle.rules, name or own, client=client, on_record=lambda: progress.advance(bar))
    click.echo(f"{handle.index.count} records are in {name or own} at {', '.join(settings.search_hosts)}")

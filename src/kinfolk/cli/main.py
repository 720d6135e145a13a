"""The `kinfolk` command: one function for each subcommand. Imports inside them keep the start fast."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.cli.db import db
from kinfolk.cli.dev.dev_command import dev
from kinfolk.cli.export.export_command import export
from kinfolk.cli.import_site.import_command import import_site
from kinfolk.cli.new.new_command import new
from kinfolk.cli.npm import npm
from kinfolk.config.settings import ROOT, SETTINGS, process_log_format, process_settings, use_site
from kinfolk.runtime.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kinfolk.config.settings import Settings
    from kinfolk.site.site import Site

CLIENT = ROOT / "frontend/src/api/generated.ts"
CONFIGURATION = ROOT / "docs/configuration.md"
NEED_NO_SITE = frozenset({"new", "import", "generate"})
"""Commands without the option `--site`."""
PREVIEW_REFRESH_S = "2"
"""Refresh interval with --content: an edit is shown at the next reload."""


def _use_site(_context: click.Context, _parameter: click.Parameter, site: Path | None) -> None:
    if site is not None:
        use_site(site)


class _SiteGroup(click.Group):
    """Gives each command the option `--site`, and prints a SiteError as one line instead of a traceback."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        option = click.Option(
            ["--site"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            expose_value=False,
            is_eager=True,
            callback=_use_site,
            help="Folder of the site. Default: the nearest one with a kinfolk.toml, from the working directory up.",
        )
        if cmd.name not in NEED_NO_SITE:
            for command in (cmd, *(cmd.commands.values() if isinstance(cmd, click.Group) else ())):
                command.params.append(option)
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SiteError as wrong:
            raise click.ClickException(wrong.message) from wrong


@click.group(cls=_SiteGroup)
@click.version_option(package_name="kinfolk")
def main() -> None:
    """One website for a family of open-source libraries."""
    from kinfolk.runtime.logging_config import set_up_logs

    set_up_logs(process_log_format())


main.add_command(db)
main.add_command(export)
main.add_command(npm)
main.add_command(new)
main.add_command(dev)
main.add_command(import_site)


def content_option(help: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--content DIR`, which commands pass to `use_content`."""
    return click.option("--content", type=click.Path(exists=True, file_okay=False, path_type=Path), help=help)


def use_content(content: Path | None) -> None:
    """Read docs from this directory, if given. Set in the environment, which worker processes inherit."""
    if content is not None:
        os.environ["KINFOLK_CONTENT"] = str(content.resolve())
        os.environ["KINFOLK_MIRROR"] = "off"


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that answer requests."
)
@content_option("Serve docs from this directory, laid out {owner}/{repo}/{branch}/…, and no mirror.")
def serve(host: str, port: int, workers: int, content: Path | None) -> None:
    """Serve the site: the mirrored docs, or the bundled ones without a mirror."""
    use_content(content)
    if content is not None:
        os.environ.setdefault("KINFOLK_REFRESH_S", PREVIEW_REFRESH_S)
    os.environ.setdefault("KINFOLK_ORIGIN", f"http://{host}:{port}")
    import structlog

    from kinfolk.web.processes.server import serve_site

    settings = process_settings()
    try:
        serve_site(settings, host=host, port=port, workers=workers)
    except SiteError as wrong:
        if settings.log != "json":
            raise
        # The error is in the log, in its format, because a log collector does not read the console.
        structlog.get_logger(__name__).critical("server did not start", reason=wrong.message)
        sys.exit(1)


@main.command()
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
    from kinfolk.config.docs_address import Ref
    from kinfolk.content.sources.git.sync_progress import RepoDone, SyncEvent, SyncFailed, draw_progress
    from kinfolk.site.content_source import mirror_source, mirrored_refs
    from kinfolk.site.site import open_site

    settings = process_settings()
    catalog = load_catalog(settings.site)
    chosen = [catalog.library(id) for id in libraries]
    mirrored = mirrored_refs(settings, catalog)
    refs = {
        Ref(library.content_repo, version.branch)
        for library in chosen or catalog.libraries
        for version in library.versions
    }
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
        _highlight(open_site(settings))
        with progress.console.status("Reading dates and authors of all pages"):
            source.fetch_history(refs)
    if failed:
        raise click.ClickException("Some repositories could not be fetched. Their last good version is still served.")


@main.command()
@content_option("Highlight the docs in this directory instead of the mirrored or bundled ones.")
def highlight(content: Path | None) -> None:
    """Highlight all code of the site in advance. Highlighted code is stored."""
    from kinfolk.site.site import open_site

    use_content(content)
    site = open_site(process_settings())
    if site.highlighter is None:
        raise click.ClickException("The highlighter is missing: run `make build`, and set KINFOLK_HIGHLIGHT=on")
    _highlight(site)


def _highlight(site: Site) -> None:
    """Highlight the remaining code, with a progress bar. Does nothing when highlighting is off."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    highlighter, docs = site.highlighter, site.publisher.reader()
    if highlighter is None:
        return
    started = time.perf_counter()
    highlighter.start()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        pages = sum(len(docs.pages(ref)) for ref in docs.branches())
        bar = progress.add_task("Highlighting pages", total=pages)
        highlighter.warm(lambda: site.sections(on_page=lambda: progress.advance(bar)))
        while not highlighter.wait_until_idle(0.2):
            pass  # a short timeout, so that Ctrl-C is handled
        progress.update(bar, completed=pages)
    took = time.perf_counter() - started
    count = highlighter.highlighted_count
    click.echo(f"{highlighter.stored_count} snippets are highlighted, {count} of them now, in {took:.1f} s")
    for fault, count in sorted(highlighter.faults().items()):
        click.echo(f"{count} stay plain: V8 {fault}")
    highlighter.close()


@main.command()
@content_option("Check the docs in this directory instead of those that the site serves.")
@click.option("--json", "as_json", is_flag=True, help="Write the faults of the docs as JSON, with low priority.")
def check(content: Path | None, as_json: bool) -> None:
    """Check the files of the site and every link, image and navigation entry of the docs, mirrored ones included."""
    if as_json:
        _check_served()
        return
    from kinfolk.cli.check.content_check import check_content, check_served_content, with_local_paths
    from kinfolk.site.configuration_check import configuration_faults
    from kinfolk.site.site import open_catalog

    settings = process_settings()
    faults = configuration_faults(settings.site, settings.frontend)
    summary = "The files of the site are valid"
    if not faults:
        report = check_content(settings, content) if content else check_served_content(settings)
        catalog = open_catalog(settings)
        faults.extend(with_local_paths(fault, settings, catalog) for fault in report.faults)
        for warning in report.warnings:
            click.echo(f"warning: {warning.message}", err=True)
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


@main.command()
@click.option("--check", "only_check", is_flag=True, help="Fail instead of writing when a file is stale.")
def generate(only_check: bool) -> None:
    """Write the frontend's client and docs/configuration.md from the models in Python."""
    from kinfolk.api.all_functions import NAMED, registry
    from kinfolk.api.typescript import typescript
    from kinfolk.cli.generate.configuration_reference import configuration_reference

    for path, text in ((CLIENT, typescript(registry, NAMED)), (CONFIGURATION, configuration_reference())):
        name = path.relative_to(ROOT)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            click.echo(f"{name} is up to date")
            continue
        if only_check:
            raise click.ClickException(f"{name} is stale: run `make generate`")
        fresh = path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
        click.echo(f"Wrote {name}")


@main.group(invoke_without_command=True)
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
    from kinfolk.search.docs_index.index_build import BuildProgress, build, only_builder
    from kinfolk.site.site import open_searchable_content

    folder = settings.var / "search"
    with only_builder(folder):
        build(folder, open_searchable_content(settings), BuildProgress(on_start, on_group))


def _count_records(settings: Settings) -> int:
    from kinfolk.search.docs_index.generations import own_copy
    from kinfolk.search.engine.tantivy_index import TantivyIndex
    from kinfolk.search.ranking_config import load_ranking_config

    with own_copy(settings.var / "search") as (_, copy):
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
    from kinfolk.site.site import open_site, site_index_name

    use_content(content)
    settings = process_settings()
    client = client_of(settings.search_app_id, settings.search_admin_key, settings.search_hosts)
    site = open_site(settings)
    if site.search is not None:
        with Console(stderr=True).status("Updating the index"):
            site.search.try_update()
    own = site_index_name(site.catalog)
    handle = site.algolia.indexes.find(own)
    if handle is None or handle.rules is None:
        raise click.ClickException("There is no index to push: the search is turned off")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("Pushing records", total=handle.index.count)
        push_index(handle.index, handle.rules, name or own, client=client, on_record=lambda: progress.advance(bar))
    click.echo(f"{handle.index.count} records are in {name or own} at {', '.join(settings.search_hosts)}")


@main.command()
@click.option("--days", type=click.IntRange(1, 90), default=30, show_default=True, help="Number of days.")
@click.option("--most", type=click.IntRange(min=1), default=20, show_default=True, help="Number of texts in a table.")
def searches(days: int, most: int) -> None:
    """Show what people have searched for: counts by text and by day, without identities."""
    from rich.console import Console
    from rich.table import Table

    from kinfolk.config.catalog import load_catalog
    from kinfolk.site.site import open_algolia_api, open_database, site_index_name, upgrade_database

    settings = process_settings()
    database = open_database(settings)
    upgrade_database(database, settings)
    protocol = open_algolia_api(settings, database, {})
    report = protocol.query_log.report(site_index_name(load_catalog(settings.site)), days=days, most=most)
    protocol.close()
    database.close()
    console = Console()
    for title, texts in (("Searches", report.texts), ("Searches without results", report.without_result)):
        table = Table("Text", title=f"{title}, {report.first} to {report.last}")
        for column in ("Searches", "Found nothing", "Clicks", "Place clicked"):
            table.add_column(column, justify="right")
        for each in texts:
            place = f"{each.place:.1f}" if each.place is not None else ""
            table.add_row(each.text, str(each.searches), str(each.without_result), str(each.clicks), place)
        console.print(table)
    table = Table("Day", title="By day")
    for column in ("Searches", "Found nothing", "Clicks"):
        table.add_column(column, justify="right")
    for day in report.days:
        table.add_row(str(day.day), str(day.searches), str(day.without_result), str(day.clicks))
    console.print(table)
    table = Table("Place", title="Opened at")
    table.add_column("Clicks", justify="right")
    for clicked in report.places:
        table.add_row(str(clicked.place), str(clicked.clicks))
    console.print(table)


@main.command()
@click.argument("path")
@click.option("--head", is_flag=True, help="Print the status and the headers too.")
def get(path: str, head: bool) -> None:
    """Print a page from a request inside this process."""
    import asyncio

    import httpx

    from kinfolk.web.app import create_app

    async def request_page() -> httpx.Response:
        app = create_app(process_settings())
        async with (
            app.running(),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk") as client,
        ):
            return await client.get(path)

    started = time.perf_counter()
    response = asyncio.run(request_page())
    if head:
        click.echo(f"{response.status_code} in {(time.perf_counter() - started) * 1000:.0f} ms", err=True)
        for name, value in response.headers.items():
            click.echo(f"{name}: {value}", err=True)
    click.echo(response.text)
    sys.exit(0 if response.is_success or response.is_redirect else 1)


@main.command()
def settings() -> None:
    """List all settings with their current values."""
    for setting in SETTINGS:
        value = os.environ.get(setting.name) or setting.default
        shown = "(hidden)" if setting.secret and value else value
        click.echo(f"{setting.name:26} {shown}\n    {setting.help}")

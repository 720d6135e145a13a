"""The `kinfolk` command. Each of its subcommands is a function here; what they need is imported when they run."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kinfolk.errors import BadFact, SiteError
from kinfolk.settings import ROOT, SETTINGS, settings_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from kinfolk.settings import Settings
    from kinfolk.site import Site

GENERATED = ROOT / "frontend/src/api/generated.ts"
PREVIEW_REFRESH_S = "2"
"""With --content someone is writing: their next save should be on the page when they look."""


class _Friendly(click.Group):
    """Says what is wrong in one line instead of a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SiteError as wrong:
            raise click.ClickException(wrong.message) from wrong


@click.group(cls=_Friendly)
def main() -> None:
    """One website for a family of open-source libraries."""
    from kinfolk.web.logs import set_up_logs

    set_up_logs(settings_here().log)


def content_option(help: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """`--content DIR`, which commands hand to `read_from`."""
    return click.option("--content", type=click.Path(exists=True, file_okay=False, path_type=Path), help=help)


def read_from(content: Path | None) -> None:
    """Take docs from this directory, where there is one. Worker processes are told by the environment too."""
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
    """Serve the site: the mirror where there is one, else the bundled docs."""
    read_from(content)
    if content is not None:
        os.environ.setdefault("KINFOLK_REFRESH_S", PREVIEW_REFRESH_S)
    os.environ.setdefault("KINFOLK_ORIGIN", f"http://{host}:{port}")
    import structlog

    from kinfolk.web.serve import serve_site

    settings = settings_here()
    try:
        serve_site(settings, host=host, port=port, workers=workers)
    except SiteError as wrong:
        if settings.log != "json":
            raise
        # Whatever reads the log of a server reads this too.
        structlog.get_logger(__name__).critical("server did not start", reason=wrong.message)
        sys.exit(1)


@main.command()
@click.option(
    "--from",
    "template",
    metavar="URL_TEMPLATE",
    help="Where to fetch from, such as file:///mirrors/{owner}/{repo}.git",
)
@click.argument("libraries", nargs=-1)
def sync(template: str | None, libraries: tuple[str, ...]) -> None:
    """Mirror the repositories that the registry names (only those of LIBRARIES, where given)."""
    if template:
        os.environ["KINFOLK_UPSTREAM"] = template
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.catalog import load_catalog
    from kinfolk.site import mirror_source, open_site
    from kinfolk.sources.progress import RepoDone, SyncEvent, SyncFailed, track
    from kinfolk.sources.snapshot import Ref

    settings = settings_here()
    catalog = load_catalog(settings.data)
    chosen = [catalog.library(id) for id in libraries]
    refs = {Ref(library.repo, version.branch) for library in chosen for version in library.versions} or None
    failed: list[SyncEvent] = []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[status]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    show = track(progress)

    def tell(event: SyncEvent) -> None:
        show(event)
        if isinstance(event, SyncFailed) or (isinstance(event, RepoDone) and event.outcome == "failed"):
            failed.append(event)

    source = mirror_source(settings, catalog, on_progress=tell)
    with progress:
        snapshot = source.refresh(refs)
    click.echo(f"{len(snapshot.trees)} of {len(catalog.refs())} branches are mirrored in {settings.mirror}")
    if snapshot.trees:
        _highlight(open_site(settings))
        with progress.console.status("Reading when each page was written, and by whom"):
            source.look_back(refs)
    if failed:
        raise click.ClickException("Not everything could be fetched; what was good before is still served")


@main.command()
@content_option("Highlight the docs in this directory instead of the mirrored or bundled ones.")
def highlight(content: Path | None) -> None:
    """Highlight all code of the docs, so that no reader meets it plain. What is highlighted stays so."""
    from kinfolk.site import open_site

    read_from(content)
    site = open_site(settings_here())
    if site.highlighter is None:
        raise click.ClickException("There is nothing to highlight with: run `make build`, and set KINFOLK_HIGHLIGHT=on")
    _highlight(site)


def _highlight(site: Site) -> None:
    """Highlight what is not highlighted yet, with a progress bar. Nothing, where code stays plain."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    highlighter, docs = site.highlighter, site.editions.docs
    if highlighter is None:
        return
    started = time.perf_counter()
    highlighter.start()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        pages = sum(len(docs.pages(ref)) for ref in docs.shelves)
        bar = progress.add_task("Highlighting pages", total=pages)
        highlighter.warm(lambda: site.sections(on_page=lambda: progress.advance(bar)))
        while not highlighter.settle(0.2):
            pass  # Ctrl-C is heard between two looks
        progress.update(bar, completed=pages)
    took = time.perf_counter() - started
    click.echo(f"{highlighter.kept} snippets are highlighted, {highlighter.made} of them now, in {took:.1f} s")
    for fault, count in sorted(highlighter.faults().items()):
        click.echo(f"{count} stay plain: V8 {fault}")
    highlighter.close()


@main.command()
@content_option("Check the docs in this directory instead of the bundled ones.")
def check(content: Path | None) -> None:
    """Check the facts in data/ and every link, image and navigation entry of the docs."""
    from kinfolk.catalog import catalog_errors, load_catalog
    from kinfolk.checks import check_docs
    from kinfolk.landing import landing_errors
    from kinfolk.palette import load_palette
    from kinfolk.redirects import redirect_errors
    from kinfolk.search.rules import rule_errors
    from kinfolk.sponsors import sponsor_errors

    settings = settings_here()
    faults: list[BadFact] = [
        *catalog_errors(settings.data),
        *redirect_errors(settings.data),
        *rule_errors(settings.data),
        *sponsor_errors(settings.data),
    ]
    looked = "The facts fit together"
    if not faults:
        catalog = load_catalog(settings.data)
        load_palette(settings.data, catalog)
        faults.extend(landing_errors(settings.data, catalog))
        report = check_docs(settings, content or settings.content)
        faults.extend(report.faults)
        looked = f"{report.pages} pages with {report.links} links: nothing is broken"
    for fault in faults:
        click.echo(fault.message)
    if faults:
        raise click.ClickException("1 fault" if len(faults) == 1 else f"{len(faults)} faults")
    click.echo(looked)


@main.command()
@click.option("--check", "only_check", is_flag=True, help="Fail instead of writing when the file is stale.")
def generate(only_check: bool) -> None:
    """Write the frontend's client from the functions in Python."""
    from kinfolk.functions import NAMED, registry
    from kinfolk.typescript import typescript

    text = typescript(registry, NAMED)
    if GENERATED.exists() and GENERATED.read_text() == text:
        click.echo("The client is up to date")
        return
    if only_check:
        raise click.ClickException(f"{GENERATED.relative_to(ROOT)} is stale: run `make generate`")
    fresh = GENERATED.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(GENERATED)
    click.echo(f"Wrote {GENERATED.relative_to(ROOT)}")


@main.group(invoke_without_command=True)
@content_option("Index the docs in this directory instead of the mirrored or bundled ones.")
@click.option("--background", is_flag=True, help="Step back for everything else on the machine, and show nothing.")
@click.option("--supervised", is_flag=True, hidden=True, help="End with the standard input; a byte out is progress.")
@click.pass_context
def index(ctx: click.Context, content: Path | None, background: bool, supervised: bool) -> None:
    """Make the index that the search looks into. What has not changed since the last time stays."""
    if ctx.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.search.apart import KINDNESS, end_with_parent

    if supervised:
        end_with_parent()
    if background:
        os.nice(KINDNESS)
    read_from(content)
    settings = settings_here()
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
    """Build, alone among all processes."""
    from kinfolk.search.build import Watch, build, only_builder
    from kinfolk.site import site_words

    folder = settings.var / "search"
    with only_builder(folder):
        build(folder, site_words(settings), Watch(on_start, on_group))


def _count_records(settings: Settings) -> int:
    from kinfolk.search.engine import TantivyIndex
    from kinfolk.search.publication import own_copy
    from kinfolk.search.rules import load_rules

    with own_copy(settings.var / "search") as (_, copy):
        return TantivyIndex(copy, load_rules(settings.data).settings).count


@index.command()
@content_option("Push the docs in this directory instead of the mirrored or bundled ones.")
@click.option("--as", "name", metavar="INDEX", help="What the index is called there; by default as here.")
def push(content: Path | None, name: str | None) -> None:
    """Fill the hosted index that KINFOLK_SEARCH_HOSTS names with ours."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from kinfolk.search.push import client_of
    from kinfolk.search.push import push as push_index
    from kinfolk.site import docs_index, open_site

    read_from(content)
    settings = settings_here()
    client = client_of(settings.search_app_id, settings.search_admin_key, settings.search_hosts)
    site = open_site(settings)
    if site.search is not None:
        with Console(stderr=True).status("Making the index current"):
            site.search.keep()
    own = docs_index(site.catalog)
    shelf = site.protocol.indexes.find(own)
    if shelf is None or shelf.rules is None:
        raise click.ClickException("There is no index to push: the search is turned off")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("Pushing records", total=shelf.index.count)
        push_index(shelf.index, shelf.rules, name or own, client=client, on_record=lambda: progress.advance(bar))
    click.echo(f"{shelf.index.count} records are in {name or own} at {', '.join(settings.search_hosts)}")


@main.command()
@click.option("--days", type=click.IntRange(1, 90), default=30, show_default=True, help="How far back to look.")
@click.option("--most", type=click.IntRange(min=1), default=20, show_default=True, help="How many texts to show.")
def searches(days: int, most: int) -> None:
    """Show what people have searched for: counts by text and by day, without anybody's identity."""
    from rich.console import Console
    from rich.table import Table

    from kinfolk.catalog import load_catalog
    from kinfolk.site import docs_index, open_protocol

    settings = settings_here()
    protocol = open_protocol(settings, {})
    report = protocol.searches.report(docs_index(load_catalog(settings.data)), days=days, most=most)
    protocol.close()
    console = Console()
    for title, texts in (("What people search for", report.texts), ("What finds nothing", report.without_result)):
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

    async def ask() -> httpx.Response:
        app = create_app(settings_here())
        async with (
            app.running(),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk") as client,
        ):
            return await client.get(path)

    started = time.perf_counter()
    response = asyncio.run(ask())
    if head:
        click.echo(f"{response.status_code} in {(time.perf_counter() - started) * 1000:.0f} ms", err=True)
        for name, value in response.headers.items():
            click.echo(f"{name}: {value}", err=True)
    click.echo(response.text)
    sys.exit(0 if response.is_success or response.is_redirect else 1)


@main.command()
def settings() -> None:
    """List what can be set through the environment, with what it is now."""
    for setting in SETTINGS:
        value = os.environ.get(setting.name) or setting.default
        shown = "(hidden)" if setting.secret and value else value
        click.echo(f"{setting.name:26} {shown}\n    {setting.help}")

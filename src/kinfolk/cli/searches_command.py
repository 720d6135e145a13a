"""`kinfolk searches`: what people have searched for, and meanings of queries that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from kinfolk.search.analytics.query_log import SearchReport

LEAST_WITHOUT_RESULTS = 3
LEAST_CLICKS = 10


@click.command()
@click.option("--days", type=click.IntRange(1, 90), default=30, show_default=True, help="Number of days.")
@click.option(
    "--most", type=click.IntRange(min=1), default=20, show_default=True, help="Number of texts in a table, or of lines."
)
@click.option("--suggest", is_flag=True, help="Print lines for meanings/: texts whose results helped no reader.")
@click.option("--learn", is_flag=True, help="Print lines for meanings/: texts whose readers open one lower page.")
@click.option(
    "--least",
    type=click.IntRange(min=1),
    help="Searches below which a text is left out. With --suggest: those without results, by default"
    f" {LEAST_WITHOUT_RESULTS}. With --learn: also its clicks, by default {LEAST_CLICKS}.",
)
@click.option(
    "--least-unclicked",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="With --suggest: searches with results, of a text without clicks, below which it is left out.",
)
@click.option(
    "--majority",
    type=click.IntRange(51, 100),
    default=60,
    show_default=True,
    help="With --learn: percent of the clicks of a text that lead to one page.",
)
def searches(
    *, days: int, most: int, suggest: bool, learn: bool, least: int | None, least_unclicked: int, majority: int
) -> None:
    """Show what people have searched for: counts by text and by day, without identities.

    With --suggest or --learn, print lines of TOML that a maintainer may add to a file of meanings/.
    """
    from kinfolk.cli.meaning_proposals import MeaningProposals
    from kinfolk.config.catalog import load_catalog
    from kinfolk.db.database import open_database
    from kinfolk.search.open_search import open_algolia_api, site_index_name
    from kinfolk.site.site import upgrade_database

    if suggest and learn:
        raise click.UsageError("--suggest and --learn exclude each other")
    settings = process_settings()
    database = open_database(settings)
    upgrade_database(database, settings)
    protocol = open_algolia_api(settings, database, {})
    catalog = load_catalog(settings.site)
    proposals = MeaningProposals(settings, catalog, protocol.query_log, days=days, most=most)
    try:
        if suggest:
            proposals.print_suggested(least=least or LEAST_WITHOUT_RESULTS, least_unclicked=least_unclicked)
        elif learn:
            proposals.print_learned(least=least or LEAST_CLICKS, majority_percent=majority)
        else:
            _print_report(protocol.query_log.report(site_index_name(catalog), days=days, most=most))
    finally:
        protocol.close()
        database.close()


def _print_report(report: SearchReport) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from kinfolk.search.analytics.proposed_meaning import printable

    console = Console()
    for title, texts in (("Searches", report.texts), ("Searches without results", report.without_result)):
        table = Table("Text", title=f"{title}, {report.first} to {report.last}")
        for column in ("Searches", "Found nothing", "Clicks", "Place clicked"):
            table.add_column(column, justify="right")
        for each in texts:
            place = f"{each.place:.1f}" if each.place is not None else ""
            # Anyone can search for the markup of rich, or for escape sequences of terminals.
            text = Text(printable(each.text))
            table.add_row(text, str(each.searches), str(each.without_result), str(each.clicks), place)
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

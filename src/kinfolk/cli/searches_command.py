"""`kinfolk searches`: what people have searched for."""

from __future__ import annotations

import click

from kinfolk.config.settings import process_settings


@click.command()
@click.option("--days", type=click.IntRange(1, 90), default=30, show_default=True, help="Number of days.")
@click.option("--most", type=click.IntRange(min=1), default=20, show_default=True, help="Number of texts in a table.")
def searches(days: int, most: int) -> None:
    """Show what people have searched for: counts by text and by day, without identities."""
    from rich.console import Console
    from rich.table import Table

    from kinfolk.config.catalog import load_catalog
    from kinfolk.db.database import open_database
    from kinfolk.search.open_search import open_algolia_api, site_index_name
    from kinfolk.site.site import upgrade_database

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

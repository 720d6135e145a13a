"""The Atom feed (RFC 4287) of a comparison: an entry for each complete week, with its figures and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from html import escape
from xml.etree import ElementTree as ET

from kinfolk.runtime.atom import EPOCH, TYPE, add_author, add_link, add_text, feed_document, new_feed
from kinfolk.statistics.comparisons.comparison import Comparison
from kinfolk.statistics.comparisons.comparison_chart import ChartSeries, ComparisonChart

WEEKS = 12
"""Entries of a feed."""


@dataclass(frozen=True)
class FeedAddresses:
    """Absolute addresses of the feed, of its page, and the author of the feed."""

    feed: str
    page: str
    author: str


@dataclass(frozen=True)
class _WeekFigure:
    """Downloads of one group in a week, and in the week before if they are known."""

    label: str
    downloads: float
    before: float | None


def feed_comparison(comparison: Comparison) -> Comparison:
    """The comparison whose chart the feed of `comparison` needs: downloads of the same groups by week."""
    return replace(
        Comparison(comparison.groups),
        range="180-days",
        bin="weekly",
        bins="complete",
        fix=comparison.fix,
        without_mirrors=comparison.without_mirrors,
    )


def comparison_feed(chart: ComparisonChart, addresses: FeedAddresses) -> bytes:
    """The feed of the chart of a `feed_comparison`, the newest week first. Sample data has no entries."""
    weeks = [] if chart.sample else list(_weeks(chart))[-WEEKS:]
    feed = new_feed()
    add_text(feed, "id", addresses.feed)
    add_text(feed, "title", f"{chart.title}: weekly downloads from npm")
    add_text(feed, "subtitle", chart.source)
    add_text(feed, "updated", f"{weeks[-1][0]}T00:00:00Z" if weeks else EPOCH)
    add_author(feed, addresses.author)
    add_link(feed, "self", TYPE, addresses.feed)
    add_link(feed, "alternate", "text/html", addresses.page)
    for end, figures in reversed(weeks):
        _add_entry(feed, end, figures, addresses)
    return feed_document(feed)


def _weeks(chart: ComparisonChart) -> Iterator[tuple[date, list[_WeekFigure]]]:
    """The day after each complete week, with the figures of the groups that have data; the oldest week first."""
    if not chart.axis.first:
        return
    first = date.fromisoformat(chart.axis.first)
    for index in range(chart.axis.count):
        figures = [figure for series in chart.series if (figure := _figure(series, index)) is not None]
        if index not in chart.axis.partial and figures:
            yield first + timedelta(weeks=index + 1), figures


def _figure(series: ChartSeries, index: int) -> _WeekFigure | None:
    if index >= len(series.values) or (downloads := series.values[index]) is None:
        return None
    return _WeekFigure(series.label, downloads, series.values[index - 1] if index else None)


def _add_entry(feed: ET.Element, end: date, figures: Sequence[_WeekFigure], addresses: FeedAddresses) -> None:
    ranked = sorted(figures, key=lambda figure: -figure.downloads)
    last_day = end - timedelta(days=1)
    entry = ET.SubElement(feed, "entry")
    add_text(entry, "id", f"{addresses.feed}#{last_day}")
    add_text(entry, "title", f"Week to {last_day}: {ranked[0].label} leads with {ranked[0].downloads:,.0f} downloads")
    add_text(entry, "updated", f"{end}T00:00:00Z")
    add_author(entry, addresses.author)
    add_link(entry, "alternate", "text/html", addresses.page)
    items = "".join(f"<li>{escape(_describe(figure))}</li>" for figure in ranked)
    changes = "".join(f"<p>{escape(change)}</p>" for change in overtakings(ranked))
    add_text(entry, "content", f"<ol>{items}</ol>{changes}", {"type": "html"})


def _describe(figure: _WeekFigure) -> str:
    if not figure.before:
        return f"{figure.label}: {figure.downloads:,.0f}"
    return f"{figure.label}: {figure.downloads:,.0f} ({100 * (figure.downloads / figure.before - 1):+.1f}%)"


def overtakings(ranked: Sequence[_WeekFigure]) -> Iterator[str]:
    """A sentence for each pair of groups whose order differs from the week before. `ranked` is in today's order."""
    for place, ahead in enumerate(ranked):
        for behind in ranked[place + 1 :]:
            if ahead.before is not None and behind.before is not None and ahead.before < behind.before:
                yield f"{ahead.label} is now ahead of {behind.label}."

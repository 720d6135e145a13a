"""The Atom feed (RFC 4287) of a comparison: an entry for each complete week, with its figures and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from html import escape
from xml.etree import ElementTree as ET

from kinfolk.npm.comparison import Comparison
from kinfolk.npm.comparison_chart import ChartSeries, ComparisonChart

TYPE = "application/atom+xml; charset=utf-8"
WEEKS = 12
"""Entries of a feed."""
_ATOM = "http://www.w3.org/2005/Atom"


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
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(feed, "id", addresses.feed)
    _text(feed, "title", f"{chart.title}: weekly downloads from npm")
    _text(feed, "subtitle", chart.source)
    _text(feed, "updated", f"{weeks[-1][0] if weeks else date(1970, 1, 1)}T00:00:00Z")
    _add_author(feed, addresses)
    ET.SubElement(feed, "link", {"rel": "self", "type": TYPE.partition(";")[0], "href": addresses.feed})
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": addresses.page})
    for end, figures in reversed(weeks):
        _add_entry(feed, end, figures, addresses)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}'.encode()


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
    _text(entry, "id", f"{addresses.feed}#{last_day}")
    _text(entry, "title", f"Week to {last_day}: {ranked[0].label} leads with {ranked[0].downloads:,.0f} downloads")
    _text(entry, "updated", f"{end}T00:00:00Z")
    _add_author(entry, addresses)
    ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": addresses.page})
    items = "".join(f"<li>{escape(_describe(figure))}</li>" for figure in ranked)
    changes = "".join(f"<p>{escape(change)}</p>" for change in overtakings(ranked))
    content = ET.SubElement(entry, "content", {"type": "html"})
    content.text = f"<ol>{items}</ol>{changes}"


def _add_author(parent: ET.Element, addresses: FeedAddresses) -> None:
    _text(ET.SubElement(parent, "author"), "name", addresses.author)


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


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = text

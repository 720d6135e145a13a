"""What a chart says in words: the title of its values, its source, and the description for people who do not see it."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from kinfolk.statistics.comparisons.comparison import BinUnit, Comparison
from kinfolk.statistics.comparisons.comparison_chart import BinAxis, ChartSeries, ValueAxis, ValueKind
from kinfolk.statistics.histories.history import DownloadHistory

_UNITS: dict[BinUnit, str] = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
SAMPLE_SOURCE = "Sample data, made up because this site has no counts from npm yet. These are not real downloads."
MAX_DESCRIBED = 6
"""Series that a description names."""


def value_title(comparison: Comparison, kind: ValueKind) -> str:
    """The title of the values, such as "Downloads per week"."""
    unit = _UNITS[comparison.bin]
    match comparison.measure:
        case "cumulative":
            title = "Downloads since the start"
        case "share":
            return f"Share of all downloads from npm per {unit}"
        case "year-over-year":
            return f"Change in downloads per {unit} over a year"
        case "stars":
            title = "Stars on GitHub"
        case "downloads":
            title = f"Downloads per {unit}"
    if is_relative_to_baseline(comparison):
        title += ", relative to the baseline"
    return f"{title}, change since the start" if kind == "signed-percent" else title


def is_relative_to_baseline(comparison: Comparison) -> bool:
    """Whether the values are divided by the growth of baselines. Shares and changes over a year are not."""
    has_counts = comparison.measure in ("downloads", "cumulative", "stars")
    return bool(comparison.baseline) and comparison.normalize_baseline and has_counts


def source_sentence(histories: Collection[DownloadHistory]) -> str:
    """Where the counts come from."""
    if any(history.source == "sample" for history in histories):
        return SAMPLE_SOURCE
    if any(history.source == "github" for history in histories):
        return "Stars that the repositories on GitHub have today, by the day they were given."
    origins = sorted({history.origin for history in histories if history.origin})
    by_npm = "Counted by npm: served packages, builds and mirrors included."
    return f"{by_npm} Some counts come from elsewhere: {'; '.join(origins)}." if origins else by_npm


@dataclass(frozen=True)
class DataNote:
    """The last day with data, if there is any, and whether the data is synthetic."""

    last_day: str | None
    sample: bool


@dataclass(frozen=True)
class _Line:
    """What is said about a series: its first and last complete values, and its change in percent."""

    label: str
    first: float
    last: float
    change: float | None


def chart_summary(
    title: str, axis: BinAxis, value_axis: ValueAxis, series: Sequence[ChartSeries], note: DataNote
) -> str:
    """The description: what is shown and when, who leads, the first and last values, and the largest change.

    Partial bins do not count, unless a series has no other.
    """
    lines = sorted(_lines(axis, value_axis, series), key=lambda line: -line.last)
    if not lines:
        return f"Chart of {title}: no data yet."
    mark = "Sample data, not real counts. " if note.sample else ""
    described = "; ".join(_describe(line, value_axis.kind) for line in lines[:MAX_DESCRIBED])
    more = f"; and {len(lines) - MAX_DESCRIBED} more" if len(lines) > MAX_DESCRIBED else ""
    head = f"{mark}Line chart of {title}. {value_axis.title}, {_period(axis, note)}."
    return f"{head}{_leader(lines, value_axis.kind)} {described}{more}.{_largest_change(lines)}"


def _lines(axis: BinAxis, value_axis: ValueAxis, series: Sequence[ChartSeries]) -> Iterator[_Line]:
    for one in series:
        ends = _ends(one, axis) if one.status == "ready" else None
        if ends:
            first, last = ends
            relative = 100 * (last / first - 1) if first > 0 else None
            yield _Line(one.label, first, last, last if value_axis.kind == "signed-percent" else relative)


def _ends(series: ChartSeries, axis: BinAxis) -> tuple[float, float] | None:
    """The first and the last value; None without any."""
    values, indexes = series.values, range(len(series.values))
    for skipped in (frozenset(axis.partial), frozenset[int]()):
        first = _first_value(values, indexes, skipped)
        last = _first_value(values, reversed(indexes), skipped)
        if first is not None and last is not None:
            return first, last
    return None


def _first_value(values: Sequence[float | None], indexes: Iterable[int], skipped: Container[int]) -> float | None:
    return next((values[index] for index in indexes if values[index] is not None and index not in skipped), None)


def _period(axis: BinAxis, note: DataNote) -> str:
    if axis.aligned:
        return "from the first release of each package"
    return f"{_date(axis.first)} to {_date(note.last_day or axis.first)}"


def _leader(lines: Sequence[_Line], kind: ValueKind) -> str:
    if len(lines) == 1:
        return ""
    leads = "has the highest last value," if kind == "signed-percent" else "leads with"
    return f" {lines[0].label} {leads} {_number(lines[0].last, kind)}."


def _describe(line: _Line, kind: ValueKind) -> str:
    text = f"{line.label}: from {_number(line.first, kind)} to {_number(line.last, kind)}"
    return text if kind == "signed-percent" or line.change is None else f"{text} ({line.change:+,.0f}%)"


def _largest_change(lines: Sequence[_Line]) -> str:
    changes = [(abs(line.change), line.label, line.change) for line in lines if line.change is not None]
    if len(changes) < 2:  # noqa: PLR2004 - the largest of several
        return ""
    _, label, change = max(changes)
    return f" Largest change: {label}, {change:+,.0f}%."


def _number(value: float, kind: ValueKind) -> str:
    if kind == "signed-percent":
        return f"{value:+,.1f}%"
    return f"{value:.3g}%" if kind == "percent" else f"{value:,.0f}"


def _date(day: str) -> str:
    given = date.fromisoformat(day)
    return f"{given:%B} {given.day}, {given.year}"

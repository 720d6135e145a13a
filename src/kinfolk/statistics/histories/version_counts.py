"""Downloads by version: adoption of major versions, and an estimate of what mirrors download.

npm counts the downloads of each version in seven days, and keeps no history of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from statistics import median

import orjson
from sqlalchemy import and_, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_version_weeks
from kinfolk.statistics.histories.history_store import touch_packages
from kinfolk.statistics.statistics_types import MajorVersion, VersionAdoption

MIN_VERSIONS = 20
"""Versions that an estimate needs."""
MAX_WEEKS = 520
MAX_MAJORS = 12
OTHERS = "others"
WEEK_DAYS = 7


def version_adoption(database: Database, package: str) -> VersionAdoption:
    """Shares of the major versions in each recorded week. Raises Unavailable."""
    weeks = npm_version_weeks.c
    query = select(weeks.last_day, weeks.counts).where(weeks.package == package).order_by(weeks.last_day.desc())
    with database.reading() as connection:
        rows = connection.execute(query.limit(MAX_WEEKS)).all()[::-1]
    if not rows:
        return VersionAdoption(package, weeks=(), majors=(), mirror_floor=None, week_total=0)
    recorded = [orjson.loads(row.counts) for row in rows]
    return VersionAdoption(
        package=package,
        weeks=tuple(row.last_day.isoformat() for row in rows),
        majors=major_shares(recorded),
        mirror_floor=mirror_floor(recorded[-1]),
        week_total=sum(recorded[-1].values()),
    )


def put_version_week(
    database: Database, package: str, last_day: date, counts: Mapping[str, int], as_of: datetime
) -> None:
    """Store the downloads by version of the week that ends on `last_day`, with a new revision. Raises Unavailable."""
    values = {"counts": orjson.dumps(dict(counts)).decode(), "as_of": as_of}
    with database.transaction() as connection:
        insert = database.insert(npm_version_weeks).values(package=package, last_day=last_day, **values)
        connection.execute(insert.on_conflict_do_update(index_elements=["package", "last_day"], set_=values))
        touch_packages(database, connection, [package], as_of)


def recorded_weeks(database: Database) -> dict[str, date]:
    """The last day of the newest recorded week of each package. Raises Unavailable."""
    columns = npm_version_weeks.c
    query = select(columns.package, func.max(columns.last_day).label("last_day")).group_by(columns.package)
    with database.reading() as connection:
        return {row.package: row.last_day for row in connection.execute(query)}


def newest_floors(database: Database, packages: Collection[str]) -> dict[str, float]:
    """The downloads a day that mirrors make of these packages, by their newest recorded weeks. Raises Unavailable."""
    columns = npm_version_weeks.c
    newest = (
        select(columns.package, func.max(columns.last_day).label("last_day"))
        .where(columns.package.in_(list(packages)))
        .group_by(columns.package)
        .subquery()
    )
    same = and_(columns.package == newest.c.package, columns.last_day == newest.c.last_day)
    with database.reading() as connection:
        rows = connection.execute(select(columns.package, columns.counts).join(newest, same)).all()
    floors = {row.package: mirror_floor(orjson.loads(row.counts)) for row in rows}
    return {package: floor / WEEK_DAYS for package, floor in floors.items() if floor is not None}


def major_shares(weeks: Sequence[Mapping[str, int]]) -> tuple[MajorVersion, ...]:
    """The share of each major version in percent, the largest of the last week first; small ones together."""
    by_week = [_by_major(counts) for counts in weeks]
    ranked = [major for major, _ in by_week[-1].most_common(MAX_MAJORS)]
    rows = [(major, [week[major] for week in by_week]) for major in ranked]
    rest = [week.total() - sum(week[major] for major in ranked) for week in by_week]
    if any(rest):
        rows.append((OTHERS, rest))
    totals = [week.total() for week in by_week]
    return tuple(
        MajorVersion(major, tuple(_percent(count, total) for count, total in zip(counts, totals, strict=True)))
        for major, counts in rows
    )


def mirror_floor(counts: Mapping[str, int]) -> int | None:
    """The downloads in a week that mirrors and robots made; None with fewer than MIN_VERSIONS versions.

    Mirrors fetch every version about equally often, readers fetch few of them. The median of the lower half of the
    counts is what a version gets that no reader installs; all versions get as much from mirrors. The estimate is too
    high for packages of which old versions are in use, and says nothing about single robots.
    """
    if len(counts) < MIN_VERSIONS:
        return None
    lower_half = sorted(counts.values())[: len(counts) // 2]
    return min(round(median(lower_half) * len(counts)), sum(counts.values()))


def _by_major(counts: Mapping[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for version, downloads in counts.items():
        found[version.partition(".")[0]] += downloads
    return found


def _percent(count: int, total: int) -> float | None:
    return round(100 * count / total, 2) if total else None

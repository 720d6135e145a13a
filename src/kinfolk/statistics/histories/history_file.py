"""Stored histories as one file: to carry counts to a site without a network, and to keep them (JSON lines).

{"format": "kinfolk-npm-history", "version": 1}
{"package": "react", "source": "npm", "origin": "", "year": 2025, "first": "2025-01-01", "counts": [4123, null, ...],
 "final": false, "as_of": "2025-05-09T00:00:00"}
{"package": "react", "last_day": "2025-05-08", "versions": {"19.1.0": 5123}, "as_of": "2025-05-09T00:00:00"}
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import numpy as np
import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError
from sqlalchemy import select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_state, npm_version_weeks
from kinfolk.runtime.errors import InvalidFile
from kinfolk.statistics.histories.history import FIRST_DAY, NO_COUNT
from kinfolk.statistics.histories.history_store import HistoryStore, YearCounts, year_array
from kinfolk.statistics.histories.version_counts import put_version_week
from kinfolk.statistics.importing.downloads_api import MAX_VERSIONS, Count
from kinfolk.statistics.package_name import is_package_name

BUNDLED_FILE = "npm-history.ndjson"
"""The file of `` that a new database is filled from."""
FORMAT, VERSION = "kinfolk-npm-history", 1
MAX_BYTES = 64 << 20
MAX_LINE_BYTES = 1 << 20
_BATCH = 50
"""Years that are stored in one transaction."""


def _valid_name(name: str) -> str:
    if name and not is_package_name(name):
        raise ValueError("must be the name of a package")
    return name


def _in_utc(time: datetime) -> datetime:
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)


Name = Annotated[str, AfterValidator(_valid_name)]
Time = Annotated[datetime, AfterValidator(_in_utc)]
Line = TypeVar("Line")
_STRICT = ConfigDict(extra="forbid")


class _Header(BaseModel):
    model_config = _STRICT
    format: Literal["kinfolk-npm-history"]
    version: Literal[1]


class _Year(BaseModel):
    model_config = _STRICT
    package: Name
    source: Literal["npm", "file"]
    origin: Annotated[str, Field(max_length=1000)] = ""
    year: Annotated[int, Field(ge=FIRST_DAY.year, le=9998)]
    first: date
    counts: Annotated[tuple[Count | None, ...], Field(min_length=1, max_length=366)]
    final: bool = False
    as_of: Time


class _VersionWeek(BaseModel):
    model_config = _STRICT
    package: Name
    last_day: date
    versions: Annotated[dict[Annotated[str, Field(max_length=256)], Count], Field(max_length=MAX_VERSIONS)]
    as_of: Time


_HEADER = TypeAdapter(_Header)
_LINE: TypeAdapter[_Year | _VersionWeek] = TypeAdapter(
    Annotated[
        Annotated[_Year, Tag("year")] | Annotated[_VersionWeek, Tag("week")],
        Discriminator(lambda line: "week" if isinstance(line, dict) and "versions" in line else "year"),
    ]
)


def export_history(database: Database, file: Path) -> int:
    """Write all real counts and downloads by version. Returns the number of lines. Raises Unavailable and OSError.

    The file is complete or unchanged.
    """
    fresh = file.with_name(f"{file.name}.new")
    lines = 0
    try:
        with fresh.open("wb") as written:
            for line in _lines(database):
                written.write(line + b"\n")
                lines += 1
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return lines - 1


def import_history(database: Database, file: Path) -> int:
    """Store the counts of a file; those that were fetched later than the file's stay. Returns the number of lines.

    A file is stored only if all of its lines are valid. Raises InvalidFile, which names the line, and Unavailable.
    """
    lines = list(_parsed_lines(file))
    store = HistoryStore(database)
    years = [_year_counts(line) for line in lines if isinstance(line, _Year)]
    stored = {(one.package, one.year, one.source): one.as_of for one in store.all_years()}
    newer = [one for one in years if stored.get((one.package, one.year, one.source), one.as_of) <= one.as_of]
    for at in range(0, len(newer), _BATCH):
        store.put(newer[at : at + _BATCH])
    for line in lines:
        if isinstance(line, _VersionWeek):
            put_version_week(database, line.package, line.last_day, line.versions, line.as_of)
    return len(lines)


def load_bundled_history(database: Database, site: Path) -> bool:
    """Import the file of ``, once for each version of it. Whether it was. Raises InvalidFile and Unavailable."""
    file = site / BUNDLED_FILE
    if not file.exists():
        return False
    name, digest = "bundled_history", blake2b(file.read_bytes(), digest_size=16).hexdigest()
    with database.reading() as connection:
        if connection.scalar(select(npm_state.c.value).where(npm_state.c.name == name)) == digest:
            return False
    import_history(database, file)
    with database.transaction() as connection:
        insert = database.insert(npm_state).values(name=name, value=digest)
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"value": digest}))
    return True


def _lines(database: Database) -> Iterator[bytes]:
    yield orjson.dumps({"format": FORMAT, "version": VERSION})
    for year in HistoryStore(database).all_years():
        yield _year_line(year)
    with database.reading() as connection:
        weeks = connection.execute(
            select(npm_version_weeks).order_by(npm_version_weeks.c.package, npm_version_weeks.c.last_day)
        )
        for row in weeks:
            versions = orjson.loads(row.counts)
            yield orjson.dumps(
                {"package": row.package, "last_day": row.last_day, "versions": versions, "as_of": row.as_of}
            )


def _year_line(year: YearCounts) -> bytes:
    known = np.flatnonzero(year.counts != NO_COUNT)
    first, last = (int(known[0]), int(known[-1])) if known.size else (0, 0)
    counts = [None if count == NO_COUNT else count for count in year.counts[first : last + 1].tolist()]
    return orjson.dumps(
        {
            "package": year.package,
            "source": year.source,
            "origin": year.origin,
            "year": year.year,
            "first": date.fromordinal(date(year.year, 1, 1).toordinal() + first),
            "counts": counts,
            "final": year.final,
            "as_of": year.as_of,
        }
    )


def _parsed_lines(file: Path) -> Iterator[_Year | _VersionWeek]:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise InvalidFile(file.name, "", f"is longer than {MAX_BYTES >> 20} MB")
        lines = file.read_bytes().splitlines()
    except OSError as wrong:
        raise InvalidFile(file.name, "", f"cannot be read: {wrong.strerror}") from wrong
    if not lines:
        raise InvalidFile(file.name, "", "is empty")
    _validated(file, 1, _HEADER, lines[0])
    for number, line in enumerate(lines[1:], 2):
        found = _validated(file, number, _LINE, line)
        if isinstance(found, _Year):
            _check_year(file, number, found)
        yield found


def _validated(file: Path, number: int, adapter: TypeAdapter[Line], line: bytes) -> Line:
    if len(line) > MAX_LINE_BYTES:
        raise InvalidFile(file.name, f"line {number}", f"is longer than {MAX_LINE_BYTES >> 20} MB")
    try:
        return adapter.validate_json(line)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidFile(file.name, f"line {number}", f"{where}: {first['msg']}" if where else first["msg"]) from wrong


def _check_year(file: Path, number: int, year: _Year) -> None:
    last = year.first + timedelta(days=len(year.counts) - 1)
    if year.first < FIRST_DAY or not year.first.year == last.year == year.year:
        raise InvalidFile(file.name, f"line {number}", f"has days from {year.first} to {last}, not of {year.year}")


def _year_counts(line: _Year) -> YearCounts:
    counts = year_array(line.year)
    offset = line.first.timetuple().tm_yday - 1
    counts[offset : offset + len(line.counts)] = [NO_COUNT if count is None else count for count in line.counts]
    return YearCounts(line.package, line.year, line.source, counts, line.as_of, line.origin, line.final)

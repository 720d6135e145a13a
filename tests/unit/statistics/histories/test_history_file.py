"""Export and import of stored histories as a file."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest
from tests.inputs.npm_histories import real_histories
from tests.sites.sample_site import SITE

from kinfolk.db.database import Database
from kinfolk.runtime.errors import InvalidFile
from kinfolk.statistics.histories.history import NO_COUNT
from kinfolk.statistics.histories.history_file import BUNDLED_FILE, export_history, import_history, load_bundled_history
from kinfolk.statistics.histories.history_store import HistoryStore, YearCounts, year_array
from kinfolk.statistics.histories.version_counts import put_version_week, version_adoption

AS_OF = datetime(2026, 11, 22, 6)  # noqa: DTZ001 - as the database stores times
HEADER = '{"format": "kinfolk-npm-history", "version": 1}'
LINE = {
    "package": "react", "source": "npm", "origin": "", "year": 2025, "first": "2025-03-01", "counts": [1, None, 3],
    "final": True, "as_of": "2026-11-22T06:00:00",
}  # fmt: skip


def write(file: Path, *lines: object) -> Path:
    file.write_text("\n".join([HEADER, *(line if isinstance(line, str) else json.dumps(line) for line in lines)]))
    return file


def stored(database: Database) -> list[tuple[object, ...]]:
    years = HistoryStore(database).all_years()
    return [(y.package, y.year, y.source, y.counts.tolist(), y.as_of, y.origin, y.final) for y in years]


def test_a_file_carries_everything_to_another_database(
    database: Database, sqlite_database: Database, tmp_path: Path
) -> None:
    counts = year_array(2024)
    counts[10:300] = np.arange(290)
    counts[20] = NO_COUNT
    empty = YearCounts("quiet", 2024, "npm", year_array(2024), AS_OF)
    HistoryStore(database).put(
        [YearCounts("@a/b", 2024, "npm", counts, AS_OF, final=True), YearCounts("", 2024, "file", counts, AS_OF, "x")]
    )
    put_version_week(database, "@a/b", date(2026, 11, 21), {"1.0.0": 5, "2.0.0": 15}, AS_OF)
    file = tmp_path / "history.ndjson"
    assert export_history(database, file) == 3
    assert import_history(sqlite_database, file) == 3
    assert stored(sqlite_database) == stored(database)
    assert version_adoption(sqlite_database, "@a/b").week_total == 20
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("history")] == ["history.ndjson"]
    HistoryStore(database).put([empty])
    assert export_history(database, file) == 4
    import_history(sqlite_database, file)
    assert stored(sqlite_database) == stored(database)


def test_newer_counts_of_the_database_stay(database: Database, tmp_path: Path) -> None:
    file = write(tmp_path / "f", LINE)
    import_history(database, file)
    import_history(database, write(tmp_path / "g", LINE | {"as_of": "2026-11-20T06:00:00Z", "counts": [9]}))
    ((*_, counts, as_of, _, final),) = stored(database)
    assert isinstance(counts, list)
    assert counts[58:63] == [NO_COUNT, 1, NO_COUNT, 3, NO_COUNT]
    assert (as_of, final) == (AS_OF, True)
    import_history(database, write(tmp_path / "h", LINE | {"as_of": "2026-11-23T06:00:00+02:00", "counts": [9]}))
    ((*_, counts, as_of, _, _),) = stored(database)
    assert isinstance(counts, list)
    assert counts[59:62] == [9, NO_COUNT, NO_COUNT]
    assert as_of == datetime(2026, 11, 23, 4)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 3"),
        ("[]", "line 3"),
        (LINE | {"package": "../etc"}, "must be the name of a package"),
        (LINE | {"source": "sample"}, "source"),
        (LINE | {"year": 2024}, "has days from 2025-03-01 to 2025-03-03, not of 2024"),
        (LINE | {"first": "2025-12-31"}, "not of 2025"),
        (LINE | {"first": "2015-01-09", "year": 2015}, "not of 2015"),
        (LINE | {"counts": []}, "counts"),
        (LINE | {"counts": [-1]}, "counts"),
        (LINE | {"counts": [1] * 367}, "counts"),
        (LINE | {"as_of": "yesterday"}, "as_of"),
        (LINE | {"more": 1}, "more"),
        ({"package": "react", "last_day": "2026-11-21", "versions": {"1.0.0": -5}, "as_of": "2026-11-22"}, "versions"),
    ],
)
def test_a_file_with_an_invalid_line_changes_nothing(
    sqlite_database: Database, tmp_path: Path, line: object, reason: str
) -> None:
    with pytest.raises(InvalidFile, match=reason) as refused:
        import_history(sqlite_database, write(tmp_path / "history.ndjson", LINE, line))
    assert refused.value.message.startswith("history.ndjson: line 3: ")
    assert stored(sqlite_database) == []


@pytest.mark.parametrize("content", ["", "\n", '{"format": "other", "version": 1}', HEADER.replace("1", "2"), "\x00"])
def test_another_file_is_refused(sqlite_database: Database, tmp_path: Path, content: str) -> None:
    file = tmp_path / "f"
    file.write_text(content)
    with pytest.raises(InvalidFile):
        import_history(sqlite_database, file)
    with pytest.raises(InvalidFile, match="cannot be read: No such file"):
        import_history(sqlite_database, tmp_path / "absent")


def test_the_bundled_file_is_loaded_once(database: Database, tmp_path: Path) -> None:
    assert not load_bundled_history(database, tmp_path)
    write(tmp_path / BUNDLED_FILE, LINE)
    assert load_bundled_history(database, tmp_path)
    assert not load_bundled_history(database, tmp_path)
    write(tmp_path / BUNDLED_FILE, LINE, LINE | {"package": "vue"})
    assert load_bundled_history(database, tmp_path)
    assert HistoryStore(database).stored_packages() == {"react", "vue"}


def test_the_bundled_file_has_the_real_counts(sqlite_database: Database) -> None:
    assert load_bundled_history(sqlite_database, SITE)
    real = real_histories()
    histories = HistoryStore(sqlite_database).histories(list(real))
    assert len(histories) == 14
    for name, history in histories.items():
        assert (history.source, history.first) == ("file", real[name].first)
        assert history.origin.startswith("npm's downloads API")
        assert history.counts.tolist() == real[name].counts.tolist()

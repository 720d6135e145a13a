"""Records in the order of their ranks."""

from __future__ import annotations

import pytest

from kinfolk.search.engine import ranked_records as module
from kinfolk.search.engine.ranked_records import ranked_records
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import IndexSettings

SETTINGS = IndexSettings(custom_ranking=("desc(weight)",))


def test_records_are_sorted_by_rank_and_then_by_their_order() -> None:
    records: list[Record] = [
        {"objectID": id, "weight": weight} for id, weight in (("a", 1), ("b", 3), ("c", 1), ("d", 2))
    ]
    assert [record["objectID"] for record in ranked_records(records, SETTINGS)] == ["b", "d", "a", "c"]


def test_last_record_of_an_id_replaces_the_others() -> None:
    records: list[Record] = [{"objectID": "a", "text": "first"}, {"objectID": "b"}, {"objectID": "a", "text": "last"}]
    assert list(ranked_records(records, SETTINGS)) == [{"objectID": "a", "text": "last"}, {"objectID": "b"}]


def test_records_beyond_the_memory_are_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MEMORY_BYTES", 100)
    records: list[Record] = [{"objectID": str(at), "weight": at % 7, "text": "é" * at} for at in range(50)]
    expected = sorted(records, key=lambda record: -int(str(record["weight"])))
    assert list(ranked_records(records, SETTINGS)) == expected

"""Pushed indexes: they survive restarts, update the engine, and are restored after damage to files."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.servers.captured_logs import captured_logs

from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader
from kinfolk.search.filters import Record
from kinfolk.search.pushed_indexes import PushedIndex, PushedIndexes
from kinfolk.search.pushed_indexes.operations import RecordOperation
from kinfolk.search.query import SearchQuery

PATIENCE_S = 30.0
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
Open = Callable[[], PushedIndexes]


@pytest.fixture
def open_indexes(tmp_path: Path) -> Iterator[Open]:
    """Opens the same folder several times, as several processes do."""
    made: list[PushedIndexes] = []

    def open_one() -> PushedIndexes:
        made.append(PushedIndexes(tmp_path / "pushed", AlgoliaSettingsReader(), now=lambda: NOW))
        return made[-1]

    yield open_one
    for each in made:
        each.close()


@pytest.fixture
def indexes(open_indexes: Open) -> PushedIndexes:
    return open_indexes()


def update(id: str, title: str, **more: object) -> RecordOperation:
    record: Record = {"objectID": id, "title": title, **more}  # type: ignore[dict-item]
    return RecordOperation("updateObject", id, record)


def wait_until_current(indexes: PushedIndexes) -> None:
    """Wait until the engine is current, as `getTask` does."""
    indexes.start()
    assert indexes.wait_until_current(PATIENCE_S)


def search_ids(indexes: PushedIndexes, text: str = "", name: str = "meals") -> list[str]:
    index = indexes.find(name)
    assert index is not None
    return sorted(hit.id for hit in index.search(SearchQuery(text)).hits)


def folders(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "pushed").iterdir() if path.is_dir()]


@pytest.fixture
def meals(indexes: PushedIndexes) -> PushedIndex:
    indexes.named("meals").apply([update("1", "Onion soup"), update("2", "Apple pie")])
    wait_until_current(indexes)
    index = indexes.find("meals")
    assert index is not None
    return index


def test_pushed_records_are_found_when_the_task_is_done(indexes: PushedIndexes) -> None:
    task = indexes.named("meals").apply([update("1", "Onion soup")])
    assert indexes.named("meals").get(["1", "2"]) == ({"objectID": "1", "title": "Onion soup"}, None)
    wait_until_current(indexes)
    assert indexes.is_done(task)
    assert search_ids(indexes, "onion") == ["1"]


def test_task_numbers_are_unique_across_indexes(indexes: PushedIndexes) -> None:
    tasks = [indexes.named(name).apply([update("1", "x")]) for name in ("a", "b", "a")]
    assert len(set(tasks)) == 3
    assert indexes.is_done(10_000_000)


def test_changes_and_deletions_reach_the_engine(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.apply([update("1", "Onion tart"), RecordOperation("deleteObject", "2"), update("3", "Cherry pie")])
    wait_until_current(indexes)
    assert (search_ids(indexes), search_ids(indexes, "soup"), search_ids(indexes, "pie")) == (["1", "3"], [], ["3"])


def test_invalid_batch_changes_nothing(indexes: PushedIndexes, meals: PushedIndex) -> None:
    wrong = RecordOperation("partialUpdateObject", "1", {"title": {"_operation": "Explode", "value": 1}})
    with pytest.raises(Invalid):
        meals.apply([update("9", "Never"), wrong])
    assert indexes.named("meals").get(["9"]) == (None,)


def test_engine_settings_rebuild_the_index(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    before = folders(tmp_path)
    meals.set_settings({"attributesForFaceting": ["title"], "searchableAttributes": ["title"]})
    wait_until_current(indexes)
    after = folders(tmp_path)
    assert (len(before), len(after)) == (1, 1)
    assert before != after
    index = indexes.find("meals")
    assert index is not None
    assert index.search(SearchQuery(facets=("title",))).facets["title"] == {"Apple pie": 1, "Onion soup": 1}


def test_display_settings_do_not_rebuild_the_index(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    before = folders(tmp_path)
    task = meals.set_settings({"hitsPerPage": 3})
    wait_until_current(indexes)
    assert (indexes.is_done(task), folders(tmp_path)) == (True, before)


def test_pushed_synonyms_are_applied(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.put_entries("synonyms", {"s": {"objectID": "s", "type": "synonym", "synonyms": ["broth", "soup"]}})
    wait_until_current(indexes)
    assert search_ids(indexes, "broth") == ["1"]


def test_pushed_indexes_survive_a_restart(open_indexes: Open, meals: PushedIndex) -> None:
    assert search_ids(open_indexes(), "apple") == ["2"]


def test_tasks_of_a_dead_process_are_resumed(open_indexes: Open, meals: PushedIndex) -> None:
    # The process ends after the write and before the engine update.
    task = open_indexes().store.apply("meals", [update("3", "Cherry pie")])
    alive = open_indexes()
    assert not alive.is_done(task)
    wait_until_current(alive)
    assert (alive.is_done(task), search_ids(alive, "cherry")) == (True, ["3"])


def test_other_processes_see_writes(open_indexes: Open, indexes: PushedIndexes, meals: PushedIndex) -> None:
    other = open_indexes()
    assert search_ids(other, "cherry") == []
    meals.apply([update("3", "Cherry pie")])
    wait_until_current(indexes)
    assert search_ids(other, "cherry") == ["3"]


@pytest.mark.parametrize("is_open", [False, True])
def test_search_started_before_a_rebuild_succeeds(
    open_indexes: Open, indexes: PushedIndexes, meals: PushedIndex, is_open: bool
) -> None:
    other = open_indexes()
    if is_open:
        assert search_ids(other, "cherry") == []
    meals.apply([update("3", "Cherry pie")])
    wait_until_current(indexes)
    previous_index = other.find("meals")
    assert previous_index is not None
    meals.set_settings({"searchableAttributes": ["title"]})
    wait_until_current(indexes)
    assert [hit.id for hit in previous_index.search(SearchQuery("cherry")).hits] == ["3"]


def test_move_renames_the_index_with_its_records(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    indexes.named("menu").apply([update("9", "Nothing")])
    wait_until_current(indexes)
    meals.move("menu")
    wait_until_current(indexes)
    assert indexes.find("meals") is None
    assert search_ids(indexes, name="menu") == ["1", "2"]
    assert len(folders(tmp_path)) == 1


def test_copy_is_limited_to_the_scope(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.set_settings({"hitsPerPage": 7})
    indexes.copy("meals", "empty", ["settings"])
    indexes.copy("meals", "whole", [])
    indexes.copy("nowhere", "nothing", [])
    wait_until_current(indexes)
    assert [search_ids(indexes, name=name) for name in ("empty", "whole", "nothing")] == [[], ["1", "2"], []]
    assert indexes.named("empty").settings == {"hitsPerPage": 7}


def test_deleted_index_deletes_its_files(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    task = meals.delete()
    assert indexes.wait_until_current(PATIENCE_S)
    assert indexes.find("meals") is None
    assert indexes.is_done(task)
    assert folders(tmp_path) == []
    assert indexes.named("meals").delete() > task


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def delete_metadata(folder: Path) -> None:
    (folder / "meta.json").unlink()


def truncate_files(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def empty_files(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(b"")


@pytest.mark.parametrize("damage", [delete_folder, delete_metadata, truncate_files, empty_files])
def test_damaged_engine_folder_is_rebuilt_from_records(
    open_indexes: Open, meals: PushedIndex, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    (folder,) = folders(tmp_path)
    damage(folder)
    reopened = open_indexes()
    with pytest.raises(Unavailable):
        search_ids(reopened, "onion")
    wait_until_current(reopened)
    assert search_ids(reopened, "onion") == ["1"]


def test_damaged_engine_folder_is_rebuilt_on_write(open_indexes: Open, meals: PushedIndex, tmp_path: Path) -> None:
    (folder,) = folders(tmp_path)
    truncate_files(folder)
    reopened = open_indexes()
    reopened.named("meals").apply([update("3", "Onion pie")])
    wait_until_current(reopened)
    assert search_ids(reopened, "onion") == ["1", "3"]


def overwrite(file: Path, damage: str) -> None:
    """Damage the file of records like a disk failure or a wrong command."""
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    match damage:
        case "deleted":
            file.unlink()
        case "empty":
            file.write_bytes(b"")
        case "zeros":
            file.write_bytes(bytes(file.stat().st_size))
        case "other":
            file.write_bytes(b"This is no database, although it is long enough to be taken for one. " * 50)
        case "without tables":
            file.unlink()
            with closing(sqlite3.connect(file)) as db:
                db.execute("CREATE TABLE other (x)")


DAMAGES = ["deleted", "empty", "zeros", "other", "without tables"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_store_is_reported_and_can_be_replaced(
    open_indexes: Open, meals: PushedIndex, tmp_path: Path, damage: str
) -> None:
    overwrite(tmp_path / "pushed" / "records.sqlite", damage)
    event = "the records of pushed indexes are damaged and kept aside: push the indexes again, then delete the file"
    with captured_logs(event) as lines:
        reopened = open_indexes()
        reopened.start()
        wait_until_current(reopened)
        (damaged_file,) = reopened.damaged
        with pytest.raises(Unavailable, match="push meals again"):
            reopened.find("meals")
    assert damaged_file.name == "records.sqlite.damaged-20261121120000"
    assert [(line["log_level"], line["file"]) for line in lines] == [("error", str(damaged_file))]
    reopened.named("meals").apply([update("5", "Onion bread")])
    wait_until_current(reopened)
    assert search_ids(reopened, "onion") == ["5"]
    with pytest.raises(Unavailable):
        reopened.find("drinks")
    damaged_file.unlink()
    assert (reopened.find("drinks"), reopened.damaged) == (None, ())


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_during_use_is_detected(
    open_indexes: Open, indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path, damage: str
) -> None:
    other = open_indexes()
    assert search_ids(other) == ["1", "2"]
    overwrite(tmp_path / "pushed" / "records.sqlite", damage)
    for one in (indexes, other):
        for _ in range(3):
            with pytest.raises(Unavailable):
                one.find("meals")
    assert indexes.damaged == other.damaged != ()
    indexes.named("meals").apply([update("5", "Onion bread")])
    wait_until_current(indexes)
    assert (search_ids(indexes, "onion"), search_ids(other, "onion")) == (["5"], ["5"])


def test_store_without_identity_is_migrated(open_indexes: Open, meals: PushedIndex, tmp_path: Path) -> None:
    folder = tmp_path / "pushed"
    with closing(sqlite3.connect(folder / "records.sqlite")) as db:
        db.execute("DROP TABLE identity")
    (folder / "records.sqlite-identity").unlink()
    reopened = open_indexes()
    assert (search_ids(reopened), reopened.damaged) == (["1", "2"], ())
    assert (folder / "records.sqlite-identity").exists()


def test_replaced_store_rebuilds_the_engine(open_indexes: Open, meals: PushedIndex, tmp_path: Path) -> None:
    other_indexes = PushedIndexes(tmp_path / "theirs", AlgoliaSettingsReader(), now=lambda: NOW)
    other_indexes.named("meals").apply([update("7", "Onion rings"), update("8", "Tea")])
    wait_until_current(other_indexes)
    other_indexes.close()
    file = tmp_path / "pushed" / "records.sqlite"
    overwrite(file, "deleted")
    shutil.copy(tmp_path / "theirs" / "records.sqlite", file)
    reopened = open_indexes()
    wait_until_current(reopened)
    assert (search_ids(reopened, "onion"), reopened.damaged) == (["7"], ())


def test_new_site_has_no_damage(open_indexes: Open, tmp_path: Path) -> None:
    indexes = open_indexes()
    indexes.start()
    assert (indexes.find("meals"), indexes.damaged, (tmp_path / "pushed").exists()) == (None, (), False)


def test_searches_succeed_during_a_rebuild(indexes: PushedIndexes, meals: PushedIndex) -> None:
    indexes.named("meals").apply([update(str(at), f"Soup number {at}") for at in range(10, 400)])
    counts: list[int] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            counts.append(len(search_ids(indexes, "onion")))

    reader = threading.Thread(target=search)
    reader.start()
    for at in range(3):
        indexes.named("meals").set_settings({"searchableAttributes": ["title", f"other{at}"]})
        wait_until_current(indexes)
    stop.set()
    reader.join()
    assert set(counts) == {1}

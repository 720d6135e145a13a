"""Pushed indexes: durable, in step with the engine, and whole again after whatever happens to their files."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from kinfolk.errors import Unavailable
from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.records import Operation
from kinfolk.search.pushed import PushedIndex, PushedIndexes
from kinfolk.search.query import Question, Record

PATIENCE_S = 30.0
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
Open = Callable[[], PushedIndexes]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the same folder again and again, as several processes do."""
    made: list[PushedIndexes] = []

    def open_one() -> PushedIndexes:
        made.append(PushedIndexes(tmp_path / "pushed", now=lambda: NOW))
        return made[-1]

    yield open_one
    for each in made:
        each.close()


@pytest.fixture
def indexes(opened: Open) -> PushedIndexes:
    return opened()


def put(id: str, title: str, **more: object) -> Operation:
    record: Record = {"objectID": id, "title": title, **more}  # type: ignore[dict-item]
    return Operation("updateObject", id, record)


def settle(indexes: PushedIndexes) -> None:
    """Until the engine has seen everything: what `getTask` waits for."""
    indexes.begin()
    assert indexes.settle(PATIENCE_S)


def found(indexes: PushedIndexes, text: str = "", name: str = "meals") -> list[str]:
    index = indexes.find(name)
    assert index is not None
    return sorted(hit.id for hit in index.search(Question(text)).hits)


def folders(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "pushed").iterdir() if path.is_dir()]


@pytest.fixture
def meals(indexes: PushedIndexes) -> PushedIndex:
    indexes.named("meals").apply([put("1", "Onion soup"), put("2", "Apple pie")])
    settle(indexes)
    index = indexes.find("meals")
    assert index is not None
    return index


def test_what_is_pushed_is_found_and_a_task_says_when(indexes: PushedIndexes) -> None:
    task = indexes.named("meals").apply([put("1", "Onion soup")])
    assert indexes.named("meals").get(["1", "2"]) == ({"objectID": "1", "title": "Onion soup"}, None)
    settle(indexes)
    assert indexes.is_done(task)
    assert found(indexes, "onion") == ["1"]


def test_tasks_have_numbers_of_their_own_over_all_indexes(indexes: PushedIndexes) -> None:
    tasks = [indexes.named(name).apply([put("1", "x")]) for name in ("a", "b", "a")]
    assert len(set(tasks)) == 3
    assert indexes.is_done(10_000_000)


def test_changes_and_deletions_reach_the_engine(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.apply([put("1", "Onion tart"), Operation("deleteObject", "2"), put("3", "Cherry pie")])
    settle(indexes)
    assert (found(indexes), found(indexes, "soup"), found(indexes, "pie")) == (["1", "3"], [], ["3"])


def test_a_batch_with_a_fault_changes_nothing(indexes: PushedIndexes, meals: PushedIndex) -> None:
    wrong = Operation("partialUpdateObject", "1", {"title": {"_operation": "Explode", "value": 1}})
    with pytest.raises(Fault):
        meals.apply([put("9", "Never"), wrong])
    assert indexes.named("meals").get(["9"]) == (None,)


def test_other_settings_make_the_index_anew(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    before = folders(tmp_path)
    meals.set_settings({"attributesForFaceting": ["title"], "searchableAttributes": ["title"]})
    settle(indexes)
    after = folders(tmp_path)
    assert (len(before), len(after)) == (1, 1)
    assert before != after
    index = indexes.find("meals")
    assert index is not None
    assert index.search(Question(facets=("title",))).facets["title"] == {"Apple pie": 1, "Onion soup": 1}


def test_settings_of_the_display_do_not(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    before = folders(tmp_path)
    task = meals.set_settings({"hitsPerPage": 3})
    settle(indexes)
    assert (indexes.is_done(task), folders(tmp_path)) == (True, before)


def test_synonyms_are_followed(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.put_entries("synonyms", {"s": {"objectID": "s", "type": "synonym", "synonyms": ["broth", "soup"]}})
    settle(indexes)
    assert found(indexes, "broth") == ["1"]


def test_everything_is_there_after_a_restart(opened: Open, meals: PushedIndex) -> None:
    assert found(opened(), "apple") == ["2"]


def test_what_a_dead_process_left_undone_is_taken_up(opened: Open, meals: PushedIndex) -> None:
    # Written, and the process was gone before its engine had seen it.
    task = opened().store.apply("meals", [put("3", "Cherry pie")])
    alive = opened()
    assert not alive.is_done(task)
    settle(alive)
    assert (alive.is_done(task), found(alive, "cherry")) == (True, ["3"])


def test_another_process_sees_what_one_has_written(opened: Open, indexes: PushedIndexes, meals: PushedIndex) -> None:
    other = opened()
    assert found(other, "cherry") == []
    meals.apply([put("3", "Cherry pie")])
    settle(indexes)
    assert found(other, "cherry") == ["3"]


@pytest.mark.parametrize("is_open", [False, True])
def test_a_search_that_began_before_the_index_was_made_anew_is_answered(
    opened: Open, indexes: PushedIndexes, meals: PushedIndex, is_open: bool
) -> None:
    other = opened()
    if is_open:
        assert found(other, "cherry") == []
    meals.apply([put("3", "Cherry pie")])
    settle(indexes)
    begun = other.find("meals")
    assert begun is not None
    meals.set_settings({"searchableAttributes": ["title"]})
    settle(indexes)
    assert [hit.id for hit in begun.search(Question("cherry")).hits] == ["3"]


def test_moving_takes_the_name_and_the_records(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    indexes.named("menu").apply([put("9", "Nothing")])
    settle(indexes)
    meals.move("menu")
    settle(indexes)
    assert indexes.find("meals") is None
    assert found(indexes, name="menu") == ["1", "2"]
    assert len(folders(tmp_path)) == 1


def test_copying_takes_what_the_scope_names(indexes: PushedIndexes, meals: PushedIndex) -> None:
    meals.set_settings({"hitsPerPage": 7})
    indexes.copy("meals", "empty", ["settings"])
    indexes.copy("meals", "whole", [])
    indexes.copy("nowhere", "nothing", [])
    settle(indexes)
    assert [found(indexes, name=name) for name in ("empty", "whole", "nothing")] == [[], ["1", "2"], []]
    assert indexes.named("empty").settings == {"hitsPerPage": 7}


def test_a_deleted_index_is_gone_with_its_files(indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path) -> None:
    task = meals.delete()
    assert indexes.settle(PATIENCE_S)
    assert indexes.find("meals") is None
    assert indexes.is_done(task)
    assert folders(tmp_path) == []
    assert indexes.named("meals").delete() > task


def damage_nothing_left(folder: Path) -> None:
    shutil.rmtree(folder)


def damage_no_meta(folder: Path) -> None:
    (folder / "meta.json").unlink()


def damage_truncated(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def damage_emptied(folder: Path) -> None:
    for file in folder.iterdir():
        file.write_bytes(b"")


@pytest.mark.parametrize("damage", [damage_nothing_left, damage_no_meta, damage_truncated, damage_emptied])
def test_a_damaged_index_is_made_again_from_its_records(
    opened: Open, meals: PushedIndex, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    (folder,) = folders(tmp_path)
    damage(folder)
    again = opened()
    with pytest.raises(Unavailable):
        found(again, "onion")
    settle(again)
    assert found(again, "onion") == ["1"]


def test_a_damaged_index_is_made_again_when_it_is_written_to(opened: Open, meals: PushedIndex, tmp_path: Path) -> None:
    (folder,) = folders(tmp_path)
    damage_truncated(folder)
    again = opened()
    again.named("meals").apply([put("3", "Onion pie")])
    settle(again)
    assert found(again, "onion") == ["1", "3"]


def overwrite(file: Path, way: str) -> None:
    """Damage the file of records as a failing disk or a wrong command does."""
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    match way:
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


WAYS = ["deleted", "empty", "zeros", "other", "without tables"]


@pytest.mark.parametrize("way", WAYS)
def test_damaged_records_are_named_kept_aside_and_can_be_pushed_again(
    opened: Open, meals: PushedIndex, tmp_path: Path, way: str
) -> None:
    overwrite(tmp_path / "pushed" / "records.sqlite", way)
    structlog.reset_defaults()
    with capture_logs() as lines:
        again = opened()
        again.begin()
        settle(again)
        (aside,) = again.damaged
        with pytest.raises(Unavailable, match="push meals again"):
            again.find("meals")
    assert aside.name == "records.sqlite.damaged-20261121120000"
    assert [line["log_level"] for line in lines if line.get("file") == str(aside)] == ["error"]
    again.named("meals").apply([put("5", "Onion bread")])
    settle(again)
    assert found(again, "onion") == ["5"]
    with pytest.raises(Unavailable):
        again.find("drinks")
    aside.unlink()
    assert (again.find("drinks"), again.damaged) == (None, ())


@pytest.mark.parametrize("way", WAYS)
def test_records_that_are_damaged_while_they_are_used_are_noticed(
    opened: Open, indexes: PushedIndexes, meals: PushedIndex, tmp_path: Path, way: str
) -> None:
    other = opened()
    assert found(other) == ["1", "2"]
    overwrite(tmp_path / "pushed" / "records.sqlite", way)
    for one in (indexes, other):
        for _ in range(3):
            with pytest.raises(Unavailable):
                one.find("meals")
    assert indexes.damaged == other.damaged != ()
    indexes.named("meals").apply([put("5", "Onion bread")])
    settle(indexes)
    assert (found(indexes, "onion"), found(other, "onion")) == (["5"], ["5"])


def test_records_from_before_there_were_identities_are_taken_over(
    opened: Open, meals: PushedIndex, tmp_path: Path
) -> None:
    folder = tmp_path / "pushed"
    with closing(sqlite3.connect(folder / "records.sqlite")) as db:
        db.execute("DROP TABLE identity")
    (folder / "records.sqlite-identity").unlink()
    again = opened()
    assert (found(again), again.damaged) == (["1", "2"], ())
    assert (folder / "records.sqlite-identity").exists()


def test_records_of_another_site_are_searched_anew(opened: Open, meals: PushedIndex, tmp_path: Path) -> None:
    theirs = PushedIndexes(tmp_path / "theirs", now=lambda: NOW)
    theirs.named("meals").apply([put("7", "Onion rings"), put("8", "Tea")])
    settle(theirs)
    theirs.close()
    file = tmp_path / "pushed" / "records.sqlite"
    overwrite(file, "deleted")
    shutil.copy(tmp_path / "theirs" / "records.sqlite", file)
    again = opened()
    settle(again)
    assert (found(again, "onion"), again.damaged) == (["7"], ())


def test_nothing_is_damaged_where_nothing_was_pushed(opened: Open, tmp_path: Path) -> None:
    indexes = opened()
    indexes.begin()
    assert (indexes.find("meals"), indexes.damaged, (tmp_path / "pushed").exists()) == (None, (), False)


def test_searches_are_answered_while_the_index_is_made_anew(indexes: PushedIndexes, meals: PushedIndex) -> None:
    indexes.named("meals").apply([put(str(at), f"Soup number {at}") for at in range(10, 400)])
    seen: list[int] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            seen.append(len(found(indexes, "onion")))

    reader = threading.Thread(target=search)
    reader.start()
    for at in range(3):
        indexes.named("meals").set_settings({"searchableAttributes": ["title", f"other{at}"]})
        settle(indexes)
    stop.set()
    reader.join()
    assert set(seen) == {1}

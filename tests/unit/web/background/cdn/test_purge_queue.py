"""The stored queue of stale tags: whole batches or none, one process that sends, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinfolk.web.background.cdn.purge_queue import MOST_NAMES, PurgeBatch, PurgeQueue

BLOG = PurgeBatch(frozenset({"blog"}))


@pytest.fixture
def queue(tmp_path: Path) -> PurgeQueue:
    return PurgeQueue(tmp_path / "cdn")


def stored(queue: PurgeQueue) -> list[PurgeBatch]:
    return [each.batch for each in queue.batches()]


def test_batches_outlast_the_process(queue: PurgeQueue, tmp_path: Path) -> None:
    odd = PurgeBatch(frozenset({"acme/query@main:docs/\udcff, ü.md"}))
    queue.add(BLOG, due_s=1.0)
    queue.add(odd, due_s=2.0, repeats=True)
    first, second = PurgeQueue(tmp_path / "cdn").batches()
    assert (first.batch, first.due_s, first.repeats) == (BLOG, 1.0, False)
    assert (second.batch, second.due_s, second.repeats) == (odd, 2.0, True)
    queue.remove([first])
    assert stored(queue) == [odd]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"names": 7}', b"\xff", b'{"names": [], "due": "x"}'])
def test_batch_that_cannot_be_read_is_a_purge_of_everything(queue: PurgeQueue, content: bytes) -> None:
    queue.add(BLOG, due_s=1.0)
    queue.batches()[0].file.write_bytes(content)
    assert stored(queue) == [PurgeBatch(everything=True)]


def test_one_process_at_a_time_leads(queue: PurgeQueue, tmp_path: Path) -> None:
    with queue.leading() as first, PurgeQueue(tmp_path / "cdn").leading() as second:
        assert (first, second) == (True, False)
    with queue.leading() as again:
        assert again


def test_file_that_cannot_be_written_is_an_error_that_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "cdn").write_text("no folder")
    with pytest.raises(OSError, match="cdn"):
        PurgeQueue(tmp_path / "cdn").add(BLOG, due_s=1.0)


def test_batch_that_is_due_far_in_the_future_is_due_now(queue: PurgeQueue) -> None:
    queue.add(BLOG, due_s=1000.0)
    (batch,) = queue.batches()
    assert [batch.is_due(now_s) for now_s in (1000.0, 999.0, 1000.0 - 86_400)] == [True, False, True]


def test_served_content_is_unknown_at_first_and_after_damage(queue: PurgeQueue, tmp_path: Path) -> None:
    assert queue.read_served() is None
    queue.write_served({"acme/query@main": "0123"})
    assert queue.read_served() == {"acme/query@main": "0123"}
    (tmp_path / "cdn/served.json").write_bytes(b'{"site": 7}')
    assert queue.read_served() is None


def test_many_names_become_branches_and_then_everything() -> None:
    files = PurgeBatch(frozenset(f"acme/query@main:docs/{number}.md" for number in range(MOST_NAMES)))
    assert (files | BLOG).names == {"acme/query@main:**", "blog"}
    branches = PurgeBatch(frozenset(f"acme/{number}@main#files" for number in range(MOST_NAMES)))
    assert (branches | BLOG).everything
    assert (BLOG | PurgeBatch(everything=True)).has(files)

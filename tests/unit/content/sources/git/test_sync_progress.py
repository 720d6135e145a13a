"""Draws the events of a sync as progress bars."""

from __future__ import annotations

import io

from rich.console import Console
from rich.progress import Progress

from kinfolk.content.sources.git.sync_progress import (
    RepoDone,
    RepoProgress,
    RepoStarted,
    SyncEvent,
    SyncFailed,
    SyncStarted,
    SyncWaiting,
    draw_progress,
)

QUERY = "family/query"


def drawn(*events: SyncEvent) -> tuple[Progress, str]:
    """The bars after these events, and the lines that were printed above them."""
    console = Console(file=io.StringIO(), width=100)
    progress = Progress(console=console)
    show = draw_progress(progress)
    for event in events:
        show(event)
    assert isinstance(console.file, io.StringIO)
    return progress, console.file.getvalue()


def test_each_fetched_repository_has_a_bar() -> None:
    progress, _ = drawn(
        SyncStarted((QUERY, "family/table")),
        RepoStarted(QUERY, ("main",)),
        RepoStarted("family/table", ("main",)),
        RepoProgress(QUERY, "Receiving objects", 40),
    )

    assert [(task.description, task.fields["status"], task.completed) for task in progress.tasks] == [
        ("Repositories", "", 0),
        (QUERY, "receiving objects", 40),
        ("family/table", "connecting", 0),
    ]


def test_completed_repository_prints_a_line_and_advances_the_total() -> None:
    progress, lines = drawn(
        SyncStarted((QUERY,)),
        RepoStarted(QUERY, ("main", "v4")),
        RepoDone(QUERY, "updated", ("main", "v4"), "", received_bytes=3_900_000, seconds=1.25),
    )

    assert [(task.description, task.completed) for task in progress.tasks] == [("Repositories", 1)]
    assert "family/query: main, v4, 3.9 MB in 1.2 s" in lines


def test_failure_shows_its_reason_and_the_updated_branches() -> None:
    _, lines = drawn(
        SyncStarted((QUERY,)),
        RepoStarted(QUERY, ("main", "v4")),
        RepoDone(QUERY, "failed", ("main",), "v4: [no] answer", received_bytes=10, seconds=1),
    )

    assert "family/query: v4: [no] answer (updated: main)" in lines


def test_waiting_shows_the_other_process() -> None:
    progress, _ = drawn(SyncWaiting("process 7"))

    assert progress.tasks[0].fields["status"] == "waiting for the sync of process 7"


def test_sync_that_cannot_start_shows_the_reason() -> None:
    _, lines = drawn(SyncFailed("process 7 still syncs the same directory"))

    assert "process 7 still syncs the same directory" in lines

"""What a sync tells while it runs, and how that becomes progress bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rich.filesize import decimal
from rich.progress import Progress, TaskID


@dataclass(frozen=True)
class SyncStarted:
    repos: tuple[str, ...]


@dataclass(frozen=True)
class SyncWaiting:
    """Another process syncs the same directory; this one goes on when that one is done."""

    holder: str


@dataclass(frozen=True)
class SyncFailed:
    """Nothing could be fetched at all: another sync never ended, or the disk refuses."""

    reason: str


@dataclass(frozen=True)
class RepoStarted:
    repo: str
    branches: tuple[str, ...]


@dataclass(frozen=True)
class RepoProgress:
    repo: str
    phase: str
    """In git's words: `Receiving objects`."""
    percent: int


@dataclass(frozen=True)
class RepoDone:
    repo: str
    outcome: Literal["updated", "unchanged", "failed"]
    """`failed` when any branch failed, whatever became of its siblings."""
    updated: tuple[str, ...]
    """The branches that have a new commit."""
    reason: str
    """Why it failed, branch by branch; empty otherwise."""
    received_bytes: int
    seconds: float


SyncEvent = SyncStarted | SyncWaiting | SyncFailed | RepoStarted | RepoProgress | RepoDone


def track(progress: Progress) -> Callable[[SyncEvent], None]:
    """A listener that draws a sync: one bar for all repositories, one for each that is being fetched.

    Every task has a field `status` for a column. What is done stays on the screen as a line, a failure with its
    reason. Call it from one thread at a time.
    """
    total = progress.add_task("Repositories", total=None, status="")
    bars: dict[str, TaskID] = {}

    def show(event: SyncEvent) -> None:
        match event:
            case SyncStarted(repos):
                progress.update(total, total=len(repos), status="")
            case SyncWaiting(holder):
                progress.update(total, status=f"waiting for the sync of {holder}")
            case SyncFailed(reason):
                progress.console.print(f"✗ {reason}", markup=False, highlight=False)
            case RepoStarted(repo):
                bars[repo] = progress.add_task(repo, total=100, status="asking")
            case RepoProgress(repo, phase, percent):
                # Git counts to 100 in each phase anew; the phase is named so that the bar may jump back.
                progress.update(bars[repo], completed=percent, status=phase.lower())
            case RepoDone(repo):
                progress.remove_task(bars.pop(repo))
                progress.console.print(_line(event), markup=False, highlight=False)
                progress.advance(total)

    return show


def _line(done: RepoDone) -> str:
    match done.outcome:
        case "failed":
            kept = f" (updated: {', '.join(done.updated)})" if done.updated else ""
            return f"✗ {done.repo}: {done.reason}{kept}"
        case "updated":
            size = f"{decimal(done.received_bytes)} in {done.seconds:.1f} s"
            return f"✓ {done.repo}: {', '.join(done.updated)}, {size}"
        case "unchanged":
            return f"· {done.repo}: unchanged"

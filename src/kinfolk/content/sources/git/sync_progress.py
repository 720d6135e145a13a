"""The events of a sync, and a listener that draws them as progress bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from rich.filesize import decimal
from rich.progress import Progress, TaskID


@dataclass(frozen=True)
class SyncStarted:
    repos: tuple[str, ...]


@dataclass(frozen=True)
class SyncWaiting:
    """Another process syncs the same directory. This sync starts when that one has ended."""

    holder: str


@dataclass(frozen=True)
class SyncFailed:
    """The sync could not start: another sync has not ended in time, or the disk is not writable."""

    reason: str


@dataclass(frozen=True)
class RepoStarted:
    repo: str
    branches: tuple[str, ...]


@dataclass(frozen=True)
class RepoProgress:
    repo: str
    phase: str
    """The phase that git reports: `Receiving objects`."""
    percent: int


@dataclass(frozen=True)
class RepoDone:
    repo: str
    outcome: Literal["updated", "unchanged", "failed"]
    """`failed` if any branch failed, even if others were updated."""
    updated: tuple[str, ...]
    """The branches that have a new commit."""
    reason: str
    """The reasons of failed branches; empty without failures."""
    received_bytes: int
    seconds: float


SyncEvent = SyncStarted | SyncWaiting | SyncFailed | RepoStarted | RepoProgress | RepoDone


def draw_progress(progress: Progress) -> Callable[[SyncEvent], None]:
    """A listener that draws a sync: one bar for all repositories, one for each that is being fetched.

    Each task has a field `status` for a column. Each completed repository is printed as one line, with the reason of a
    failure. The listener is not thread-safe.
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
                bars[repo] = progress.add_task(repo, total=100, status="connecting")
            case RepoProgress(repo, phase, percent):
                # Git counts to 100 in each phase. The status names the phase, because the bar restarts with it.
                progress.update(bars[repo], completed=percent, status=phase.lower())
            case RepoDone(repo):
                progress.remove_task(bars.pop(repo))
                progress.console.print(_line(event), markup=False, highlight=False)
                progress.advance(total)

    return show


def _line(done: RepoDone) -> str:
    match done.outcome:
        case "failed":
            updated = f" (updated: {', '.join(done.updated)})" if done.updated else ""
            return f"✗ {done.repo}: {done.reason}{updated}"
        case "updated":
            size = f"{decimal(done.received_bytes)} in {done.seconds:.1f} s"
            return f"✓ {done.repo}: {', '.join(done.updated)}, {size}"
        case "unchanged":
            return f"· {done.repo}: unchanged"


def failure_summary(failures: Mapping[str, str]) -> str:
    """Branches grouped by reason: `main, v4: no answer within 60 s`."""
    reasons = {reason: [b for b in failures if failures[b] == reason] for reason in failures.values()}
    return "; ".join(f"{', '.join(branches)}: {reason}" for reason, branches in reasons.items())

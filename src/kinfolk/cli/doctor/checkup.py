"""Runs checks at the same time, each with a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from kinfolk.runtime.errors import SiteError

Status = Literal["ok", "warning", "fault"]
DEADLINE_S = 10.0
MOST_SKEW_S = 60.0
"""Seconds by which clocks may differ: tokens and certificates allow about as much."""
LONGEST_MESSAGE = 300
MOST_FINDINGS = 20
"""Of one check."""


@dataclass(frozen=True)
class CheckFinding:
    """One line of the report. `skew_s` is by how much this machine's clock is ahead of that of a server."""

    name: str
    status: Status
    message: str
    advice: str = ""
    skew_s: float | None = None


@dataclass(frozen=True)
class Check:
    """A named check. `run` blocks, and returns findings; an error that it raises is a fault."""

    name: str
    run: Callable[[], Sequence[CheckFinding]]
    deadline_s: float = DEADLINE_S


def ok(name: str, message: str) -> CheckFinding:
    return CheckFinding(name, "ok", message)


def warning(name: str, message: str, advice: str) -> CheckFinding:
    return CheckFinding(name, "warning", message, advice)


def fault(name: str, message: str, advice: str) -> CheckFinding:
    return CheckFinding(name, "fault", message, advice)


def run_checks(checks: Sequence[Check]) -> list[CheckFinding]:
    """The findings of all checks in their order, and one about the clock. Takes as long as the longest deadline."""
    runs = [_CheckRun(check) for check in checks]
    findings = [finding for run in runs for finding in run.findings()]
    return [*findings, *_clock(findings)]


def worst(findings: Sequence[CheckFinding]) -> Status:
    found = {finding.status for finding in findings}
    return "fault" if "fault" in found else "warning" if "warning" in found else "ok"


class _CheckRun:
    """A check in a thread that does not keep the process alive: it may be stuck in a system call."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._findings: list[CheckFinding] | None = None
        self._ends_s = time.monotonic() + check.deadline_s
        self._thread = threading.Thread(target=self._run, name=f"check {check.name}", daemon=True)
        self._thread.start()

    def findings(self) -> list[CheckFinding]:
        self._thread.join(max(0.0, self._ends_s - time.monotonic()))
        if self._findings is None:
            seconds = f"{self._check.deadline_s:g} s"
            return [fault(self._check.name, f"There was no result within {seconds}", "Find out what it waits for")]
        return self._findings

    def _run(self) -> None:
        name = self._check.name
        try:
            self._findings = list(self._check.run())[:MOST_FINDINGS]
        except SiteError as failure:
            self._findings = [fault(name, failure.message[:LONGEST_MESSAGE], "Correct what the message names")]
        except Exception as failure:  # noqa: BLE001 - the other checks go on
            reason = f"{type(failure).__name__}: {failure}"[:LONGEST_MESSAGE]
            self._findings = [fault(name, reason, "If this is a defect of Kinfolk, report it")]


def _clock(findings: Sequence[CheckFinding]) -> list[CheckFinding]:
    skews = sorted((finding.skew_s for finding in findings if finding.skew_s is not None), key=abs)
    if not skews:
        return []
    # One server with a wrong clock is its own fault: the median decides.
    skew = sorted(skews)[len(skews) // 2]
    if abs(skew) > MOST_SKEW_S:
        direction = "ahead of" if skew > 0 else "behind"
        message = f"The clock is {abs(skew):,.0f} s {direction} that of other servers"
        return [fault("clock", message, "Synchronize it with NTP: sign-ins and certificates depend on it")]
    return [ok("clock", f"It differs from {len(skews)} other clocks by {abs(skew):.0f} s")]

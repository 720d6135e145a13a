"""Runs a command, prints its CPU time, and fails above a bound: `python tests/suite/cpu_bound.py COMMAND ...`.

The bound is `cpu_bound_s` in `[tool.kinfolk.tests]` of pyproject.toml: CPU seconds of the command and of all processes
that it starts, on the two cores of CI. KINFOLK_TEST_CPU_S replaces it on a slower machine; 0 is no bound. Only the
standard library is imported: the command also runs with an interpreter other than that of the project.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import sys
import time
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
ORPHANS_S = 2.0
"""How long processes may take to end after the command."""
_PR_SET_CHILD_SUBREAPER = 36
"""From linux/prctl.h."""


def main() -> int:
    bound_s = read_bound()
    adopt_orphans()
    began = time.monotonic()
    status = run(sys.argv[1:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s, took_s = used.ru_utime + used.ru_stime, time.monotonic() - began
    minutes, seconds = divmod(round(took_s), 60)
    limit = f" of at most {bound_s:.0f} s" if bound_s else ""
    print(f"{minutes} min {seconds} s, {cpu_s:.0f} s of CPU{limit}", flush=True)
    if status == 0 and bound_s and cpu_s > bound_s:
        print("The tests take more CPU time than pyproject.toml allows: see the slowest files above", file=sys.stderr)
        return 1
    return status


def read_bound() -> float:
    configured = os.environ.get("KINFOLK_TEST_CPU_S")
    if configured is not None:
        return float(configured)
    return float(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["kinfolk"]["tests"]["cpu_bound_s"])


def adopt_orphans() -> None:
    """Become the parent of processes whose parent ends: otherwise their CPU time would not be counted. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command: list[str]) -> int:
    """The exit status of a command. Orphans are collected as they end, because tests wait until a process is gone."""
    process = subprocess.Popen(command)
    status = None
    while status is None:
        pid, wait_status = os.wait()
        if pid == process.pid:
            status = os.waitstatus_to_exitcode(wait_status)
    process.returncode = status
    deadline = time.monotonic() + ORPHANS_S
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < deadline:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.02)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())

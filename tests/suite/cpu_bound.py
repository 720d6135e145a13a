"""Runs a command, prints its CPU time, and fails above a bound: `python tests/suite/cpu_bound.py COMMAND ...`.

The bound is `cpu_bound_s` in `[tool.kinfolk.tests]` of pyproject.toml: CPU seconds of the command and of all processes
that it starts, at the speed of a reference machine. The suite took 1,212 s of CPU on one virtual machine, and with 4 %
more tests 2,964 s on another. So a fixed piece of work is measured throughout the run, and the CPU time is divided by
how much longer it took than on the reference. KINFOLK_TEST_CPU_S replaces the bound; 0 is no bound. Only the standard
library is imported: the command also runs with an interpreter other than that of the project.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
ORPHANS_S = 15.0
"""How long processes may take to end after the command. Only the time of a process that has ended is known."""
SAMPLE_EVERY_S = 5.0
REFERENCE_SAMPLE_S = 0.025
"""CPU seconds of `sample` on the reference machine: an estimate (decisions/0028-test-suite.md)."""
_LOOPS = 400_000
_RECORDS = 1_500
_PR_SET_CHILD_SUBREAPER = 36
"""From linux/prctl.h."""


def main() -> int:
    bound_s = read_bound()
    adopt_orphans()
    began = time.monotonic()
    with sampling() as samples:
        status = run(sys.argv[1:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s, took_s = used.ru_utime + used.ru_stime, time.monotonic() - began
    reference_s = at_reference_speed(cpu_s, samples)
    minutes, seconds = divmod(round(took_s), 60)
    limit = f" of at most {bound_s:.0f} s" if bound_s else ""
    print(
        f"{minutes} min {seconds} s, {cpu_s:.0f} s of CPU, at the reference speed {reference_s:.0f} s{limit}",
        flush=True,
    )
    if status == 0 and bound_s and reference_s > bound_s:
        print("The tests take more CPU time than pyproject.toml allows: see the slowest files above", file=sys.stderr)
        return 1
    return status


@contextlib.contextmanager
def sampling() -> Iterator[Sequence[float]]:
    """Measure `sample` during the block, and at least once."""
    samples = [sample()]
    ended = threading.Event()

    def measure() -> None:
        while not ended.wait(SAMPLE_EVERY_S):
            samples.append(sample())

    thread = threading.Thread(target=measure, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        ended.set()
        thread.join()


def sample() -> float:
    """CPU seconds of a fixed piece of work: arithmetic, and objects in memory, which other loads slow down more."""
    began = time.thread_time()
    total = 0
    for number in range(_LOOPS):
        total += number * number % 7
    records = [{"id": number, "tags": [str(number * factor) for factor in range(6)]} for number in range(_RECORDS)]
    json.loads(json.dumps(records))
    return time.thread_time() - began


def at_reference_speed(cpu_s: float, samples: Sequence[float]) -> float:
    """What `cpu_s` seconds of CPU are on a machine where a sample takes REFERENCE_SAMPLE_S."""
    return cpu_s * REFERENCE_SAMPLE_S / statistics.fmean(samples)


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

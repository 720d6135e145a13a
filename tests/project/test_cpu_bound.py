"""The bound on CPU time of `make test`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.suite.cpu_bound import REFERENCE_SAMPLE_S, at_reference_speed, sampling

SCRIPT = Path(__file__).parents[1] / "suite" / "cpu_bound.py"
SPIN = "import time\nwhile time.process_time() < 1: pass"


def run(code: str, bound_s: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), sys.executable, "-c", code],
        env={**os.environ, "KINFOLK_TEST_CPU_S": bound_s},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("bound_s", "status"), [("0.1", 1), ("60", 0), ("0", 0)])
def test_command_above_the_bound_fails(bound_s: str, status: int) -> None:
    assert run(SPIN, bound_s).returncode == status


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not pass orphans on to an ancestor")
def test_process_whose_parent_has_ended_counts() -> None:
    detached = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SPIN!r}])"
    assert run(detached, "0.1").returncode == 1


def test_exit_status_is_that_of_the_command() -> None:
    assert run("raise SystemExit(3)", "600").returncode == 3


def test_slower_machine_has_the_same_bound() -> None:
    assert at_reference_speed(100, [REFERENCE_SAMPLE_S]) == pytest.approx(100)
    assert at_reference_speed(240, [REFERENCE_SAMPLE_S * 2, REFERENCE_SAMPLE_S * 4]) == pytest.approx(80)


def test_short_command_has_a_sample() -> None:
    with sampling() as samples:
        pass
    assert len(samples) == 1
    assert samples[0] > 0

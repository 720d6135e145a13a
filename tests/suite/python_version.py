"""Runs the unit tests with this interpreter and stores the result: `python -m tests.suite.python_version`."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Iterable

from tests.suite.measurements import ROOT, record

COMMAND = "make test-python"
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")


def result_of(lines: Iterable[str]) -> str:
    """The counts in the last line of pytest: `8,855 passed, 0 failed`. Empty if it has none."""
    counts: dict[str, int] = {}
    for line in lines:
        if found := _COUNT.findall(line):
            counts = {name.rstrip("s"): int(count) for count, name in found}
    if "passed" not in counts:
        return ""
    return f"{counts['passed']:,} passed, {counts.get('failed', 0) + counts.get('error', 0):,} failed"


def main() -> int:
    """The exit status of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", "tests/unit"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        lines = []
        for line in running.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    result = result_of(lines[-1:])
    if result:
        major, minor, _ = platform.python_version_tuple()
        record(COMMAND, {f"python.{major}{minor}": result, f"python.{major}{minor}-version": platform.python_version()})
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())

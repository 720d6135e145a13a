"""Starts `kinfolk` commands in processes that have its modules already.

Importing them takes 1.3 s of CPU, more than the rest of a server's start, and a run of all tests starts more than a
hundred commands. On Linux, multiprocessing's fork server imports them once for each process of the tests, and forks.
Tests of the interpreter's start run `python -m kinfolk`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing.context import BaseContext
from pathlib import Path

MODULES = [
    "kinfolk.cli",
    "kinfolk.configuration_check",
    "kinfolk.content_check",
    "kinfolk.web.server",
    "kinfolk.web.worker_process",
]


def _context() -> BaseContext:
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(MODULES)
    return context


class KinfolkProcess:
    """A running command, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, arguments: tuple[str, ...], environment: Mapping[str, str], output: Path, errors: Path) -> None:
        self._process = _context().Process(  # type: ignore[attr-defined]
            target=_run, args=(arguments, dict(environment), str(Path.cwd()), str(output), str(errors))
        )
        self._process.start()
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        code: int | None = self._process.exitcode
        return code

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("kinfolk", timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(arguments: tuple[str, ...], environment: Mapping[str, str], folder: str, output: str, errors: str) -> None:
    """Run a command in this process, with its output in files."""
    for descriptor, file in ((1, output), (2, errors)):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    from kinfolk.cli import main

    main(arguments, prog_name="kinfolk")


def run_kinfolk(
    *arguments: str, environment: Mapping[str, str], timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        process = KinfolkProcess(arguments, environment, output, errors)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(arguments, status, output.read_text(), errors.read_text())

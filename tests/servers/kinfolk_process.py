"""Starts `kinfolk` commands in processes that have its modules already.

Importing them takes 1.3 s of CPU, more than the rest of a server's start, and a run of all tests starts more than a
hundred commands. On Linux, multiprocessing's fork server imports them once for each process of the tests, and forks.
Tests of the interpreter's start run `python -m kinfolk`.

    with RunningCommand("sync", environment=...) as command:    # ended with the block
        command.errors                                          # what it has written to standard error
        command.finish()                                        # a CompletedProcess
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Self

MODULES = [
    "kinfolk.cli.main",
    "kinfolk.site.configuration_check",
    "kinfolk.cli.check.content_check",
    "kinfolk.cli.dev.dev_server",
    "kinfolk.web.processes.server",
    "kinfolk.web.processes.worker_process",
    # The last one: it freezes what the others have created.
    "tests.servers.warm_kinfolk",
]


def fork_context() -> BaseContext:
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(MODULES)
    return context


class ForkedProcess:
    """A function in a process of its own, with the methods of `subprocess.Popen` that tests use."""

    def __init__(
        self,
        work: Callable[[], None],
        environment: Mapping[str, str],
        output: Path,
        errors: Path,
        folder: Path | None = None,
    ) -> None:
        self._process = fork_context().Process(  # type: ignore[attr-defined]
            target=_run, args=(work, dict(environment), str(folder or Path.cwd()), str(output), str(errors))
        )
        with _without_main_module():
            self._process.start()
        self.pid: int = self._process.pid

    @classmethod
    def of_code(cls, code: str, folder: Path, *arguments: str) -> ForkedProcess:
        """A process that runs `code`, with its arguments in `sys.argv[1:]` and its output in files of a folder."""
        work = partial(_run_code, code, arguments)
        return cls(work, os.environ, folder / "output", folder / "errors")

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


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Hides the main module from multiprocessing, which otherwise imports it in each process that it forks."""
    main = sys.modules["__main__"]
    attributes = vars(main)
    hidden = {name: attributes.pop(name) for name in ("__spec__", "__file__") if name in attributes}
    main.__spec__ = None
    try:
        yield
    finally:
        for name, value in hidden.items():
            setattr(main, name, value)


def _run(work: Callable[[], None], environment: Mapping[str, str], folder: str, output: str, errors: str) -> None:
    """Call a function in this process, with its output in files."""
    for descriptor, file in ((1, output), (2, errors)):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    work()


def _run_code(code: str, arguments: tuple[str, ...]) -> None:
    sys.argv = ["-c", *arguments]
    exec(code, {"__name__": "__main__"})  # noqa: S102 - of a test


class KinfolkProcess(ForkedProcess):
    """A running command. `constants` of modules, by their whole names, have other values in it.

    `descriptors` is its RLIMIT_NOFILE, soft and hard.
    """

    def __init__(
        self,
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        output: Path,
        errors: Path,
        folder: Path | None = None,
        *,
        constants: Mapping[str, float] | None = None,
        descriptors: int | None = None,
    ) -> None:
        work = partial(_run_command, arguments, dict(constants or {}), descriptors)
        super().__init__(work, environment, output, errors, folder)


def _run_command(arguments: tuple[str, ...], constants: Mapping[str, float], descriptors: int | None) -> None:
    from kinfolk.cli.main import main

    if descriptors is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    for name, value in constants.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(importlib.import_module(module), constant)
        setattr(importlib.import_module(module), constant, value)
    main(arguments, prog_name="kinfolk")


class RunningCommand(KinfolkProcess):
    """A running command whose output is in files of its own. It ends with the block."""

    def __init__(self, *arguments: str, environment: Mapping[str, str], folder: Path | None = None) -> None:
        self._files = Path(tempfile.mkdtemp())
        self._arguments = arguments
        super().__init__(arguments, environment, self._files / "output", self._files / "errors", folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        shutil.rmtree(self._files)

    @property
    def output(self) -> str:
        return self._read("output")

    @property
    def errors(self) -> str:
        return self._read("errors")

    def _read(self, name: str) -> str:
        file = self._files / name
        return file.read_text() if file.exists() else ""

    def finish(self, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        """Wait for the end of the command."""
        status = self.wait(timeout)
        return subprocess.CompletedProcess(self._arguments, status, self.output, self.errors)


def run_kinfolk(
    *arguments: str, environment: Mapping[str, str], timeout: float = 60, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    with RunningCommand(*arguments, environment=environment, folder=folder) as command:
        return command.finish(timeout)

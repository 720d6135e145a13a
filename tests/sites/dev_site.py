"""A new site that a running `kinfolk dev` serves."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers.kinfolk_process import RunningCommand, run_kinfolk
from tests.servers.serving import free_port

START_S = 120.0


@dataclass(frozen=True)
class DevSite:
    """The address of the server, and the folder of the site."""

    url: str
    folder: Path


@contextmanager
def developing(folder: Path, frontend: Path) -> Iterator[DevSite]:
    """Write a site to the folder and serve it with a built frontend.

    Checks that an interrupt ends the server without an error.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "KINFOLK_SITE"}
    environment["KINFOLK_FRONTEND"] = str(frontend)
    made = run_kinfolk("new", str(folder), "--name", "Acme", environment=environment)
    assert made.returncode == 0, made.stderr
    (folder / "pages").mkdir()
    with RunningCommand("dev", "--port", str(port), environment=environment, folder=folder) as command:
        deadline_s = time.monotonic() + START_S
        while "\nOpen " not in f"\n{command.output}":
            assert command.poll() is None, command.errors
            assert time.monotonic() < deadline_s
            time.sleep(0.02)
        yield DevSite(f"http://127.0.0.1:{port}", folder)
        command.send_signal(signal.SIGINT)
        assert command.wait(15) == 0

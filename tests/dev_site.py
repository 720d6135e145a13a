"""A new site that a running `kinfolk dev` serves."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kinfolk_process import KinfolkProcess, run_kinfolk
from tests.serving import START_S, free_port


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
    run_kinfolk("new", str(folder), "--name", "Acme", environment=environment).check_returncode()
    (folder / "pages").mkdir()
    log_file = folder.parent / f"dev-{port}.log"
    with chdir(folder):
        process = KinfolkProcess(("dev", "--port", str(port)), environment, log_file, log_file)
    try:
        deadline = time.monotonic() + START_S
        while not log_file.exists() or "Open " not in log_file.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{log_file.read_text()[-3000:]}")
            time.sleep(0.05)
        yield DevSite(f"http://127.0.0.1:{port}", folder)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(15)
        assert process.returncode == 0

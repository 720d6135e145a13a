"""A new site that a running `kinfolk dev` serves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.serving import free_port


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
    run = [sys.executable, "-m", "kinfolk"]
    subprocess.run([*run, "new", str(folder), "--name", "Acme"], check=True, env=environment)
    (folder / "pages").mkdir()
    process = subprocess.Popen(
        [*run, "dev", "--port", str(port)], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("Open "):
                break
        yield DevSite(f"http://127.0.0.1:{port}", folder)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=15)
        assert process.returncode == 0

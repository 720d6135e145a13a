"""Building in a process of its own: making records takes all of Python's attention for seconds, which readers need."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping

from kinfolk.errors import Unavailable

KINDNESS = 15
"""How far a background build steps back for everything else on the machine."""
_LAST_WORDS = 500


class BuildApart:
    """Runs `kinfolk index` with these settings in its environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """`environment` is all of it: what a process needs, and our settings."""
        self._environment = environment
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def build(self) -> None:
        command = [sys.executable, "-m", "kinfolk", "index", "--background"]
        with self._turn:
            if self._stopped:
                raise Unavailable("The search index is not built any more")
            self._process = process = subprocess.Popen(  # noqa: S603 - our own command
                command,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        _, said = process.communicate()
        if process.returncode != 0:
            reason = said.strip()[-_LAST_WORDS:]
            raise Unavailable(f"building it ended with {process.returncode}: {reason}")

    def stop(self) -> None:
        with self._turn:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()

"""Starts a module of this package in a process that gets nothing of the site but a socket."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import kinfolk

_ROOT = str(Path(kinfolk.__file__).parents[1])


def start_isolated(module: str, *arguments: str, stdin: socket.socket) -> subprocess.Popen[bytes]:
    """Start it with the socket as its standard input. Raises OSError."""
    return subprocess.Popen(  # noqa: S603 - the command is fixed
        # -P: the working directory is not on the import path.
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=stdin.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Without the site's settings, some of which are secret.
        env={"PYTHONPATH": _ROOT},
        # Ctrl-C in a terminal must signal only the site, which kills its processes itself.
        start_new_session=True,
    )

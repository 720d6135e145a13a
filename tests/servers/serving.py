"""Runs the server in its own process on a free port of the loopback interface."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.servers.databases import upgraded_sqlite
from tests.servers.kinfolk_process import KinfolkProcess
from tests.sites.sample_site import SITE

START_S = 120.0
PLAIN = {"KINFOLK_HIGHLIGHT": "off"}
"""Without highlighting, which takes a core for seconds."""
LEAN = PLAIN | {"KINFOLK_SEARCH": "off"}
"""Without highlighting and without a search index."""
_WITH_DESCRIPTORS = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, 2 * (int(sys.argv[1]),))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


@dataclass(frozen=True)
class Server:
    """A running site. `process` is the parent process; `log` is its complete output."""

    url: str
    process: subprocess.Popen[bytes] | KinfolkProcess
    log_file: Path

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def workers(self) -> list[int]:
        """Process ids of the workers: forks of the parent, or spawned processes where multiprocessing does not fork."""
        skip_without_proc()
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        own = command_of(self.process.pid)
        commands = {int(pid): command_of(int(pid)) for pid in children.split()}
        return [pid for pid, command in commands.items() if command and (command == own or b"spawn_main" in command)]


def skip_without_proc() -> None:
    """Skip a test that inspects processes in /proc, which macOS does not have."""
    if sys.platform != "linux":
        pytest.skip("requires /proc")


def descendants(pid: int) -> list[int]:
    """All child processes of a process, recursively; none without /proc."""
    found: list[int] = []
    for parent in itertools.chain([pid], found):
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (thread / "children").read_text().split() if int(child) not in found]
    return found


def command_of(pid: int) -> bytes:
    """The command line; empty for a process that has exited."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    descriptors: int | None = None,
    var: Path | None = None,
    own_interpreter: bool = False,
    constants: Mapping[str, float] | None = None,
    port: int | None = None,
) -> Iterator[Server]:
    """Run `kinfolk serve` for the sample site with these arguments until the block ends. Its log is in `folder`.

    `descriptors` limits the open files of each process (RLIMIT_NOFILE, soft and hard). The server starts with a copy of
    the files in `var`, which another process has written. `own_interpreter` runs `python -m kinfolk` and forks nothing:
    prometheus_client decides at its import whether processes share their counters. `constants` of modules, by their
    whole names, have these values in a server that is forked.
    """
    if var is not None:
        shutil.copytree(var, folder / "var")
    port = port or free_port()
    log_file = folder / f"serve-{port}.log"
    own = {
        "KINFOLK_MIRROR": "off",
        "KINFOLK_VAR": str(folder / "var"),
        "KINFOLK_LOG": "json",
        "KINFOLK_NPM_IMPORT": "off",
        "KINFOLK_FIGURES": "off",
        "KINFOLK_RELEASE_NOTES": "off",
        "KINFOLK_ASSET_BUILDS": "1",
        # All requests of the tests come from one address, faster than a reader sends them.
        "KINFOLK_SEARCH_RATE": "0",
    }
    env = {"KINFOLK_SITE": str(SITE), **os.environ, **own, **(environment or {})}
    command = ["serve", "--port", str(port), *arguments]
    log_file.touch()
    process: subprocess.Popen[bytes] | KinfolkProcess
    if own_interpreter:
        assert not constants
        limit = [] if descriptors is None else ["-c", _WITH_DESCRIPTORS, str(descriptors)]
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *limit, "-m", "kinfolk", *command], stdout=log, stderr=subprocess.STDOUT, env=env
            )
    else:
        # Servers of other sites would keep the download counts of this one.
        site = SITE if env["KINFOLK_SITE"] == str(SITE) else None
        copy_upgraded_database(Path(env["KINFOLK_VAR"]), site)
        process = KinfolkProcess(tuple(command), env, log_file, log_file, constants=constants, descriptors=descriptors)
    server = Server(f"http://127.0.0.1:{port}", process, log_file)
    try:
        _wait(server)
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def copy_upgraded_database(var: Path, site: Path | None) -> None:
    """Give a folder without a database one as after the first start of a site.

    To make the tables takes 60 ms of CPU, to load the download counts of the sample site 12 ms.
    """
    var.mkdir(parents=True, exist_ok=True)
    file = var / "kinfolk.sqlite"
    if not file.exists():
        shutil.copy(upgraded_sqlite(site), file)


def _wait(server: Server) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        # The parent logs this a moment after the first worker responds. A request takes more CPU time than a look.
        if "Open http" in server.log:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{server.url}/healthz").status_code == 200:
                    return
        time.sleep(0.02)
    raise RuntimeError(f"the server did not start:\n{server.log[-3000:]}")

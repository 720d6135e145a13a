"""Releases of Kinfolk that a server is deployed with: copies of the code, each with one migration more than the last.

releases = Releases(folder)
releases.deploy(0)                  # the link `current` leads to the code of this checkout
with DeployedServer(releases, environment) as server:
    releases.deploy(1)
    server.reload()                 # SIGUSR2, until the new server answers
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import httpx
from tests.servers.serving import free_port
from tests.sites.sample_site import SITE

import kinfolk
from kinfolk.config.settings import BUILT_FRONTEND
from kinfolk.db.schema import newest

PATIENCE_S = 120.0
CODE = Path(kinfolk.__file__).parent
_SCRIPT = """#!{interpreter}
import os, sys
os.environ["PYTHONPATH"] = {code!r}
sys.path.insert(0, {code!r})
from kinfolk.cli.main import main
main()
"""
_BROKEN = """#!{interpreter}
import sys
sys.exit("this release is broken")
"""
_MIGRATION = '''"""Of a later release."""

import sqlalchemy as sa
from alembic import op

revision = {revision!r}
down_revision = {before!r}
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table({table!r}, sa.Column("name", sa.String(9), primary_key=True))
    op.add_column("search_events", sa.Column({table!r}, sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("search_events") as batch:
        batch.drop_column({table!r})
    op.drop_table({table!r})
'''
FORMATS = {
    "content/highlight/snippet_store.py": r"^(VERSION = )(\d+)()",
    "content/code_checks/check_store.py": r"^(VERSION = )(\d+)()",
    "content/code_checks/packages/package_store.py": r"^(VERSION = )(\d+)()",
    "content/changes/page_marks.py": r"^(FORMAT = )(\d+)()",
}
"""Versions of the formats of derived files in `var`: each release has others."""
SEARCH_FORMAT = "search/ranking/index_schema.py", r'^(SCHEMA_VERSION = ")(\d+)(")'
FIRST_WITH_OTHER_SEARCH = 5
"""The first release with another format of the search index, which it must build before it takes over."""
_ACTIVATE = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="docs.socket")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""What systemd does before it runs a service that has a socket."""


class Releases:
    """Folders with the code of releases, and the link `current` to one of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "current" / "kinfolk"
        self.folder.mkdir(parents=True, exist_ok=True)

    def deploy(self, number: int) -> None:
        """Let `current` lead to this release. Release 0 is the code of this checkout."""
        folder = self.folder / f"release-{number}"
        if not folder.exists():
            code = CODE.parent if number == 0 else self._copy(number)
            self._write(folder, _SCRIPT.format(interpreter=sys.executable, code=str(code)))
        self._link(folder)

    def deploy_broken(self) -> None:
        """Let `current` lead to a release that cannot start."""
        folder = self.folder / "broken"
        self._write(folder, _BROKEN.format(interpreter=sys.executable))
        self._link(folder)

    def _copy(self, number: int) -> Path:
        code = self.folder / f"code-{number}"
        shutil.copytree(CODE, code / "kinfolk")
        versions = code / "kinfolk" / "db" / "migrations" / "versions"
        for each in range(1, number + 1):
            before = newest() if each == 1 else f"later{each - 1}"
            text = _MIGRATION.format(revision=f"later{each}", before=before, table=f"later_{each}")
            (versions / f"later_{each}.py").write_text(text)
        formats = {**FORMATS, **dict([SEARCH_FORMAT] if number >= FIRST_WITH_OTHER_SEARCH else [])}
        for name, pattern in formats.items():
            file = code / "kinfolk" / name
            changed, count = re.subn(
                pattern,
                lambda found: f"{found[1]}{int(found[2]) + (1 if found[3] else number)}{found[3]}",
                file.read_text(),
                flags=re.MULTILINE,
            )
            assert count == 1, name
            file.write_text(changed)
        return code

    @staticmethod
    def _write(folder: Path, text: str) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "kinfolk").write_text(text)
        (folder / "kinfolk").chmod(0o755)

    def _link(self, folder: Path) -> None:
        new = self.folder / "next"
        new.symlink_to(folder)
        new.replace(self.folder / "current")


class DeployedServer:
    """A server whose code changes. `socket_held` starts it as systemd does, with a socket that outlives it."""

    def __init__(
        self, releases: Releases, environment: Mapping[str, str], *options: str, socket_held: bool = False
    ) -> None:
        self._program = releases.program
        self.folder = releases.folder
        self._pid_file = self.folder / "pid"
        self.log_file = self.folder / "log"
        self._socket: socket.socket | None = None
        if socket_held:
            self._socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
            self.port = int(self._socket.getsockname()[1])
        else:
            self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._options = options
        own = {
            "KINFOLK_SITE": str(SITE),
            "KINFOLK_FRONTEND": str(BUILT_FRONTEND),
            "KINFOLK_MIRROR": "off",
            "KINFOLK_VAR": str(self.folder / "var"),
            "KINFOLK_LOG": "json",
            "KINFOLK_NPM_IMPORT": "off",
            "KINFOLK_FIGURES": "off",
            "KINFOLK_RELEASE_NOTES": "off",
            "KINFOLK_SEARCH_RATE": "0",
        }
        self._environment = {**os.environ, **own, **environment}
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        pid = self.pid
        if pid is not None:
            self._send(pid, signal.SIGTERM)
            self._until(lambda: not _is_running(pid), "the server ends")
        for process in self._started:
            process.kill()
            process.wait()
        if self._socket is not None:
            self._socket.close()

    @property
    def pid(self) -> int | None:
        """The process that answers now."""
        with contextlib.suppress(OSError, ValueError):
            return int(self._pid_file.read_text())
        return None

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def start(self) -> None:
        """Start the deployed release, and wait until it answers."""
        command = [str(self._program), "serve", "--port", str(self.port), "--pid-file", str(self._pid_file)]
        command += self._options
        with self.log_file.open("ab") as log:
            if self._socket is not None:
                wrapper = [sys.executable, "-c", _ACTIVATE, str(self._socket.fileno())]
                process = subprocess.Popen(
                    [*wrapper, *command],
                    stdout=log,
                    stderr=log,
                    env=self._environment,
                    pass_fds=[self._socket.fileno()],
                )
            else:
                process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)
        self._started.append(process)
        self._until(lambda: self.pid is not None, "the server answers")

    def build_index(self) -> None:
        """Build the search index of the deployed release beside the running server."""
        subprocess.run([str(self._program), "index"], env=self._environment, check=True, capture_output=True)

    def restart(self) -> None:
        """Stop the server, and start the deployed release."""
        pid = self.pid
        assert pid is not None
        self._send(pid, signal.SIGTERM)
        self._until(lambda: self.pid is None, "the server ends")
        self.start()

    def reload(self) -> None:
        """Start the deployed release beside the running one, and wait until it answers."""
        pid = self.pid
        assert pid is not None
        self._send(pid, signal.SIGUSR2)
        self._until(lambda: self.pid not in (None, pid), "the new server answers")

    def reload_in_vain(self) -> None:
        """Start a release that fails, and wait until the running server logs that."""
        pid, before = self.pid, self.log.count("reload failed")
        assert pid is not None
        self._send(pid, signal.SIGUSR2)
        self._until(lambda: self.log.count("reload failed") > before, "the failure is logged")
        assert self.pid == pid

    def ended(self, pid: int) -> bool:
        """Whether a former process of this server has ended."""
        return not _is_running(pid)

    def wait_for_search(self) -> None:
        """Wait until the search index is built, which the first start does in the background."""
        keys = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}
        address = f"{self.url}/1/indexes/tanstack/query"

        def answers() -> bool:
            return httpx.post(address, json={"query": "query"}, headers=keys, timeout=PATIENCE_S).status_code == 200

        self._until(answers, "the search answers")

    def probe(self) -> int:
        """The status of a health check."""
        return httpx.get(f"{self.url}/readyz", timeout=PATIENCE_S).status_code

    @staticmethod
    def _send(pid: int, number: int) -> None:
        os.kill(pid, number)

    def _until(self, holds: object, what: str) -> None:
        assert callable(holds)
        deadline_s = time.monotonic() + PATIENCE_S
        while not holds():
            for process in self._started:
                process.poll()  # reap
            if time.monotonic() > deadline_s:
                raise TimeoutError(f"{what}: {self.log[-3000:]}")
            time.sleep(0.02)


def _is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

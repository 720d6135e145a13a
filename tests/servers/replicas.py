"""Two replicas of two workers each, behind nginx, that share one PostgreSQL database.

with replicated(folder, database_url) as site:
    site.push(2)                                # commit to the remote, and send the webhook through nginx
    httpx.get(f"{site.url}/tiles/latest/docs/overview")
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually
from tests.servers.serving import LEAN, Server, free_port, serving
from tests.sites.acme_site import write_acme_site
from tests.unit.content.sources.git.sources_upstream import Upstreams

from kinfolk.config.docs_address import Ref

TILES, ROUTES = Ref("acme/tiles", "main"), Ref("acme/routes", "main")
PAGE = "/tiles/latest/docs/overview"
SECRET = "secret"
WORKERS = 2
START_S = 60.0
_NGINX = """
master_process off; daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}
http {{
    access_log off;
    {temporary}
    upstream replicas {{
        server 127.0.0.1:{first} max_fails=1 fail_timeout=1s;
        server 127.0.0.1:{second} max_fails=1 fail_timeout=1s;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://replicas;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_next_upstream error timeout;
            proxy_connect_timeout 2s;
            proxy_read_timeout 10s;
        }}
    }}
}}
"""


def text_of(revision: int) -> str:
    """The overview in a revision."""
    return f"---\ntitle: Overview\n---\n\nThis is revision {revision}.\n"


@dataclass
class ReplicatedSite:
    """`url` is the address of nginx, `ports` are those of the replicas."""

    folder: Path
    environment: dict[str, str]
    upstreams: Upstreams
    url: str
    ports: tuple[int, int]
    replicas: list[Server] = field(default_factory=list)

    @contextmanager
    def replica(self, number: int) -> Iterator[Server]:
        """Run a replica with a `var` folder of its own."""
        folder = self.folder / f"replica-{number}"
        folder.mkdir(exist_ok=True)
        own = {"KINFOLK_MIRROR": str(folder / "var" / "mirror")}
        environment = self.environment | own
        with serving(folder, "--workers", str(WORKERS), environment=environment, port=self.ports[number]) as server:
            eventually(
                lambda: httpx.get(server.url + PAGE).status_code == 200,
                "the replica shows docs",
                within_s=START_S,
            )
            yield server

    def commit(self, revision: int) -> str:
        """Commit a revision of the overview to the remote."""
        return self.upstreams.commit(TILES, {"docs/overview.md": text_of(revision)})

    def push(self, revision: int, *, to: str | None = None) -> str:
        """Commit, and send the webhook through nginx, or to one replica. Returns the commit."""
        commit = self.commit(revision)
        body = json.dumps({"ref": "refs/heads/main", "project": {"path_with_namespace": TILES.repo}})
        headers = {"x-gitlab-token": SECRET, "x-gitlab-event": "Push Hook"}
        answer = httpx.post(f"{to or self.url}/_hooks/gitlab", content=body, headers=headers)
        assert answer.status_code == 202, answer.text
        return commit

    def shown_at(self, commit: str) -> list[str]:
        """The times at which worker processes began to show a commit of the overview."""
        entries = [
            json.loads(line)
            for server in self.replicas
            for line in server.log.splitlines()
            if line.startswith("{") and '"docs changed"' in line and line.endswith("}")
        ]
        of_commit = [entry for entry in entries if (entry["ref"], entry["revision"]) == (str(TILES), commit[:12])]
        return sorted(entry["timestamp"] for entry in of_commit)

    def shown_by_all(self, commit: str) -> list[str] | None:
        """`shown_at` when all workers show the commit, as a probe for `eventually`."""
        times = self.shown_at(commit)
        return times if len(times) == WORKERS * len(self.replicas) else None


@contextmanager
def replicated(folder: Path, database: str, **environment: str) -> Iterator[ReplicatedSite]:
    """Run both replicas and nginx."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    site = write_acme_site(folder / "site")
    upstreams = Upstreams(folder / "upstream")
    for ref in (TILES, ROUTES):
        root = site / "repos" / ref.repo / ref.branch
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        upstreams.commit(ref, files)
    # Without bundled docs, all docs come from the mirrors.
    shutil.rmtree(site / "repos")
    ports = (free_port(), free_port())
    url = f"http://127.0.0.1:{free_port()}"
    replicated = ReplicatedSite(
        folder,
        LEAN
        | {
            "KINFOLK_SITE": str(site),
            "KINFOLK_UPSTREAM": upstreams.url_template,
            "KINFOLK_DATABASE_URL": database,
            "KINFOLK_ORIGIN": url,
            "KINFOLK_SECRET": "0123456789abcdef0123456789abcdef",
            "KINFOLK_WEBHOOK_SECRET": SECRET,
            "KINFOLK_TRUSTED_PROXIES": "127.0.0.1",
            "KINFOLK_LINK_CHECK": "off",
            "KINFOLK_PRERENDER": "off",
            "KINFOLK_RENDERERS": "1",
            **environment,
        },
        upstreams,
        url,
        ports,
    )
    with ExitStack() as stack:
        stack.enter_context(_nginx(folder / "nginx", int(url.rpartition(":")[2]), ports))
        replicated.replicas += [stack.enter_context(replicated.replica(number)) for number in (0, 1)]
        yield replicated


@contextmanager
def _nginx(folder: Path, port: int, ports: tuple[int, int]) -> Iterator[None]:
    folder.mkdir()
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in names)
    text = _NGINX.format(folder=folder, temporary=temporary, first=ports[0], second=ports[1], port=port)
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    try:
        yield
    finally:
        process.terminate()
        process.wait()

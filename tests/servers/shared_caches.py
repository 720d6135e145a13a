"""nginx and Varnish as caches, with the files of deploy/ except for ports and folders."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.servers.serving import Server, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
START_S = 60.0
CACHES = ("nginx", "varnish")


@contextmanager
def process_at(command: list[str], port: int) -> Iterator[httpx.Client]:
    """A client of a cache, which runs until the block ends."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=HTML, timeout=30) as client:
        try:
            wait_until(lambda: answers(client) or process.poll() is not None)
            assert process.poll() is None, "the cache did not start"
            yield client
        finally:
            process.terminate()
            process.wait(20)


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def nginx(folder: Path, upstream: str, change: Callable[[str], str]) -> Iterator[httpx.Client]:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    folder.mkdir()
    port = free_port()
    text = (DEPLOY / "nginx-cache.conf").read_text().replace("127.0.0.1:8000", upstream)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("/var/cache/nginx", str(folder))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in kinds)
    (folder / "nginx.conf").write_text(
        f"user {getpass.getuser()}; daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{change(text)}\n}}"
    )
    command = ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    with process_at(command, port) as client:
        yield client


@contextmanager
def varnish(
    folder: Path, upstream: str, change: Callable[[str], str] = lambda text: text, *, port: int = 0
) -> Iterator[httpx.Client]:
    """Varnish in front of `upstream`, at a free port for 0."""
    if shutil.which("varnishd") is None:
        pytest.skip("Varnish is not installed")
    folder.mkdir()
    port = port or free_port()
    text = (DEPLOY / "varnish.vcl").read_text().replace('"8000"', f'"{upstream.rpartition(":")[2]}"')
    (folder / "kinfolk.vcl").write_text(change(text))
    command = ["varnishd", "-F", "-a", f"127.0.0.1:{port}", "-f", str(folder / "kinfolk.vcl"), "-s", "malloc,32m"]
    options = [
        "-n",
        str(folder / "work"),
        "-j",
        "none",
        "-T",
        "none",
        "-p",
        "thread_pools=1",
        "-p",
        "thread_pool_min=10",
    ]
    with process_at([*command, *options], port) as client:
        yield client


@contextmanager
def started(
    name: str, folder: Path, server: Server, change: Callable[[str], str] = lambda text: text
) -> Iterator[httpx.Client]:
    upstream = server.url.removeprefix("http://")
    with (nginx if name == "nginx" else varnish)(folder / name, upstream, change) as client:
        yield client

"""Worker processes that die, hang or do not stop, and the parent that replaces them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually
from tests.serving import LEAN, Server, serving

TOY = Path(__file__).with_name("worker_toy.py")
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("workers"), "--workers", "2", environment=LEAN) as server:
        two_ready(server)
        yield server


def logged(server: Server, event: str, **fields: object) -> list[dict[str, object]]:
    """The entries of the log with this event and these fields."""
    entries = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    return [entry for entry in entries if entry["event"] == event and fields.items() <= entry.items()]


def two_ready(server: Server, *, without: int | None = None) -> list[int]:
    """Process ids of two workers that answer, once this one is gone."""

    def ready() -> list[int]:
        there = server.workers()
        answering = {entry["pid"] for entry in logged(server, "worker ready")}
        return there if len(there) == 2 and set(there) <= answering and without not in there else []

    return eventually(ready, "two workers answer", within_s=PATIENCE_S)


@contextlib.contextmanager
def running_toy(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A parent process whose workers behave as the first argument says."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(TOY), *arguments], stdout=pipe, stderr=pipe, text=True) as toy:
        try:
            yield toy
        finally:
            toy.kill()


def test_killed_worker_is_replaced_when_it_dies(server: Server) -> None:
    killed, other = two_ready(server)
    os.kill(killed, signal.SIGKILL)

    assert other in two_ready(server, without=killed)
    (entry,) = logged(server, "worker is replaced", pid=killed)
    assert (entry["reason"], entry["ended"], entry["pause_s"]) == ("died", "SIGKILL", 0.0)


def test_stopped_worker_is_killed_and_replaced(server: Server) -> None:
    stopped, other = two_ready(server)
    os.kill(stopped, signal.SIGSTOP)

    assert other in two_ready(server, without=stopped)
    (entry,) = logged(server, "worker is replaced", pid=stopped)
    assert (entry["reason"], entry["ended"]) == ("hung", "SIGKILL")


def test_hangup_replaces_every_worker_without_refusing_a_request(server: Server) -> None:
    before = set(two_ready(server))
    statuses: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            statuses.append(httpx.get(f"{server.url}/_server/theme.get", timeout=PATIENCE_S).status_code)

    reader = threading.Thread(target=read)
    reader.start()
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: not before & set(server.workers()), "all workers are others", within_s=PATIENCE_S)
    after = two_ready(server)
    over.set()
    reader.join()

    assert not before & set(after)
    assert set(statuses) == {200}


def test_server_ends_although_a_worker_is_stopped(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path, "--workers", "2", environment=LEAN) as server:
        stopped, other = two_ready(server)
        os.kill(stopped, signal.SIGSTOP)
        server.process.terminate()
        # The stopped worker would be killed as hung at the latest by then, if the server went on.
        server.process.wait(PATIENCE_S)
        assert server.process.returncode == 0
        assert not Path(f"/proc/{stopped}").exists()
        assert not Path(f"/proc/{other}").exists()


def test_worker_that_dies_while_it_starts_is_started_again_more_and_more_slowly() -> None:
    with running_toy("die_before_ready") as toy:
        assert toy.stderr is not None
        entries = [json.loads(toy.stderr.readline()) for _ in range(4)]
    assert [entry["pause_s"] for entry in entries] == [0.0, 0.5, 1.0, 2.0]


def test_first_worker_that_cannot_start_ends_the_server_with_its_reason() -> None:
    with running_toy("cannot_start") as toy:
        out, _ = toy.communicate(timeout=PATIENCE_S)
    assert (toy.returncode, out) == (1, "The facts are wrong\n")


def test_worker_ends_although_threads_are_stuck() -> None:
    with running_toy("stuck_threads") as toy:
        assert toy.stdout is not None
        assert toy.stdout.readline() == "stuck threads\n"
        toy.terminate()
        _, log = toy.communicate(timeout=PATIENCE_S)
    assert toy.returncode == 0
    assert "worker does not stop" not in log


def test_everything_that_a_worker_writes_to_standard_error_is_json(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with running_toy("noisy", str(said)) as toy:
        eventually(said.exists, "the worker has said everything", within_s=PATIENCE_S)
        toy.terminate()
        _, log = toy.communicate(timeout=PATIENCE_S)
    entries = [json.loads(line) for line in log.splitlines()]
    lines = {entry["line"] for entry in entries if entry["event"] == "worker wrote"}
    assert {"a library in Rust panicked", "at line 7", "printed", "RuntimeError: at the end"} <= lines
    assert {"thread crashed", "error ignored"} <= {entry["event"] for entry in entries}
    assert any("deprecated" in entry["event"] for entry in entries)


def test_server_in_json_form_writes_nothing_else_to_standard_error(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path, environment=LEAN) as server:
        (worker,) = server.workers()
        for target in ("/nope", "/_server/nope", "/%2f", "/query/latest/docs/nope.md", "/1/indexes/nope"):
            httpx.get(server.url + target, timeout=PATIENCE_S)
        os.kill(worker, signal.SIGABRT)
        eventually(lambda: logged(server, "worker is replaced", pid=worker), "it is replaced", within_s=PATIENCE_S)
        other = subprocess.run(
            [sys.executable, "-m", "kinfolk", "serve", "--port", server.url.rpartition(":")[2]],
            env={**os.environ, **LEAN, "KINFOLK_LOG": "json"},
            capture_output=True,
            text=True,
            check=False,
        )
    # Standard output and standard error are one file here; the two lines that say what is served are the former.
    lines = [line for line in server.log.splitlines() if not line.startswith(("Serving ", "Open "))]
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert other.returncode == 1
    assert [json.loads(line)["event"] for line in other.stderr.splitlines()] == ["server did not start"]


def test_counters_of_a_worker_outlive_it(tmp_path: Path, built: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"

    def sample(name: str) -> float:
        lines = httpx.get(f"http://{address}/metrics", timeout=PATIENCE_S).text.splitlines()
        return float(next((line.rsplit(" ", 1)[1] for line in lines if line.startswith(f"{name} ")), "0"))

    answered = 'kinfolk_requests_total{kind="health",status="200"}'
    with serving(tmp_path, "--workers", "2", environment={**LEAN, "KINFOLK_METRICS": address}) as server:
        killed, _ = two_ready(server)
        answers = [httpx.get(f"{server.url}/healthz", timeout=PATIENCE_S) for _ in range(20)]
        assert [answer.status_code for answer in answers] == [200] * 20
        assert sample(answered) == 20
        os.kill(killed, signal.SIGKILL)
        two_ready(server, without=killed)
        assert sample('kinfolk_workers_replaced_total{reason="died"}') == 1
        assert sample("kinfolk_workers") == 2
        httpx.get(f"{server.url}/healthz", timeout=PATIENCE_S)
        assert sample(answered) == 21


def test_cached_pages_are_counted(tmp_path: Path, built: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    expected = [
        'kinfolk_requests_total{kind="page",status="200"} 3.0',
        'kinfolk_page_cache_requests_total{result="miss"} 1.0',
        'kinfolk_page_cache_requests_total{result="hit"} 2.0',
    ]

    def counted() -> bool:
        return set(expected) <= set(httpx.get(f"http://{address}/metrics", timeout=PATIENCE_S).text.splitlines())

    with serving(tmp_path, environment={**LEAN, "KINFOLK_METRICS": address}) as server:
        for _ in range(3):
            assert httpx.get(f"{server.url}/ranger/latest/docs/overview", timeout=PATIENCE_S).status_code == 200
        eventually(counted, "all three requests are counted", within_s=PATIENCE_S)

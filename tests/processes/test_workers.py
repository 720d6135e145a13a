"""Worker processes that exit, hang or do not stop, and the parent that replaces them."""

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
from itertools import islice
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually
from tests.serving import LEAN, Server, serving

FAULTY_WORKER = Path(__file__).with_name("faulty_worker.py")
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("workers"), "--workers", "2", environment=LEAN) as server:
        wait_for_two_workers(server)
        yield server


def log_entries(server: Server, event: str, **fields: object) -> list[dict[str, object]]:
    """The log entries with this event and these fields."""
    entries = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    return [entry for entry in entries if entry["event"] == event and fields.items() <= entry.items()]


def wait_for_two_workers(server: Server, *, without: int | None = None) -> list[int]:
    """Process ids of two workers that answer after this one has exited."""

    def ready() -> list[int]:
        there = server.workers()
        answering = {entry["pid"] for entry in log_entries(server, "worker ready")}
        return there if len(there) == 2 and set(there) <= answering and without not in there else []

    return eventually(ready, "two workers answer", within_s=PATIENCE_S)


@contextlib.contextmanager
def running_faulty_worker(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A parent process whose workers have the behavior of the first argument."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, str(FAULTY_WORKER), *arguments], stdout=pipe, stderr=pipe, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_killed_worker_is_replaced(server: Server) -> None:
    killed, other = wait_for_two_workers(server)
    os.kill(killed, signal.SIGKILL)

    assert other in wait_for_two_workers(server, without=killed)
    (entry,) = log_entries(server, "worker is replaced", pid=killed)
    assert (entry["reason"], entry["ended"], entry["pause_s"]) == ("died", "SIGKILL", 0.0)


def test_stopped_worker_is_killed_and_replaced(server: Server) -> None:
    stopped, other = wait_for_two_workers(server)
    os.kill(stopped, signal.SIGSTOP)

    assert other in wait_for_two_workers(server, without=stopped)
    (entry,) = log_entries(server, "worker is replaced", pid=stopped)
    assert (entry["reason"], entry["ended"]) == ("hung", "SIGKILL")


def test_sighup_replaces_workers_without_failed_requests(server: Server) -> None:
    before = set(wait_for_two_workers(server))
    statuses: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            statuses.append(httpx.get(f"{server.url}/_server/theme.get", timeout=PATIENCE_S).status_code)

    reader = threading.Thread(target=read)
    reader.start()
    server.process.send_signal(signal.SIGHUP)
    eventually(lambda: not before & set(server.workers()), "all workers are others", within_s=PATIENCE_S)
    after = wait_for_two_workers(server)
    over.set()
    reader.join()

    assert not before & set(after)
    assert set(statuses) == {200}


def test_server_ends_although_a_worker_is_stopped(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path, "--workers", "2", environment=LEAN) as server:
        stopped, other = wait_for_two_workers(server)
        os.kill(stopped, signal.SIGSTOP)
        server.process.terminate()
        # A running server would have killed the stopped worker as hung by then.
        server.process.wait(PATIENCE_S)
        assert server.process.returncode == 0
        assert not Path(f"/proc/{stopped}").exists()
        assert not Path(f"/proc/{other}").exists()


def test_worker_that_fails_to_start_is_restarted_with_backoff() -> None:
    with running_faulty_worker("die_before_ready") as process:
        assert process.stderr is not None
        entries = map(json.loads, process.stderr)
        pauses_s = [entry["pause_s"] for entry in islice((entry for entry in entries if "pause_s" in entry), 4)]
    assert pauses_s == [0.0, 0.5, 1.0, 2.0]


def test_first_worker_that_cannot_start_ends_the_server_with_its_reason() -> None:
    with running_faulty_worker("cannot_start") as process:
        out, _ = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (1, "The facts are wrong\n")


def test_worker_ends_although_threads_are_stuck() -> None:
    with running_faulty_worker("stuck_threads") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stuck threads\n"
        process.terminate()
        _, log = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert "worker does not stop" not in log


def test_standard_error_of_workers_is_logged_as_json(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with running_faulty_worker("noisy", str(done)) as process:
        eventually(done.exists, "the worker has written everything", within_s=PATIENCE_S)
        process.terminate()
        _, log = process.communicate(timeout=PATIENCE_S)
    entries = [json.loads(line) for line in log.splitlines()]
    lines = {entry["line"] for entry in entries if entry["event"] == "worker wrote"}
    assert {"a library in Rust panicked", "at line 7", "printed", "RuntimeError: at the end"} <= lines
    assert {"thread crashed", "error ignored"} <= {entry["event"] for entry in entries}
    assert any("deprecated" in entry["event"] for entry in entries)


def test_json_log_contains_json_only(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path, environment=LEAN) as server:
        (worker,) = server.workers()
        for target in ("/nope", "/_server/nope", "/%2f", "/query/latest/docs/nope.md", "/1/indexes/nope"):
            httpx.get(server.url + target, timeout=PATIENCE_S)
        os.kill(worker, signal.SIGABRT)
        eventually(lambda: log_entries(server, "worker is replaced", pid=worker), "it is replaced", within_s=PATIENCE_S)
        other = subprocess.run(
            [sys.executable, "-m", "kinfolk", "serve", "--port", server.url.rpartition(":")[2]],
            env={**os.environ, **LEAN, "KINFOLK_LOG": "json"},
            capture_output=True,
            text=True,
            check=False,
        )
    # Standard output and standard error are one file here; the first two lines are from standard output.
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
    with serving(
        tmp_path, "--workers", "2", environment={**LEAN, "KINFOLK_METRICS": address}, own_interpreter=True
    ) as server:
        killed, _ = wait_for_two_workers(server)
        before = sample(answered)
        answers = [httpx.get(f"{server.url}/healthz", timeout=PATIENCE_S) for _ in range(20)]
        assert [answer.status_code for answer in answers] == [200] * 20
        assert sample(answered) == before + 20
        os.kill(killed, signal.SIGKILL)
        wait_for_two_workers(server, without=killed)
        assert sample('kinfolk_workers_replaced_total{reason="died"}') == 1
        assert sample("kinfolk_workers") == 2
        httpx.get(f"{server.url}/healthz", timeout=PATIENCE_S)
        assert sample(answered) == before + 21


def test_cached_pages_are_counted(tmp_path: Path, built: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    expected = [
        'kinfolk_requests_total{kind="page",status="200"} 3.0',
        'kinfolk_page_cache_requests_total{result="miss"} 1.0',
        'kinfolk_page_cache_requests_total{result="hit"} 2.0',
    ]

    def counter_value() -> bool:
        return set(expected) <= set(httpx.get(f"http://{address}/metrics", timeout=PATIENCE_S).text.splitlines())

    with serving(tmp_path, environment={**LEAN, "KINFOLK_METRICS": address}, own_interpreter=True) as server:
        for _ in range(3):
            assert httpx.get(f"{server.url}/ranger/latest/docs/overview", timeout=PATIENCE_S).status_code == 200
        eventually(counter_value, "all three requests are counted", within_s=PATIENCE_S)

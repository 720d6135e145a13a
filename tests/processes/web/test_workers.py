"""Worker processes that exit, hang or do not stop, and the parent that replaces them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests.processes.family import eventually
from tests.processes.faulty_worker import DONE, run_workers
from tests.servers.collector import StandInCollector, collecting
from tests.servers.kinfolk_process import ForkedProcess, run_kinfolk
from tests.servers.serving import LEAN, Server, free_port, serving

PATIENCE_S = 60.0
SOONER = {
    "kinfolk.web.processes.process_supervisor.HANG_S": 3.0,
    "kinfolk.web.processes.process_supervisor.STOP_S": 4.5,
}
"""Half of the times after which a silent worker is killed, and one that does not stop."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("workers")
    with serving(folder, "--workers", "2", environment=LEAN, constants=SOONER) as server:
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


@dataclass(frozen=True)
class FaultyWorker:
    """A parent process with a faulty worker."""

    process: ForkedProcess
    folder: Path

    @property
    def output(self) -> str:
        return (self.folder / "output").read_text()

    @property
    def log(self) -> list[dict[str, object]]:
        """The complete entries."""
        return [json.loads(line) for line in (self.folder / "errors").read_text().split("\n")[:-1]]


@contextlib.contextmanager
def running_faulty_worker(folder: Path, behavior: str, **environment: str) -> Iterator[FaultyWorker]:
    """A parent process whose worker has this behavior."""
    output, errors = folder / "output", folder / "errors"
    output.touch()
    errors.touch()
    process = ForkedProcess(partial(run_workers, behavior), {**os.environ, **environment}, output, errors)
    try:
        yield FaultyWorker(process, folder)
    finally:
        process.kill()
        process.wait()


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
        while not over.wait(0.005):
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
    with serving(tmp_path, "--workers", "2", environment=LEAN, constants=SOONER) as server:
        stopped, other = wait_for_two_workers(server)
        os.kill(stopped, signal.SIGSTOP)
        server.process.terminate()
        # A running server would have killed the stopped worker as hung by then.
        server.process.wait(PATIENCE_S)
        assert server.process.returncode == 0
        assert not Path(f"/proc/{stopped}").exists()
        assert not Path(f"/proc/{other}").exists()


def test_worker_that_fails_to_start_is_restarted_with_backoff(tmp_path: Path) -> None:
    def pauses_s() -> list[object]:
        return [entry["pause_s"] for entry in faulty.log if "pause_s" in entry]

    with running_faulty_worker(tmp_path, "die_before_ready") as faulty:
        eventually(lambda: len(pauses_s()) >= 4, "four restarts", within_s=PATIENCE_S)
    assert pauses_s()[:4] == [0.0, 0.5, 1.0, 2.0]


def test_first_worker_that_cannot_start_ends_the_server_with_its_reason(tmp_path: Path) -> None:
    with running_faulty_worker(tmp_path, "cannot_start") as faulty:
        assert faulty.process.wait(PATIENCE_S) == 1
    assert faulty.output == "The facts are wrong\n"


def test_worker_ends_although_threads_are_stuck(tmp_path: Path) -> None:
    with running_faulty_worker(tmp_path, "stuck_threads") as faulty:
        eventually(lambda: faulty.output == "stuck threads\n", "the worker is ready", within_s=PATIENCE_S)
        faulty.process.terminate()
        assert faulty.process.wait(PATIENCE_S) == 0
    assert not any("worker does not stop" in str(entry["event"]) for entry in faulty.log)


def test_standard_error_of_workers_is_logged_as_json(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with running_faulty_worker(tmp_path, "noisy", **{DONE: str(done)}) as faulty:
        eventually(done.exists, "the worker has written everything", within_s=PATIENCE_S)
        faulty.process.terminate()
        faulty.process.wait(PATIENCE_S)
    entries = faulty.log
    lines = {entry["line"] for entry in entries if entry["event"] == "worker wrote"}
    assert {"a library in Rust panicked", "at line 7", "printed", "RuntimeError: at the end"} <= lines
    # An entry of a process that the worker has started stays as it is.
    assert {"event": "pages checked", "level": "info"} in entries
    assert '{"event": "cut' in lines
    assert {"thread crashed", "error ignored"} <= {entry["event"] for entry in entries}
    assert any("deprecated" in str(entry["event"]) for entry in entries)


def test_json_log_contains_json_only(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path, environment=LEAN) as server:
        (worker,) = server.workers()
        for target in ("/nope", "/_server/nope", "/%2f", "/query/latest/docs/nope.md", "/1/indexes/nope"):
            httpx.get(server.url + target, timeout=PATIENCE_S)
        os.kill(worker, signal.SIGABRT)
        eventually(lambda: log_entries(server, "worker is replaced", pid=worker), "it is replaced", within_s=PATIENCE_S)
        port = server.url.rpartition(":")[2]
        other = run_kinfolk("serve", "--port", port, environment={**os.environ, **LEAN, "KINFOLK_LOG": "json"})
    # Standard output and standard error are one file here; the first two lines are from standard output.
    lines = [line for line in server.log.splitlines() if not line.startswith(("Serving ", "Open "))]
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert other.returncode == 1
    assert [json.loads(line)["event"] for line in other.stderr.splitlines()] == ["server did not start"]


@dataclass(frozen=True)
class Metrics:
    """A server with two workers, the address of its metrics, and the collector that gets them, too."""

    server: Server
    address: str
    collector: StandInCollector

    def samples(self) -> dict[str, float]:
        lines = httpx.get(f"http://{self.address}/metrics", timeout=PATIENCE_S).text.splitlines()
        named = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in named}


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Metrics]:
    assert built
    address = f"127.0.0.1:{free_port()}"
    folder = tmp_path_factory.mktemp("metrics")
    with collecting() as collector:
        environment = {**LEAN, "KINFOLK_METRICS": address, "KINFOLK_OTLP": collector.address}
        with serving(folder, "--workers", "2", environment=environment, own_interpreter=True) as server:
            wait_for_two_workers(server)
            yield Metrics(server, address, collector)


def test_cached_pages_are_counted(metrics: Metrics) -> None:
    page = f"{metrics.server.url}/ranger/latest/docs/overview"
    counted = {
        'kinfolk_requests_total{kind="page",status="200"}': 3,
        'kinfolk_page_cache_requests_total{result="miss"}': 1,
        'kinfolk_page_cache_requests_total{result="hit"}': 2,
    }
    before = metrics.samples()
    # One connection: each worker has a cache of its own.
    with httpx.Client(timeout=PATIENCE_S) as client:
        assert [client.get(page).status_code for _ in range(3)] == [200] * 3

    def are_counted() -> bool:
        after = metrics.samples()
        return {name: after.get(name, 0) - before.get(name, 0) for name in counted} == counted

    eventually(are_counted, "all three requests are counted", within_s=PATIENCE_S)


def test_counters_of_a_worker_outlive_it(metrics: Metrics) -> None:
    health = f"{metrics.server.url}/healthz"
    answered = 'kinfolk_requests_total{kind="health",status="200"}'
    killed, _ = wait_for_two_workers(metrics.server)
    before = metrics.samples().get(answered, 0)
    answers = [httpx.get(health, timeout=PATIENCE_S) for _ in range(20)]
    assert [answer.status_code for answer in answers] == [200] * 20
    assert metrics.samples()[answered] == before + 20
    os.kill(killed, signal.SIGKILL)
    wait_for_two_workers(metrics.server, without=killed)
    samples = metrics.samples()
    assert samples['kinfolk_workers_replaced_total{reason="died"}'] == 1
    assert samples["kinfolk_workers"] == 2
    httpx.get(health, timeout=PATIENCE_S)
    assert metrics.samples()[answered] == before + 21


def test_collector_has_the_last_metrics_when_the_server_has_stopped(metrics: Metrics) -> None:
    # It is the last test with this server.
    scraped = metrics.samples()
    metrics.server.process.send_signal(signal.SIGTERM)
    metrics.server.process.wait(PATIENCE_S)
    counted = {
        (labels["kind"], labels["status"]): point.as_double
        for point in metrics.collector.metrics["kinfolk_requests_total"].sum.data_points
        if (labels := {each.key: each.value.string_value for each in point.attributes})
    }
    assert counted["health", "200"] == scraped['kinfolk_requests_total{kind="health",status="200"}'] > 0
    assert metrics.collector.metrics.keys() >= {"kinfolk_workers", "kinfolk_request_seconds", "kinfolk_database_up"}

"""Tests of supervised background services: restarts, stopping and failure logs."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable

import pytest
from tests.servers.captured_logs import captured_logs

from kinfolk.runtime.services.supervisor import FORGOTTEN_S, FailureLog, OnDemand, ServiceState, Supervisor

PATIENCE_S = 15.0
STUCK_S = 0.3
"""Sufficient for the services that stop at once."""


def until(event: threading.Event) -> Callable[[], None]:
    """A service that runs until `event` is set."""

    def run() -> None:
        event.wait()

    return run


def test_service_that_raises_is_restarted_and_its_error_is_reported() -> None:
    supervisor = Supervisor()
    stop, restarted = threading.Event(), threading.Event()
    attempts: list[int] = []

    def run() -> None:
        attempts.append(len(attempts))
        if len(attempts) == 1:
            raise OSError("No space left on device")
        restarted.set()
        stop.wait()

    supervisor.start("index", run, stop=stop.set)
    assert restarted.wait(PATIENCE_S)
    (state,) = supervisor.states()
    assert (state.name, state.running, state.restarts) == ("index", True, 1)
    assert state.last_error == "OSError: No space left on device"
    assert state.error_age_s is not None
    assert state.error_age_s > 0
    assert supervisor.stop(within_s=PATIENCE_S) == []


def test_service_that_returns_without_stop_has_failed() -> None:
    supervisor = Supervisor()
    again = threading.Event()
    runs: list[int] = []

    def run() -> None:
        runs.append(1)
        if len(runs) > 1:
            again.set()

    supervisor.start("sync", run, stop=lambda: None)
    assert again.wait(PATIENCE_S)
    assert supervisor.states()[0].last_error == "it ended without being stopped"
    supervisor.stop(within_s=PATIENCE_S)


def test_stop_abandons_and_names_a_stuck_service() -> None:
    supervisor = Supervisor()
    release, stop = threading.Event(), threading.Event()
    supervisor.start("stuck", until(release), stop=lambda: None)
    supervisor.start("fine", until(stop), stop=stop.set)
    assert supervisor.stop(within_s=STUCK_S) == ["stuck"]
    release.set()


def test_other_services_stop_if_the_stop_of_one_raises() -> None:
    supervisor = Supervisor()
    release, stop = threading.Event(), threading.Event()

    def fail() -> None:
        release.set()
        raise RuntimeError("stop failed")

    supervisor.start("first", until(release), stop=fail)
    supervisor.start("second", until(stop), stop=stop.set)
    assert supervisor.stop(within_s=PATIENCE_S) == []


def test_second_service_of_the_same_name_is_refused() -> None:
    supervisor = Supervisor()
    stop = threading.Event()
    supervisor.start("one", until(stop), stop=stop.set)
    with pytest.raises(ValueError, match="already running"):
        supervisor.start("one", lambda: None, stop=stop.set)
    supervisor.stop(within_s=PATIENCE_S)


# Tasks


async def two_runs_of_a_task() -> tuple[list[int], ServiceState, list[str]]:
    supervisor = Supervisor()
    again = asyncio.Event()
    runs: list[int] = []

    async def work() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise OSError("Too many open files")
        again.set()
        await asyncio.Event().wait()

    supervisor.start_task("compression", work)
    await asyncio.wait_for(again.wait(), PATIENCE_S)
    (state,) = supervisor.states()
    return runs, state, await supervisor.close(within_s=PATIENCE_S)


def test_task_that_raises_is_restarted_and_its_error_is_reported() -> None:
    runs, state, stuck = asyncio.run(two_runs_of_a_task())
    assert (len(runs), stuck) == (2, [])
    assert (state.name, state.running, state.restarts) == ("compression", True, 1)
    assert state.last_error == "OSError: Too many open files"


async def close_with_a_stuck_thread() -> tuple[list[str], bool]:
    supervisor = Supervisor()
    release = threading.Event()
    supervisor.start("stuck", until(release), stop=lambda: None)
    supervisor.start_task("fine", lambda: asyncio.sleep(3600))
    stuck = await supervisor.close(within_s=STUCK_S)
    release.set()
    return stuck, len(asyncio.all_tasks()) == 1


def test_close_cancels_tasks_and_abandons_a_stuck_thread() -> None:
    assert asyncio.run(close_with_a_stuck_thread()) == (["stuck"], True)


def test_only_named_services_are_stopped() -> None:
    supervisor = Supervisor()
    events = {name: threading.Event() for name in ("one", "two")}
    for name, event in events.items():
        supervisor.start(name, until(event), stop=event.set)
    assert supervisor.stop(within_s=PATIENCE_S, names=["one"]) == []
    assert [state.name for state in supervisor.states()] == ["two"]
    assert supervisor.stop(within_s=PATIENCE_S) == []


# Panics, and repeated failures


class Panic(BaseException):
    """The exception of a panic in a Rust library."""


def test_panic_of_a_library_restarts_the_service() -> None:
    supervisor = Supervisor()
    again, stop = threading.Event(), threading.Event()
    runs: list[int] = []

    def run() -> None:
        runs.append(1)
        if len(runs) == 1:
            raise Panic("index out of bounds")
        again.set()
        stop.wait()

    supervisor.start("index", run, stop=stop.set)
    assert again.wait(PATIENCE_S)
    assert supervisor.states()[0].last_error == "Panic: index out of bounds"
    supervisor.stop(within_s=PATIENCE_S)


def test_repeated_failure_is_logged_in_full_once_and_then_at_powers_of_two() -> None:
    now_s = 0.0
    failures = FailureLog("not synced", clock=lambda: now_s)
    with captured_logs("not synced") as lines:
        for _ in range(9):
            failures.failed(OSError("No space left on device"), folder="var")
        failures.failed(OSError("Too many open files"))
        now_s += FORGOTTEN_S
        failures.failed(OSError("Too many open files"))
    assert [("exc_info" in line, line.get("times", 1)) for line in lines] == [
        (True, 1),
        (False, 2),
        (False, 4),
        (False, 8),
        (True, 1),
        (True, 1),
    ]


# Work on demand


def test_on_demand_work_runs_after_each_wake_and_again_after_a_failure() -> None:
    supervisor = Supervisor()
    done: queue.Queue[int] = queue.Queue()
    attempts = iter(range(10))

    def work() -> None:
        attempt = next(attempts)
        done.put(attempt)
        if attempt == 0:
            raise OSError("No space left on device")

    service = OnDemand(work)
    supervisor.start("histories", service.run, stop=service.stop)
    service.wake()
    assert [done.get(timeout=PATIENCE_S) for _ in range(2)] == [0, 1]
    service.wake()
    assert done.get(timeout=PATIENCE_S) == 2
    assert supervisor.stop(within_s=PATIENCE_S) == []
    assert done.empty()

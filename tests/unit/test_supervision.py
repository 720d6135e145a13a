"""Background services that fail, and are restarted."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from kinfolk.supervision import Supervisor

PATIENCE_S = 15.0


def until(event: threading.Event) -> Callable[[], None]:
    """A service that ends with `event`."""

    def run() -> None:
        event.wait()

    return run


def test_a_service_that_raises_is_restarted_and_its_error_is_known() -> None:
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


def test_a_service_that_returns_without_being_stopped_has_failed() -> None:
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


def test_stop_gives_up_on_a_service_that_is_stuck_and_names_it() -> None:
    supervisor = Supervisor()
    release, stop = threading.Event(), threading.Event()
    supervisor.start("stuck", until(release), stop=lambda: None)
    supervisor.start("fine", until(stop), stop=stop.set)
    assert supervisor.stop(within_s=0.2) == ["stuck"]
    release.set()


def test_a_service_whose_stop_raises_does_not_keep_the_others_from_stopping() -> None:
    supervisor = Supervisor()
    release, stop = threading.Event(), threading.Event()

    def fail() -> None:
        release.set()
        raise RuntimeError("stop failed")

    supervisor.start("first", until(release), stop=fail)
    supervisor.start("second", until(stop), stop=stop.set)
    assert supervisor.stop(within_s=PATIENCE_S) == []


def test_two_services_of_one_name_are_refused() -> None:
    supervisor = Supervisor()
    stop = threading.Event()
    supervisor.start("one", until(stop), stop=stop.set)
    with pytest.raises(ValueError, match="already running"):
        supervisor.start("one", lambda: None, stop=stop.set)
    supervisor.stop(within_s=PATIENCE_S)

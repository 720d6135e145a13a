"""What a test process sends to the first process, and what it traces (tests/conftest.py)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.conftest import measure_coverage, send_fewer_events


class Recorder:
    """Records what is called."""

    def __init__(self) -> None:
        self.calls: list[object] = []

    def sendevent(self, name: str, **event: Any) -> None:
        data = event.get("data")
        self.calls.append((data["when"], data["outcome"], data["duration"]) if data else name)

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")


def send(interactor: Recorder, when: str, duration: float, outcome: str = "passed") -> None:
    data = {"when": when, "outcome": outcome, "duration": duration, "keywords": {"browser": 1}}
    interactor.sendevent("testreport", data=data)


def test_passed_test_is_one_report_with_the_time_of_its_setup() -> None:
    recorder = Recorder()
    plugins = SimpleNamespace(get_plugins=lambda: {object(), recorder})
    send_fewer_events(cast(pytest.Config, SimpleNamespace(pluginmanager=plugins)))
    recorder.sendevent("logstart")
    send(recorder, "setup", 0.03125)
    send(recorder, "call", 0.5)
    send(recorder, "teardown", 0.01)
    recorder.sendevent("logfinish")
    recorder.sendevent("runtest_protocol_complete")
    # A setup that takes long and what fails are reported themselves.
    send(recorder, "setup", 2)
    send(recorder, "call", 0.25, "failed")
    send(recorder, "teardown", 0.01, "failed")
    assert recorder.calls == [
        ("call", "passed", 0.53125),
        "runtest_protocol_complete",
        ("setup", "passed", 2),
        ("call", "failed", 0.25),
        ("teardown", "failed", 0.01),
    ]


def test_coverage_is_stopped_before_a_test_that_is_not_measured() -> None:
    recorder = Recorder()
    controller = SimpleNamespace(cov=recorder, started=True)
    plugin = SimpleNamespace(get_plugin=lambda _: SimpleNamespace(cov_controller=controller))
    config = cast(pytest.Config, SimpleNamespace(pluginmanager=plugin))
    for measured in (True, False, False, True):
        measure_coverage(config, measured=measured)
        if not measured:
            # pytest-cov calls these around the call of the test.
            controller.pause()
            controller.resume()
    assert recorder.calls == ["stop", "start"]

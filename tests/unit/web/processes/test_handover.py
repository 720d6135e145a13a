"""The server that is started to replace this one: what it reports, and how long it may take."""

from __future__ import annotations

import os
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from kinfolk.web.processes.handover import START_S, Handover, NewServer, ServerProgram

PATIENCE_S = 30.0


def started(folder: Path, *script: str) -> Handover:
    """A handover at the time 0 to a shell script, whose pipe is the descriptor 3."""
    handover = Handover([], ServerProgram(["/bin/sh", "-c", "; ".join(script)], str(folder)))
    assert handover.begin(0.0)
    return handover


def after_its_message(handover: Handover, now_s: float) -> NewServer:
    assert handover.pipe is not None
    assert wait([handover.pipe], PATIENCE_S)
    return handover.check(now_s)


def test_server_that_reports_its_preparation_may_take_longer(tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    handover = started(tmp_path, "printf p >&3", f"read word < {go}", "printf pr >&3")
    assert after_its_message(handover, START_S - 1) is NewServer.STARTING
    assert handover.check(2 * START_S - 2) is NewServer.STARTING
    go.write_text("go\n")
    assert after_its_message(handover, 2 * START_S - 2) is NewServer.READY
    assert handover.pid is not None
    os.waitpid(handover.pid, 0)


@pytest.mark.parametrize("script", ["sleep 60", "printf p >&3; sleep 60"])
def test_server_that_is_silent_is_ended(tmp_path: Path, script: str) -> None:
    handover = started(tmp_path, script)
    if "printf" in script:
        assert after_its_message(handover, 0.0) is NewServer.STARTING
    assert handover.check(START_S + 1) is NewServer.FAILED
    assert handover.pid is None


def test_server_that_fails_after_its_preparation_is_given_up_at_once(tmp_path: Path) -> None:
    handover = started(tmp_path, "printf p >&3", "printf 'fno index' >&3", "sleep 60")
    state = NewServer.STARTING
    while state is NewServer.STARTING:
        state = after_its_message(handover, 0.0)
    assert state is NewServer.FAILED
    assert handover.pid is None

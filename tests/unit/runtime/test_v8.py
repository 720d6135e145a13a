"""Closing an isolate during an evaluation, its use by threads older than V8, which needs a flag, and its priority."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from kinfolk.runtime.v8 import NICENESS, V8Isolate

SCRIPT = """
from threading import Event, Thread
from kinfolk.runtime.v8 import V8Isolate

made, ready = [], Event()

def use():
    ready.wait()
    print(made[0].js.eval("sum(4)"))
    made[0].js.low_memory_notification()
    made[0].close()

older = Thread(target=use)
older.start()
# Called often enough to be compiled, for what is protected is compiled code.
hot = "function sum(n) { let a = 0; for (let x = 0; x < n; x++) a += x; return a }; "
hot += "for (let i = 0; i < 300; i++) sum(2000)"
younger = Thread(target=lambda: made.append(V8Isolate(hot, thread="v8", startup_s=30)))
younger.start()
younger.join()
ready.set()
older.join()
print("closed")
"""


def test_thread_started_before_v8_can_use_and_close_it() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["6", "closed"]), done.stderr


@pytest.mark.parametrize("code", ["for (;;) {}", "1"], ids=["endless", "short"])
def test_close_cancels_an_evaluation(code: str) -> None:
    """Its result would be read from memory that V8 has freed: wrong, an exception, or a crash of the process."""
    isolate = V8Isolate("", thread="v8", startup_s=30)
    failures: list[dict[str, object]] = []
    isolate.loop.set_exception_handler(lambda _, failure: failures.append(failure))
    endless = asyncio.run_coroutine_threadsafe(isolate.js.eval_cancelable("for (;;) {}"), isolate.loop)
    queued = [asyncio.run_coroutine_threadsafe(isolate.js.eval_cancelable(code), isolate.loop) for _ in range(20)]
    isolate.close()
    for evaluation in (endless, *queued):
        with pytest.raises(CancelledError):
            evaluation.result(timeout=30)
    assert failures == []


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no niceness of their own")
def test_evaluations_have_a_lower_priority_than_the_threads_that_wait_for_them() -> None:
    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    isolate = V8Isolate("", thread="v8", startup_s=30)
    try:
        # Other threads of a long run of tests have used more time before.
        earlier = {task: _cpu_ticks(task) for task in Path("/proc/self/task").iterdir()}
        isolate.js.eval("const until = Date.now() + 300; while (Date.now() < until);")
        busiest = max(Path("/proc/self/task").iterdir(), key=lambda task: _cpu_ticks(task) - earlier.get(task, 0))
        assert os.getpriority(os.PRIO_PROCESS, int(busiest.name)) == min(before + NICENESS, 19)
    finally:
        isolate.close()
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def _cpu_ticks(task: Path) -> int:
    """Ticks of a thread of this process; those of the main thread, which imported all modules, do not count."""
    if int(task.name) == os.getpid():
        return 0
    fields = (task / "stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])

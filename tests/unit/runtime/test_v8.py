"""Closing an isolate during an evaluation, and its use by threads older than V8, which needs a flag."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import CancelledError

import pytest

from kinfolk.runtime.v8 import V8Isolate

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

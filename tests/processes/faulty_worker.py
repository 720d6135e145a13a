"""Workers that fail on request, in processes of their own."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.logging_config import log_uncaught, set_up_logs
from kinfolk.web.processes.process_supervisor import ParentPipe, ProcessSupervisor
from kinfolk.web.processes.worker_process import end_process

DONE = "FAULTY_WORKER_DONE"
"""The variable with the file that a noisy worker creates at the end."""


def die_before_ready(_slot: int, _link: ParentPipe) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def cannot_start(_slot: int, link: ParentPipe) -> None:
    link.failed("The facts are wrong")
    end_process(1)


def stuck_threads(_slot: int, link: ParentPipe) -> None:
    """Reports that it is ready, and ends on SIGTERM although threads are stuck that Python would join."""
    blocked = threading.Event()
    threading.Thread(target=blocked.wait).start()
    ThreadPoolExecutor(1).submit(blocked.wait)
    stop_requested = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop_requested.set())
    link.ready("stuck threads")
    while not stop_requested.wait(0.1):
        link.beat()
    end_process(0)


def noisy(_slot: int, link: ParentPipe) -> None:
    """Writes to standard output and error in all ways except the log."""
    set_up_logs("json", link.log_file)
    log_uncaught()
    link.ready("noise")
    os.write(2, b"a library in Rust panicked\nat line 7\n")
    print("printed", file=sys.stderr)
    os.write(2, b'{"event": "pages checked", "level": "info"}\n{"event": "cut\n')
    warnings.warn("deprecated", stacklevel=1)

    def fail() -> None:
        raise ValueError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

    class Unraisable:
        def __del__(self) -> None:
            raise ValueError("while it is collected")

    Unraisable()
    stop_requested = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop_requested.set())
    Path(os.environ[DONE]).touch()
    while not stop_requested.wait(0.1):
        link.beat()
    raise RuntimeError("at the end")


BEHAVIORS = {work.__name__: work for work in (die_before_ready, cannot_start, stuck_threads, noisy)}


def run_workers(behavior: str) -> None:
    """Run a parent process whose only worker has this behavior."""
    set_up_logs("json")
    log_uncaught()
    workers = ProcessSupervisor(
        BEHAVIORS[behavior], 1, wrap_stderr=True, on_ready=lambda about: print(about, flush=True)
    )
    try:
        workers.run()
    except SiteError as error:
        print(error.message, flush=True)
        sys.exit(1)

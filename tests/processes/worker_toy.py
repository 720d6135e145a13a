"""Workers that misbehave, in processes of their own: `python worker_toy.py BEHAVIOR`."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kinfolk.errors import SiteError
from kinfolk.web.logs import log_uncaught, set_up_logs
from kinfolk.web.worker import end_process
from kinfolk.web.workers import Link, Workers


def die_before_ready(_slot: int, _link: Link) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def cannot_start(_slot: int, link: Link) -> None:
    link.failed("The facts are wrong")
    end_process(1)


def stuck_threads(_slot: int, link: Link) -> None:
    """Tells that it is ready, and ends on SIGTERM while threads are stuck that Python would wait for."""
    blocked = threading.Event()
    threading.Thread(target=blocked.wait).start()
    ThreadPoolExecutor(1).submit(blocked.wait)
    told_to_end = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told_to_end.set())
    link.ready("stuck threads")
    while not told_to_end.wait(0.1):
        link.beat()
    end_process(0)


def noisy(_slot: int, link: Link) -> None:
    """Says something in every way there is, none of which is the log."""
    set_up_logs("json", link.log_file)
    log_uncaught()
    link.ready("noise")
    os.write(2, b"a library in Rust panicked\nat line 7\n")
    print("printed", file=sys.stderr)
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
    told_to_end = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told_to_end.set())
    Path(sys.argv[2]).touch()
    while not told_to_end.wait(0.1):
        link.beat()
    raise RuntimeError("at the end")


if __name__ == "__main__":
    set_up_logs("json")
    log_uncaught()
    workers = Workers(globals()[sys.argv[1]], 1, wrap_stderr=True, on_ready=lambda about: print(about, flush=True))
    try:
        workers.run()
    except SiteError as wrong:
        print(wrong.message, flush=True)
        sys.exit(1)

"""A process that does Markdown jobs, one after the other.

    python -m kinfolk.markdown.worker MEMORY_BYTES CPU_S ANSWER_BYTES

It talks through the socket that is its standard input (see `wire`) and reads and writes nothing else. The kernel ends
it when a job takes more CPU time or memory than it may; it ends itself when the site is gone, when there was nothing
to do for a while, and when a job has left it large.
"""

from __future__ import annotations

import gc
import itertools
import math
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from kinfolk.budget import OverBudget
from kinfolk.errors import NotFound
from kinfolk.markdown.jobs import JobsHere, LinksOf, Source
from kinfolk.markdown.wire import (
    OUT_OF_MEMORY,
    Message,
    Reader,
    of_about,
    of_anchors,
    of_page,
    of_wording,
    packed,
)

_SITE = 0
"""The socket."""
_LARGEST = 32 << 20
"""Bytes of a message: texts are limited before they are sent."""
_LONG = 200_000
_LOOK_EVERY = 20
"""Jobs between two looks at the memory, unless an answer is long."""
_LARGE = 96 << 20
"""Resident memory above which the process ends: Python does not give back what one large page took."""
_COLLECT_EVERY = 50
"""Jobs between two runs of the garbage collector. It is off in between: a job takes a tenth less time without it."""


def receive() -> Message:
    """Blocks until the site has sent a message. Raises ConnectionResetError when it is gone."""
    return _reader().read()


@cache
def _reader() -> Reader:
    return Reader(lambda view: os.readv(_SITE, [view]), _LARGEST)


def send(body: bytes) -> None:
    left = memoryview(body)
    while left:
        left = left[os.write(_SITE, left) :]


class _Links:
    """Asks the site where links lead."""

    def __init__(self, ref_path: str | None) -> None:
        self._ref_path = ref_path
        self._links: dict[str, tuple[str, bool]] = {}
        self._images: dict[str, str] = {}

    def prefetch(self, links: Sequence[str], images: Sequence[str]) -> None:
        if not links and not images:
            return
        send(packed(["links", self._ref_path, links, images]))
        targets, srcs = receive()
        self._links |= {href: (target, broken) for href, (target, broken) in zip(links, targets, strict=True)}
        self._images |= dict(zip(images, srcs, strict=True))

    def link(self, href: str) -> tuple[str, bool]:
        if href not in self._links:
            self.prefetch((href,), ())
        return self._links[href]

    def image(self, src: str) -> str:
        if src not in self._images:
            self.prefetch((), (src,))
        return self._images[src]


def _read_target(path: str) -> str:
    send(packed(["read", path]))
    text, *missing = receive()
    if missing:
        raise NotFound(missing[0])
    return str(text)


def _work(message: Message) -> Message:
    kind, text, framework, asks = message
    source = Source("", text, _read_target)
    links: LinksOf | None = _Links if asks else None
    jobs = JobsHere()
    kinds: Mapping[str, Callable[[], Message]] = {
        "page": lambda: of_page(jobs.page(source, links=links, framework=framework)),
        "wording": lambda: of_wording(jobs.wording(source, framework=framework)),
        "anchors": lambda: of_anchors(jobs.anchors(source)),
        "about": lambda: of_about(jobs.about(source)),
    }
    return kinds[kind]()


def _answer(message: Message, largest: int) -> bytes:
    """What is sent back. Never raises, but for memory that is not even enough for a failure."""
    try:
        answer = packed(["done", _work(message)])
    except NotFound as missing:
        return packed(["failed", "missing", missing.message])
    except OverBudget as exceeded:
        return packed(["failed", exceeded.limit, exceeded.message])
    except MemoryError:
        return packed(["failed", "memory", "it takes too much memory"])
    except RecursionError:
        return packed(["failed", "depth", "it is nested too deeply"])
    except (BlockingIOError, ConnectionError):
        raise
    except Exception as fault:  # noqa: BLE001 - the site logs it, and shows the page as plain text
        return packed(["failed", "error", f"{type(fault).__name__}: {fault}"[:500]])
    if len(answer) > largest:
        return packed(["failed", "size", "it becomes too large"])
    return answer


def _resident_bytes() -> int:
    # Not `ru_maxrss`: it begins with the size of the process that started this one.
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib is not needed for anything else
        return int(file.read().split()[1]) * resource.getpagesize()


class _CpuTime:
    """Has the kernel end this process when a job takes more."""

    def __init__(self, cpu_s: float) -> None:
        self._cpu_s = cpu_s
        self._set_s = 0
        _, self._hard = resource.getrlimit(resource.RLIMIT_CPU)

    def begin(self) -> None:
        # Whole seconds are all that the kernel counts in.
        most = math.ceil(time.process_time() + self._cpu_s)
        if most != self._set_s:
            self._set_s = most
            soft = most if self._hard == resource.RLIM_INFINITY else min(most, self._hard)
            resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))


def serve(cpu_s: float, largest: int) -> None:
    """Do jobs until there are none."""
    cpu_time = _CpuTime(cpu_s)
    for number in itertools.count(1):
        message = receive()
        cpu_time.begin()
        answer = _answer(message, largest)
        send(answer)
        if (number % _LOOK_EVERY == 0 or len(answer) > _LONG) and _resident_bytes() > _LARGE:
            return
        if number % _COLLECT_EVERY == 0:
            gc.collect()
        del message, answer


def main(memory: str, cpu_s: str, largest: str) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        serve(float(cpu_s), int(largest))
    except (BlockingIOError, ConnectionError):
        return  # the site is gone, or has had nothing to do for a while
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A process that runs Markdown jobs sequentially.

    python -m kinfolk.content.markdown.processes.process_main MEMORY_BYTES CPU_S ANSWER_BYTES

It communicates only through the socket that is its standard input (see `messages`). The kernel kills it when a job
exceeds its CPU time or memory. It exits when the site closes the socket, when it is idle for some time, and when a job
leaves it with too much resident memory.
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

from kinfolk.config.component import Component
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile, ResolverFactory
from kinfolk.content.markdown.processes.messages import (
    OUT_OF_MEMORY,
    Message,
    MessageReader,
    encode_anchors,
    encode_export,
    encode_message,
    encode_page,
    encode_summary,
)
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.errors import NotFound

_SOCKET_FD = 0
"""File descriptor of the socket to the site."""
_LARGEST_MESSAGE = 32 << 20
"""Bytes. The site limits texts before it sends them."""
_LONG_ANSWER = 200_000
_MEMORY_CHECK_JOBS = 20
"""Jobs between two checks of resident memory, unless an answer is long."""
_MOST_RESIDENT_BYTES = 96 << 20
"""The process exits above this: Python does not return the memory of a large page to the system."""
_NICENESS = 5
"""Where processors are scarce, the event loop of the site and so cached pages come first, as with V8's threads."""
_COLLECT_JOBS = 50
"""Jobs between two runs of the garbage collector. It is disabled otherwise: a job takes 10 % less time without it."""


def receive() -> Message:
    """Wait for a message from the site. Raises ConnectionResetError when the site has closed the socket."""
    return _reader().read()


@cache
def _reader() -> MessageReader:
    return MessageReader(lambda view: os.readv(_SOCKET_FD, [view]), _LARGEST_MESSAGE)


def send(body: bytes) -> None:
    left = memoryview(body)
    while left:
        left = left[os.write(_SOCKET_FD, left) :]


class _RemoteLinkResolver:
    """Requests resolved links from the site."""

    def __init__(self, ref_path: str | None) -> None:
        self._ref_path = ref_path
        self._links: dict[str, tuple[str, bool]] = {}
        self._images: dict[str, str] = {}

    def prefetch(self, links: Sequence[str], images: Sequence[str]) -> None:
        if not links and not images:
            return
        send(encode_message(["links", self._ref_path, links, images]))
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
    send(encode_message(["read", path]))
    text, *missing = receive()
    if missing:
        raise NotFound(missing[0])
    return str(text)


def _placed_file(message: Message) -> PlacedFile:
    dialect, path, docs_root, components, labels = message
    own = tuple((name, _component(fields)) for name, fields in components)
    return PlacedFile(dialect, path, docs_root, own, tuple((name, target, title) for name, target, title in labels))


def _component(fields: Message) -> Component:
    shape, title, text, link, kind, address, prefix, file, *rest = fields
    return Component(shape, tuple(title), tuple(text), tuple(link), kind, address, prefix, tuple(file), *rest)


def _run_job(message: Message) -> Message:
    name, text, framework, first_framework, resolves_links, place, link_schemes = message
    source = MarkdownFile("", text, _read_target, _placed_file(place) if place else None)
    links: ResolverFactory | None = _RemoteLinkResolver if resolves_links else None
    jobs = InProcessJobs(first_framework, link_schemes)
    runs: Mapping[str, Callable[[], Message]] = {
        "page": lambda: encode_page(jobs.page(source, links=links, framework=framework)),
        "export": lambda: encode_export(jobs.export(source, framework=framework)),
        "anchors": lambda: encode_anchors(jobs.anchors(source)),
        "summary": lambda: encode_summary(jobs.summary(source)),
    }
    return runs[name]()


def _answer(message: Message, largest: int) -> bytes:
    """The encoded answer to a job. Raises MemoryError if there is not enough memory for a failure."""
    try:
        answer = encode_message(["done", _run_job(message)])
    except NotFound as missing:
        return encode_message(["failed", "missing", missing.message])
    except OverBudget as exceeded:
        return encode_message(["failed", exceeded.limit, exceeded.message])
    except MemoryError:
        return encode_message(["failed", "memory", "it takes too much memory"])
    except RecursionError:
        return encode_message(["failed", "depth", "it is nested too deeply"])
    except (BlockingIOError, ConnectionError):
        raise
    except Exception as fault:  # noqa: BLE001 - the site logs it, and shows the page as plain text
        return encode_message(["failed", "error", f"{type(fault).__name__}: {fault}"[:500]])
    if len(answer) > largest:
        return encode_message(["failed", "size", "it becomes too large"])
    return answer


def _resident_bytes() -> int:
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS
    # Not `ru_maxrss`, which on Linux starts with the size of the parent process.
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - nothing else here needs pathlib
        return int(file.read().split()[1]) * resource.getpagesize()


class _CpuTimeLimit:
    """Sets the kernel's limit of CPU time for each job."""

    def __init__(self, cpu_s: float) -> None:
        self._cpu_s = cpu_s
        self._set_s = 0
        _, self._hard = resource.getrlimit(resource.RLIMIT_CPU)

    def begin(self) -> None:
        # The kernel counts whole seconds.
        most = math.ceil(time.process_time() + self._cpu_s)
        if most != self._set_s:
            self._set_s = most
            soft = most if self._hard == resource.RLIM_INFINITY else min(most, self._hard)
            resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))


def serve(cpu_s: float, largest: int) -> None:
    """Run jobs until the site closes the socket or the process is idle for too long."""
    cpu_time = _CpuTimeLimit(cpu_s)
    for number in itertools.count(1):
        message = receive()
        cpu_time.begin()
        answer = _answer(message, largest)
        send(answer)
        check_memory = number % _MEMORY_CHECK_JOBS == 0 or len(answer) > _LONG_ANSWER
        if check_memory and _resident_bytes() > _MOST_RESIDENT_BYTES:
            return
        if number % _COLLECT_JOBS == 0:
            gc.collect()
        del message, answer


def main(memory: str, cpu_s: str, largest: str) -> None:
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # macOS refuses a limit below the address space that each process has
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        serve(float(cpu_s), int(largest))
    except (BlockingIOError, ConnectionError):
        return  # the site closed the socket, or the socket timed out while idle
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main(*sys.argv[1:])

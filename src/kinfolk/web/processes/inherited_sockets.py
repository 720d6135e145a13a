"""Sockets that the parent process of a server was started with, in the protocol of systemd (sd_listen_fds).

    LISTEN_FDS=2 LISTEN_PID=4711 LISTEN_FDNAMES=http:metrics     # the descriptors 3 and 4

systemd passes the sockets of a `.socket` unit. A server that is replaced passes its own to the next, and a pipe with
the name `handover`, to which the next one writes whether it is ready. Any other name is that of a socket for HTTP:
systemd names them after their units.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from kinfolk.runtime.errors import Invalid, SiteError

FIRST_DESCRIPTOR = 3
MAX_DESCRIPTORS = 16
HTTP, METRICS, HANDOVER = "http", "metrics", "handover"
PREPARING, READY, FAILED = b"p", b"r", b"f"
"""Messages in the pipe of a handover. PREPARING may be repeated; the reason follows FAILED."""
_MAX_REASON_BYTES = 2000
_VARIABLES = ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES")


@dataclass
class InheritedSockets:
    """What this process was started with. Empty for a server that opens its own sockets."""

    http: list[socket.socket] = field(default_factory=list)
    metrics: socket.socket | None = None
    report: int | None = None
    """The pipe to the server that this one replaces."""

    @property
    def replaces_a_server(self) -> bool:
        """Whether another server continues until this one reports that it is ready."""
        return self.report is not None

    def report_preparing(self) -> None:
        """This server needs more time until it is ready."""
        if self.report is not None:
            # The other server may be gone, or has not read the earlier messages.
            with suppress(OSError):
                os.write(self.report, PREPARING)

    def report_ready(self) -> None:
        """The server that this one replaces may stop now. Does nothing a second time."""
        self._report(READY)

    def report_failure(self, reason: str) -> None:
        """This server does not start: the one that it should replace continues."""
        self._report(FAILED + reason.encode()[:_MAX_REASON_BYTES])

    def _report(self, message: bytes) -> None:
        if self.report is not None:
            # The other server may be gone.
            with suppress(OSError):
                os.write(self.report, message)
            os.close(self.report)
            self.report = None


@contextmanager
def inherited_sockets(environment: MutableMapping[str, str]) -> Iterator[InheritedSockets]:
    """Take the sockets, and report an error of the block to the server that this one replaces.

    Raises Invalid for descriptors that are no listening TCP sockets. The variables are removed: child processes must
    not read them.
    """
    sockets = InheritedSockets()
    try:
        _take(sockets, environment)
        yield sockets
    except SiteError as failure:
        sockets.report_failure(failure.message)
        raise


def _take(sockets: InheritedSockets, environment: MutableMapping[str, str]) -> None:
    count, pid, names = (environment.pop(name, "") for name in _VARIABLES)
    # The variables of another process: a shell between systemd and this one has passed them on.
    if not count or pid != str(os.getpid()):
        return
    if not count.isascii() or not count.isdecimal() or not 0 < int(count) <= MAX_DESCRIPTORS:
        raise Invalid(f"LISTEN_FDS must be a number from 1 to {MAX_DESCRIPTORS}, not {count[:20]!r}")
    # A pipe first: it takes the reason why another descriptor is wrong.
    named = sorted(_names(names, int(count)), key=lambda each: each[1] != HANDOVER)
    for descriptor, name in named:
        if name == HANDOVER:
            _check_open(descriptor, name)
            os.set_inheritable(descriptor, False)
            sockets.report = descriptor
        elif name == METRICS:
            sockets.metrics = _listening_socket(descriptor, name)
        else:
            sockets.http.append(_listening_socket(descriptor, name))
    if not sockets.http:
        raise Invalid("LISTEN_FDS has no socket for HTTP: add ListenStream= to the socket unit")


def _names(names: str, count: int) -> list[tuple[int, str]]:
    given = names.split(":") if names else []
    return [(FIRST_DESCRIPTOR + at, given[at] if at < len(given) and given[at] else HTTP) for at in range(count)]


def _check_open(descriptor: int, name: str) -> None:
    try:
        os.fstat(descriptor)
    except OSError as closed:
        raise Invalid(f"The descriptor {descriptor} ({name[:50]}) of LISTEN_FDS is not open") from closed


def _listening_socket(descriptor: int, name: str) -> socket.socket:
    _check_open(descriptor, name)
    which = f"The descriptor {descriptor} ({name[:50]}) of LISTEN_FDS"
    try:
        found = socket.socket(fileno=descriptor)
    except OSError as wrong:
        raise Invalid(f"{which} is not a socket") from wrong
    if found.family not in (socket.AF_INET, socket.AF_INET6) or found.type != socket.SOCK_STREAM:
        found.detach()
        raise Invalid(f"{which} is not a TCP socket: use ListenStream= with an address and a port")
    if not found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        found.detach()
        raise Invalid(f"{which} does not listen: the socket unit needs Accept=no")
    found.set_inheritable(False)
    return found

"""Notifies systemd of the state of the server (sd_notify), so that units can have `Type=notify` and `WatchdogSec=`.

The protocol is one datagram of lines `NAME=value` to the socket that NOTIFY_SOCKET names: a package for it would be
larger than this module.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress


class ServiceNotifier:
    """Sends notifications of the parent process; does nothing without NOTIFY_SOCKET.

    A notification that cannot be sent is lost: the server does not depend on who started it.
    """

    def __init__(self, environment: Mapping[str, str], clock: Callable[[], float] = time.monotonic) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._clock = clock
        self._watchdog_s = _watchdog_s(environment)
        self._beat_at_s = 0.0

    def ready(self, status: str) -> None:
        """The server answers requests."""
        self._send(f"READY=1\nSTATUS={_line(status)}")

    def reloading(self) -> None:
        """A reload has begun: `ready` or `replaced_by` ends it."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={int(self._clock() * 1e6)}")

    def replaced_by(self, pid: int) -> None:
        """Another process is the main process of the service now. Only the main process may send this."""
        self._send(f"MAINPID={pid}\nREADY=1")

    def stopping(self) -> None:
        """The server stops."""
        self._send("STOPPING=1")

    def beat(self) -> None:
        """Reset the watchdog, if half of its time is over. Called by a loop that runs more often."""
        now_s = self._clock()
        if self._watchdog_s is not None and now_s >= self._beat_at_s:
            self._beat_at_s = now_s + self._watchdog_s / 2
            self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # An abstract address begins with a zero byte, which variables cannot have.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(message.encode(), address)


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """The seconds after which systemd ends a service without a beat; None without a watchdog for this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    given = environment.get("WATCHDOG_USEC", "")
    return int(given) / 1e6 if given.isascii() and given.isdecimal() and int(given) > 0 else None


def _line(text: str) -> str:
    return " ".join(text.split())[:500]
